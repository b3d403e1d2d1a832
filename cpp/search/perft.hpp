// Counting leaves: the number that tells whether two rules engines agree.
#pragma once

#include "core/game.hpp"

namespace qilin {

struct NeverStopped {
  QILIN_HD constexpr bool operator()() const { return false; }
};

// Positions `depth` plies away. Chance events are not plies; where chance answers, each possible outcome is counted
// once. The past is not looked at: repetition rules do not prune. Once `stopped`, the count means nothing; small
// subtrees are counted without asking.
template <Game G, class Stopped = NeverStopped>
[[nodiscard]] QILIN_HD u64 perft(const typename G::State& state, int depth, const Stopped& stopped = {}) {
  if (depth == 0) return 1;
  u64 nodes = 0;
  if constexpr (HasChance<G>) {
    if (G::is_chance(state)) {
      G::outcomes(state, [&](int outcome, int) { nodes += perft<G>(G::resolve(state, outcome), depth, stopped); });
      return nodes;
    }
  }
  if (depth == 1) return static_cast<u64>(count_legal<G>(state));
  if (depth > 3 && stopped()) return 0;
  G::legal(state, [&](Move move) { nodes += perft<G>(G::play(state, move), depth - 1, stopped); });
  return nodes;
}

}  // namespace qilin
