// The door of the library: checks what comes in, finds the game, and turns exceptions into a status and a text.
#pragma once

#include <cstring>
#include <string>

#include "core/text.hpp"
#include "cuda/device.cuh"
#include "cuda/grove.hpp"
#include "cuda/library.h"
#include "cuda/program.hpp"
#include "search/print.hpp"

namespace qilin::cuda {

inline thread_local std::string last_error;

struct NoDevice : std::runtime_error {
  using runtime_error::runtime_error;
};

inline int failed(int status, const char* why) {
  last_error = why;
  return status;
}

// Runs the body of a function of the C interface.
template <class Body>
int guarded(Body&& body) noexcept {
  try {
    body();
    return QILIN_CUDA_OK;
  } catch (const NoDevice& error) {
    return failed(QILIN_CUDA_NO_DEVICE, error.what());
  } catch (const std::invalid_argument& error) {
    return failed(QILIN_CUDA_BAD_INPUT, error.what());
  } catch (const std::exception& error) {
    return failed(QILIN_CUDA_FAILED, error.what());
  }
}

// As in "13.0".
inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline NoDevice driver_too_old() {
  int version = 0;
  cudaDriverGetVersion(&version);
  if (version == 0) return NoDevice("there is no NVIDIA driver");
  return NoDevice("the driver is for CUDA " + version_text(version) + ", and this library needs one for " +
                  version_text(CUDART_VERSION) + ": take a newer driver, or build with an older toolkit (`make cuda`)");
}

template <class>
__global__ void any_kernel() {}

// Whether the library holds code that this card can run.
inline void check_code(const cudaDeviceProp& card) {
  cudaFuncAttributes found;
  const cudaError_t status = cudaFuncGetAttributes(&found, any_kernel<void>);
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion ||
      status == cudaErrorInvalidDeviceFunction) {
    const std::string number = std::to_string(card.major) + std::to_string(card.minor);
    throw NoDevice(std::string("the library was built for ") + QILIN_CUDA_BUILT_FOR + ", and holds nothing for " +
                   card.name + ", a card of " + number + ": build it again with `make cuda CUDA_ARCH=" + number + "`");
  }
  check(status, "looking for the card's code");
}

inline cudaDeviceProp device() {
  int devices = 0, current = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorInsufficientDriver) throw driver_too_old();
  if (status != cudaSuccess || devices == 0)
    throw NoDevice(std::string("no CUDA device: ") + cudaGetErrorString(status));
  cudaDeviceProp properties;
  check(cudaGetDevice(&current), "cudaGetDevice");
  check(cudaGetDeviceProperties(&properties, current), "cudaGetDeviceProperties");
  check_code(properties);
  return properties;
}

inline qilin_cuda_place place_of(int place) {
  if (place == QILIN_CUDA_CPU) return QILIN_CUDA_CPU;
  if (place != QILIN_CUDA_GPU)
    refuse("place is " + std::to_string(place) + ", expected QILIN_CUDA_GPU or QILIN_CUDA_CPU");
  device();
  return QILIN_CUDA_GPU;
}

inline const Program& program(const char* name) {
  std::string known;
  for (const Program* const* p = programs(); *p; ++p) {
    if (std::strcmp((*p)->name, name) == 0) return **p;
    known += std::string(known.empty() ? "" : ", ") + (*p)->name;
  }
  refuse("no game is called " + quoted(name) + "; the games are " + known);
}

inline const char* text_or_empty(const char* text) { return text ? text : ""; }

// What came in, nothing null any more.
inline qilin_cuda_position checked(const qilin_cuda_position* position) {
  if (!position || !position->game) refuse("the position and its game can not be null");
  return {position->game, text_or_empty(position->settings), text_or_empty(position->text),
          text_or_empty(position->moves)};
}

inline void check_outputs(const void* answer, const void* ms) {
  if (!answer || !ms) refuse("what is to hold the answer can not be null");
}

[[nodiscard]] inline forest::Search search_of(const qilin_cuda_search* from) {
  if (!from) refuse("the search can not be null");
  forest::Search search;
  search.kind = from->gumbel ? forest::Kind::gumbel : forest::Kind::puct;
  search.simulations = from->simulations;
  search.leaves = from->leaves;
  search.stop_early = from->stop_early != 0;
  search.considered = from->considered;
  search.c_puct = from->c_puct;
  search.c_growth = from->c_growth;
  search.c_scale = from->c_scale;
  search.fpu_reduction = from->fpu_reduction;
  search.root_fpu_reduction = from->root_fpu_reduction;
  search.root_temperature = from->root_temperature;
  search.noise_weight = from->noise_weight;
  search.noise_alpha = from->noise_alpha;
  search.gumbel_noise = from->gumbel_noise;
  search.gumbel_visits = from->gumbel_visits;
  search.gumbel_scale = from->gumbel_scale;
  search.forced_playouts = from->forced_playouts;
  return search;
}

[[nodiscard]] inline int checked(int value, int least, int most, const char* what) {
  if (value >= least && value <= most) return value;
  refuse(std::string(what) + " is " + std::to_string(value) + ", expected " + std::to_string(least) + " to " +
         std::to_string(most));
}

[[nodiscard]] inline Number number_of(int number) {
  return static_cast<Number>(checked(number, QILIN_CUDA_F32, QILIN_CUDA_BF16, "the kind of numbers"));
}

inline constexpr int most_trees = 1 << 24;

// Lanes count a block's games in 32 bits.
inline constexpr u64 most_games = 4'000'000'000;

}  // namespace qilin::cuda

struct qilin_cuda_forest {
  const qilin::cuda::ForestProgram* functions;
  qilin::cuda::Handle handle;
};
