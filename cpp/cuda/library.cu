// The door of the library: checks what comes in, finds the game, and turns exceptions into a status and a text.
#include "cuda/library.h"

#include <cstring>
#include <string>

#include "core/text.hpp"
#include "cuda/device.cuh"
#include "cuda/program.hpp"

namespace qilin::cuda {
namespace {

thread_local std::string last_error;

struct NoDevice : std::runtime_error {
  using runtime_error::runtime_error;
};

int failed(int status, const char* why) {
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

cudaDeviceProp device() {
  int devices = 0, current = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorInsufficientDriver) {
    throw NoDevice("the driver is too old for CUDA " + std::to_string(CUDART_VERSION / 1000) + ", or there is none");
  }
  if (status != cudaSuccess || devices == 0)
    throw NoDevice(std::string("no CUDA device: ") + cudaGetErrorString(status));
  cudaDeviceProp properties;
  check(cudaGetDevice(&current), "cudaGetDevice");
  check(cudaGetDeviceProperties(&properties, current), "cudaGetDeviceProperties");
  return properties;
}

qilin_cuda_place place_of(int place) {
  if (place == QILIN_CUDA_CPU) return QILIN_CUDA_CPU;
  if (place != QILIN_CUDA_GPU)
    refuse("place is " + std::to_string(place) + ", expected QILIN_CUDA_GPU or QILIN_CUDA_CPU");
  device();
  return QILIN_CUDA_GPU;
}

const Program& program(const char* name) {
  std::string known;
  for (const Program* const* p = programs(); *p; ++p) {
    if (std::strcmp((*p)->name, name) == 0) return **p;
    known += std::string(known.empty() ? "" : ", ") + (*p)->name;
  }
  refuse("no game is called " + quoted(name) + "; the games are " + known);
}

const char* text_or_empty(const char* text) { return text ? text : ""; }

// What came in, nothing null any more.
qilin_cuda_position checked(const qilin_cuda_position* position) {
  if (!position || !position->game) refuse("the position and its game can not be null");
  return {position->game, text_or_empty(position->settings), text_or_empty(position->text)};
}

void check_outputs(const void* answer, const void* ms) {
  if (!answer || !ms) refuse("what is to hold the answer can not be null");
}

// Lanes count a block's games in 32 bits.
constexpr u64 most_games = 4'000'000'000;

}  // namespace
}  // namespace qilin::cuda

using namespace qilin::cuda;

int qilin_cuda_abi(void) { return QILIN_CUDA_ABI; }

const char* qilin_cuda_error(void) { return last_error.c_str(); }

const char* qilin_cuda_game(int index) {
  const Program* const* p = programs();
  for (; *p && index > 0; --index) ++p;
  return *p && index == 0 ? (*p)->name : nullptr;
}

int qilin_cuda_device(char* name, size_t size) {
  return guarded([&] {
    const cudaDeviceProp properties = device();
    if (!name || size == 0) return;
    std::strncpy(name, properties.name, size - 1);
    name[size - 1] = '\0';
  });
}

int qilin_cuda_perft(int place, const qilin_cuda_position* position, int depth, uint64_t* nodes, double* ms) {
  return guarded([&] {
    check_outputs(nodes, ms);
    const qilin_cuda_position at = checked(position);
    *nodes = program(at.game).perft(place_of(place), at, depth, ms);
  });
}

int qilin_cuda_playouts(int place, const qilin_cuda_position* position, uint64_t seed, uint64_t games, int most_plies,
                        qilin_cuda_tally* tally, double* ms) {
  return guarded([&] {
    check_outputs(tally, ms);
    const qilin_cuda_position at = checked(position);
    if (games < 1 || games > most_games) {
      qilin::refuse("games is " + std::to_string(games) + ", expected 1 to " + std::to_string(most_games));
    }
    if (most_plies < 0) qilin::refuse("most_plies is " + std::to_string(most_plies) + ", expected 0 or more");
    const auto all = program(at.game).playouts(place_of(place), at, seed, games, most_plies, ms);
    *tally = {all.plies, all.first_wins, all.second_wins, all.draws, all.unfinished};
  });
}
