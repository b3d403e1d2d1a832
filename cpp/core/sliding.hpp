// Pieces that slide along ranks and files until something stands in the way, and pieces that shoot over it.
//
//     . . o . S . x . o . x      S: the slider
//         - - . + +              reach: the empty squares and the first piece, each way
//     - - . - . + . + .          shots: the empty squares before the first piece, and the second piece, each way
//
// A line of at most ten squares is read out of the board as a number, looked up, and written back. A file's bits lie
// a stride apart; one product brings them side by side, another spreads them again (half a board fits 64 bits).
#pragma once

#include "core/array.hpp"

namespace qilin {

// What a slider on square `at` of a line sees when the squares of `taken` hold pieces: reach, and shots << 16.
[[nodiscard]] QILIN_HD constexpr u32 look_along(int at, u32 taken) {
  u32 reach = 0, shots = 0;
  for (const int step : {1, -1}) {
    int pieces = 0;
    for (int i = at + step; i >= 0 && i < 10 && pieces < 2; i += step) {
      const u32 here = u32{1} << i;
      const int piece = taken & here ? 1 : 0;
      if (pieces == 0) reach |= here;
      if (pieces == piece) shots |= here;
      pieces += piece;
    }
  }
  return reach | shots << 16;
}

using LineTable = Array<Array<u32, 1024>, 10>;

[[nodiscard]] QILIN_HD constexpr LineTable look_along_every_line() {
  LineTable table{};
  for (int at = 0; at < 10; ++at) {
    for (int taken = 0; taken < 1024; ++taken) table[at][taken] = look_along(at, static_cast<u32>(taken));
  }
  return table;
}

// For boards of ten ranks and up to ten files in 128 bits, nine to twelve bits from rank to rank.
template <class Grid>
struct Sliding {
  static_assert(Grid::rows == 10 && Grid::cols <= 10 && Grid::stride >= 9 && Grid::stride <= 12);

  // What was looked up: along the rank and along the file.
  struct Sight {
    u32 across, along;
  };

  [[nodiscard]] QILIN_HD static Sight look(int square, u128 taken) {
    static constexpr LineTable seen = look_along_every_line();
    const int row = Grid::row(square), col = Grid::col(square);
    const u64 rank = static_cast<u64>(taken >> (row * Grid::stride)) & rank_bits;
    return {seen[col][static_cast<int>(rank)], seen[row][static_cast<int>(file(taken, col))]};
  }
  [[nodiscard]] QILIN_HD static constexpr u128 reach(int square, Sight sight) {
    return board(square, sight.across, sight.along & 0xffff);
  }
  [[nodiscard]] QILIN_HD static constexpr u128 shots(int square, Sight sight) {
    return board(square, sight.across >> 16, sight.along >> 16);
  }

  [[nodiscard]] QILIN_HD static u128 reach(int square, u128 taken) { return reach(square, look(square, taken)); }
  [[nodiscard]] QILIN_HD static u128 shots(int square, u128 taken) { return shots(square, look(square, taken)); }

  // The rank and the file of a square.
  [[nodiscard]] QILIN_HD static constexpr u128 cross(int square) {
    const int col = Grid::col(square);
    return (first_file << col) | (static_cast<u128>(rank_bits) << (square - col));
  }

  // The squares strictly between two of one rank or file.
  [[nodiscard]] QILIN_HD static constexpr u128 between(int a, int b) {
    const u128 span = bit<u128>(a < b ? b : a) - (bit<u128>(a < b ? a : b) << 1);
    return Grid::col(a) == Grid::col(b) ? span & (first_file << Grid::col(a)) : span;
  }

  // What keeps a square of ours from being taken. Our piece outside `bound` may go wherever `open` allows: it exposes
  // nothing and answers every attack. Pieces of `bound` may expose the square, or answer by leaving: try them out.
  struct Guard {
    u128 bound = 0, open = ~u128{0};
  };
  [[nodiscard]] QILIN_HD static constexpr Guard guard(int square, u128 sliders, u128 shooters, u128 taken) {
    Guard guard;
    each(cross(square) & (sliders | shooters), [&](int at) {
      const u128 way = between(square, at), screens = way & taken;
      const int needed = has(shooters, at) ? 1 : 0, found = count(screens);
      if (found <= needed + 1) guard.bound |= screens;
      if (found == needed) guard.open &= (way & ~taken) | bit<u128>(at);  // attacked: block, or take the attacker
      if (found < needed) guard.open &= ~way;                             // a piece put here would be the screen
    });
    return guard;
  }

 private:
  static constexpr int half = Grid::rows / 2;
  static constexpr u64 rank_bits = (u64{1} << Grid::cols) - 1;

  // One bit for each rank of half a board, `step` apart.
  QILIN_HD static constexpr u64 ones(int step) {
    u64 bits = 0;
    for (int row = 0; row < half; ++row) bits |= u64{1} << (row * step);
    return bits;
  }

  QILIN_HD static constexpr u32 gather(u64 bits) {
    constexpr int step =
        Grid::stride - 1;  // bit i * stride, times bit (half - 1 - i) * step, lands at i past the shift
    return static_cast<u32>(((bits & ones(Grid::stride)) * ones(step)) >> ((half - 1) * step)) & ((1U << half) - 1);
  }
  QILIN_HD static constexpr u64 spread(u32 bits) { return (bits * ones(Grid::stride - 1)) & ones(Grid::stride); }

  QILIN_HD static constexpr u32 file(u128 squares, int col) {
    const u64 low = static_cast<u64>(squares), high = static_cast<u64>(squares >> (half * Grid::stride));
    return gather(low >> col) | (gather(high >> col) << half);
  }

  QILIN_HD static constexpr u128 board(int square, u32 across, u32 along) {
    const int col = Grid::col(square);
    const u64 low = spread(along & ((1U << half) - 1)) << col, high = spread(along >> half) << col;
    const u128 rank = static_cast<u128>(across & rank_bits) << (square - col);
    return rank | low | (static_cast<u128>(high) << (half * Grid::stride));
  }

  static constexpr u128 first_file = [] {
    u128 bits = 0;
    for (int row = 0; row < Grid::rows; ++row) bits |= bit<u128>(Grid::at(row, 0));
    return bits;
  }();
};

}  // namespace qilin
