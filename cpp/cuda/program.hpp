// What the library can do with one game, as a table of functions: library.cu knows no game, and game.cu.in fills a
// table for each. All throw: std::invalid_argument for what came in wrong, others for what went wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/library.h"
#include "search/playout.hpp"

namespace qilin::forest {
struct Search;
struct Excerpt;
}  // namespace qilin::forest

namespace qilin::cuda {

struct Questions;
struct Replies;
struct Findings;
struct Counts;

using Handle = std::shared_ptr<void>;

// Many trees on the card. `stream` is a cudaStream_t; what takes one does not wait.
struct ForestProgram {
  u64 (*bytes)(const forest::Search&, u32 trees);
  Handle (*open)(const qilin_cuda_position&, const forest::Search&, u32 trees, u64 seed, std::byte* memory, u64 bytes);
  void (*look)(const Handle&, const Questions&, void* stream);
  void (*learn)(const Handle&, const Replies&, void* stream);
  void (*advance)(const Handle&, const int* moves, bool keep, void* stream);
  void (*find)(const Handle&, const Findings&, void* stream);
  Counts (*counts)(const Handle&);
  std::string (*print)(const Handle&, u64 tree, const forest::Excerpt&, bool json);
  u64 (*seal)(const Handle&, u64 tree);
};

struct Program {
  const char* name;
  u64 (*perft)(qilin_cuda_place, const qilin_cuda_position&, int depth, double* ms);
  Tally (*playouts)(qilin_cuda_place, const qilin_cuda_position&, u64 seed, u64 games, int most_plies, double* ms);
  const ForestProgram* forest[2];  // by qilin_cuda_place
};

// Every game, in the order of names; nullptr after the last. Written out by the build from the headers it found.
[[nodiscard]] const Program* const* programs();

}  // namespace qilin::cuda
