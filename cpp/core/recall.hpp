// What the past adds to a position's planes. A sample to learn from is a position without its game: it keeps the few
// planes that the game before it has changed (a position that stood before, a ply that is banned), and nothing else.
#pragma once

#include "core/game.hpp"

namespace qilin {

template <Game G>
using Planes = Array<Plane<typename G::Bits>, G::planes>;

// For a game without a past: nothing.
template <class G>
struct Recall {
  [[nodiscard]] QILIN_HD static Recall of(const typename G::State&, Past) { return {}; }
  QILIN_HD void add_to(auto&, int) const {}
};

template <HasPast G>
struct Recall<G> {
  static constexpr int most = 4;  // planes that a past changes; the contract of all games says whether it is enough
  using Bits = typename G::Bits;

  Bits squares[most];
  float value[most];
  u8 plane[most];
  u32 count = 0;

  [[nodiscard]] QILIN_HD static Recall of(const typename G::State& state, Past past) {
    Recall recall{};
    if (past.length == 0) return recall;
    const Planes<G> with = G::encode(state, past), without = G::encode(state, Past{});
    for (int i = 0; i < G::planes; ++i) {
      if (with[i].squares == without[i].squares && with[i].value == without[i].value) continue;
      if (recall.count < most) {
        recall.squares[recall.count] = with[i].squares;
        recall.value[recall.count] = with[i].value;
        recall.plane[recall.count] = static_cast<u8>(i);
      }
      ++recall.count;
    }
    return recall;
  }

  // Completes the planes of the position, turned by a symmetry.
  QILIN_HD void add_to(Planes<G>& planes, int symmetry) const {
    for (u32 i = 0; i < count; ++i) {
      planes[plane[i]] = {G::Grid::transform_all(squares[i], symmetry), value[i]};
    }
  }
};

}  // namespace qilin
