// Long work, on a machine with limits, for callers who may lose patience.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bind/arrays.hpp"

namespace qilin::bind {

// Bytes of memory that this machine has.
inline u64 machine_memory() {
  return static_cast<u64>(sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(sysconf(_SC_PAGE_SIZE));
}

inline void check_threads(int threads) {
  if (threads < 1 || threads > 1024)
    refuse("the number of threads is " + std::to_string(threads) + ", expected 1 … 1024");
}

// Runs `work` on another thread. Meanwhile Ctrl-C is looked for; it sets `stop`, and is raised once the work has ended.
template <class Work>
void interruptible(std::atomic<bool>& stop, Work&& work) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false, interrupted = false;
  std::exception_ptr error;
  {
    nb::gil_scoped_release release;
    std::jthread worker([&] {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      if (interrupted) continue;
      lock.unlock();
      {
        nb::gil_scoped_acquire acquire;
        interrupted = PyErr_CheckSignals() != 0;
      }
      lock.lock();
      if (interrupted) stop = true;
    }
  }
  if (interrupted) throw nb::python_error();
  if (error) std::rethrow_exception(error);
}

}  // namespace qilin::bind
