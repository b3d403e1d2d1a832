// Work over 0 … size-1, split between threads. What a part throws, the caller gets.
#pragma once

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace qilin::bind {

template <class Work>
void parallel_ranges(int size, int threads, Work&& work) {
  const int parts = std::clamp(threads, 1, std::max(1, size));
  const auto begin = [&](int part) { return static_cast<int>(static_cast<long long>(size) * part / parts); };
  if (parts == 1) return work(0, size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  {
    std::vector<std::jthread> workers;
    for (int part = 0; part < parts; ++part) {
      workers.emplace_back([&, part] {
        try {
          work(begin(part), begin(part + 1));
        } catch (...) {
          errors[static_cast<std::size_t>(part)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace qilin::bind
