// An opinion about popucom chess: who has floor, and who will paint more.
//
//    x x * . .      A window is three cells in a line, each with an own stone or open to one. With two stones in it, it
//    . . . . w      matches in one ply, and paints its line up to the first enemy stone: all these cells together are a
//    o . . . .      player's reach. With one stone, it may do so in two plies.
//
// Floor is painted over again and again, so early on it weighs little, and stones that still stand weigh more. Towards
// the end what is painted stays. The weights were fitted to the outcomes of 4 000 games between two-ply searches.
#pragma once

#include "core/evaluation.hpp"
#include "games/popucom.hpp"

namespace qilin {

template <>
struct Evaluation<popucom::Rules> {
  using Rules = popucom::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 100;

  QILIN_HD static constexpr int evaluate(const State& s) {
    const int me = Rules::to_move(s);
    const Prospect mine = prospect(s, me), theirs = prospect(s, 1 - me);
    const int floor = count(s.floor[me]) - count(s.floor[1 - me]);
    const int stones = count(s.stones[me]) - count(s.stones[1 - me]);
    const int open = count(Rules::open(s, me)) - count(Rules::open(s, 1 - me));
    const int windows = mine.windows - theirs.windows, gain = mine.gain - theirs.gain;
    // In tenths of a point.
    const int early = 170 + 100 * floor + 120 * stones - 10 * open + 21 * windows + 13 * gain;
    const int late = 620 + 410 * floor + 80 * open + 46 * windows + 146 * gain;
    return (early * (one - lateness(s)) + late * lateness(s)) / (10 * one);
  }

  // What it paints, and what the enemy would have painted from there.
  QILIN_HD static constexpr int order(const State& s, Move cell) {
    const int me = Rules::to_move(s);
    return 4 * gain(s, me, cell) + 3 * gain(s, 1 - me, cell);
  }

  // Plies that paint much.
  QILIN_HD static constexpr bool noisy(const State& s, Move cell) { return gain(s, Rules::to_move(s), cell) >= loud; }
  template <class Visit>
  QILIN_HD static constexpr void noisy_moves(const State& s, Visit&& visit) {
    if (s.plies == Rules::max_plies) return;
    const int me = Rules::to_move(s);
    each(gaps(s.stones[me]) & Rules::open(s, me), [&](int square) {
      const Move cell = static_cast<Move>(Rules::Grid::pack(square));
      if (noisy(s, cell)) visit(cell);
    });
  }

 private:
  static constexpr int loud = 12;  // cells: more than a fresh line has
  static constexpr int one = 1000;

  // From 0 at the start to `one` at the end, as the cube of the plies.
  QILIN_HD static constexpr int lateness(const State& s) {
    constexpr int all = Rules::max_plies;
    return one * (s.plies * s.plies * s.plies) / (all * all * all);
  }

  // By how much the lead in floor changes if the player puts a stone there.
  QILIN_HD static constexpr int gain(const State& s, int player, Move cell) {
    const int square = Rules::Grid::unpack(cell);
    if (!has(gaps(s.stones[player]) & Rules::open(s, player), square)) return 0;
    const Bits stones = s.stones[player] | bit<Bits>(square);
    return change(s, player, Rules::match(stones, s.stones[1 - player]).paint);
  }
  QILIN_HD static constexpr int change(const State& s, int player, Bits paint) {
    return count(paint & ~s.floor[player]) + count(paint & s.floor[1 - player]);
  }

  // Cells with two of `stones` next to them in a line, or one on either side: a third one there would match.
  QILIN_HD static constexpr Bits gaps(Bits stones) {
    Bits all = 0;
    for (const int step : {1, Rules::Grid::stride - 1, Rules::Grid::stride, Rules::Grid::stride + 1}) {
      const Bits up = stones << step, down = stones >> step;
      all |= (up & down) | (up & (up << step)) | (down & (down >> step));
    }
    return all;
  }

  struct Prospect {
    int windows = 0;  // with one stone
    int gain = 0;     // if all cells in reach were painted
  };
  QILIN_HD static constexpr Prospect prospect(const State& s, int player) {
    const Bits mine = s.stones[player], free = mine | Rules::open(s, player);
    Prospect all;
    Bits reach = 0;
    for (const int step : {1, Rules::Grid::stride - 1, Rules::Grid::stride, Rules::Grid::stride + 1}) {
      const Bits window = free & (free >> step) & (free >> (2 * step));
      const Bits a = mine, b = mine >> step, c = mine >> (2 * step), odd = a ^ b ^ c;  // three never stand: one
      all.windows += count(window & odd);
      const Bits twos = window & (a | b) & ~odd;
      if (!twos) continue;
      const Bits run = twos | (twos << step) | (twos << (2 * step));
      reach |= Rules::reach(run, step, Rules::board & ~s.stones[1 - player]);
    }
    all.gain = reach ? change(s, player, reach) : 0;
    return all;
  }
};

}  // namespace qilin
