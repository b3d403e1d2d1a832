// What makes a tree grow: nodes and their edges, the priors of a leaf that was evaluated, and the way back up.
//
//    leaf: value v, draws d  ──▶  every edge of the way:  visits + 1, means moved towards v and d
//
// v belongs to player 0, so nothing is negated on the way. Where a value is proven it replaces the mean, there and for
// what the rest of the way is told.
#pragma once

#include "core/evaluation.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"

namespace qilin::forest {

// An opinion about a position, of the player to move.
struct Opinion {
  float value = 0;  // +1 a win … -1 a loss: share of wins minus share of losses
  float draws = 0;  // share of draws
};

template <Game G>
[[nodiscard]] QILIN_HD bool is_fresh(const typename G::State& before, const typename G::State& after) {
  if constexpr (HasPast<G>) return G::irreversible(before, after);
  return false;
}

// The position behind an edge.
template <Game G>
[[nodiscard]] QILIN_HD typename G::State state_after(const Tree<G>& tree, u32 node, u32 edge) {
  if constexpr (HasChance<G>) {
    if (tree.nodes[node].chance) return G::resolve(tree.states[node], tree.move[edge]);
  }
  return G::play(tree.states[node], tree.move[edge]);
}

template <Game G, class Group>
QILIN_HD void swap_edges(const Tree<G>& tree, u32 node, u32 i, u32 j) {
  if (i == j || !Group::leads()) return;
  const u32 first = tree.nodes[node].first;
  const auto swap = [](auto* items, u32 a, u32 b) {
    const auto item = items[a];
    items[a] = items[b];
    items[b] = item;
  };
  swap(tree.prior, first + i, first + j);
  swap(tree.move, first + i, first + j);
  if (node != 0) return;
  swap(tree.clean, i, j);
  swap(tree.lead, i, j);
}

// Brings the most promising edge that is not opened to the front of those. Of equal ones the first: it stays.
template <Game G, class Group>
QILIN_HD void order_next(const Tree<G>& tree, u32 node) {
  Node& n = tree.nodes[node];
  if (n.stage == Stage::ordered) return;
  const float* rest = tree.prior + n.first + n.opened;
  const int best = Group::best(n.count - n.opened, [&](int i) { return rest[i]; }).index;
  if (best > 0) swap_edges<G, Group>(tree, node, n.opened, n.opened + static_cast<u32>(best));
  if (Group::leads()) n.stage = Stage::ordered;
  Group::sync();
}

// Opens the first edge that is not.
template <Game G, class Group>
QILIN_HD void open(const Tree<G>& tree, u32 node) {
  Node& n = tree.nodes[node];
  Group::sync();  // everybody has read what the leader is about to change
  if (Group::leads()) {
    const u32 edge = n.first + n.opened;
    tree.stats[edge] = {};
    tree.child[edge] = 0;
    n.mass += tree.prior[edge];
    ++n.opened;
    n.stage = Stage::expanded;
  }
  Group::sync();
}

// Lists a node's edges; answers how many. A chance node's edges are all opened at once: chance has no favourites.
template <Game G, class Group>
[[nodiscard]] QILIN_HD u32 list_edges(const Tree<G>& tree, const typename G::State& state, Past past, u32 first) {
  u32 n = 0;
  if constexpr (HasChance<G>) {
    if (G::is_chance(state)) {
      G::outcomes(state, [&](int outcome, int weight) {
        const u32 edge = first + n++;
        if (!Group::leads()) return;
        tree.move[edge] = static_cast<Move>(outcome);
        tree.prior[edge] = static_cast<float>(weight);
        tree.stats[edge] = {};
        tree.child[edge] = 0;
      });
      return n;
    }
  }
  legal<G>(state, past, [&](Move move) {
    if (Group::leads()) tree.move[first + n] = move;
    ++n;
  });
  return n;
}

// The next node of the tree, if the game goes on there; otherwise how it has ended, and no node. The room is there.
template <Game G, class Group>
[[nodiscard]] QILIN_HD Proof make_node(const Tree<G>& tree, const typename G::State& state, Past past, bool fresh) {
  const u32 index = tree.head->nodes, first = tree.head->edges;
  const u32 count = list_edges<G, Group>(tree, state, past, first);
  Group::sync();
  if (count == 0) return {result<G>(state, past).end, 0};
  Node node;
  node.first = first;
  node.count = static_cast<u16>(count);
  node.mover = static_cast<u8>(G::to_move(state));
  node.fresh = fresh;
  if constexpr (HasPast<G>) node.key = G::key(state);
  if (is_chance<G>(state)) {
    node.chance = true;
    node.opened = node.count;
    node.stage = Stage::ordered;
    for (u32 i = 0; i < count; ++i) node.mass += tree.prior[first + i];
  }
  Group::sync();  // everybody has read what the leader is about to change
  if (Group::leads()) {
    tree.nodes[index] = node;
    tree.states[index] = state;
    tree.head->nodes = index + 1;
    tree.head->edges = first + count;
  }
  Group::sync();
  return {};
}

// Priors from logits: their softmax. `logit(i)` is that of the node's i-th edge.
template <Game G, class Group, class Logit>
QILIN_HD void set_priors(const Tree<G>& tree, u32 node, Logit&& logit) {
  const Node& n = tree.nodes[node];
  float* prior = tree.prior + n.first;
  const float most = Group::best(n.count, logit).score;
  const i64 sum = Group::sum(n.count, [&](int i) {
    prior[i] = portable::exp(logit(i) - most);
    return portable::fixed(prior[i]);
  });
  const float share = 1.0F / portable::from_fixed(sum);
  Group::each(n.count, [&](int i) { prior[i] *= share; });
}

// What the search adds to a network's logit.
template <Game G>
[[nodiscard]] QILIN_HD float boost(const Search& search, const typename G::State& state, Move move) {
  if constexpr (HasTiers<G>) {
    if (search.boosted) return search.boosts[Evaluation<G>::tier(state, move)];
  }
  return 0;
}

template <Game G, class Group>
QILIN_HD void set_equal_priors(const Tree<G>& tree, u32 node) {
  const Node& n = tree.nodes[node];
  const float share = 1.0F / static_cast<float>(n.count);
  Group::each(n.count, [&](int i) { tree.prior[n.first + static_cast<u32>(i)] = share; });
}

// A leaf has been evaluated; its priors are set.
template <Game G, class Group>
QILIN_HD void set_expanded(const Tree<G>& tree, u32 node, float value) {
  if (Group::leads()) {
    tree.nodes[node].value = value;
    tree.nodes[node].stage = Stage::expanded;
  }
  Group::sync();
}

// What the proofs of a node's edges prove about the node.
//   a win for the one to move:  the shortest        all drawn or lost: a draw, or the longest loss
//   chance:                     what every outcome comes to, if they all come to the same
template <Game G, class Group>
[[nodiscard]] QILIN_HD Proof judge(const Tree<G>& tree, u32 node) {
  const Node& n = tree.nodes[node];
  const Stats* stats = tree.stats + n.first;
  const auto longest = [&](End end) {
    return Group::best(n.opened, [&](int i) {
      return stats[i].proof.end() == end ? static_cast<float>(stats[i].proof.plies()) : never;
    });
  };
  const auto every = [&](End end) {
    return Group::sum(n.opened, [&](int i) { return static_cast<i64>(stats[i].proof.end() == end); }) == n.count;
  };
  const auto plies = [&](End end) { return static_cast<int>(longest(end).score); };
  if (n.chance) {
    const End end = stats[0].proof.end();
    return end != End::open && every(end) ? Proof(end, plies(end)) : Proof();
  }
  const End win = n.mover == 0 ? End::first_wins : End::second_wins;
  const Best shortest = Group::best(n.opened, [&](int i) {
    return stats[i].proof.end() == win ? -static_cast<float>(stats[i].proof.plies()) : never;
  });
  if (shortest.index >= 0) return {win, 1 - static_cast<int>(shortest.score)};
  const i64 known = Group::sum(n.opened, [&](int i) { return static_cast<i64>(stats[i].proof.known()); });
  if (known < n.count) return {};
  if (longest(End::draw).index >= 0) return {End::draw, 1 + plies(End::draw)};
  const End loss = n.mover == 0 ? End::second_wins : End::first_wins;
  return {loss, 1 + plies(loss)};
}

// A proof at the end of a way may prove what lies above it. Answers the first step whose value is proven.
template <Game G, class Group>
[[nodiscard]] QILIN_HD u32 settle(const Tree<G>& tree, const Step* way, u32 depth) {
  u32 top = depth - 1;
  for (; top > 0; --top) {
    const Proof proof = judge<G, Group>(tree, way[top - 1].node);
    if (!proof.known()) break;
    if (Group::leads()) tree.stats[way[top - 1].edge].proof = proof;
    Group::sync();
  }
  return top;
}

// What a proof says to player 0.
[[nodiscard]] QILIN_HD constexpr Opinion opinion_of(Proof proof) {
  return {static_cast<float>(proof.value(0)), proof.drawn() ? 1.0F : 0.0F};
}

// Steps from `proven` on have a proof, and take what it says; those above are told `opinion`, which is player 0's.
template <Game G, class Group>
QILIN_HD void back_up(const Tree<G>& tree, const Step* way, u32 depth, u32 proven, const Opinion& opinion) {
  Group::each(static_cast<int>(depth), [&](int i) {
    Stats& stats = tree.stats[way[i].edge];
    const bool exact = static_cast<u32>(i) >= proven;
    const Opinion told = exact ? opinion_of(stats.proof) : opinion;
    const float part = exact ? 1.0F : 1.0F / static_cast<float>(stats.visits + 1);
    stats.value += (told.value - stats.value) * part;
    stats.draws += (told.draws - stats.draws) * part;
    ++stats.visits;
  });
  Group::sync();
}

// Marks a way as being waited for, or takes the mark off.
template <Game G, class Group>
QILIN_HD void add_pending(const Tree<G>& tree, const Step* way, u32 depth, int n) {
  Group::each(static_cast<int>(depth), [&](int i) {
    Stats& stats = tree.stats[way[i].edge];
    stats.pending = static_cast<u16>(stats.pending + n);
  });
  Group::sync();
}

}  // namespace qilin::forest
