// What a game is: values and pure functions. Search, bindings and kernels are templates over this and know no game.
//
//   A State is a small regular value: trivially copyable, at most 128 bytes, no pointers, no history.
//   A Move is a policy index: 0 … G::moves - 1, computed in one place, the game's header.
//   Players are 0 and 1; 0 moves first. One player may have several plies in a row: ask `to_move`, never count parity.
//   `legal` visits no move exactly when the game is over or chance is to answer.
//
// Two games need their past (repetition). It stays outside the State: whoever drives the game keeps the keys of the
// positions since the last irreversible ply, and passes them as a `Past`.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/array.hpp"
#include "core/bits.hpp"
#include "core/rng.hpp"

namespace qilin {

using Move = u16;

enum class End : u8 { open, first_wins, second_wins, draw };

// How a game stands: still open, or ended, for the reason `G::reasons[reason]`.
struct Result {
  End end = End::open;
  u8 reason = 0;

  [[nodiscard]] QILIN_HD constexpr bool over() const { return end != End::open; }
  // +1, 0 or -1 for `player`; 0 while the game is open.
  [[nodiscard]] QILIN_HD constexpr int value(int player) const {
    if (end == End::first_wins) return player == 0 ? 1 : -1;
    if (end == End::second_wins) return player == 1 ? 1 : -1;
    return 0;
  }
  constexpr bool operator==(const Result&) const = default;

  template <class Reason>
  [[nodiscard]] QILIN_HD static constexpr Result win(int player, Reason reason) {
    return {player == 0 ? End::first_wins : End::second_wins, static_cast<u8>(reason)};
  }
  template <class Reason>
  [[nodiscard]] QILIN_HD static constexpr Result draw(Reason reason) {
    return {End::draw, static_cast<u8>(reason)};
  }
};

// Keys of the positions before this one, oldest first, back to the last irreversible ply.
struct Past {
  const u64* keys = nullptr;
  int length = 0;
};

// One input plane of a network: `value` on the squares of the set, 0 elsewhere. (A set and a number: a kernel writes
// planes without ever storing them.)
template <class Bits>
struct Plane {
  Bits squares = 0;
  float value = 1;
};

// A game's settings are whole numbers, in the order of `G::options`; a named choice is its position in `choices`.
using Settings = Array<int, 8>;

struct Option {
  const char* name;
  const char* help;
  std::array<const char*, 4> choices;  // names, then nullptr; no names at all: a number from least to most
  int least, most;
  std::array<int, 4> defaults;  // one for each choice of the first option, which is the preset

  [[nodiscard]] constexpr int choice_count() const {
    int n = 0;
    while (n < 4 && choices[static_cast<std::size_t>(n)]) ++n;
    return n;
  }
};

[[nodiscard]] constexpr Option choice(const char* name, const char* help, std::array<const char*, 4> choices) {
  return {name, help, choices, 0, 0, {}};
}
[[nodiscard]] constexpr Option number(const char* name, const char* help, int least, int most,
                                      std::array<int, 4> defaults) {
  return {name, help, {}, least, most, defaults};
}

// Visitors for concepts to ask with (nvcc takes a concept that holds a lambda for unfulfilled).
struct IgnoreMove {
  QILIN_HD constexpr void operator()(Move) const {}
};
struct IgnoreOutcome {
  QILIN_HD constexpr void operator()(int /*outcome*/, int /*weight*/) const {}
};

template <class G>
concept Game = requires(const typename G::State& state, Move move, const Settings& settings, std::string_view text) {
  requires std::is_trivially_copyable_v<typename G::State> && sizeof(typename G::State) <= 128;
  requires std::equality_comparable<typename G::State>;
  typename G::Bits;                                      // u64 or u128: a set of squares, in the layout of G::Grid
  typename G::Grid;                                      // rows, cols, and where a square's bit is (core/symmetry.hpp)
  { G::name } -> std::convertible_to<std::string_view>;  // the header's stem
  { G::moves } -> std::convertible_to<int>;              // size of the policy
  { G::max_legal } -> std::convertible_to<int>;          // bound on the legal moves of one position
  { G::max_plies } -> std::convertible_to<int>;          // bound on the plies of one game, under any settings
  { G::symmetries } -> std::convertible_to<int>;         // 1, 2 or 8: the first so many of core/symmetry.hpp
  { G::planes } -> std::convertible_to<int>;             // planes of the encoding
  { G::plane_names[0] } -> std::convertible_to<const char*>;
  {
    G::reasons[0]
  } -> std::convertible_to<const char*>;  // names of the ways a game ends, in the order of Result::reason
  { G::options.size() } -> std::convertible_to<std::size_t>;
  { G::start(settings) } -> std::same_as<typename G::State>;
  { G::to_move(state) } -> std::same_as<int>;  // at chance: the player whose ply chance answers
  G::legal(state, IgnoreMove{});               // visit(move) for every legal move; order fixed, not sorted
  { G::play(state, move) } -> std::same_as<typename G::State>;
  { G::result(state) } -> std::same_as<Result>;  // open exactly when some move is legal, or chance is to answer
  { G::key(state) } -> std::same_as<u64>;        // equal for the same position, whatever the counters say
  { G::encode(state, Past{}) } -> std::same_as<Array<Plane<typename G::Bits>, G::planes>>;
  { G::transform(state, 0) } -> std::same_as<typename G::State>;
  { G::transform_move(move, 0) } -> std::same_as<Move>;
  { G::text(state) } -> std::same_as<std::string>;
  { G::parse(text, settings) } -> std::same_as<typename G::State>;  // throws std::invalid_argument
  { G::move_text(state, move) } -> std::same_as<std::string>;
};

// Games in which chance answers some plies.
template <class G>
concept HasChance = requires(const typename G::State& state) {
  { G::is_chance(state) } -> std::same_as<bool>;
  G::outcomes(state, IgnoreOutcome{});  // visit(outcome, weight): probability = weight / sum of weights
  { G::resolve(state, 0) } -> std::same_as<typename G::State>;
  { G::outcome_names[0] } -> std::convertible_to<const char*>;
};

// Games whose rules look at the past. `legal` and `result` with a Past know repetition; without one they do not.
template <class G>
concept HasPast = requires(const typename G::State& state) {
  { G::max_past } -> std::convertible_to<int>;              // bound on Past::length
  { G::irreversible(state, state) } -> std::same_as<bool>;  // (before, after): nothing before can come again
  G::legal(state, Past{}, IgnoreMove{});
  { G::result(state, Past{}) } -> std::same_as<Result>;
};

template <class G>
concept HasMargin = requires(const typename G::State& state) {
  { G::margin(state) } -> std::same_as<int>;  // what player 0 has minus what player 1 has
};

// The squares each player owns at the end, a target for training.
template <class G>
concept HasOwnership = requires(const typename G::State& state) {
  { G::ownership(state) } -> std::same_as<Array<typename G::Bits, 2>>;
};

// Games that can count their legal moves faster than by visiting them.
template <class G>
concept HasCount = requires(const typename G::State& state) {
  { G::count_legal(state) } -> std::same_as<int>;
};

// Below: one spelling for all games, whatever they offer.

template <Game G>
[[nodiscard]] QILIN_HD constexpr bool is_chance(const typename G::State& state) {
  if constexpr (HasChance<G>) return G::is_chance(state);
  return false;
}

// What the lowest rank is called: 1, unless the game says otherwise.
template <Game G>
[[nodiscard]] constexpr int first_rank() {
  if constexpr (requires { G::first_rank; }) return G::first_rank;
  return 1;
}

template <Game G, class Visit>
QILIN_HD constexpr void legal(const typename G::State& state, Past past, Visit&& visit) {
  if constexpr (HasPast<G>) {
    G::legal(state, past, visit);
  } else {
    G::legal(state, visit);
  }
}

template <Game G>
using MoveList = List<Move, G::max_legal>;

template <Game G>
[[nodiscard]] QILIN_HD constexpr MoveList<G> legal_list(const typename G::State& state, Past past = {}) {
  MoveList<G> moves;
  legal<G>(state, past, [&](Move move) { moves.push(move); });
  return moves;
}

template <Game G>
[[nodiscard]] QILIN_HD constexpr int count_legal(const typename G::State& state) {
  if constexpr (HasCount<G>) {
    return G::count_legal(state);
  } else {
    int n = 0;
    G::legal(state, [&](Move) { ++n; });
    return n;
  }
}

template <Game G>
[[nodiscard]] QILIN_HD constexpr Result result(const typename G::State& state, Past past) {
  if constexpr (HasPast<G>) {
    return G::result(state, past);
  } else {
    return G::result(state);
  }
}

// One outcome by its exact probability.
template <HasChance G>
[[nodiscard]] QILIN_HD constexpr int draw_outcome(const typename G::State& state, Rng& rng) {
  int total = 0, chosen = 0;
  G::outcomes(state, [&](int, int weight) { total += weight; });
  int ticket = rng.below(total);
  G::outcomes(state, [&](int outcome, int weight) {
    if (ticket >= 0 && ticket < weight) chosen = outcome;
    ticket -= weight;
  });
  return chosen;
}

// Every option at its default; `preset` is a choice of the first option.
template <Game G>
[[nodiscard]] constexpr Settings defaults(int preset = 0) {
  Settings settings{};
  int i = 0;
  for (const Option& option : G::options) settings[i++] = option.defaults[static_cast<std::size_t>(preset)];
  if (G::options.size() > 0 && G::options[0].choice_count() > 0) settings[0] = preset;
  return settings;
}

}  // namespace qilin
