// Lanes of a warp as a lane group (core/lanes.hpp): all 32, or tiles of fewer that work on a tree each.
//
//    Tile<8>    lane   0 … 7 │ 8 … 15 │ 16 … 23 │ 24 … 31       four trees in a warp
//
// All lanes of a tile must come to every call, and go on in step. A lane may run ahead of the others between two calls,
// so every call begins and ends in step: whoever reads after it sees what was written before it. Few moves want narrow
// tiles: lanes without an item of their own only repeat what the others do.
#pragma once

#include "core/lanes.hpp"

namespace qilin::cuda {

template <int lanes>
struct Tile {
#ifdef __CUDA_ARCH__
  static constexpr int width = lanes;
  QILIN_HD static int lane() { return static_cast<int>(threadIdx.x % width); }
  QILIN_HD static unsigned mask() {
    if constexpr (width == 32) return 0xffffffff;
    return ((1U << (width % 32)) - 1) << (threadIdx.x % 32 / width * width);
  }
  QILIN_HD static void sync() { __syncwarp(mask()); }
  QILIN_HD static u32 greatest(u32 x) { return __reduce_max_sync(mask(), x); }
  QILIN_HD static u32 least(u32 x) { return __reduce_min_sync(mask(), x); }
  QILIN_HD static u32 from_lane(u32 x, int partner) { return __shfl_xor_sync(mask(), x, partner, width); }
  [[nodiscard]] QILIN_HD static u64 of_leader(u64 x) {
    return __shfl_sync(mask(), static_cast<unsigned long long>(x), 0, width);
  }
#else  // never run: the host's half of a function that both could call
  static constexpr int width = 1;
  QILIN_HD static int lane() { return 0; }
  QILIN_HD static void sync() {}
  QILIN_HD static u32 greatest(u32 x) { return x; }
  QILIN_HD static u32 least(u32 x) { return x; }
  QILIN_HD static u32 from_lane(u32 x, int) { return x; }
  [[nodiscard]] QILIN_HD static u64 of_leader(u64 x) { return x; }
#endif

  template <class Visit>
  QILIN_HD static void each(int n, Visit&& visit) {
    sync();
    for (int i = lane(); i < n; i += width) visit(i);
    sync();
  }

  template <class Score>
  [[nodiscard]] QILIN_HD static Best best(int n, Score&& score) {
    sync();
    Best mine;
    for (int i = lane(); i < n; i += width) {
      const float s = score(i);
      if (s > mine.score) mine = {s, i};
    }
    const u32 most = greatest(in_order(mine.score));
    const u32 first = least(in_order(mine.score) == most ? static_cast<u32>(mine.index) : none);
    return {out_of_order(most), static_cast<int>(first)};
  }

  template <class Term>
  [[nodiscard]] QILIN_HD static auto sum(int n, Term&& term) {
    sync();
    decltype(term(0)) total = 0;
    for (int i = lane(); i < n; i += width) total += term(i);
    for (int partner = width / 2; partner > 0; partner /= 2) total += exchanged(total, partner);
    return total;
  }

  template <class Fold, class Add>
  QILIN_HD static void fold(int n, Fold& out, Add&& add) {
    sync();
    for (int i = lane(); i < n; i += width) add(out, i);
    for (int partner = width / 2; partner > 0; partner /= 2) out.merge(exchanged(out, partner));
  }

  template <class Load, class Store>
  QILIN_HD static void carry(int n, Load&& load, Store&& store) {
    sync();
    for (int begin = 0; begin < n; begin += width) {  // every item of a round is read before any is written
      const int i = begin + lane();
      const bool has = i < n;
      const auto item = load(has ? i : begin);
      sync();
      if (has) store(i, item);
      sync();
    }
  }

  [[nodiscard]] QILIN_HD static bool leads() { return lane() == 0; }

 private:
  static constexpr u32 none = 0xffffffff;  // as an index: -1

  // Floats as whole numbers in the same order; the two zeros are one.
  [[nodiscard]] QILIN_HD static u32 in_order(float x) {
    const u32 bits = portable::to_bits(x == 0 ? 0.0F : x);
    return bits & 0x80000000 ? ~bits : bits | 0x80000000;
  }
  [[nodiscard]] QILIN_HD static float out_of_order(u32 x) {
    return portable::from_bits(x & 0x80000000 ? x & 0x7fffffff : ~x);
  }

  // What the partner, so many lanes away, has in the same place.
  template <class T>
  [[nodiscard]] QILIN_HD static T exchanged(const T& mine, int partner) {
    static_assert(sizeof(T) % sizeof(u32) == 0);
    constexpr int words = sizeof(T) / sizeof(u32);
    struct Words {
      u32 at[words];
    };
    Words w = __builtin_bit_cast(Words, mine);
    for (int i = 0; i < words; ++i) w.at[i] = from_lane(w.at[i], partner);
    return __builtin_bit_cast(T, w);
  }
};

using Warp = Tile<32>;

}  // namespace qilin::cuda
