// What a tree is rooted at: a new position, or the one behind an edge of the root, whose subtree is kept.
//
// The subtree moves to the front in place. Children come after their parents, and edges in the order of their nodes, so
// everything moves down past what has been read already:
//
//    nodes    0 1 2 3 4 5 6 7 8          2 is the new root; 5, 6 and 8 lie below it
//             └─────2─┬─5 6   8          first each kept node learns its new number, then they move in their order
//             2 5 6 8
#pragma once

#include "search/grow.hpp"
#include "search/settings.hpp"

namespace qilin::forest {

// Begins a search of the root, with random numbers of its own. A plain one plays as well as it can: no noise, no
// visits that noise would be given.
template <Game G, class Group = OneLane>
QILIN_HD void begin_search(const Search& search, const Tree<G>& tree, u64 seed, u64 index, u32 budget,
                           bool plain = false) {
  Head& head = *tree.head;
  Group::sync();
  if (Group::leads()) {
    head.key = hash(seed, index, head.searches++);
    head.simulations = head.evaluated = 0;
    head.budget = budget;
    head.plain = plain;
    if (search.kind == Kind::gumbel) head.prepared = false;
  }
  Group::sync();
}

// The game is over: a root without edges, so that there is always a root.
template <Game G>
QILIN_HD void plant_end(const Tree<G>& tree, const typename G::State& state, Proof end) {
  const Opinion told = opinion_of(end);
  tree.stats[0].proof = end;
  tree.stats[0].value = told.value;
  tree.stats[0].draws = told.draws;
  tree.nodes[0] = {};
  tree.nodes[0].mover = static_cast<u8>(G::to_move(state));
  tree.nodes[0].stage = Stage::ordered;
  tree.states[0] = state;
  tree.head->nodes = 1;
}

// Makes `state` the root of an empty tree. Its past must have been written to tree.keys and head.history.
template <Game G, class Group = OneLane>
QILIN_HD void plant(const Tree<G>& tree, const typename G::State& state) {
  Head& head = *tree.head;
  Group::sync();
  if (Group::leads()) {
    head.nodes = 0;
    head.edges = 1;
    head.leaves = 0;
    head.prepared = false;
    tree.stats[0] = {};
    tree.child[0] = 0;
  }
  Group::sync();
  const Proof end = make_node<G, Group>(tree, state, {tree.keys, static_cast<int>(head.history)}, false);
  if (end.known() && Group::leads()) plant_end(tree, state, end);
  Group::sync();
}

// The root's edge of this move (at a chance node, outcome), counted from its first; -1: there is none.
template <Game G, class Group = OneLane>
[[nodiscard]] QILIN_HD int find_edge(const Tree<G>& tree, Move move) {
  const Node& root = tree.nodes[0];
  return Group::best(root.count,
                     [&](int i) { return tree.move[root.first + static_cast<u32>(i)] == move ? 0.0F : never; })
      .index;
}

template <Game G, class Group>
class Compaction {
 public:
  QILIN_HD explicit Compaction(const Tree<G>& tree) : tree_(tree) {}

  QILIN_HD void keep(u32 node, u32 edge) {
    const u32 all = tree_.head->nodes;
    number(node, all);
    if (Group::leads()) tree_.stats[0] = tree_.stats[edge];
    u32 nodes = 0, edges = 1;
    for (u32 from = node; from < all; ++from) {
      const Node moving = tree_.nodes[from];
      if (from != node && moving.moved == 0) continue;
      move_edges(moving, edges);
      move_node(moving, from, nodes++, edges);
      edges += moving.count;
    }
    Group::sync();
    if (Group::leads()) {
      tree_.head->nodes = nodes;
      tree_.head->edges = edges;
      tree_.nodes[0].fresh = false;  // its past is history
    }
    Group::sync();
  }

 private:
  // Every kept node gets its number; the new root keeps 0. Until its turn comes, `moved` says no more than "kept".
  QILIN_HD void number(u32 root, u32 all) {
    u32 next = 0;
    for (u32 i = root; i < all; ++i) {
      Node& node = tree_.nodes[i];
      if (i != root && node.moved == 0) continue;
      Group::sync();
      if (Group::leads()) node.moved = next;
      ++next;
      Group::each(node.opened, [&](int slot) {
        const u32 child = tree_.child[node.first + static_cast<u32>(slot)];
        if (child) tree_.nodes[child].moved = 1;
      });
      Group::sync();
    }
  }

  QILIN_HD void move_edges(const Node& node, u32 to) {
    struct Opened {
      Stats stats;
      u32 child;
    };
    struct Listed {
      float prior;
      Move move;
    };
    Group::carry(
        node.opened,
        [&](int i) {
          const u32 edge = node.first + static_cast<u32>(i), child = tree_.child[edge];
          return Opened{tree_.stats[edge], child ? tree_.nodes[child].moved : 0};
        },
        [&](int i, const Opened& edge) {
          tree_.stats[to + static_cast<u32>(i)] = edge.stats;
          tree_.child[to + static_cast<u32>(i)] = edge.child;
        });
    Group::carry(
        node.count,
        [&](int i) {
          const u32 edge = node.first + static_cast<u32>(i);
          return Listed{tree_.prior[edge], tree_.move[edge]};
        },
        [&](int i, const Listed& edge) {
          tree_.prior[to + static_cast<u32>(i)] = edge.prior;
          tree_.move[to + static_cast<u32>(i)] = edge.move;
        });
  }

  QILIN_HD void move_node(const Node& old, u32 from, u32 to, u32 first_edge) {
    Node node = old;
    node.first = first_edge;
    node.moved = 0;
    if (!Group::leads()) return;
    if (from != to) tree_.states[to] = tree_.states[from];
    tree_.nodes[to] = node;
  }

  const Tree<G>& tree_;
};

// The game goes on behind an edge of the root: the positions that may come again get one more, or are forgotten.
template <Game G, class Group>
QILIN_HD void lengthen_past(const Tree<G>& tree, const typename G::State& next) {
  if constexpr (HasPast<G>) {
    Head& head = *tree.head;
    const bool fresh = is_fresh<G>(tree.states[0], next);
    Group::sync();
    if (Group::leads()) {
      if (!fresh) tree.keys[head.history] = G::key(tree.states[0]);
      head.history = fresh ? 0 : head.history + 1;
    }
    Group::sync();
  }
}

// Follows an edge of the root for good. What was found below it is kept, unless nobody wants it.
// `slot` comes from find_edge.
template <Game G, class Group = OneLane>
QILIN_HD void follow_root_edge(const Tree<G>& tree, int slot, bool keep = true) {
  const Node& root = tree.nodes[0];
  const u32 edge = root.first + static_cast<u32>(slot);
  const u32 node = keep && slot < root.opened ? tree.child[edge] : 0;
  const typename G::State next = state_after(tree, 0, edge);
  lengthen_past<G, Group>(tree, next);
  if (node == 0) return plant<G, Group>(tree, next);
  Compaction<G, Group>(tree).keep(node, edge);
  if (Group::leads()) {
    tree.head->leaves = 0;
    tree.head->prepared = false;
  }
  Group::sync();
}

}  // namespace qilin::forest
