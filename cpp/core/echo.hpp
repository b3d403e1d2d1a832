// How often a position came before, and what happened since: a pure function over the keys that a driver keeps.
//
// The lowest bit of a key may be a mark that its game sets, such as "the player to move is in check".
#pragma once

#include "core/game.hpp"

namespace qilin {

struct Echo {
  int times = 0;  // occurrences before this one, up to `most`
  // Since the earliest of them: was every position marked that I moved to; that they moved to?
  bool mine = false, theirs = false;
};

// For games in which the players take turns, ply by ply. `now` is the key of the position that `past` led to.
[[nodiscard]] QILIN_HD constexpr Echo look_back(u64 now, Past past, int most) {
  Echo echo;
  bool mine = true, theirs = now & 1;
  for (int back = 1; back <= past.length && echo.times < most; ++back) {
    const u64 then = past.keys[past.length - back];
    if (then == now) echo = {echo.times + 1, mine, theirs};
    (back % 2 == 0 ? theirs : mine) &= then & 1;
  }
  return echo;
}

}  // namespace qilin
