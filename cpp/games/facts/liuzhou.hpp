// What Liuzhou chess tells: the phase of the turn, the shapes that earn and protect, and why a point can't be chosen.
#pragma once

#include "core/facts.hpp"
#include "games/liuzhou.hpp"

namespace qilin {

template <>
struct Facts<liuzhou::Rules> {
  using Rules = liuzhou::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  enum Counted { plies, no_loss };
  static constexpr std::array<const char*, 2> counter_names{"plies", "no_loss"};
  static constexpr int stuck = 6;  // in MOVEMENT, without a step: after the rules' own six
  static constexpr std::array<const char*, 7> phase_names{"placement", "mark",    "forced", "movement",
                                                          "capture",   "counter", "stuck"};
  enum Set { marked, first_shapes, second_shapes, takeable };
  static constexpr std::array<const char*, 4> set_names{"marked", "first_shapes", "second_shapes", "takeable"};
  enum Reason {
    taken,
    place_only,
    take_only,
    step_only,
    no_stone,
    own_stone,
    marked_already,
    in_shape,
    not_yours,
    one_step
  };
  static constexpr std::array<const char*, 10> why_names{"taken",     "place_only", "take_only",      "step_only",
                                                         "no_stone",  "own_stone",  "marked_already", "in_shape",
                                                         "not_yours", "one_step"};

  static int captured(const State& before, const State& after) {
    const auto all = [](const State& s) { return count(s.stones[0]) + count(s.stones[1]); };
    return all(after) < all(before) ? all(before) - all(after) : 0;
  }

  template <class Visit>
  static void counters(const State& s, Past, Visit&& visit) {
    visit(Counter{plies, nobody, s.plies, s.max_plies});
    if (s.preset == Rules::modern && s.phase >= Rules::movement) {
      visit(Counter{no_loss, nobody, s.quiet, Rules::quiet_limit});
    }
  }

  static Phase phase(const State& s) {
    const bool is_stuck = s.phase == Rules::movement && Rules::is_stuck(s);
    return {is_stuck ? stuck : s.phase, s.targets};
  }

  static Array<int, 2> scores(const State& s) { return {{count(s.stones[0]), count(s.stones[1])}}; }

  template <class Visit>
  static void sets(const State& s, Visit&& visit) {
    visit(marked, s.marked);
    for (const int player : {0, 1}) visit(first_shapes + player, Rules::in_shapes(Rules::unmarked(s, player)));
    visit(takeable, Rules::choices(s, Rules::take));
  }

  static Why<Bits> why_not(const State& s, Past, int from, int to) {
    const Bits there = bit<Bits>(to);
    if (s.phase == Rules::placement) {
      if (from != nowhere) return {place_only};
      return {taken, there & ~Rules::empty(s)};
    }
    if (s.phase != Rules::movement || Rules::is_stuck(s)) return why_not_taken(s, from, there);
    return why_not_step(s, from, to);
  }

 private:
  static Why<Bits> why_not_taken(const State& s, int from, Bits there) {
    if (from != nowhere) return {take_only};
    if (Rules::empty(s) & there) return {no_stone, there};
    if (s.marked & there) return {marked_already, there};
    if (s.stones[s.side] & there) return {own_stone, there};
    return {in_shape, Rules::takeable(s)};
  }

  static Why<Bits> why_not_step(const State& s, int from, int to) {
    const Bits here = from == nowhere ? 0 : bit<Bits>(from), there = bit<Bits>(to);
    if (!here) return {step_only, there};
    if (Rules::empty(s) & here) return {no_stone, here};
    if (!(s.stones[s.side] & here)) return {not_yours, here};
    if (!(Rules::empty(s) & there)) return {taken, there};
    return {one_step, Rules::beside(here) & Rules::empty(s)};
  }
};

}  // namespace qilin
