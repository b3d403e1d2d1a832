// What a search has found, in plain values for people and bindings.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "search/decide.hpp"

namespace qilin::forest {

// Of the player to move at the root; they add up to 1.
struct Odds {
  float win = 0, draw = 0, loss = 0;
};

[[nodiscard]] inline Odds odds_of(const Stats& stats, int player) {
  const float balance = player == 0 ? stats.value : -stats.value;
  return {(1 - stats.draws + balance) / 2, stats.draws, (1 - stats.draws - balance) / 2};
}

// A move at the root; at a chance node, an outcome.
struct MoveReport {
  Move move = 0;
  u32 visits = 0;
  float value = 0;  // for the player to move at the root; 0 where there are no visits
  Odds odds;
  float prior = 0;     // as the evaluator said
  float improved = 0;  // Gumbel's improved policy
  float policy = 0;    // to learn from: shares of visits, or the improved policy
  Proof proof;
};

// One step of the principal variation.
struct Ply {
  Move move;  // or outcome
  bool chance;
  std::string text;
};

struct Report {
  int to_move = 0;  // at the root
  bool is_chance = false;
  u32 visits = 0;
  float value = 0;  // for the player to move: the mean of all simulations, or under Gumbel that of the best move
  Odds odds;
  Proof proof;
  int best = -1;                  // among `moves`; -1: the game is over
  std::vector<MoveReport> moves;  // best first: proven wins, then by visits, then by prior
  std::vector<Ply> variation;
  u32 simulations = 0;  // of this search
  u32 nodes = 0, edges = 0;
  u32 refused = 0;  // simulations that a full tree could not do
};

template <Game G>
[[nodiscard]] std::string edge_text(const Tree<G>& tree, u32 node, u32 edge) {
  if constexpr (HasChance<G>) {
    if (tree.nodes[node].chance) return G::outcome_names[tree.move[edge]];
  }
  return G::move_text(tree.states[node], tree.move[edge]);
}

template <Game G>
class Reporter {
 public:
  Reporter(const Search& search, const Tree<G>& tree) : search_(search), tree_(tree), root_(tree.nodes[0]) {}

  [[nodiscard]] Report report() const {
    Report r;
    const Stats &self = tree_.stats[0], &expected = Decision<G, OneLane>(search_, tree_).outlook();
    r.to_move = root_.mover;
    r.is_chance = root_.chance;
    r.visits = self.visits;
    r.proof = self.proof;
    r.value = seen(expected.value);
    r.odds = odds_of(expected, root_.mover);
    r.simulations = tree_.head->simulations;
    r.nodes = tree_.head->nodes;
    r.edges = tree_.head->edges - 1;
    r.refused = tree_.head->refused;
    fill_moves(r);
    r.variation = variation();
    return r;
  }

  // As long as somebody has been there.
  [[nodiscard]] std::vector<Ply> variation() const {
    std::vector<Ply> plies;
    Step here{0, 0};
    while (true) {
      const Node& node = tree_.nodes[here.node];
      const int slot = node.stage == Stage::waiting ? -1 : Decision<G, OneLane>(search_, tree_, here).best();
      if (slot < 0 || slot >= node.opened) break;
      const u32 edge = node.first + static_cast<u32>(slot);
      if (tree_.stats[edge].visits == 0) break;
      plies.push_back({tree_.move[edge], node.chance, edge_text(tree_, here.node, edge)});
      if (tree_.child[edge] == 0) break;
      here = {edge, tree_.child[edge]};
    }
    return plies;
  }

 private:
  [[nodiscard]] float seen(float value) const { return root_.mover == 0 ? value : -value; }

  void fill_moves(Report& r) const {
    if (root_.count == 0) return;
    const bool is_evaluated = root_.stage != Stage::waiting;
    const Decision<G, OneLane> decision(search_, tree_);
    std::vector<float> policy(root_.count), improved(root_.count);
    if (is_evaluated) decision.write_policy(policy.data());
    if (is_evaluated && !root_.chance) decision.write_improved(improved.data());
    for (int i = 0; i < root_.count; ++i) {
      r.moves.push_back(move_report(i));
      MoveReport& m = r.moves.back();
      m.policy = policy[static_cast<std::size_t>(i)];
      m.improved = improved[static_cast<std::size_t>(i)];
      m.prior = !is_evaluated ? 0 : root_.chance ? decision.prior(i) / root_.mass : decision.prior(i);
    }
    const int best = is_evaluated ? decision.best() : -1;
    std::stable_sort(r.moves.begin(), r.moves.end(), [this](const auto& a, const auto& b) { return before(a, b); });
    for (std::size_t i = 0; best >= 0 && i < r.moves.size(); ++i) {
      if (r.moves[i].move == tree_.move[root_.first + static_cast<u32>(best)]) r.best = static_cast<int>(i);
    }
  }

  [[nodiscard]] MoveReport move_report(int slot) const {
    const u32 edge = root_.first + static_cast<u32>(slot);
    MoveReport m;
    m.move = tree_.move[edge];
    if (slot >= root_.opened) return m;
    const Stats& stats = tree_.stats[edge];
    m.visits = stats.visits;
    m.proof = stats.proof;
    if (stats.visits == 0) return m;
    m.value = seen(stats.value);
    m.odds = odds_of(stats, root_.mover);
    return m;
  }

  [[nodiscard]] bool before(const MoveReport& a, const MoveReport& b) const {
    const int proven_a = a.proof.value(root_.mover), proven_b = b.proof.value(root_.mover);
    if (proven_a != proven_b) return proven_a > proven_b;
    if (proven_a != 0 && a.proof.plies() != b.proof.plies())
      return (a.proof.plies() < b.proof.plies()) == (proven_a > 0);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.prior > b.prior;
  }

  const Search& search_;
  Tree<G> tree_;
  const Node& root_;
};

}  // namespace qilin::forest
