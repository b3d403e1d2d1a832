// The card as a machine (machine.hpp): its memory, and the kernels that run a body on every lane. Every call's answer
// is looked at; what goes wrong is thrown as a DeviceError, which library.cu turns into a status and a text.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "cuda/machine.hpp"

namespace qilin::cuda {

struct DeviceError : std::runtime_error {
  using runtime_error::runtime_error;
};

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw DeviceError(std::string(what) + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
                    ")");
}

template <class Body>
__global__ void __launch_bounds__(block_size) sum_kernel(const Body body, u64 n, u64* total) {
  u64 mine = 0;
  for (u64 i = static_cast<u64>(blockIdx.x) * block_size + threadIdx.x; i < n;
       i += static_cast<u64>(gridDim.x) * block_size) {
    mine += body(i);
  }
  // One lane adds for its warp: all the others would queue at the same address.
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
  if (threadIdx.x % 32 == 0) fetch_add(total, mine);
}

template <class Body>
__global__ void __launch_bounds__(block_size) crowd_kernel(const Body body) {
  __shared__ u32 taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  body(Lane{blockIdx.x, static_cast<u64>(blockIdx.x) * block_size + threadIdx.x, &taken});
}

struct Device {
  template <class T>
  class Memory {
   public:
    explicit Memory(u64 n) { check(cudaMalloc(&items_, n * sizeof(T)), "cudaMalloc"); }
    Memory(Memory&& other) noexcept : items_(std::exchange(other.items_, nullptr)) {}
    Memory& operator=(Memory&& other) noexcept {
      std::swap(items_, other.items_);
      return *this;
    }
    ~Memory() { cudaFree(items_); }

    [[nodiscard]] T* data() { return items_; }
    void write(const T* from, u64 n) {
      check(cudaMemcpy(items_, from, n * sizeof(T), cudaMemcpyHostToDevice), "copying to the device");
    }
    void read(T* to, u64 n) {
      check(cudaMemcpy(to, items_, n * sizeof(T), cudaMemcpyDeviceToHost), "copying from the device");
    }

   private:
    T* items_ = nullptr;
  };

  [[nodiscard]] static u64 free_bytes() {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    return free;
  }

  // Blocks of a kernel that the card can hold at once: more would only wait.
  template <class Kernel>
  [[nodiscard]] static u64 blocks_at_once(Kernel kernel) {
    int device = 0, processors = 0, blocks = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0), "asking for the occupancy");
    return static_cast<u64>(processors) * static_cast<u64>(blocks);
  }

  template <class Body>
  u64 sum(u64 n, const Body& body) {
    u64 total = 0;
    total_.write(&total, 1);
    const u64 blocks = std::min((n + block_size - 1) / block_size, blocks_at_once(sum_kernel<Body>));
    sum_kernel<<<static_cast<unsigned>(blocks), block_size>>>(body, n, total_.data());
    check(cudaGetLastError(), "starting a kernel");
    total_.read(&total, 1);
    return total;
  }

  template <class Body>
  void crowd(u64 blocks, const Body& body) {
    crowd_kernel<<<static_cast<unsigned>(blocks), block_size>>>(body);
    check(cudaGetLastError(), "starting a kernel");
    check(cudaDeviceSynchronize(), "running a kernel");
  }

 private:
  Memory<u64> total_{1};
};

}  // namespace qilin::cuda
