// Fills the table of program.hpp for one game: the only place where a template meets a function pointer, and where
// kernels are made.
#pragma once

#include <chrono>

#include "cuda/device.cuh"
#include "cuda/forest.cuh"
#include "cuda/perft.hpp"
#include "cuda/playouts.hpp"
#include "cuda/positions.hpp"
#include "cuda/program.hpp"

namespace qilin::cuda {

// Runs `work`, and says how many milliseconds went by.
template <class Work>
auto timed(double* ms, Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = work();
  *ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

template <Game G>
struct Programmed {
  using State = typename G::State;

  static u64 count_leaves(qilin_cuda_place place, const qilin_cuda_position& position, int depth, double* ms) {
    const State state = state_of<G>(position);
    if (depth < 0 || depth > G::max_plies)
      refuse("depth is " + std::to_string(depth) + ", expected 0 to " + std::to_string(G::max_plies));
    if (place == QILIN_CUDA_CPU) return timed(ms, [&] { return perft<G>(state, depth); });
    Device device;
    WidePerft<G, Device> wide(device, depth, room(depth));
    return timed(ms, [&] { return wide(state); });
  }

  static Tally play_games(qilin_cuda_place place, const qilin_cuda_position& position, u64 seed, u64 games,
                          int most_plies, double* ms) {
    const State state = state_of<G>(position);
    if (place == QILIN_CUDA_CPU) return timed(ms, [&] { return play_one_by_one(state, seed, games, most_plies); });
    Device device;
    WidePlayouts<G, Device> wide(device, blocks(games));
    return timed(ms, [&] { return wide(state, seed, games, most_plies); });
  }

  static constexpr Program table{G::name.data(),
                                 count_leaves,
                                 play_games,
                                 {&ForestFunctions<G, OnCard>::table, &ForestFunctions<G, OnHost>::table},
                                 {&SelfPlayFunctions<G, OnCard>::table, &SelfPlayFunctions<G, OnHost>::table}};

 private:
  // Positions in each pool of a perft: a quarter of the free memory for all of them, a gigabyte at most for each.
  static u64 room(int depth) {
    const u64 share = Device::free_bytes() / 4 / static_cast<u64>(std::max(depth, 1));
    return std::max(std::min(share, u64{1} << 30) / sizeof(State), most_children<G>);
  }

  static u64 blocks(u64 games) {
    return std::min(Device::blocks_at_once(crowd_kernel<PlayGames<G>>), (games + block_size - 1) / block_size);
  }

  static Tally play_one_by_one(const State& start, u64 seed, u64 games, int most_plies) {
    std::vector<u64> keys(past_room<G>);
    Tally tally;
    for (u64 i = 0; i < games; ++i) tally.add(playout<G>({start, keys.data()}, Rng(seed, i), most_plies));
    return tally;
  }
};

}  // namespace qilin::cuda
