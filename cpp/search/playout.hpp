// Random play to the end of a game: the simplest evaluator of a tree search, and a yardstick for the speed of the
// rules.
//
//   state ──legal──▶ n moves ──rng.below(n)──▶ one of them ──play──▶ state …     until no move is legal
//
// Every number comes from Rng(seed, stream), and nothing is allocated: one thread of a card plays the very game that a
// CPU plays.
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"

namespace qilin {

// How many keys a game may have to remember.
template <class G>
inline constexpr int past_room = 0;
template <HasPast G>
inline constexpr int past_room<G> = G::max_past;

// A game under way where nothing may be allocated: a Line whose keys lie in memory of the caller's, which has room for
// past_room<G> of them.
template <Game G>
struct Walk {
  typename G::State state;
  u64* keys = nullptr;
  int length = 0;

  [[nodiscard]] QILIN_HD Past past() const { return {keys, length}; }

  QILIN_HD void advance(const typename G::State& next) {
    if constexpr (HasPast<G>) {
      if (G::irreversible(state, next)) {
        length = 0;
      } else {
        keys[length++] = G::key(state);
      }
    }
    state = next;
  }
};

// The n-th move in the order of `legal`, where that order is all there is to know: nothing is stored.
template <Game G>
[[nodiscard]] QILIN_HD Move nth_move(const typename G::State& state, int n) {
  Move chosen = 0;
  G::legal(state, [&](Move move) {
    if (n-- == 0) chosen = move;
  });
  return chosen;
}

template <Game G>
struct Playout {
  Walk<G> walk;
  Rng rng;
  int plies = 0;  // played by now; chance events are none

  // One more ply, after chance has answered what it was asked. False: the game is over.
  QILIN_HD bool step() {
    if constexpr (HasChance<G>) {
      while (G::is_chance(walk.state)) walk.advance(G::resolve(walk.state, draw_outcome<G>(walk.state, rng)));
    }
    if constexpr (HasCount<G> && !HasPast<G>) {
      const int n = G::count_legal(walk.state);
      return n > 0 && play(nth_move<G>(walk.state, rng.below(n)));
    } else {
      return play_listed();
    }
  }

  [[nodiscard]] QILIN_HD Result result() const { return qilin::result<G>(walk.state, walk.past()); }

 private:
  // No MoveList: a kernel holds `n` in a register if it stands alone, and it would copy a list that is returned.
  QILIN_HD bool play_listed() {
    Move moves[G::max_legal];
    int n = 0;
    legal<G>(walk.state, walk.past(), [&](Move move) { moves[n++] = move; });
    return n > 0 && play(moves[rng.below(n)]);
  }

  QILIN_HD bool play(Move move) {
    walk.advance(G::play(walk.state, move));
    ++plies;
    return true;
  }
};

struct Ending {
  Result result;  // open: `most_plies` were not enough
  int plies = 0;
};

// Plays on from `walk` at random. Its keys are written over: those of the way here must be the caller's to lose.
template <Game G>
[[nodiscard]] QILIN_HD Ending playout(const Walk<G>& walk, Rng rng, int most_plies = G::max_plies) {
  Playout<G> game{walk, rng};
  while (game.plies < most_plies && game.step()) {
  }
  return {game.result(), game.plies};
}

// What many games came to.
struct Tally {
  u64 plies = 0, first_wins = 0, second_wins = 0, draws = 0, unfinished = 0;

  QILIN_HD constexpr void add(Ending ending) {
    plies += static_cast<u64>(ending.plies);
    first_wins += ending.result.end == End::first_wins;
    second_wins += ending.result.end == End::second_wins;
    draws += ending.result.end == End::draw;
    unfinished += ending.result.end == End::open;
  }
  [[nodiscard]] QILIN_HD constexpr u64 games() const { return first_wins + second_wins + draws + unfinished; }
  constexpr bool operator==(const Tally&) const = default;
};

}  // namespace qilin
