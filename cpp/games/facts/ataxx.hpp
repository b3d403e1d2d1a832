// What ataxx tells: the stones of each side, the counter that will end the game, and why a stone can't go there.
#pragma once

#include "core/facts.hpp"
#include "games/ataxx.hpp"

namespace qilin {

template <>
struct Facts<ataxx::Rules> {
  using Rules = ataxx::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  enum Counted { plies, no_clone };
  static constexpr std::array<const char*, 2> counter_names{"plies", "no_clone"};
  enum Reason { taken, blocked, too_far, no_stone, not_yours, beside, repeats };
  static constexpr std::array<const char*, 7> why_names{"taken",     "blocked", "too_far", "no_stone",
                                                        "not_yours", "beside",  "repeats"};

  template <class Visit>
  static void counters(const State& s, Past, Visit&& visit) {
    if (s.rules == Rules::botzone) return visit(Counter{plies, nobody, s.plies, Rules::last_ply});
    visit(Counter{no_clone, nobody, s.half_moves, Rules::patience});
  }

  static Array<int, 2> scores(const State& s) {
    const int mine = count(s.mine), theirs = count(s.theirs);
    if (Rules::to_move(s) == 0) return {{mine, theirs}};
    return {{theirs, mine}};
  }

  static int captured(const State& before, const State& after) { return count(before.theirs) - count(after.mine); }

  static Why<Bits> why_not(const State& s, Past, int from, int to) {
    const Bits there = bit<Bits>(to);
    if (s.blocked & there) return {blocked, there};
    if ((s.mine | s.theirs) & there) return {taken, there};
    if (from == nowhere) return Rules::around(s.mine) & there ? Why<Bits>{} : Why<Bits>{too_far, there};
    return why_not_from(s, bit<Bits>(from), there);
  }

 private:
  static Why<Bits> why_not_from(const State& s, Bits here, Bits there) {
    if (s.theirs & here) return {not_yours, here};
    if (!(s.mine & here)) return {no_stone, here};
    if (Rules::around(here) & there) return {beside, there};
    if (!(Rules::around_twice(here) & there)) return {too_far, there};
    return {repeats, here | there};
  }
};

}  // namespace qilin
