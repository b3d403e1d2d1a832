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

// Begins a search of the root, with random numbers of its own.
template <Game G>
QILIN_HD void begin_search(const Search& search, const Tree<G>& tree, u64 seed, u64 index, u32 budget) {
  Head& head = *tree.head;
  head.key = hash(seed, index, head.searches++);
  head.simulations = 0;
  head.budget = budget;
  if (search.kind == Kind::gumbel) head.prepared = false;
}

// Makes `state` the root of an empty tree. Its past must have been written to tree.keys and head.history.
template <Game G>
QILIN_HD void plant(const Tree<G>& tree, const typename G::State& state) {
  Head& head = *tree.head;
  head.nodes = 0;
  head.edges = 1;
  head.leaves = 0;
  head.prepared = false;
  tree.stats[0] = {};
  tree.child[0] = 0;
  tree.stats[0].proof = make_node<G, OneLane>(tree, state, {tree.keys, static_cast<int>(head.history)}, false);
  if (head.nodes > 0) return;
  tree.stats[0].value = opinion_of(tree.stats[0].proof).value;
  tree.stats[0].draws = opinion_of(tree.stats[0].proof).draws;
  // The game is over: a root without edges, so that there is always a root.
  tree.nodes[0] = {};
  tree.nodes[0].mover = static_cast<u8>(G::to_move(state));
  tree.nodes[0].stage = Stage::ordered;
  tree.states[0] = state;
  head.nodes = 1;
}

// The root's edge of this move (at a chance node, outcome), counted from its first; -1: there is none.
template <Game G>
[[nodiscard]] QILIN_HD int find_edge(const Tree<G>& tree, Move move) {
  const Node& root = tree.nodes[0];
  return OneLane::best(root.count,
                       [&](int i) { return tree.move[root.first + static_cast<u32>(i)] == move ? 0.0F : never; })
      .index;
}

template <Game G>
class Compaction {
 public:
  QILIN_HD explicit Compaction(const Tree<G>& tree) : tree_(tree) {}

  QILIN_HD void keep(u32 node, u32 edge) {
    number(node);
    tree_.stats[0] = tree_.stats[edge];
    u32 nodes = 0, edges = 1;
    for (u32 from = node; from < tree_.head->nodes; ++from) {
      if (from != node && tree_.nodes[from].moved == 0) continue;
      move_edges(from, edges);
      move_node(from, nodes++, edges);
      edges += tree_.nodes[nodes - 1].count;
    }
    tree_.head->nodes = nodes;
    tree_.head->edges = edges;
    tree_.nodes[0].fresh = false;  // its past is history
  }

 private:
  // Every kept node gets its number; the new root keeps 0. Until its turn comes, `moved` says no more than "kept".
  QILIN_HD void number(u32 root) {
    u32 next = 0;
    for (u32 i = root; i < tree_.head->nodes; ++i) {
      Node& node = tree_.nodes[i];
      if (i != root && node.moved == 0) continue;
      node.moved = next++;
      for (u32 edge = node.first; edge < node.first + node.opened; ++edge) {
        if (tree_.child[edge]) tree_.nodes[tree_.child[edge]].moved = 1;
      }
    }
  }

  QILIN_HD void move_edges(u32 from, u32 to) {
    const Node& node = tree_.nodes[from];
    for (u32 i = 0; i < node.opened; ++i) {
      const u32 child = tree_.child[node.first + i];
      tree_.child[to + i] = child ? tree_.nodes[child].moved : 0;
      tree_.stats[to + i] = tree_.stats[node.first + i];
    }
    for (u32 i = 0; i < node.count; ++i) {
      tree_.prior[to + i] = tree_.prior[node.first + i];
      tree_.move[to + i] = tree_.move[node.first + i];
    }
  }

  QILIN_HD void move_node(u32 from, u32 to, u32 first_edge) {
    Node node = tree_.nodes[from];
    node.first = first_edge;
    node.moved = 0;
    if (from != to) tree_.states[to] = tree_.states[from];
    tree_.nodes[to] = node;
  }

  const Tree<G>& tree_;
};

// Follows an edge of the root for good: what was found below it is kept. `slot` comes from find_edge.
template <Game G>
QILIN_HD void follow_root_edge(const Tree<G>& tree, int slot) {
  const Node& root = tree.nodes[0];
  const u32 edge = root.first + static_cast<u32>(slot);
  const u32 node = slot < root.opened ? tree.child[edge] : 0;
  const typename G::State next = state_after(tree, 0, edge);
  if constexpr (HasPast<G>) {
    const bool fresh = is_fresh<G>(tree.states[0], next);
    if (!fresh) tree.keys[tree.head->history] = G::key(tree.states[0]);
    tree.head->history = fresh ? 0 : tree.head->history + 1;
  }
  if (node == 0) return plant(tree, next);
  Compaction<G>(tree).keep(node, edge);
  tree.head->leaves = 0;
  tree.head->prepared = false;
}

}  // namespace qilin::forest
