// Lets a CPU take the branches of the headers that are meant for a card, with plain functions in the place of the
// card's. Included before anything else.
#pragma once

#define __CUDA_ARCH__ 900

constexpr int __popcll(long long bits) { return __builtin_popcountll(static_cast<unsigned long long>(bits)); }

template <class T>
T atomicAdd(T* at, T n) {
  const T before = *at;
  *at += n;
  return before;
}

inline int __any_sync(unsigned, int holds) { return holds; }
