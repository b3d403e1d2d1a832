// A forest on a card. What is done to its trees runs on the caller's stream and waits for nothing, so that a network's
// forward pass and all of this fit into one CUDA graph.
#pragma once

#include <memory>
#include <type_traits>

#include "cuda/device.cuh"
#include "cuda/farm.hpp"
#include "cuda/plantation.hpp"
#include "cuda/program.hpp"
#include "cuda/warp.cuh"

namespace qilin::cuda {

// Lanes that work on one tree: about as many as there are moves to look at, which on a small board are never many.
template <Game G>
inline constexpr int tile_lanes = G::max_legal <= 8 || plane_cells<G> <= 16 ? 8 : 32;

template <Game G, class Work>
__global__ void __launch_bounds__(block_size) each_tree(const Grove<G> grove, const Work work) {
  const u64 index = (static_cast<u64>(blockIdx.x) * block_size + threadIdx.x) / tile_lanes<G>;
  if (index < grove.trees) work.template operator()<Tile<tile_lanes<G>>>(grove, index);
}

template <Game G, class Work>
__global__ void __launch_bounds__(block_size) each_row(const Work work, u64 rows) {
  const u64 index = (static_cast<u64>(blockIdx.x) * block_size + threadIdx.x) / 32;
  if (index < rows) work.template operator()<Warp>(index);
}

// Where a forest grows (grove.hpp has the other place).
struct OnCard {
  using Stream = cudaStream_t;

  template <Game G, class Work>
  static void run(const Grove<G>& grove, const Work& work, Stream stream) {
    const u64 lanes = u64{grove.trees} * tile_lanes<G>;
    each_tree<<<static_cast<unsigned>((lanes + block_size - 1) / block_size), block_size, 0, stream>>>(grove, work);
    check(cudaGetLastError(), "starting a kernel");
  }
  template <Game G, class Work>
  static void rows(const Work& work, u64 n, Stream stream) {
    const u64 lanes = n * 32;
    each_row<G><<<static_cast<unsigned>((lanes + block_size - 1) / block_size), block_size, 0, stream>>>(work, n);
    check(cudaGetLastError(), "starting a kernel");
  }
  static void write(void* to, const void* from, u64 bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "writing to the device");
  }
  static void read(void* to, const void* from, u64 bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "reading from the device");
  }
};

template <Game G, class Place>
struct ForestFunctions {
  using Trees = Plantation<G, Place>;
  static Trees& of(const Handle& handle) { return *static_cast<Trees*>(handle.get()); }
  static typename Place::Stream on(void* stream) {
    if constexpr (std::is_same_v<Place, OnCard>) return static_cast<cudaStream_t>(stream);
    return {};
  }

  static constexpr ForestProgram table{
      Trees::bytes,
      [](const qilin_cuda_position& position, const forest::Search& search, u32 trees, u64 seed, std::byte* memory,
         u64 bytes) -> Handle { return std::make_shared<Trees>(position, search, trees, seed, memory, bytes); },
      [](const Handle& h, const Questions& to, void* stream) { of(h).look(to, on(stream)); },
      [](const Handle& h, const Replies& replies, void* stream) { of(h).learn(replies, on(stream)); },
      [](const Handle& h, const int* moves, bool keep, void* stream) { of(h).advance(moves, keep, on(stream)); },
      [](const Handle& h, const Findings& to, void* stream) { of(h).find(to, on(stream)); },
      [](const Handle& h) { return of(h).counts(); },
      [](const Handle& h, u64 tree, const forest::Excerpt& excerpt, bool json) {
        return of(h).print(tree, excerpt, json);
      },
      [](const Handle& h, u64 tree) { return of(h).seal(tree); },
  };
};

template <Game G, class Place>
struct SelfPlayFunctions {
  using Games = Farm<G, Place>;
  using Forests = ForestFunctions<G, Place>;
  static Games& of(const Handle& handle) { return *static_cast<Games*>(handle.get()); }

  static constexpr SelfPlayProgram table{
      sizeof(selfplay::Sample<G>),
      sizeof(selfplay::Record<G>),
      G::max_legal,
      Games::needed,
      [](const qilin_cuda_position& position, const forest::Search& search, const selfplay::Play& play, u32 trees,
         u64 seed, std::byte* memory, u64 bytes, const Barn& barn) -> Handle {
        return std::make_shared<Games>(position, search, play, trees, seed, memory, bytes, barn);
      },
      [](const Handle& h) { return Handle(h, &of(h).trees()); },
      &Forests::table,
      [](const Handle& h, void* stream) { of(h).turn(Forests::on(stream)); },
      [](const Handle& h, bool boosted, const Array<float, forest::most_tiers>& boosts, void* stream) {
        of(h).forget(boosted, boosts, Forests::on(stream));
      },
      [](const Handle& h) { return of(h).yield(); },
      [](const Barn& barn, const Draw& draw, u64 rows, void* stream) {
        Games::teach(barn, draw, rows, Forests::on(stream));
      },
  };
};

}  // namespace qilin::cuda
