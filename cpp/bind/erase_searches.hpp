// Fills the table of searches.hpp for one game.
#pragma once

#include "bind/erase.hpp"
#include "bind/searches.hpp"
#include "search/alphabeta.hpp"
#include "search/print.hpp"
#include "search/seal.hpp"

namespace qilin::bind {

template <Game G>
std::vector<std::string> line_text(const Position& p, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  Line<G> line = Erase<G>::line(p);
  for (const Move move : moves) {
    texts.push_back(G::move_text(line.state, move));
    line.play(move);
  }
  return texts;
}

template <Game G>
struct EraseForest {
  using Trees = qilin::forest::Forest<G>;
  static Trees& of(void* p) { return *static_cast<Trees*>(p); }
  static const Trees& of(const void* p) { return *static_cast<const Trees*>(p); }

  static std::shared_ptr<void> make(const Position& start, const forest::Search& search, int trees, u64 seed,
                                    int threads, u64 most_bytes) {
    forest::check(search);
    const u64 bytes = forest::tree_bytes<G>(forest::shape_for<G>(search, {})) * static_cast<u64>(std::max(trees, 0));
    if (bytes > most_bytes) {
      refuse(std::to_string(trees) + " trees of " + std::to_string(search.simulations) + " simulations need " +
             std::to_string(bytes >> 20) + " MiB, this machine has " + std::to_string(most_bytes >> 20));
    }
    return std::make_shared<Trees>(search, trees, seed, threads, forest::Room{}, Erase<G>::line(start));
  }

  static void run(void* p, const std::string& evaluator) {
    if (evaluator == "uniform") return of(p).run(forest::Uniform{});
    if (evaluator == "handwritten") return of(p).run(forest::Handwritten{});
    if (evaluator == "playout") return of(p).run(forest::Playouts{});
    refuse("the evaluator is " + quoted(evaluator) + ", expected 'uniform', 'handwritten' or 'playout'");
  }

  static std::string print(const void* p, int tree, int depth, int visits, bool json) {
    const forest::Excerpt excerpt{.depth = depth, .visits = visits};
    const Tree<G> t = of(p).tree(tree);
    const Printer<G> printer(of(p).search(), t, excerpt);
    return json ? printer.json() : printer.text();
  }

  static ForestTable table() {
    return {
        .make = make,
        .size = [](const void* p) { return of(p).size(); },
        .bytes = [](const void* p) { return of(p).bytes(); },
        .most_rows = [](const void* p) { return of(p).most_rows(); },
        .rows = [](const void* p) { return of(p).rows(); },
        .reset = [](void* p, int tree, const Position& root) { of(p).reset(tree, Erase<G>::line(root)); },
        .advance = [](void* p, int tree, Move move) { of(p).advance(tree, move); },
        .begin = [](void* p, int tree, int simulations) { of(p).begin(tree, simulations); },
        .leaves = [](void* p, float* planes) { return of(p).leaves(planes); },
        .more = [](void* p, float* planes) { return of(p).more(planes); },
        .grow = [](void* p, std::span<const float> logits, std::span<const float> values,
                   forest::Values form) { of(p).grow(logits, values, form); },
        .run = run,
        .is_done = [](const void* p, int tree) { return of(p).is_done(tree); },
        .report = [](const void* p, int tree) { return of(p).report(tree); },
        .choose = [](const void* p, int tree, float temperature) { return of(p).choose(tree, temperature); },
        .root = [](const void* p, int tree) { return Erase<G>::box(of(p).state(tree)); },
        .print = print,
        .seal = [](const void* p, int tree) { return forest::seal(of(p).tree(tree)); },
    };
  }

 private:
  template <Game T>
  using Tree = forest::Tree<T>;
  template <Game T>
  using Printer = forest::Printer<T>;
};

template <Game G>
const Searches& searches_of() {
  static const Searches table{
      .alphabeta = {
          .make = [](const Options& options) -> std::shared_ptr<void> {
            return std::make_shared<AlphaBeta<G>>(options);
          },
          .search =
              [](void* player, const Position& p, const Limits& limits, const Watch& watch,
                 const std::atomic<bool>* stop) {
                return static_cast<AlphaBeta<G>*>(player)->search(Erase<G>::line(p), limits, watch, stop);
              },
          .forget = [](void* player) { static_cast<AlphaBeta<G>*>(player)->clear(); },
      },
      .forest = EraseForest<G>::table(),
      .line_text = line_text<G>,
      .score_probability = win_probability<G>,
  };
  return table;
}

}  // namespace qilin::bind
