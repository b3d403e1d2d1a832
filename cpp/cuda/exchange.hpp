// What goes to a network and what comes back, in the network's own memory and numbers: nothing is copied in between.
//
//    f32    (rows, planes, ranks, files), as everywhere else
//    bf16   channels last: a square's planes side by side, eight to a 16-byte store, padded to a multiple of eight
#pragma once

#include "core/planes.hpp"
#include "search/answers.hpp"

// A kernel keeps an array in registers only where every index is known.
#ifdef __CUDACC__
#define QILIN_UNROLL _Pragma("unroll")
#else
#define QILIN_UNROLL
#endif

namespace qilin::cuda {

enum class Number : u8 { f32, bf16 };

// Bytes that a card stores at once.
struct alignas(16) Sixteen {
  u32 words[4];
};

// To the nearest bf16, of two equally near ones to the even. No NaN comes here.
[[nodiscard]] QILIN_HD constexpr u16 to_bf16(float x) {
  const u32 bits = portable::to_bits(x);
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
[[nodiscard]] QILIN_HD constexpr float from_bf16(u16 bits) { return portable::from_bits(static_cast<u32>(bits) << 16); }

// The network's input.
struct Questions {
  void* planes = nullptr;
  Number number = Number::f32;
  int channels = 0;  // of bf16: a multiple of eight, no fewer than there are planes; those on top stay as they are
};

// The network's output: (rows, moves) and (rows, 1 or 3), with this many numbers from row to row. A network whose
// logits stand in another order says where each move's is: nobody needs to copy them.
struct Replies {
  const void* logits = nullptr;
  const void* values = nullptr;
  Number number = Number::f32;
  i64 logits_stride = 0, values_stride = 0;
  forest::Values form = forest::Values::logits;
  const u32* places = nullptr;  // by move

  [[nodiscard]] QILIN_HD float logit(u64 row, Move move) const {
    return read(logits, row * static_cast<u64>(logits_stride) + (places ? places[move] : move));
  }
  [[nodiscard]] QILIN_HD float value(u64 row, int i) const {
    return read(values, row * static_cast<u64>(values_stride) + static_cast<u64>(i));
  }

 private:
  [[nodiscard]] QILIN_HD float read(const void* numbers, u64 i) const {
    return number == Number::f32 ? static_cast<const float*>(numbers)[i]
                                 : from_bf16(static_cast<const u16*>(numbers)[i]);
  }
};

// One after the other would leave the lanes idle: each writes squares of its own.
template <Game G, class Group>
QILIN_HD void write_row(const Array<Plane<typename G::Bits>, G::planes>& planes, const Questions& to, u64 row) {
  constexpr int cells = plane_cells<G>;
  if (to.number == Number::f32) {
    float* out = static_cast<float*>(to.planes) + row * (G::planes * cells);
    Group::each(cells, [&](int cell) {
      const int square = G::Grid::unpack(cell);
      QILIN_UNROLL
      for (int i = 0; i < G::planes; ++i) {
        out[i * cells + cell] = has(planes[i].squares, square) ? planes[i].value : 0.0F;
      }
    });
    return;
  }
  const u64 eighths = static_cast<u64>(to.channels) / 8;
  Sixteen* out = static_cast<Sixteen*>(to.planes) + row * cells * eighths;
  Group::each(cells, [&](int cell) {
    const int square = G::Grid::unpack(cell);
    QILIN_UNROLL
    for (int begin = 0; begin < G::planes; begin += 8) {
      Sixteen part{};
      QILIN_UNROLL
      for (int i = begin; i < begin + 8 && i < G::planes; ++i) {
        const u32 bits = has(planes[i].squares, square) ? to_bf16(planes[i].value) : 0U;
        part.words[(i - begin) / 2] |= bits << (i % 2 * 16);
      }
      out[static_cast<u64>(cell) * eighths + static_cast<u64>(begin) / 8] = part;
    }
  });
}

}  // namespace qilin::cuda
