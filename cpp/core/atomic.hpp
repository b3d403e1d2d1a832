// Numbers that many lanes, or threads, add to at the same time.
#pragma once

#include "core/bits.hpp"

namespace qilin {

// Adds to a number that others add to; the answer is what it was before.
QILIN_HD inline u64 fetch_add(u64* at, u64 n) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(u64) == sizeof(unsigned long long));
  return atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(n));
#else
  return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
#endif
}
QILIN_HD inline u32 fetch_add(u32* at, u32 n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(at, n);
#else
  return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
#endif
}

}  // namespace qilin
