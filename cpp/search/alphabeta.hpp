// Alpha-beta for any game: the door. What happens behind it:
//
//   AlphaBeta ── Deepening ── Worker ── Path       one of each per thread; the first thread's answer is the answer
//       └── Table, Clock ────────┘                 shared by all threads
//
//   AlphaBeta<G> player({.table_mib = 64});
//   const Analysis best = player.search(line, {.time = std::chrono::milliseconds(100)});
#pragma once

#include <thread>

#include "search/deepening.hpp"

namespace qilin::alphabeta {

template <Game G>
class AlphaBeta {
 public:
  explicit AlphaBeta(const Options& options = {}) : table_(options.table_mib) {
    assert(options.threads > 0);
    for (int i = 0; i < options.threads; ++i) workers_.push_back(std::make_unique<Worker<G>>(options, table_));
  }

  // Returns when a limit is reached, when `stop` has become true, or when there is nothing more to find. `watch` is
  // called on this thread; should it throw, the search ends and the exception comes through.
  Analysis search(const Line<G>& line, const Limits& limits, const Watch& watch = {},
                  const std::atomic<bool>* stop = nullptr) {
    Clock clock(limits, stop);
    table_.age();
    Helpers helpers(clock);
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      helpers.threads.emplace_back([this, i, &clock, &line] {
        Deepening<G>(*workers_[i], clock, {}).run(line, 1 + static_cast<int>(i % 2), {});
      });
    }
    Analysis found = Deepening<G>(*workers_[0], clock, limits).run(line, 1, watch);
    helpers.stop();
    found.nodes = clock.nodes();
    found.fullness = table_.fullness();
    return found;
  }

  // Forgets everything: the next search is that of a new player.
  void clear() {
    table_.clear();
    for (auto& worker : workers_) worker->clear();
  }

 private:
  // Threads that fill the table from other depths. They stop with the search, however it ends.
  struct Helpers {
    Clock& clock;
    std::vector<std::thread> threads;

    explicit Helpers(Clock& clock_) : clock(clock_) {}
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers() { stop(); }
    void stop() {
      clock.stop(Stopped::asked);
      for (std::thread& thread : threads) thread.join();
      threads.clear();
    }
  };

  Table table_;
  std::vector<std::unique_ptr<Worker<G>>> workers_;
};

}  // namespace qilin::alphabeta

namespace qilin {
using alphabeta::AlphaBeta;
}
