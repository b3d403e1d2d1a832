// An opinion about connect four: who has more ways left to four, and who will have to fill the other's last gap.
//
//    . . . . . . .      A window is four cells in a line without an enemy disc. The more discs stand in it, the more it
//    . . . * . . .      is worth; the empty cell of a window with three is a gap, here * for x.
//    . . x o . . .
//    . x o o . . .      Near the end the columns are filled in pairs: x moves in odd rows, o in even ones. So a gap is
//    x o x o . . .      worth more in a row of one's own parity, unless an enemy gap right below it is filled first.
//
// The weights were fitted to the true values of 1 700 random quiet positions with 16 discs and more.
#pragma once

#include "core/evaluation.hpp"
#include "games/connect_four.hpp"

namespace qilin {

template <>
struct Evaluation<connect_four::Rules> {
  using Rules = connect_four::Rules;
  using Grid = Rules::Grid;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 100;

  QILIN_HD static constexpr int evaluate(const State& s) {
    const int me = Rules::to_move(s);
    const Outlook mine = outlook(s, me), theirs = outlook(s, 1 - me);
    if (mine.gaps & Rules::landings(s)) return decisive;
    if (count(theirs.gaps & Rules::landings(s)) > 1) return -decisive;
    return tempo + mine.windows - theirs.windows + prospects(mine.gaps, theirs.gaps, me) -
           prospects(theirs.gaps, mine.gaps, 1 - me);
  }

  // Making four, then preventing it, then the middle first; last a disc that lifts the enemy into a gap.
  QILIN_HD static constexpr int order(const State& s, Move col) {
    const int me = Rules::to_move(s), from_middle = col > Grid::cols / 2 ? col - Grid::cols / 2 : Grid::cols / 2 - col;
    const Bits landing = Rules::landings(s) & (Rules::file << col), theirs = outlook(s, 1 - me).gaps;
    if (landing & outlook(s, me).gaps) return 100;
    if (landing & theirs) return 50;
    return (landing << Grid::stride) & theirs ? 0 : 10 - from_middle;
  }

  // Making four.
  QILIN_HD static constexpr bool noisy(const State& s, Move col) {
    return (immediate(s, Rules::to_move(s)) & (Rules::file << col)) != 0;
  }
  QILIN_HD static constexpr bool in_danger(const State& s) { return immediate(s, 1 - Rules::to_move(s)) != 0; }

 private:
  static constexpr int decisive = 4000;
  static constexpr int tempo = 130, one = 7, two = 42, gap = 55, in_time = 80, stacked = 43;

  struct Outlook {
    int windows = 0;  // the worth of those with one and with two discs
    Bits gaps = 0;
  };
  QILIN_HD static constexpr Outlook outlook(const State& s, int player) {
    const Bits mine = s.discs[player], free = Rules::board & ~s.discs[1 - player];
    Outlook all;
    for (const int step : {1, Grid::stride - 1, Grid::stride, Grid::stride + 1}) {
      const Bits window = free & (free >> step) & (free >> (2 * step)) & (free >> (3 * step));
      const Bits a = mine, b = mine >> step, c = mine >> (2 * step), d = mine >> (3 * step);
      const Bits odd = window & (a ^ b ^ c ^ d), threes = odd & ((a & b) | (c & d));
      const Bits twos = window & ~odd & (a | b | c);
      all.windows += one * count(odd & ~threes) + two * count(twos);
      all.gaps |= threes | (threes << step) | (threes << (2 * step)) | (threes << (3 * step));
    }
    all.gaps &= ~mine;
    return all;
  }

  QILIN_HD static constexpr Bits immediate(const State& s, int player) {
    return outlook(s, player).gaps & Rules::landings(s);
  }

  QILIN_HD static constexpr int prospects(Bits gaps, Bits enemy_gaps, int player) {
    const Bits timely = gaps & rows_of(player) & ~(enemy_gaps << Grid::stride);
    return gap * count(gaps) + in_time * count(timely) + (gaps & (gaps << Grid::stride) ? stacked : 0);
  }

  // The rows in which a player moves when columns are filled in pairs: every other one, o's from the second.
  QILIN_HD static constexpr Bits rows_of(int player) {
    constexpr Bits odd = Rules::bottom | (Rules::bottom << (2 * Grid::stride)) | (Rules::bottom << (4 * Grid::stride));
    return player == 0 ? odd : odd << Grid::stride;
  }
};

}  // namespace qilin
