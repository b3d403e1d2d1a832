// When a search ends: its limits, and the one clock that all its threads obey.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "core/bits.hpp"

namespace qilin::alphabeta {

using Time = std::chrono::steady_clock::duration;

// What one search may cost, and what it is to show. Without any limit it goes on until it is told to stop, or has
// nothing left to find.
struct Limits {
  std::optional<int> depth{};
  std::optional<u64> nodes{};  // kept to the node by one thread, to some hundred by several
  std::optional<Time> soft{};  // no new depth is begun after this
  std::optional<Time> time{};  // the answer is there by then
  int lines = 1;               // best moves to be told apart, each with its own score and line
  std::optional<std::chrono::steady_clock::time_point> since{};  // when it was asked for, if not just now
};

enum class Stopped : unsigned char { running, depth, nodes, time, asked, proven, forced, over };
inline constexpr const char* stopped_names[] = {"running", "depth",  "nodes",  "time",
                                                "asked",   "proven", "forced", "over"};

class Clock {
 public:
  Clock(const Limits& limits, const std::atomic<bool>* asked)
      : limits_(limits), asked_(asked), start_(limits.since.value_or(std::chrono::steady_clock::now())) {}

  // Told by each thread every `interval` nodes; counts them, and stops everybody when a limit is reached. An interval
  // is some 50 to 500 microseconds of search, so nothing overruns by a millisecond.
  void tell(u64 fresh) {
    const u64 total = nodes_.fetch_add(fresh, std::memory_order_relaxed) + fresh;
    if (asked_ && asked_->load(std::memory_order_relaxed)) stop(Stopped::asked);
    if (limits_.nodes && total >= *limits_.nodes) stop(Stopped::nodes);
    if (limits_.time && elapsed() >= *limits_.time) stop(Stopped::time);
  }
  static constexpr u64 interval = 256;

  // How many more nodes a thread may search before it tells.
  [[nodiscard]] u64 allowance() const {
    if (!limits_.nodes) return interval;
    const u64 total = nodes();
    return total >= *limits_.nodes ? 1 : std::min(interval, *limits_.nodes - total);
  }

  // The first reason to stop is the one that is reported.
  void stop(Stopped why) {
    Stopped running = Stopped::running;
    stopped_.compare_exchange_strong(running, why, std::memory_order_relaxed);
  }

  [[nodiscard]] bool is_stopped() const { return stopped() != Stopped::running; }
  [[nodiscard]] Stopped stopped() const { return stopped_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_late() const { return limits_.soft && elapsed() >= *limits_.soft; }
  [[nodiscard]] Time elapsed() const { return std::chrono::steady_clock::now() - start_; }
  [[nodiscard]] u64 nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
  Limits limits_;
  const std::atomic<bool>* asked_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<u64> nodes_{0};
  std::atomic<Stopped> stopped_{Stopped::running};
};

}  // namespace qilin::alphabeta
