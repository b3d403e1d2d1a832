// A counter-based random generator: number i of a stream is a pure function of (seed, stream, i). No state to share, so
// a game draws the same numbers on any thread, on any machine, on the card.
#pragma once

#include "core/bits.hpp"

namespace qilin {

// A bijection of 64 bits in which every input bit reaches every output bit (the finaliser of SplitMix64).
[[nodiscard]] QILIN_HD constexpr u64 mix(u64 x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  x ^= x >> 31;
  return x;
}

// The high half of a product: x scaled from [0, 2^64) to [0, range).
[[nodiscard]] QILIN_HD constexpr u64 scale(u64 x, u64 range) {
  return static_cast<u64>((static_cast<u128>(x) * range) >> 64);
}

struct Rng {
  static constexpr u64 golden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: successive multiples spread evenly

  u64 key;
  u64 counter = 0;

  QILIN_HD constexpr explicit Rng(u64 seed, u64 stream = 0) : key(mix(seed + golden) ^ mix(mix(stream + 1) + golden)) {}

  [[nodiscard]] QILIN_HD constexpr u64 next() { return mix(key + golden * ++counter); }
  // Uniform over 0 … range-1; the bias is below range / 2^64.
  [[nodiscard]] QILIN_HD constexpr int below(int range) {
    return static_cast<int>(scale(next(), static_cast<u64>(range)));
  }
  // Uniform over [0, 1), in steps of 2^-24: exact in a float.
  [[nodiscard]] QILIN_HD constexpr float unit() { return static_cast<float>(next() >> 40) * 0x1p-24F; }
};

// A hash of a few words, for position keys. Each word is mixed before the next one comes in: stones that change sides
// from one word to the other change the hash.
[[nodiscard]] QILIN_HD constexpr u64 hash(u64 word) { return mix(word); }
template <class... Words>
[[nodiscard]] QILIN_HD constexpr u64 hash(u64 first, u64 second, Words... words) {
  return hash(mix(first + Rng::golden) ^ second, words...);
}
static_assert(hash(1, 2) != hash(2, 1) && hash(3, 0) != hash(1, 2) && hash(1, 2, 4) != hash(2, 1, 4));

// A hash of sets of squares: products of their halves, which do not wait for one another. The salts must be unrelated:
// with a number and its complement, one piece could change halves unseen.
template <class Sets>
[[nodiscard]] QILIN_HD constexpr u64 hash_sets(const Sets& sets, u64 seed) {
  u64 sum = mix(seed), salt = 0;
  for (const u128 set : sets) {
    const u64 low = static_cast<u64>(set) ^ mix(++salt), high = static_cast<u64>(set >> 64) ^ mix(++salt);
    sum += scale(low, high) ^ (low * high);
  }
  return mix(sum);
}

}  // namespace qilin
