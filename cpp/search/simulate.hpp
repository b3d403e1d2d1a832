// One tree's share of a search: go down until some leaves wait for their evaluation, take the evaluations, go up.
//
//    gather ──▶ leaves ──▶ (whoever evaluates) ──▶ grow_leaf ──▶ gather …
//
// A simulation that ends where the value is proven needs no evaluation: it is backed up at once. A tree's first
// evaluation is that of its root, and not a simulation.
#pragma once

#include "search/descend.hpp"

namespace qilin::forest {

template <Game G, class Group>
class Simulation {
 public:
  QILIN_HD Simulation(const Search& search, const Tree<G>& tree) : search_(search), tree_(tree), head_(*tree.head) {}

  // Fills the tree's list of waiting leaves, up to `most`; answers how many there are. After `patience` simulations it
  // leaves the rest for another time, so that nobody waits for a tree whose simulations all end at proofs.
  QILIN_HD u32 gather(u32 most, u32 patience = 0xffffffff) {
    for (; head_.leaves < most && patience > 0 && !is_done(); --patience) {
      if (!head_.prepared && is_choice_at_root()) prepare_root<G, Group>(search_, tree_);
      if (!descend()) break;
    }
    return head_.leaves;
  }

  // A leaf's priors are set; `opinion` is that of the player to move.
  QILIN_HD void grow_leaf(u32 leaf, Opinion opinion) {
    const Step* way = tree_.way(leaf);
    const u32 depth = tree_.depths[leaf];
    const Node& node = tree_.nodes[way[depth - 1].node];
    if (Group::leads()) ++head_.evaluated;
    if (node.mover != 0) opinion.value = -opinion.value;
    set_expanded<G, Group>(tree_, way[depth - 1].node, opinion.value);
    if (is_shared()) add_pending<G, Group>(tree_, way, depth, -1);
    back_up<G, Group>(tree_, way, depth, depth, opinion);
  }

  // The first leaves have been brought home; those behind them wait on.
  QILIN_HD void forget_leaves(u32 first) {
    const u32 rest = head_.leaves - first;
    for (u32 leaf = 0; leaf < rest; ++leaf) {
      const u32 depth = tree_.depths[first + leaf];
      const Step* from = tree_.way(first + leaf);
      Step* to = tree_.way(leaf);
      Group::each(static_cast<int>(depth), [&](int i) { to[i] = from[i]; });
      if (Group::leads()) tree_.depths[leaf] = depth;
    }
    Group::sync();
    if (Group::leads()) head_.leaves = rest;
    Group::sync();
  }
  QILIN_HD void forget_leaves() { forget_leaves(head_.leaves); }

  // Nobody evaluates the waiting leaves: they will be reached again.
  QILIN_HD void cancel() {
    for (u32 leaf = 0; leaf < head_.leaves; ++leaf) {
      if (is_shared()) add_pending<G, Group>(tree_, tree_.way(leaf), tree_.depths[leaf], -1);
    }
    forget_leaves();
  }

  [[nodiscard]] QILIN_HD bool is_done() const {
    if (tree_.stats[0].proof.known()) return true;
    if (is_waiting()) return false;
    return head_.simulations >= head_.budget || (search_.stop_early && is_decided());
  }

 private:
  // Only then must ways be kept apart.
  [[nodiscard]] QILIN_HD bool is_shared() const { return search_.leaves > 1; }
  [[nodiscard]] QILIN_HD bool is_waiting() const { return tree_.nodes[0].stage == Stage::waiting; }
  [[nodiscard]] QILIN_HD bool is_choice_at_root() const { return !is_waiting() && !tree_.nodes[0].chance; }

  // One simulation. False: no more of them now.
  QILIN_HD bool descend() {
    const bool counts = !is_waiting();
    Descent<G, Group> descent(search_, tree_, head_.leaves);
    switch (descent.run()) {
      case Arrival::leaf:
        keep_leaf(descent.depth());
        break;
      case Arrival::settled:
        settle_at(descent);
        break;
      case Arrival::collided:
        return false;
      case Arrival::full:
        refuse();
        return false;
    }
    if (Group::leads()) head_.simulations += counts;
    Group::sync();
    return true;
  }

  QILIN_HD void keep_leaf(u32 depth) {
    if (is_shared()) add_pending<G, Group>(tree_, tree_.way(head_.leaves), depth, 1);
    Group::sync();
    if (Group::leads()) tree_.depths[head_.leaves++] = depth;
    Group::sync();
  }

  QILIN_HD void settle_at(const Descent<G, Group>& descent) {
    const Step* way = tree_.way(head_.leaves);
    const u32 depth = descent.depth();
    const u32 proven = descent.has_new_proof() ? settle<G, Group>(tree_, way, depth) : depth - 1;
    back_up<G, Group>(tree_, way, depth, proven, opinion_of(tree_.stats[way[proven].edge].proof));
  }

  // The tree is full: what is left of this search will not happen.
  QILIN_HD void refuse() {
    Group::sync();
    if (Group::leads()) {
      head_.refused += head_.budget - head_.simulations;
      head_.simulations = head_.budget;
    }
    Group::sync();
  }

  // No other move can get more visits than the one that leads.
  [[nodiscard]] QILIN_HD bool is_decided() const {
    const Node& root = tree_.nodes[0];
    const u32 rest = head_.budget - head_.simulations;
    if (root.chance || search_.kind == Kind::gumbel || rest >= tree_.stats[0].visits) return false;
    const auto visits = [&](int i) { return static_cast<float>(tree_.stats[root.first + static_cast<u32>(i)].visits); };
    const Best leader = Group::best(root.opened, visits);
    const Best second = Group::best(root.opened, [&](int i) { return i == leader.index ? never : visits(i); });
    return leader.score > (second.index < 0 ? 0.0F : second.score) + static_cast<float>(rest);
  }

  const Search& search_;
  Tree<G> tree_;
  Head& head_;
};

}  // namespace qilin::forest
