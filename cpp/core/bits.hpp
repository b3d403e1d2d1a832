// Bit tricks, spelled once. A board is a set of squares: one bit each, in 64 or in 128 bits.
//
// Everything here runs on the CPU, in kernels, and while compiling. `std::popcount` and friends are not used: nvcc
// deletes kernel code that calls them (docs/architecture.md), so the device gets its own spelling.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define QILIN_HD __host__ __device__
#else
#define QILIN_HD
#endif

namespace qilin {

using i8 = std::int8_t;
using i32 = std::int32_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ typedef unsigned __int128 u128;

[[nodiscard]] QILIN_HD constexpr int count(u64 bits) {
#ifdef __CUDA_ARCH__
  if (!__builtin_is_constant_evaluated()) return __popcll(static_cast<long long>(bits));
#endif
  return __builtin_popcountll(bits);
}
[[nodiscard]] QILIN_HD constexpr int count(u128 bits) {
  return count(static_cast<u64>(bits)) + count(static_cast<u64>(bits >> 64));
}

// The lowest square of a non-empty set.
[[nodiscard]] QILIN_HD constexpr int lowest(u64 bits) {
#ifdef __CUDA_ARCH__
  return count((bits & (0 - bits)) - 1);
#else
  return __builtin_ctzll(bits);
#endif
}
[[nodiscard]] QILIN_HD constexpr int lowest(u128 bits) {
  const u64 low = static_cast<u64>(bits);
  return low ? lowest(low) : 64 + lowest(static_cast<u64>(bits >> 64));
}

template <class Bits>
[[nodiscard]] QILIN_HD constexpr Bits bit(int square) {
  return static_cast<Bits>(1) << square;
}

template <class Bits>
[[nodiscard]] QILIN_HD constexpr bool has(Bits bits, int square) {
  return static_cast<u64>(bits >> square) & 1;
}

template <class Bits>
[[nodiscard]] QILIN_HD constexpr bool single(Bits bits) {
  return bits && !(bits & (bits - 1));
}

// Calls `visit(square)` for every square of the set, lowest first.
template <class Visit>
QILIN_HD constexpr void each(u64 bits, Visit&& visit) {
  for (; bits; bits &= bits - 1) visit(lowest(bits));
}
template <class Visit>
QILIN_HD constexpr void each(u128 bits, Visit&& visit) {
  for (u64 low = static_cast<u64>(bits); low; low &= low - 1) visit(lowest(low));
  for (u64 high = static_cast<u64>(bits >> 64); high; high &= high - 1) visit(64 + lowest(high));
}

// A set moved by `step` squares, up or down.
template <class Bits>
[[nodiscard]] QILIN_HD constexpr Bits shift(Bits bits, int step) {
  return step >= 0 ? bits << step : bits >> -step;
}

static_assert(count(u64{0b1011}) == 3 && count((static_cast<u128>(1) << 100) | 1) == 2);
static_assert(lowest(u64{8}) == 3 && lowest(static_cast<u128>(1) << 100) == 100);
static_assert(single(u64{4}) && !single(u64{5}) && !single(u64{0}));

}  // namespace qilin
