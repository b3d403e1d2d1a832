// Iterative deepening at the root: depth 1, depth 2, … until a limit is reached.
//
//   depth 7   line 0   [alpha  ·  beta]   a narrow window around the last score; wider if the score falls outside
//             line 1   …                  the best of the moves that are not yet a line of this depth
//
// The answer only ever changes to a move that has been searched to the end, with a score strictly inside its window.
// The best move of the last depth is searched first, so what is found before time runs out is an improvement on it.
#pragma once

#include <functional>

#include "search/worker.hpp"

namespace qilin::alphabeta {

using Watch = std::function<void(const Analysis&)>;  // called after each completed depth

template <Game G>
class Deepening {
 public:
  Deepening(Worker<G>& worker, Clock& clock, const Limits& limits) : worker_(worker), clock_(clock), limits_(limits) {}

  Analysis run(const Line<G>& line, int first_depth, const Watch& watch) {
    worker_.begin(line, clock_);
    if (line.result().over()) {
      found_.stopped = Stopped::over;
      return found_;
    }
    set_out(line);
    for (int depth = first_depth; !is_done(); ++depth) {
      look(depth);
      if (worker_.is_stopped()) break;
      found_.depth = depth;
      report(watch);
    }
    finish();
    return found_;
  }

 private:
  void set_out(const Line<G>& line) {
    for (const Move move : line.legal()) moves_.push_back(move);
    std::stable_sort(moves_.begin(), moves_.end(), [&](Move a, Move b) { return worker_.rank(a) > worker_.rank(b); });
    wanted_ = std::min(moves_.size(), static_cast<std::size_t>(std::max(1, limits_.lines)));
  }

  void look(int depth) {
    worker_.begin_depth();
    if (moves_.empty()) return look_at_chance(depth);
    for (std::size_t place = 0; place < wanted_ && !worker_.is_stopped(); ++place) find(depth, place);
    if (worker_.is_stopped()) return;
    std::stable_sort(found_.lines.begin(), found_.lines.end(),
                     [](const Variation& a, const Variation& b) { return a.score > b.score; });
  }

  // The best move from `place` on, by widening windows.
  void find(int depth, std::size_t place) {
    const bool known = place < found_.lines.size() && depth > 3 && !is_proven(found_.lines[place].score);
    Score reach = std::max(10, static_cast<Score>(Evaluation<G>::scale / 4));
    const Score middle = known ? found_.lines[place].score : 0;
    Window window = known ? Window{middle - reach, middle + reach} : Window{};
    while (true) {
      const Score score = pass(depth, place, window);
      if (worker_.is_stopped() || bound_of(score, window) == Bound::exact) return;
      reach *= 4;
      const bool hopeless = reach > max_evaluation || is_proven(score);
      if (score <= window.alpha) window.alpha = hopeless ? -infinite : score - reach;
      if (score >= window.beta) window.beta = hopeless ? infinite : score + reach;
    }
  }

  // Once over the moves from `place` on.
  Score pass(int depth, std::size_t place, Window window) {
    Score best = -infinite;
    for (std::size_t i = place; i < moves_.size(); ++i) {
      const Move move = moves_[i];
      const Score score = worker_.try_root(move, static_cast<int>(i - place), depth, window);
      if (worker_.is_stopped()) return best;
      best = std::max(best, score);
      if (score <= window.alpha) continue;
      const auto from = moves_.begin() + static_cast<std::ptrdiff_t>(place);
      std::rotate(from, moves_.begin() + static_cast<std::ptrdiff_t>(i),
                  moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      if (score >= window.beta) return score;
      adopt(found_.lines, place, variation(move, score, depth), wanted_);
      window.alpha = score;
    }
    return best;
  }

  [[nodiscard]] Variation variation(Move move, Score score, int depth) const {
    Variation line{{move}, score, depth, Bound::exact};
    for (const Move next : worker_.line()) line.moves.push_back(next);
    return line;
  }

  void look_at_chance(int depth) {
    const Score score = worker_.average_root(depth, {});
    if (!worker_.is_stopped()) found_.lines = {{{}, score, depth, Bound::exact}};
  }

  [[nodiscard]] bool is_done() {
    if (worker_.is_stopped()) return true;
    if (found_.depth >= std::min({limits_.depth.value_or(max_height), max_height, G::max_plies})) {
      found_.stopped = Stopped::depth;
    } else if (is_settled()) {
      found_.stopped = Stopped::proven;
    } else if (clock_.is_late()) {
      found_.stopped = Stopped::time;
    } else if (moves_.size() == 1 && limits_.time && clock_.elapsed() > *limits_.time / 8) {
      found_.stopped = Stopped::forced;
    }
    return found_.stopped != Stopped::running;
  }

  // All lines end in a proven result, no farther off than every reply has been looked at.
  [[nodiscard]] bool is_settled() const {
    return !found_.lines.empty() && std::all_of(found_.lines.begin(), found_.lines.end(), [&](const Variation& line) {
      return plies_to_end(line.score).value_or(max_height + 1) <= found_.depth;
    });
  }

  void report(const Watch& watch) {
    worker_.end();
    found_.seldepth = worker_.seldepth();
    found_.nodes = clock_.nodes();
    found_.time = clock_.elapsed();
    if (watch) watch(found_);
  }

  // Without time for a single depth there still is an answer: the move that looks best before any search.
  void finish() {
    worker_.end();
    if (found_.stopped == Stopped::running) found_.stopped = clock_.stopped();
    if (found_.lines.empty()) {
      found_.lines.push_back({{}, worker_.opinion(), 0, Bound::none});
      if (!moves_.empty()) found_.lines[0].moves.push_back(moves_[0]);
    }
    found_.nodes = clock_.nodes();
    found_.time = clock_.elapsed();
  }

  Worker<G>& worker_;
  Clock& clock_;
  Limits limits_;
  std::vector<Move> moves_;  // of the root, the best known first
  std::size_t wanted_ = 1;
  Analysis found_;
};

}  // namespace qilin::alphabeta
