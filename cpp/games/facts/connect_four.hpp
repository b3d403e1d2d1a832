// What connect four tells: the four that won, and why a column takes no disc.
#pragma once

#include "core/facts.hpp"
#include "games/connect_four.hpp"

namespace qilin {

template <>
struct Facts<connect_four::Rules> {
  using Rules = connect_four::Rules;
  using Grid = Rules::Grid;
  using State = Rules::State;
  using Bits = Rules::Bits;

  enum Set { four };
  static constexpr std::array<const char*, 1> set_names{"four"};
  enum Reason { column_full, not_the_landing };
  static constexpr std::array<const char*, 2> why_names{"column_full", "not_the_landing"};

  template <class Visit>
  static void sets(const State& s, Visit&& visit) {
    visit(four, in_four(s.discs[0]) | in_four(s.discs[1]));
  }

  static Why<Bits> why_not(const State& s, Past, int, int to) {
    const Bits column = Rules::file << Grid::col(to), landing = Rules::landings(s) & column;
    if (!landing) return {column_full, column & Rules::board};
    return {not_the_landing, landing};
  }

 private:
  static constexpr Bits in_four(Bits discs) {
    Bits found = 0;
    for (const int step : {1, Grid::stride, Grid::stride - 1, Grid::stride + 1}) {
      const Bits pairs = discs & (discs >> step), first = pairs & (pairs >> (2 * step));
      for (int i = 0; i < 4; ++i) found |= first << (i * step);
    }
    return found;
  }
};

}  // namespace qilin
