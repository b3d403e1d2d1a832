// What a hand-written opinion about a game looks like. A game's opinion stands in cpp/games/evaluation/<game>.hpp, as a
// specialisation; a game without one gets the empty opinion below, and is searched all the same.
//
// Besides `evaluate` and `order`, an opinion may offer, found with `requires`:
//   noisy(state, move)      the ply changes so much that a leaf before it can't be judged: quiescence looks on
//   noisy_moves(state, visit)   the same as a generator, where that is faster than filtering legal moves
//   promising(state, past, visit)   some legal moves, or none: where there is time for few, no others
//   in_danger(state)        the player to move is under attack (check): quiescence looks at every move
//   pass(state)             the same position with the other side to move: allows null-move pruning
//   can_pass(state)         and where passing is harmless
//   tier(state, move)       a small number that sorts moves, 0 for most: captures by their worth, checks. Training may
//                           look at the higher ones more
//   trust                   a Trust: how far the search may lean on this opinion
//   plies_left(state)       plies until a counter ends the game, if nothing resets it: near its end, positions that
//                           differ in it are no longer taken for the same
#pragma once

#include "core/game.hpp"

namespace qilin {

// Scores are whole numbers for the player to move, within ±max_evaluation; proven results lie beyond.
inline constexpr int max_evaluation = 20'000;

template <Game G>
struct Evaluation {
  // A score at which the player to move wins with probability 1 / (1 + 1/e) ~ 73 %.
  static constexpr double scale = 100;

  QILIN_HD static constexpr int evaluate(const typename G::State&) { return 0; }
  // How promising a legal move looks before any search: larger first. Costs little, and is never negative.
  QILIN_HD static constexpr int order(const typename G::State&, Move) { return 0; }
};

// How far the search may lean on an opinion, found by playing.
struct Trust {
  int late = 3;           // from this move on it looks less deep,
  float slowness = 1.9F;  // the less the later; larger: more slowly so
  int order = 16;         // a point of `order` beside the history of a move, which reaches 8192
  double margin = 0.6;    // times scale, for each ply of depth: so far above what is needed, a score is enough
};

template <class G>
inline constexpr Trust trust_in = [] {
  if constexpr (requires { Evaluation<G>::trust; }) return Evaluation<G>::trust;
  return Trust{};
}();

// Two weights in one number, so that both are summed up at once: one for the beginning of a game in the upper half, one
// for its end in the lower. Sums of either lie within 16 bits.
[[nodiscard]] QILIN_HD constexpr int both(int early, int late) { return early * 0x10000 + late; }
[[nodiscard]] QILIN_HD constexpr int late(int sum) { return static_cast<std::int16_t>(sum & 0xffff); }
[[nodiscard]] QILIN_HD constexpr int early(int sum) { return (sum - late(sum)) / 0x10000; }
static_assert(early(both(-3, 5) + both(1, -9)) == -2 && late(both(-3, 5) + both(1, -9)) == -4);

template <class G>
concept HasNoisy = requires(const typename G::State& state, Move move) {
  { Evaluation<G>::noisy(state, move) } -> std::same_as<bool>;
};
template <class G>
concept HasNoisyMoves = requires(const typename G::State& state) { Evaluation<G>::noisy_moves(state, IgnoreMove{}); };
template <class G>
concept HasPromising =
    requires(const typename G::State& state) { Evaluation<G>::promising(state, Past{}, IgnoreMove{}); };
template <class G>
concept HasDanger = requires(const typename G::State& state) {
  { Evaluation<G>::in_danger(state) } -> std::same_as<bool>;
};
template <class G>
concept HasLimit = requires(const typename G::State& state) {
  { Evaluation<G>::plies_left(state) } -> std::same_as<int>;
};
template <class G>
concept HasTiers = requires(const typename G::State& state, Move move) {
  { Evaluation<G>::tier(state, move) } -> std::same_as<int>;
};
template <class G>
concept HasPass = requires(const typename G::State& state) {
  { Evaluation<G>::pass(state) } -> std::same_as<typename G::State>;
  { Evaluation<G>::can_pass(state) } -> std::same_as<bool>;
};

}  // namespace qilin
