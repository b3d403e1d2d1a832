// What the library can do with one game, as a table of functions: library.cu knows no game, and game.cu.in fills a
// table for each. All throw: std::invalid_argument for what came in wrong, others for what went wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/library.h"
#include "search/playout.hpp"
#include "search/settings.hpp"

namespace qilin::forest {
struct Excerpt;
}  // namespace qilin::forest

namespace qilin::selfplay {
struct Play;
}

namespace qilin::cuda {

struct Questions;
struct Replies;
struct Findings;
struct Counts;
struct Barn;
struct Draw;
struct Yield;

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

// Games that play themselves, with a forest of theirs.
struct SelfPlayProgram {
  u64 sample_bytes, record_bytes;
  int slots;  // moves of an example
  u64 (*bytes)(const forest::Search&, u32 trees);
  Handle (*open)(const qilin_cuda_position&, const forest::Search&, const selfplay::Play&, u32 trees, u64 seed,
                 std::byte* memory, u64 bytes, const Barn&);
  Handle (*trees)(const Handle&);  // what `forest` works on
  const ForestProgram* forest;
  void (*turn)(const Handle&, void* stream);
  void (*forget)(const Handle&, bool boosted, const Array<float, forest::most_tiers>& boosts, void* stream);
  Yield (*yield)(const Handle&);
  void (*teach)(const Barn&, const Draw&, u64 rows, void* stream);
};

struct Program {
  const char* name;
  u64 (*perft)(qilin_cuda_place, const qilin_cuda_position&, int depth, double* ms);
  Tally (*playouts)(qilin_cuda_place, const qilin_cuda_position&, u64 seed, u64 games, int most_plies, double* ms);
  const ForestProgram* forest[2];  // by qilin_cuda_place
  const SelfPlayProgram* selfplay[2];
};

// Every game, in the order of names; nullptr after the last. Written out by the build from the headers it found.
[[nodiscard]] const Program* const* programs();

}  // namespace qilin::cuda
