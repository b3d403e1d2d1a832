// Real arithmetic with the same bits everywhere. A CPU and a card round +, -, *, / and square roots alike (IEEE 754),
// so whatever is made of these alone comes out alike; library functions (`expf`, `logf`) do not, so here are our own.
//
// One condition: the compiler must not contract a * b + c into one rounding. Compile with -ffp-contract=off, and with
// -fmad=false where nvcc compiles; `contracts` tells whether somebody forgot.
//
// Sums depend on their order, and lanes of a card add in another order than a loop. Therefore what lanes add up are
// whole numbers, `fixed`, for which order does not matter.
#pragma once

#include "core/bits.hpp"

namespace qilin {

using i64 = std::int64_t;

namespace portable {

[[nodiscard]] QILIN_HD constexpr float from_bits(u32 bits) { return __builtin_bit_cast(float, bits); }
[[nodiscard]] QILIN_HD constexpr u32 to_bits(float x) { return __builtin_bit_cast(u32, x); }

[[nodiscard]] QILIN_HD constexpr bool is_finite(float x) { return (to_bits(x) & 0x7f800000) != 0x7f800000; }

// 2^k; 0 below the least normal exponent.
[[nodiscard]] QILIN_HD constexpr float power_of_two(int k) {
  return k < -126 ? 0.0F : from_bits(static_cast<u32>(k + 127) << 23);
}

// ln 2 in two parts: the first has so few bits that its product with an exponent is exact.
inline constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F, log2_e = 0x1.715476p+0F;

// e^x to about two units in the last place; 0 where a normal number would be too large for it, and at most e^88.
//
// x = k ln 2 + r with |r| <= ln 2 / 2, and e^x = 2^k e^r, with Taylor's series for e^r.
[[nodiscard]] QILIN_HD constexpr float exp(float x) {
  if (!(x > -87.0F)) return 0.0F;
  if (x > 88.0F) x = 88.0F;
  const float scaled = x * log2_e;
  const int k = static_cast<int>(scaled + (scaled < 0 ? -0.5F : 0.5F));
  const float r = (x - static_cast<float>(k) * ln2_high) - static_cast<float>(k) * ln2_low;
  const float square = r * r;  // halves of the series side by side: twice as fast as one after the other
  const float low = 0.5F + r * (1.0F / 6);
  const float high = (1.0F / 24 + r * (1.0F / 120)) + square * (1.0F / 720);
  return ((1.0F + r) + square * (low + square * high)) * power_of_two(k);
}

// 2^x for x up to 0, to one part in 100,000; 2^-126 for what is less. No branch, and few steps: this is what Gumbel's
// rule asks for every move that was tried, at every node on every way down.
[[nodiscard]] QILIN_HD constexpr float power_of_half(float x) {
  constexpr float whole = 0x1.8p23F;  // so large that a sum with it has no fraction
  const float y = x > -126.0F ? x : -126.0F;
  const float rounded = y + whole, f = y - (rounded - whole);
  const float low = 1.0F + f * 0.69314718F, high = 0.24022651F + f * (0.05550411F + f * 0.00961813F);
  return from_bits(to_bits(low + f * f * high) + (to_bits(rounded) << 23));
}

// The natural logarithm to about two units in the last place; of anything below the least normal number, that of it.
//
// x = 2^k m with m between sqrt(1/2) and sqrt(2), and log m = 2 artanh(s) with s = (m - 1) / (m + 1).
[[nodiscard]] QILIN_HD constexpr float log(float x) {
  constexpr float least = 0x1p-126F;
  constexpr u32 sqrt_half = 0x3f3504f3;
  const u32 bits = to_bits(x > least ? x : least) - sqrt_half;
  const float m = from_bits((bits & 0x7fffff) + sqrt_half);
  const float k = static_cast<float>(static_cast<int>(bits) >> 23);
  const float s = (m - 1.0F) / (m + 1.0F), z = s * s;
  const float low = 2.0F / 3 + z * (2.0F / 5), high = 2.0F / 7 + z * (2.0F / 9);
  return (k * ln2_low + (z * s) * (low + (z * z) * high)) + 2.0F * s + k * ln2_high;
}

[[nodiscard]] QILIN_HD inline float sqrt(float x) {
#ifdef __CUDA_ARCH__
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}

// Whether a * b + c was rounded once, against the condition above. Ask with a = 1 + 2^-12, which must not be a
// constant.
[[nodiscard]] QILIN_HD inline bool contracts(float a) { return a * a - 0x1.002p+0F != 0.0F; }

// A number as a multiple of 2^-32, for sums. Terms stay below 2^24, so 128 of the largest fit.
[[nodiscard]] QILIN_HD constexpr i64 fixed(float x) { return static_cast<i64>(x * 0x1p32F); }
[[nodiscard]] QILIN_HD constexpr float from_fixed(i64 x) { return static_cast<float>(x) * 0x1p-32F; }
// The same in fewer bits, for numbers whose sums stay within -1 and +1.
[[nodiscard]] QILIN_HD constexpr i32 fixed_share(float x) { return static_cast<i32>(x * 0x1p28F); }
[[nodiscard]] QILIN_HD constexpr float from_fixed_share(i32 x) { return static_cast<float>(x) * 0x1p-28F; }

}  // namespace portable
}  // namespace qilin
