// What popucom chess tells: the floor under the stones, the stones left, and why a cell is closed.
#pragma once

#include "core/facts.hpp"
#include "games/popucom.hpp"

namespace qilin {

template <>
struct Facts<popucom::Rules> {
  using Rules = popucom::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  enum Counted { stones_left };
  static constexpr std::array<const char*, 1> counter_names{"stones_left"};
  enum Set { first_floor, second_floor };
  static constexpr std::array<const char*, 2> set_names{"first_floor", "second_floor"};
  enum Reason { taken, enemy_floor, one_cell };
  static constexpr std::array<const char*, 3> why_names{"taken", "enemy_floor", "one_cell"};

  template <class Visit>
  static void counters(const State& s, Past, Visit&& visit) {
    for (const int player : {0, 1}) {
      visit(Counter{stones_left, player, Rules::supply - (s.plies + 1 - player) / 2, Rules::supply});
    }
  }

  static Array<int, 2> scores(const State& s) { return {{count(s.floor[0]), count(s.floor[1])}}; }

  template <class Visit>
  static void sets(const State& s, Visit&& visit) {
    for (const int player : {0, 1}) visit(player, s.floor[player]);
  }

  static Why<Bits> why_not(const State& s, Past, int from, int to) {
    const Bits there = bit<Bits>(to);
    if (from != nowhere) return {one_cell};
    if ((s.stones[0] | s.stones[1]) & there) return {taken, there};
    if (s.floor[1 - Rules::to_move(s)] & there) return {enemy_floor, there};
    return {};
  }
};

}  // namespace qilin
