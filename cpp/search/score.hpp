// Scores: whole numbers for the player to move. What is proven lies beyond whatever an evaluation may say.
//
//   -32000        -20000                0                20000         32000
//      |  loss in n  |     an evaluation's opinion         |  win in n  |
//   loss_in(n) = n - 32000                                  win_in(n) = 32000 - n
//
// n counts plies from the root: a quick win is worth more than a slow one, a slow loss more than a quick one.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/evaluation.hpp"

namespace qilin {

using Score = int;

inline constexpr Score infinite = 32'001;

[[nodiscard]] constexpr Score win_in(int plies) { return 32'000 - plies; }
[[nodiscard]] constexpr Score loss_in(int plies) { return -win_in(plies); }

[[nodiscard]] constexpr bool is_win(Score score) { return score > max_evaluation; }
[[nodiscard]] constexpr bool is_loss(Score score) { return score < -max_evaluation; }
[[nodiscard]] constexpr bool is_proven(Score score) { return is_win(score) || is_loss(score); }

// Plies to the end of the game, where the score is a proven win or loss.
[[nodiscard]] constexpr std::optional<int> plies_to_end(Score score) {
  if (!is_proven(score)) return std::nullopt;
  return win_in(0) - (score > 0 ? score : -score);
}

// A table's entry is met again at another distance from the root, so proofs are stored counting from the position.
[[nodiscard]] constexpr Score from_here(Score score, int ply) {
  return is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}
[[nodiscard]] constexpr Score from_root(Score score, int ply) {
  return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

// What the player to move may expect: 1 a win, 1/2 as good as a draw, 0 a loss.
template <Game G>
[[nodiscard]] double win_probability(Score score) {
  if (is_proven(score)) return score > 0 ? 1 : 0;
  return 1 / (1 + std::exp(-score / Evaluation<G>::scale));
}

// The scores that matter: at most alpha is as bad as alpha, at least beta is as good as beta.
struct Window {
  Score alpha = -infinite, beta = infinite;

  [[nodiscard]] constexpr bool is_null() const { return beta - alpha == 1; }
  [[nodiscard]] constexpr Window operator-() const { return {-beta, -alpha}; }
};

// What a score says about the true one.
enum class Bound : unsigned char { none, upper, lower, exact };

[[nodiscard]] constexpr Bound bound_of(Score score, const Window& window) {
  return score >= window.beta ? Bound::lower : score > window.alpha ? Bound::exact : Bound::upper;
}

// Whether a score with this bound already decides a search with this window.
[[nodiscard]] constexpr bool decides(Score score, Bound bound, const Window& window) {
  if (bound == Bound::exact) return true;
  return bound == Bound::lower ? score >= window.beta : bound == Bound::upper && score <= window.alpha;
}

static_assert(from_root(from_here(win_in(7), 3), 3) == win_in(7) && from_here(win_in(7), 3) == win_in(4));
static_assert(plies_to_end(loss_in(6)) == 6 && !plies_to_end(max_evaluation));

}  // namespace qilin
