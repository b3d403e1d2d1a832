// How unevenly the search looks: the numbers behind "less deep where little is to be expected". None of them changes
// what is found, only what for.
#pragma once

#include <cmath>

#include "search/score.hpp"

namespace qilin::alphabeta::selectivity {

// Move order: noisy moves first, then killers, then the rest.
inline constexpr int noisy_rank = 1 << 24, killer_rank = 1 << 22;
[[nodiscard]] constexpr bool is_noisy(int rank) { return rank >= noisy_rank; }

// A move that refuted a deep search is worth more than one that refuted a shallow one.
[[nodiscard]] inline int bonus(int depth) { return std::min(16 * depth * depth, 1200); }

// Late-move reduction, in plies: the later the move and the deeper the search, the more. Good history gives some back.
template <Game G>
[[nodiscard]] int reduction(int depth, int index) {
  static const auto logs = [] {
    Array<float, 512> table{};
    for (int i = 1; i < table.size(); ++i) table[i] = std::log(static_cast<float>(i));
    return table;
  }();
  if (index < trust_in<G>.late) return 0;
  return static_cast<int>(0.5F + logs[depth] * logs[std::min(index, 511)] / trust_in<G>.slowness);
}
inline constexpr int merit_of_a_ply = 6000;

// Moves tried before the rest of a shallow node's list is given up.
[[nodiscard]] constexpr int enough_moves(int depth) { return depth > 4 ? 1 << 20 : 4 + 2 * depth * depth; }

// Nodes of this depth look at promising moves only, in games that tell.
inline constexpr int promising_depth = 1;

// Without a move known from before, a deep search begins with a shallower one.
inline constexpr int unknown_depth = 4;

// An opinion this far above beta stands at so little depth. 0: never so deep.
template <Game G>
[[nodiscard]] constexpr Score margin(int depth) {
  return depth > 4 ? 0 : static_cast<Score>(Evaluation<G>::scale * trust_in<G>.margin) * depth;
}

// Null move.
inline constexpr int pass_depth = 3;
[[nodiscard]] constexpr int pass_reduction(int depth) { return 3 + depth / 4; }

inline constexpr int longest_quiescence = 32;  // plies
inline constexpr int limit_horizon = 16;       // plies before a counter ends the game

}  // namespace qilin::alphabeta::selectivity
