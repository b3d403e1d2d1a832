// A forest in one block of a card's memory, and what is done to each of its trees. Every function here is one lane
// group's work on one tree; who calls them for all trees is a kernel, or a loop of the CPU that tests them.
//
//    memory   tree 0 │ tree 1 │ … │ tree n-1 │ counts
//
//    look ──▶ planes ──▶ (the network, on the card too) ──▶ replies ──▶ learn ──▶ look …
#pragma once

#include "core/atomic.hpp"
#include "cuda/exchange.hpp"
#include "search/decide.hpp"
#include "search/replant.hpp"
#include "search/room.hpp"
#include "search/simulate.hpp"

namespace qilin::cuda {

// What went wrong in all trees, since they were planted.
struct Counts {
  u64 broken = 0;  // evaluations that were no numbers, and were left out
};

// A plain value: kernels get a copy.
template <Game G>
struct Grove {
  std::byte* memory = nullptr;
  u64 bytes = 0;  // of one tree
  forest::Shape shape{};
  forest::Search search{};
  u64 seed = 0;
  u32 trees = 0;
  Counts* counts = nullptr;

  [[nodiscard]] QILIN_HD forest::Tree<G> tree(u64 index) const {
    return forest::tree_at<G>(memory, bytes, shape, index);
  }
  [[nodiscard]] QILIN_HD u64 row(u64 index, u32 leaf) const { return index * shape.leaves + leaf; }
};

// Simulations of one tree between two evaluations at most that leave no leaf. Those that end at a proof need no
// evaluation, and there may be many in a row; the other trees do not wait for them.
inline constexpr u32 patience = 7;

// Roots a tree at a position whose past lies in its memory already.
template <Game G, class Group>
QILIN_HD void plant(const Grove<G>& grove, u64 index, const typename G::State& state, u32 history) {
  const forest::Tree<G> tree = grove.tree(index);
  if (Group::leads()) {
    *tree.head = {};
    tree.head->history = history;
  }
  Group::sync();
  forest::plant<G, Group>(tree, state);
  forest::begin_search<G, Group>(grove.search, tree, grove.seed, index, static_cast<u32>(grove.search.simulations));
}

// Goes down to the next leaves, and shows them to the network.
template <Game G, class Group>
QILIN_HD void look(const Grove<G>& grove, u64 index, const Questions& to) {
  const forest::Tree<G> tree = grove.tree(index);
  const u32 leaves =
      forest::Simulation<G, Group>(grove.search, tree).gather(grove.shape.leaves, grove.shape.leaves + patience);
  for (u32 leaf = 0; leaf < leaves; ++leaf) {
    const Past past = forest::past_of<G, Group>(tree, tree.way(leaf), tree.depths[leaf], tree.keys);
    write_row<G, Group>(G::encode(tree.states[tree.leaf_node(leaf)], past), to, grove.row(index, leaf));
  }
}

// Whether the replies about a tree's leaves are numbers where they count.
template <Game G, class Group>
[[nodiscard]] QILIN_HD bool are_sound(const Grove<G>& grove, u64 index, const forest::Tree<G>& tree,
                                      const Replies& replies) {
  i64 odd = 0;
  for (u32 leaf = 0; leaf < tree.head->leaves; ++leaf) {
    const forest::Node& node = tree.nodes[tree.leaf_node(leaf)];
    const u64 row = grove.row(index, leaf);
    odd += Group::sum(node.count, [&](int i) {
      const Move move = tree.move[node.first + static_cast<u32>(i)];
      return static_cast<i64>(!portable::is_finite(replies.logit(row, move)));
    });
    for (int i = 0; i < forest::width_of(replies.form); ++i) odd += !portable::is_finite(replies.value(row, i));
  }
  return odd == 0;
}

// Takes the network's replies about the leaves, and brings them home. What is no number is counted, and its leaf is
// given up: whoever runs this asks for the counts before he trusts the trees.
template <Game G, class Group>
QILIN_HD void learn(const Grove<G>& grove, u64 index, const Replies& replies) {
  const forest::Tree<G> tree = grove.tree(index);
  forest::Simulation<G, Group> simulation(grove.search, tree);
  const u32 leaves = tree.head->leaves;
  if (!are_sound<G, Group>(grove, index, tree, replies)) {
    if (Group::leads()) fetch_add(&grove.counts->broken, u64{1});
    return simulation.cancel();
  }
  for (u32 leaf = 0; leaf < leaves; ++leaf) {
    const u32 node = tree.leaf_node(leaf);
    const Move* moves = tree.move + tree.nodes[node].first;
    const u64 row = grove.row(index, leaf);
    forest::set_priors<G, Group>(tree, node, [&](int i) {
      return replies.logit(row, moves[i]) + forest::boost<G>(grove.search, tree.states[node], moves[i]);
    });
    simulation.grow_leaf(leaf, forest::read_opinion(replies.form, [&](int i) { return replies.value(row, i); }));
  }
  simulation.forget_leaves();
}

// Plays `move` at a root, and begins the next search there. A tree whose game is over stays.
template <Game G, class Group>
QILIN_HD void advance(const Grove<G>& grove, u64 index, Move move, bool keep) {
  const forest::Tree<G> tree = grove.tree(index);
  forest::Simulation<G, Group>(grove.search, tree).cancel();
  const int slot = forest::find_edge<G, Group>(tree, move);
  if (slot < 0) return;
  forest::follow_root_edge<G, Group>(tree, slot, keep);
  forest::begin_search<G, Group>(grove.search, tree, grove.seed, index, static_cast<u32>(grove.search.simulations));
}

// What the searches have found, an array each with a row for every tree; a null pointer: not asked for.
struct Findings {
  float* policy = nullptr;  // (trees, moves), to learn from
  float* values = nullptr;  // (trees, 2): value and share of draws, for the player to move
  int* moves = nullptr;     // to play, the best or one drawn by the policy; -1: the game is over
  float temperature = 0;
};

template <Game G, class Group>
QILIN_HD void find(const Grove<G>& grove, u64 index, const Findings& to) {
  const forest::Tree<G> tree = grove.tree(index);
  const forest::Node& node = tree.nodes[0];
  const forest::Decision<G, Group> decision(grove.search, tree);
  const bool known = node.count > 0 && node.stage != forest::Stage::waiting;
  if (to.moves) {
    const int slot = known ? decision.sample(to.temperature) : -1;
    if (Group::leads()) to.moves[index] = slot < 0 ? -1 : tree.move[node.first + static_cast<u32>(slot)];
  }
  if (to.values && Group::leads()) {
    to.values[2 * index] = node.mover == 0 ? tree.stats[0].value : -tree.stats[0].value;
    to.values[2 * index + 1] = tree.stats[0].draws;
  }
  if (!to.policy) return;
  float* row = to.policy + index * static_cast<u64>(G::moves);
  Group::each(G::moves, [&](int move) { row[move] = 0; });
  if (!known) return;
  decision.write_policy(tree.scratch);
  Group::each(node.count, [&](int i) { row[tree.move[node.first + static_cast<u32>(i)]] = tree.scratch[i]; });
}

}  // namespace qilin::cuda
