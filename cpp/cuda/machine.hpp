// Where a wide computation runs. A body is a small value with a call operator that any CPU can run; a machine runs it
// once for every index. Host, below, does so in a plain loop: what a card will run is tested where there is no card.
//
//   machine.sum(n, body)                 the sum of body(0) … body(n - 1), each one thread's work
//   machine.crowd(blocks, body)          body(Lane) on every lane of so many blocks
//   Machine::Memory<T>(n)                n values on the machine; freed with the value
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"

namespace qilin::cuda {

inline constexpr int block_size = 128;  // lanes of one block: four warps

// One of the many that run a body at the same time.
struct Lane {
  u64 block, index;  // its block, and its number among all lanes
  u32* taken;        // a counter shared by the block, 0 at first
};

// Whether it holds for any lane of the warp. All lanes must come here; they go on from here in step.
QILIN_HD inline bool any_lane(bool holds) {
#ifdef __CUDA_ARCH__
  return __any_sync(0xffffffff, holds);
#else
  return holds;
#endif
}

struct Host {
  template <class T>
  class Memory {
   public:
    explicit Memory(u64 n) : items_(n) {}
    [[nodiscard]] T* data() { return items_.data(); }
    void write(const T* from, u64 n) { std::copy_n(from, n, data()); }
    void read(T* to, u64 n) { std::copy_n(data(), n, to); }

   private:
    std::vector<T> items_;
  };

  template <class Body>
  u64 sum(u64 n, const Body& body) {
    u64 total = 0;
    for (u64 i = 0; i < n; ++i) total += body(i);
    return total;
  }

  template <class Body>
  void crowd(u64 blocks, const Body& body) {
    for (u64 block = 0; block < blocks; ++block) {
      u32 taken = 0;
      for (u64 lane = 0; lane < block_size; ++lane) body(Lane{block, block * block_size + lane, &taken});
    }
  }
};

}  // namespace qilin::cuda
