// Moves in sets: all pieces that make the same step at once, as one shift of the board; or all moves of one piece.
//
//     . . . . .      The two steps x -> o are one fan: targets {o, o}, each reached from up + 1 squares before.
//     . o . o .      A board needs as many empty columns as its longest step crosses files, so that no shifted piece
//     x . x . .      wraps into another rank.
#pragma once

#include "core/array.hpp"

namespace qilin {

template <class Bits>
struct Fan {
  Bits targets;
  int mask, offset;  // a move to `to` comes from (to & mask) + offset

  [[nodiscard]] QILIN_HD constexpr int origin(int to) const { return (to & mask) + offset; }
};

template <class Bits, int capacity>
struct Fans : List<Fan<Bits>, capacity + 1> {
  // Without a branch: an empty fan is overwritten by the next.
  QILIN_HD constexpr void add(const Fan<Bits>& fan) {
    this->items[this->length] = fan;
    this->length += fan.targets != 0;
  }
  // All moves of one piece.
  QILIN_HD constexpr void spread(int from, Bits targets) { add({targets, 0, from}); }
  // The same steps by all pieces of a set.
  template <int... steps>
  QILIN_HD constexpr void hop(Bits from, Bits targets) {
    (add({shift(from, steps) & targets, -1, -steps}), ...);
  }
  // For pieces that something in their way stops: the square `over` away, or halfway, must be in `empty`.
  template <int over, int... steps>
  QILIN_HD constexpr void hop_over(Bits from, Bits empty, Bits targets) {
    hop<steps...>(from & shift(empty, -over), targets);
  }
  template <int... steps>
  QILIN_HD constexpr void hop_over_middle(Bits from, Bits empty, Bits targets) {
    (hop_over<steps / 2, steps>(from, empty, targets), ...);
  }
};

}  // namespace qilin
