// The way down: from the root along the chosen edges to a position that waits for its evaluation, or to one whose value
// is proven. A node is made when it is first reached, with its edges.
//
//    root ──▶ node ──▶ node ──▶ (chance: drawn by its exact odds) ──▶ new node: a leaf
#pragma once

#include "search/race.hpp"

namespace qilin::forest {

enum class Arrival : u8 {
  leaf,      // at a position that waits for its evaluation
  settled,   // at an edge whose value is proven
  collided,  // at a leaf that another descent has reached before
  full,      // nowhere: the tree has no room for what comes next
};

template <Game G, class Group>
class Descent {
 public:
  // `leaf` is where the way is noted down.
  QILIN_HD Descent(const Search& search, const Tree<G>& tree, u32 leaf)
      : search_(search), tree_(tree), way_(tree.way(leaf)), rng_(tree.head->key, tree.head->simulations) {}

  [[nodiscard]] QILIN_HD u32 depth() const { return depth_; }
  [[nodiscard]] QILIN_HD bool has_new_proof() const { return new_proof_; }

  QILIN_HD Arrival run() {
    step(0, 0);
    while (true) {
      const Step here = way_[depth_ - 1];
      if (tree_.stats[here.edge].proof.known()) return Arrival::settled;
      if (here.node == 0 && depth_ > 1) return Arrival::full;
      if (tree_.nodes[here.node].stage == Stage::waiting) {
        return tree_.stats[here.edge].pending ? Arrival::collided : Arrival::leaf;
      }
      if (depth_ == tree_.shape.depth) return Arrival::full;
      follow(here, choose(here));
    }
  }

 private:
  [[nodiscard]] QILIN_HD int choose(const Step& here) {
    if constexpr (HasChance<G>) {
      if (tree_.nodes[here.node].chance) return draw(tree_.nodes[here.node]);
    }
    if (here.node == 0 && search_.kind == Kind::gumbel) return Race<G, Group>(search_, tree_).next();
    order_next<G, Group>(tree_, here.node);
    const Choice<G, Group> choice(search_, tree_, here);
    if (search_.kind == Kind::gumbel) return choice.gumbel();
    const int forced = here.node == 0 && search_.forced_playouts > 0 && !tree_.head->plain ? choice.forced() : -1;
    return forced >= 0 ? forced : choice.puct();
  }

  // Weights are small whole numbers, exact as floats.
  [[nodiscard]] QILIN_HD int draw(const Node& node) {
    int ticket = rng_.below(static_cast<int>(node.mass)), i = 0;
    while ((ticket -= static_cast<int>(tree_.prior[node.first + static_cast<u32>(i)])) >= 0) ++i;
    return i;
  }

  QILIN_HD void follow(const Step& here, int slot) {
    if (slot == tree_.nodes[here.node].opened) open<G, Group>(tree_, here.node);
    const u32 edge = tree_.nodes[here.node].first + static_cast<u32>(slot);
    step(edge, tree_.child[edge]);
    const bool is_new = way_[depth_ - 1].node == 0 && !tree_.stats[edge].proof.known();
    if (is_new && tree_.has_room()) make(here, edge);
  }

  QILIN_HD void step(u32 edge, u32 node) {
    if (Group::leads()) way_[depth_] = {edge, node};
    ++depth_;
    Group::sync();
  }

  // The node behind an edge that was never followed, unless the game ends there: that is noted on the edge.
  QILIN_HD void make(const Step& from, u32 edge) {
    const u32 index = tree_.head->nodes;
    const typename G::State state = state_after(tree_, from.node, edge);
    const bool fresh = is_fresh<G>(tree_.states[from.node], state);
    Group::sync();
    if (Group::leads()) {
      way_[depth_ - 1].node = index;
      tree_.nodes[index].fresh = fresh;
    }
    Group::sync();
    const Past past = past_of<G, Group>(tree_, way_, depth_, tree_.keys);
    const Proof end = make_node<G, Group>(tree_, state, past, fresh);
    new_proof_ = end.known();
    if (Group::leads()) {
      if (new_proof_) {
        tree_.stats[edge].proof = end;
        way_[depth_ - 1].node = 0;
      } else {
        tree_.child[edge] = index;
      }
    }
    Group::sync();
  }

  const Search& search_;
  const Tree<G>& tree_;
  Step* way_;
  u32 depth_ = 0;
  bool new_proof_ = false;
  Rng rng_;
};

}  // namespace qilin::forest
