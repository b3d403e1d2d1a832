// What dark chess tells: points, counters, the piece that chance is turning up, and why a piece can't go there. All of
// it is seen by both players: a state holds nothing that one of them does not know.
#pragma once

#include "core/facts.hpp"
#include "games/dark_chess.hpp"

namespace qilin {

template <>
struct Facts<dark_chess::Rules> {
  using Rules = dark_chess::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;
  using Grid = Rules::Grid;

  enum Counted { points, idle, plies };
  static constexpr std::array<const char*, 3> counter_names{"points", "idle", "plies"};
  enum Set { turning };
  static constexpr std::array<const char*, 1> set_names{"turning"};
  enum Reason {
    nothing_here,
    face_up,
    turn_first,
    not_yours,
    own_piece,
    cannon_screen,
    one_step,
    hidden_target,
    general_soldier,
    soldier_takes,
    outranked
  };
  static constexpr std::array<const char*, 11> why_names{
      "nothing_here", "face_up",       "turn_first",      "not_yours",     "own_piece", "cannon_screen",
      "one_step",     "hidden_target", "general_soldier", "soldier_takes", "outranked"};

  static int captured(const State& before, const State& after) {
    return count(Rules::taken(before)) - count(Rules::taken(after));
  }

  template <class Visit>
  static void counters(const State& s, Past, Visit&& visit) {
    for (const int player : {0, 1}) visit(Counter{points, player, s.scores[player], Rules::goal});
    visit(Counter{idle, nobody, s.idle, Rules::max_idle});
    visit(Counter{plies, nobody, s.plies, Rules::max_plies});
  }

  static Array<int, 2> scores(const State& s) { return {{s.scores[0], s.scores[1]}}; }

  template <class Visit>
  static void sets(const State& s, Visit&& visit) {
    visit(turning, Rules::is_chance(s) ? bit<Bits>(Rules::target(s.pending)) : Bits{0});
  }

  static Bits screens(const State& s, int from, int to) {
    for (int direction = 0; direction < 4; ++direction) {
      Bits met = 0, at = Rules::step(bit<Bits>(from), direction);
      for (; at && !has(at, to); at = Rules::step(at, direction)) met |= at & Rules::taken(s);
      if (at) return met;
    }
    return 0;
  }

  static Why<Bits> why_not(const State& s, Past, int from, int to) {
    const Bits there = bit<Bits>(to), here = from == nowhere ? there : bit<Bits>(from);
    if (!(Rules::taken(s) & here)) return {nothing_here, here};
    if (from == nowhere) return {face_up, here};
    if (Rules::hidden(s) & here) return {turn_first, here};
    if (!(Rules::side(s, Rules::to_move(s)) & here)) return {not_yours, here};
    if (Rules::side(s, Rules::to_move(s)) & there) return {own_piece, there};
    return why_not_reached(s, from, to);
  }

 private:
  static Why<Bits> why_not_reached(const State& s, int from, int to) {
    const Bits here = bit<Bits>(from), there = bit<Bits>(to);
    const int hunter = rank_at(s, from);
    if (hunter == dark_chess::cannon) return {cannon_screen, there};
    if (!(Rules::around(here) & there)) return {one_step, Rules::around(here)};
    if (Rules::hidden(s) & there) return {hidden_target, there};
    if (hunter == dark_chess::general) return {general_soldier, there};
    return {hunter == dark_chess::soldier ? soldier_takes : outranked, there};
  }

  static int rank_at(const State& s, int at) { return (Rules::code_at(s, at) - 1) % dark_chess::ranks; }
};

}  // namespace qilin
