// An opinion about Liuzhou chess: who is ahead in stones, who stands in the middle, and who closes the next shape.
//
//    . x x .     A gap: three of a square and an empty point. Placing, that is one ply from a mark. Moving, it is
//    x . x o     one from a capture if a fourth stone stands beside the gap, outside of the square: a threat; a
//    . . . .     sure threat if no enemy stone can step into the gap.
//
//    x x .       A door 开门: a stone of a closed square that can step out, and back in to capture again; a sure
//    x x .       door if no enemy stone can step into its place.
//
// A term's weight is 1 / scale of a logit: a regression of results on the terms, over some 60,000 positions from games
// of the search with an earlier opinion of this kind, in both presets. What it says of placing is worth knowing: the
// middle of the board decides more than a mark does.
#pragma once

#include "core/evaluation.hpp"
#include "games/liuzhou.hpp"

namespace qilin {

template <>
struct Evaluation<liuzhou::Rules> {
  using Rules = liuzhou::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 250;

  QILIN_HD static constexpr int evaluate(const State& s) {
    const int a_target = is_placing(s) ? 120 : 390, the_turn = is_placing(s) ? 90 : 50;
    return outlook(s, s.side) - outlook(s, 1 - s.side) + a_target * s.targets + the_turn;
  }

  // Of all plies the one that looks best at once; the first are those that close a shape.
  QILIN_HD static constexpr int order(const State& s, Move move) {
    const State next = Rules::play(s, move);
    const int ahead = outlook(next, s.side) - outlook(next, 1 - s.side);
    return 16'000 + ahead + 1000 * next.targets;
  }

  // Whatever takes a stone, and whatever earns the right to.
  QILIN_HD static constexpr bool noisy(const State& s, Move move) {
    return move / Rules::cells == Rules::take || Rules::play(s, move).targets > 0;
  }

  QILIN_HD static constexpr int plies_left(const State& s) {
    const int plies = s.max_plies - s.plies, quiet = Rules::quiet_limit - s.quiet;
    return s.preset == Rules::modern && quiet < plies ? quiet : plies;
  }

 private:
  static constexpr int stride = Rules::Grid::stride;

  QILIN_HD static constexpr bool is_placing(const State& s) { return s.phase <= Rules::mark; }

  // Stones lost; gaps, threats, sure threats; doors, sure doors; steps; how near the stones are to the middle.
  using Terms = Array<int, 8>;

  QILIN_HD static constexpr int outlook(const State& s, int player) {
    constexpr Terms placing{{-70, 110, 20, 20, 0, 20, 10, 20}}, moving{{-40, 60, 120, 110, 50, 60, 12, 10}};
    const Terms found = terms(s, player);
    int sum = 0;
    for (int i = 0; i < Terms::size(); ++i) sum += found[i] * (is_placing(s) ? placing[i] : moving[i]);
    return sum;
  }

  // While stones are placed, the marked ones are looked through: they will be gone.
  QILIN_HD static constexpr Terms terms(const State& s, int player) {
    const Bits own = Rules::unmarked(s, player), theirs = Rules::unmarked(s, 1 - player);
    const Bits open = Rules::board & ~(own | theirs), unguarded = ~Rules::beside(theirs);
    Terms found{};
    found[0] = is_placing(s) ? count(s.stones[player] & s.marked) : 18 - count(own);
    for (int corner = 0; corner < 4; ++corner) {
      const Bits corners = fourths(own, corner), gaps = corners & open;
      const Bits threats = gaps & outside(own, corner), doors = corners & own & outside(open, corner);
      found[1] += count(gaps);
      found[2] += count(threats);
      found[3] += count(threats & unguarded);
      found[4] += count(doors);
      found[5] += count(doors & unguarded);
    }
    for (int plane = Rules::step; plane < Rules::step + 4; ++plane) {
      found[6] += count(own & shift(open, -Rules::direction(plane)));
    }
    found[7] = middle(own);
    return found;
  }

  // 0, 2 or 3 for the rank of each stone, on the edge, next to it or in the middle; and as much for its file.
  QILIN_HD static constexpr int middle(Bits own) {
    constexpr Bits two_files = Rules::file << 2 | Rules::file << 3,
                   two_ranks = Rules::rank << 2 * stride | Rules::rank << 3 * stride;
    constexpr Bits four_files = two_files | two_files << 1 | two_files >> 1;
    constexpr Bits four_ranks = two_ranks | two_ranks << stride | two_ranks >> stride;
    return 2 * (count(own & four_files) + count(own & four_ranks)) + count(own & two_files) + count(own & two_ranks);
  }

  // Corners of a square: lower left, lower right, upper left, upper right. The points at which this corner of a square
  // stands, or would stand, with the other three in the set.
  QILIN_HD static constexpr Bits fourths(Bits b, int corner) {
    const int across = corner & 1 ? -1 : 1, up = corner & 2 ? -stride : stride;
    return shift(b, -across) & shift(b, -up) & shift(b, -across - up);
  }
  // The points beside a point of the set, on the two sides on which this corner lies outside of its square.
  QILIN_HD static constexpr Bits outside(Bits b, int corner) {
    const int across = corner & 1 ? -1 : 1, up = corner & 2 ? -stride : stride;
    return shift(b, across) | shift(b, up);
  }
};

}  // namespace qilin
