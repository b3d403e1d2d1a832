// A lane group: those who work on one thing together. One lane is a CPU thread; 32 lanes are a warp of a card.
//
//     items    0  1  2  3  4  5  6  7  8  …        lane l looks at items l, l + width, l + 2 width, …
//     lane     0  1  2  3  0  1  2  3  0  …        (here: 4 lanes)
//
// Code written for a group never mentions a lane. It says what is done to each item, which item is best, what the items
// add up to; everything else it does alike on every lane, except for writes, which the leading lane does for all:
//
//   Group::each(n, visit)      visit(i) for every item
//   Group::best(n, score)      the item with the greatest score, of equals the first
//   Group::sum(n, term)        whole numbers, so that the order does not matter
//   Group::fold(n, out, add)   add(part, i) for every item, part.merge(other) between lanes; again no order is kept
//   Group::carry(n, load, store)   store(i, load(i)) for every item, where stores may run over what was loaded before
//   Group::of_leader(x)        the leading lane's x
//   Group::leads()             whether this lane writes what concerns all
//   Group::sync()              what was written before is seen by every lane after
//
// Lanes<1> is what a CPU thread uses. Lanes<32> plays 32 lanes one after the other: it finds on any machine what a warp
// would find, and tests that the number of lanes changes nothing.
#pragma once

#include "core/math.hpp"

namespace qilin {

inline constexpr float never = -__builtin_huge_valf();  // the score of an item that must not be chosen

// An item and its score; index -1: there is none worth choosing.
struct Best {
  float score = never;
  int index = -1;

  [[nodiscard]] QILIN_HD constexpr bool beats(const Best& other) const {
    return score > other.score || (score == other.score && index >= 0 && (other.index < 0 || index < other.index));
  }
};

template <int width>
struct Lanes {
  template <class Visit>
  QILIN_HD static constexpr void each(int n, Visit&& visit) {
    for (int lane = 0; lane < width; ++lane) {
      for (int i = lane; i < n; i += width) visit(i);
    }
  }

  template <class Score>
  [[nodiscard]] QILIN_HD static constexpr Best best(int n, Score&& score) {
    Best winner;
    for (int lane = 0; lane < width; ++lane) {
      Best mine;
      for (int i = lane; i < n; i += width) {
        const float s = score(i);
        if (s > mine.score) mine = {s, i};
      }
      if (mine.beats(winner)) winner = mine;
    }
    return winner;
  }

  template <class Term>
  [[nodiscard]] QILIN_HD static constexpr auto sum(int n, Term&& term) {
    decltype(term(0)) total = 0;
    each(n, [&](int i) { total += term(i); });
    return total;
  }

  // `out` begins as the fold of no items.
  template <class Fold, class Add>
  QILIN_HD static constexpr void fold(int n, Fold& out, Add&& add) {
    const Fold none = out;
    for (int lane = 0; lane < width; ++lane) {
      Fold mine = none;
      for (int i = lane; i < n; i += width) add(mine, i);
      out.merge(mine);
    }
  }

  template <class Load, class Store>
  QILIN_HD static constexpr void carry(int n, Load&& load, Store&& store) {
    for (int i = 0; i < n; ++i) store(i, load(i));
  }

  [[nodiscard]] QILIN_HD static constexpr u64 of_leader(u64 x) { return x; }
  [[nodiscard]] QILIN_HD static constexpr bool leads() { return true; }
  QILIN_HD static constexpr void sync() {}
};

using OneLane = Lanes<1>;

}  // namespace qilin
