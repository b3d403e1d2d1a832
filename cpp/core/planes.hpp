// A position as a network sees it: numbers in memory, (planes, rows, cols), the lowest rank first.
#pragma once

#include "core/game.hpp"

namespace qilin {

template <Game G>
inline constexpr int plane_cells = G::Grid::rows * G::Grid::cols;

template <Game G>
QILIN_HD void write_planes(const typename G::State& state, Past past, float* out) {
  const auto planes = G::encode(state, past);
  for (int i = 0; i < G::planes; ++i) {
    float* plane = out + i * plane_cells<G>;
    for (int cell = 0; cell < plane_cells<G>; ++cell) plane[cell] = 0;
    each(planes[i].squares, [&](int square) { plane[G::Grid::pack(square)] = planes[i].value; });
  }
}

}  // namespace qilin
