// Threads that wait for work, so that a search of a millisecond does not pay for starting them.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace qilin {

class Crew {
 public:
  // The caller works too: so many threads altogether.
  explicit Crew(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i](const std::stop_token& stop) { serve(stop, i); });
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(begin, end) for every part of 0 … n-1, one thread a part; what a part throws, the caller gets.
  void share(int n, const std::function<void(int, int)>& work) {
    if (threads_.empty() || n <= 1) return work(0, n);
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      n_ = n;
      busy_ = size() - 1;
      ++round_;
    }
    ready_.notify_all();
    attempt(0, work, n);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void serve(const std::stop_token& stop, int part) {
    for (unsigned seen = 0;;) {
      std::unique_lock lock(mutex_);
      if (!ready_.wait(lock, stop, [&] { return round_ != seen; })) return;
      seen = round_;
      const auto& work = *work_;
      const int n = n_;
      lock.unlock();
      attempt(part, work, n);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  void attempt(int part, const std::function<void(int, int)>& work, int n) {
    const auto begin = [&](int p) { return static_cast<int>(static_cast<long long>(n) * p / size()); };
    try {
      if (begin(part) < begin(part + 1)) work(begin(part), begin(part + 1));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any ready_, done_;
  const std::function<void(int, int)>* work_ = nullptr;
  int n_ = 0, busy_ = 0;
  unsigned round_ = 0;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // last: they stop before what they use goes
};

}  // namespace qilin
