// An opinion about Ataxx: what decides changes as the board fills. First corners, edges and room; then stones, and of
// those the ones that the enemy can't turn at once.
//
//    3  . . . . .      Room: the empty cells within two steps of x. The stones on b2 and c2 are threatened: o lands on
//    b1, 2  . x x . .      c1, b3 or c3 and turns them. Stones beside cells that o can even clone to (c2: d1, d2, d3)
//    are exposed: 1  . . . . o      there a turned stone costs o nothing.
//       a b c d e
#pragma once

#include "core/evaluation.hpp"
#include "games/ataxx.hpp"

namespace qilin {

template <>
struct Evaluation<ataxx::Rules> {
  using Rules = ataxx::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 100;

  // Weights for an empty board and for a full one, fitted to results of games and then tuned by playing; in between,
  // in proportion. The right to move counts as much as the rest when the last cells are filled.
  QILIN_HD static constexpr int evaluate(const State& s) {
    constexpr Terms early{{-31, 75, 20, 16, -1, 34}}, late{{46, 0, 12, 1, -11, -26}};
    constexpr int early_tempo = 0, late_tempo = 122;
    const Bits open = Rules::empty(s);
    const Terms mine = terms(s.mine, s.theirs, open), theirs = terms(s.theirs, s.mine, open);
    int opening = early_tempo, ending = late_tempo;
    for (int i = 0; i < Terms::size(); ++i) {
      opening += early[i] * (mine[i] - theirs[i]);
      ending += late[i] * (mine[i] - theirs[i]);
    }
    const int left = count(open);
    return (opening * left + ending * (Rules::cells - left)) / Rules::cells;
  }

  // What is gained at once. A clone adds a stone; a jump leaves a hole beside the stones that stay behind.
  QILIN_HD static int order(const State& s, Move move) {
    if (move == Rules::pass) return 0;
    const Rules::Ends ends = Rules::ends_of(move);
    const int turned = count(Rules::around(bit<Bits>(ends.to)) & s.theirs);
    if (Rules::is_clone(move)) return 8 * turned + 20;
    return 8 * turned + 16 - count(Rules::around(bit<Bits>(ends.from)) & s.mine);
  }

  QILIN_HD static constexpr int plies_left(const State& s) {
    return s.rules == Rules::uai ? Rules::patience - s.half_moves : Rules::last_ply - s.plies;
  }

 private:
  // Stones, those in corners, those on edges; room; threatened stones, exposed stones.
  using Terms = Array<int, 6>;

  static constexpr Bits board = Rules::board;
  static constexpr Bits sides = board & ~((board << 1) & (board >> 1));  // files a and g
  static constexpr Bits ends = board & ~((board << Rules::Grid::stride) & (board >> Rules::Grid::stride));

  QILIN_HD static constexpr Terms terms(Bits own, Bits enemy, Bits open) {
    const Bits threats = Rules::around_twice(enemy) & open, clones = Rules::around(enemy) & open;
    return {{count(own), count(own & sides & ends), count(own & (sides ^ ends)), count(Rules::around_twice(own) & open),
             count(own & Rules::around(threats)), count(own & Rules::around(clones))}};
  }
};

}  // namespace qilin
