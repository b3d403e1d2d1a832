// What the library can do with one game, as a table of functions: library.cu knows no game, and game.cu.in fills a
// table for each. All throw: std::invalid_argument for what came in wrong, others for what went wrong.
#pragma once

#include "cuda/library.h"
#include "search/playout.hpp"

namespace qilin::cuda {

struct Program {
  const char* name;
  u64 (*perft)(qilin_cuda_place, const qilin_cuda_position&, int depth, double* ms);
  Tally (*playouts)(qilin_cuda_place, const qilin_cuda_position&, u64 seed, u64 games, int most_plies, double* ms);
};

// Every game, in the order of names; nullptr after the last. Written out by the build from the headers it found.
[[nodiscard]] const Program* const* programs();

}  // namespace qilin::cuda
