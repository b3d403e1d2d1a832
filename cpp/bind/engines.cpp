// The searches, for Python. A search runs on a thread of its own while the caller's waits for Ctrl-C.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/searches.hpp"

using namespace nanobind::literals;

namespace qilin::bind {
namespace {

// What a search found, in words and numbers that need no game to be read.
struct FoundLine {
  std::vector<std::string> moves;
  int score;
  double win;               // probability, for the player to move
  std::optional<int> ends;  // plies to a proven win; negative: to a proven loss
  int depth;
  bool exact;
};
struct Found {
  std::vector<FoundLine> lines;
  int depth, seldepth;
  u64 nodes;
  double seconds;
  int fullness;
  std::string stopped;
};

Found in_words(const Position& p, const Analysis& analysis) {
  const Searches& s = searches(*p.rules);
  Found found{{},
              analysis.depth,
              analysis.seldepth,
              analysis.nodes,
              std::chrono::duration<double>(analysis.time).count(),
              analysis.fullness,
              alphabeta::stopped_names[static_cast<std::size_t>(analysis.stopped)]};
  for (const alphabeta::Variation& line : analysis.lines) {
    std::optional<int> ends = plies_to_end(line.score);
    if (ends && is_loss(line.score)) ends = -*ends;
    found.lines.push_back({s.line_text(p, line.moves), line.score, s.score_probability(line.score), ends, line.depth,
                           line.bound == Bound::exact});
  }
  return found;
}

Time duration(double seconds) { return std::chrono::duration_cast<Time>(std::chrono::duration<double>(seconds)); }

class AlphaBetaPlayer {
 public:
  AlphaBetaPlayer(const Rules& rules, int table_mib, int threads, bool selective, bool quiescence, bool strict)
      : rules_(rules) {
    if (table_mib < 1) refuse("the table has " + std::to_string(table_mib) + " MiB, expected 1 or more");
    check_threads(threads);
    const u64 memory = machine_memory() >> 20;
    if (static_cast<u64>(table_mib) > memory) {
      refuse("a table of " + std::to_string(table_mib) + " MiB, expected at most this machine's " +
             std::to_string(memory));
    }
    const Options options{table_mib, threads, selective, quiescence, strict};
    try {
      player_ = table().make(options);
    } catch (const std::bad_alloc&) {
      refuse("there is no memory for a table of " + std::to_string(table_mib) + " MiB");
    }
  }

  Found search(const Position& p, std::optional<int> depth, std::optional<u64> nodes, std::optional<double> time,
               int lines, const std::optional<nb::callable>& watch) {
    if (p.rules != &rules_) refuse("this player plays " + std::string(rules_.name));
    Limits limits{depth, nodes, {}, {}, lines, {}};
    limits.since = std::chrono::steady_clock::now();  // on a busy machine a thread starts late
    if (time) limits.time = duration(*time);
    if (time) limits.soft = duration(*time * 0.6);  // a depth that is begun later is seldom finished
    const Watch tell = [&](const Analysis& analysis) {
      if (!watch) return;
      nb::gil_scoped_acquire acquire;
      (*watch)(in_words(p, analysis));
    };
    stop_ = false;
    Analysis analysis;
    interruptible(stop_, [&] { analysis = table().search(player_.get(), p, limits, tell, &stop_); });
    return in_words(p, analysis);
  }

  void stop() { stop_ = true; }
  void forget() { table().forget(player_.get()); }

 private:
  [[nodiscard]] const AlphaBetaTable& table() const { return searches(rules_).alphabeta; }

  const Rules& rules_;
  std::shared_ptr<void> player_;
  std::atomic<bool> stop_ = false;
};

void bind_found(nb::module_& m) {
  nb::class_<FoundLine>(m, "FoundLine", "A line of play and what it is worth to the player to move.")
      .def_ro("moves", &FoundLine::moves)
      .def_ro("score", &FoundLine::score)
      .def_ro("win", &FoundLine::win, "Probability of a win.")
      .def_ro("ends", &FoundLine::ends, "Plies to a proven win; negative: to a proven loss.")
      .def_ro("depth", &FoundLine::depth)
      .def_ro("exact", &FoundLine::exact);
  nb::class_<Found>(m, "Found", "What an alpha-beta search found.")
      .def_ro("lines", &Found::lines)
      .def_ro("depth", &Found::depth)
      .def_ro("seldepth", &Found::seldepth)
      .def_ro("nodes", &Found::nodes)
      .def_ro("seconds", &Found::seconds)
      .def_ro("fullness", &Found::fullness, "Of the table, in thousandths.")
      .def_ro("stopped", &Found::stopped);
}

}  // namespace

void bind_engines(nb::module_& m) {
  bind_found(m);
  nb::class_<AlphaBetaPlayer>(m, "AlphaBeta", "An alpha-beta search with its table.")
      .def(nb::init<const Rules&, int, int, bool, bool, bool>(), "rules"_a, "table_mib"_a = 16, "threads"_a = 1,
           "selective"_a = true, "quiescence"_a = true, "strict"_a = false)
      .def("search", &AlphaBetaPlayer::search, "position"_a, "depth"_a = nb::none(), "nodes"_a = nb::none(),
           "time"_a = nb::none(), "lines"_a = 1, "watch"_a = nb::none(),
           nb::sig("def search(self, position: Position, depth: int | None = None, nodes: int | None = None, "
                   "time: float | None = None, lines: int = 1, "
                   "watch: collections.abc.Callable[[Found], None] | None = None) -> Found"))
      .def("stop", &AlphaBetaPlayer::stop, "Ends the search that is under way, from another thread.")
      .def("forget", &AlphaBetaPlayer::forget);
}

}  // namespace qilin::bind
