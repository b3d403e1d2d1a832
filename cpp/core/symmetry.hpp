// The eight symmetries of a square board, numbered so that bit 0 mirrors the files, bit 1 mirrors the ranks, and bit 2
// then swaps files and ranks. A board that is not square has at most the first four.
#pragma once

#include "core/array.hpp"

namespace qilin {

// A board whose square (row, col) is bit row * stride + col. Row 0 is rank 1, col 0 is file a.
template <int rows_, int cols_, int stride_>
struct Grid {
  static constexpr int rows = rows_, cols = cols_, stride = stride_;

  [[nodiscard]] QILIN_HD static constexpr int at(int row, int col) { return row * stride + col; }
  [[nodiscard]] QILIN_HD static constexpr int row(int square) { return square / stride; }
  [[nodiscard]] QILIN_HD static constexpr int col(int square) { return square % stride; }
  // Squares without the padding: 0 … rows * cols - 1. Policies and planes are numbered like this.
  [[nodiscard]] QILIN_HD static constexpr int pack(int square) { return square - row(square) * (stride - cols); }
  [[nodiscard]] QILIN_HD static constexpr int unpack(int cell) {
    return stride == cols ? cell : at(cell / cols, cell % cols);
  }

  template <class Bits>
  [[nodiscard]] QILIN_HD static constexpr Bits board() {
    Bits all = 0;
    for (int cell = 0; cell < rows * cols; ++cell) all |= bit<Bits>(unpack(cell));
    return all;
  }

  [[nodiscard]] QILIN_HD static constexpr int transform(int square, int symmetry) {
    int r = row(square), c = col(square);
    if (symmetry & 1) c = cols - 1 - c;
    if (symmetry & 2) r = rows - 1 - r;
    return symmetry & 4 ? at(c, r) : at(r, c);
  }
  template <class Bits>
  [[nodiscard]] QILIN_HD static constexpr Bits transform_all(Bits bits, int symmetry) {
    Bits out = 0;
    each(bits, [&](int square) { out |= bit<Bits>(transform(square, symmetry)); });
    return out;
  }
};

// A board of which player 1 sees the ranks mirrored: the number of a square's cell as a player counts them, and back.
// By tables, since a search asks often and dividing takes longer; not in kernels, which would have to fetch them.
template <class Grid>
struct Views {
  [[nodiscard]] QILIN_HD static int cell(int square, int player) {
#ifdef __CUDA_ARCH__
    return cell_at(square, player);
#else
    static constexpr auto table = tabulate<Grid::rows * Grid::stride>(cell_at);
    return table[player][square];
#endif
  }
  [[nodiscard]] QILIN_HD static int square(int cell, int player) {
#ifdef __CUDA_ARCH__
    return square_at(cell, player);
#else
    static constexpr auto table = tabulate<Grid::rows * Grid::cols>(square_at);
    return table[player][cell];
#endif
  }

 private:
  [[nodiscard]] QILIN_HD static constexpr int cell_at(int square, int player) {
    return Grid::pack(Grid::transform(square, 2 * player));
  }
  [[nodiscard]] QILIN_HD static constexpr int square_at(int cell, int player) {
    return Grid::transform(Grid::unpack(cell), 2 * player);
  }

  template <int size>
  [[nodiscard]] static constexpr Array<Array<u8, size>, 2> tabulate(int (*what)(int, int)) {
    Array<Array<u8, size>, 2> table{};
    for (int i = 0; i < 2 * size; ++i) table[i / size][i % size] = static_cast<u8>(what(i % size, i / size));
    return table;
  }
};

// The squares of a list such as "d0 f0 e1" (ranks from 0), and their images on the other player's side of the board.
template <class Grid>
[[nodiscard]] constexpr u128 both_sides(const char* list) {
  u128 squares = 0;
  for (; *list; list += list[2] == ' ' ? 3 : 2) {
    const int square = Grid::at(list[1] - '0', list[0] - 'a');
    squares |= bit<u128>(square) | bit<u128>(Grid::transform(square, 2));
  }
  return squares;
}

}  // namespace qilin
