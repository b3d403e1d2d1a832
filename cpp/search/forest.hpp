// Many trees that grow together, on the host. Whoever has a network asks for leaves and brings evaluations:
//
//     forest.reset(tree, line)                    for every tree: the position, and the past of its game
//     while (int rows = forest.leaves(planes))    the next positions to look at, from all trees
//       forest.grow(logits, values, form)         what the network thinks of them
//     forest.report(tree), forest.advance(tree, move)
//
// Whoever waits for a network on a card asks for `more` leaves meanwhile: two waves may wait at a time.
// Others give an evaluator (search/evaluators.hpp), and the whole search runs without a pause: forest.run(Uniform{}).
// Trees are the same on one thread and on many, whatever else grows beside them: every tree has random numbers of its
// own, and nothing is shared.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "core/line.hpp"
#include "core/planes.hpp"
#include "core/text.hpp"
#include "search/answers.hpp"
#include "search/crew.hpp"
#include "search/evaluators.hpp"
#include "search/print.hpp"
#include "search/replant.hpp"
#include "search/room.hpp"
#include "search/simulate.hpp"

namespace qilin::forest {

template <Game G>
class Forest {
 public:
  // Every tree begins at `start`, or at the game's start under default settings.
  Forest(const Search& search, int trees, u64 seed = 0, int threads = 1, const Room& room = {},
         const Line<G>& start = Line<G>(G::start(defaults<G>())))
      : search_((check(search), search)),
        shape_(with_room_for_two_waves(shape_for<G>(search, room))),
        bytes_(tree_bytes<G>(shape_)),
        trees_(trees),
        seed_(seed),
        rows_(static_cast<std::size_t>(std::max(0, trees)) + 1),
        next_(rows_.size()),
        crew_(std::max(1, threads)) {
    if (trees < 1 || threads < 1) {
      refuse(std::to_string(trees) + " trees on " + std::to_string(threads) +
             " threads, expected at least one of each");
    }
    memory_.reset(static_cast<std::byte*>(::operator new[](bytes_* static_cast<u64>(trees), align)));
    for (int i = 0; i < trees; ++i) {
      *tree(i).head = {};
      reset(i, start);
    }
  }

  // From the next evaluations on.
  void set_boosts(bool boosted, const Array<float, most_tiers>& boosts) {
    search_.boosted = boosted;
    search_.boosts = boosts;
  }

  [[nodiscard]] int size() const { return trees_; }
  [[nodiscard]] const Search& search() const { return search_; }
  [[nodiscard]] u64 bytes() const { return bytes_ * static_cast<u64>(trees_); }
  // Rows that `leaves` writes at most.
  [[nodiscard]] int most_rows() const { return trees_ * search_.leaves; }

  // Forgets a tree, and roots it at this position.
  void reset(int index, const Line<G>& line) {
    const Tree<G> t = tree(index);
    if constexpr (HasPast<G>) {
      if (line.keys.size() > static_cast<std::size_t>(G::max_past)) refuse("a past longer than any game's");
      std::copy(line.keys.begin(), line.keys.end(), t.keys);
      t.head->history = static_cast<u32>(line.keys.size());
    }
    plant(t, line.state);
    begin(index, search_.simulations);
  }

  // Plays a move (where chance is to answer, an outcome) at a tree's root, and keeps what was found below it.
  void advance(int index, Move move) {
    const Tree<G> t = tree(index);
    const int slot = find_edge(t, move);
    if (slot < 0) {
      refuse((t.nodes[0].chance ? "outcome " : "move ") + std::to_string(move) + " at the root of tree " +
             std::to_string(index) + ", " + quoted(G::text(t.states[0])) + ", where it is not possible");
    }
    Simulation<G, OneLane>(search_, t).cancel();
    follow_root_edge(t, slot);
    begin(index, search_.simulations);
  }

  // Another search of the same root, on top of what is known.
  void begin(int index, int simulations) {
    if (simulations < 1) refuse(std::to_string(simulations) + " simulations, expected at least 1");
    begin_search(search_, tree(index), seed_, static_cast<u64>(index), static_cast<u32>(simulations));
  }

  // Goes down in every tree that has simulations left. Writes the leaves' planes, (rows, planes, rows, cols), and
  // answers how many there are; 0: all searches are done. Leaves that nobody evaluated are given up.
  int leaves(float* planes) {
    gather();
    return encode_all(rows_, planes);
  }

  // The next wave, while the one before waits for its evaluation: what comes of that can't be known yet, so virtual
  // losses keep the two apart. 0: there is none now.
  int more(float* planes) {
    if (next_.back() > 0) refuse("two waves of leaves wait for their evaluation already");
    for (int i = 0; i < trees_; ++i) {
      if (waiting(i) != count(rows_, i)) {
        refuse("tree " + std::to_string(i) + " has given its leaves up since, expected `leaves` anew");
      }
    }
    gather_into(next_);
    return encode_all(next_, planes);
  }

  // Rows of the wave that is to be evaluated next.
  [[nodiscard]] int rows() const { return rows_.back(); }

  // Brings their evaluations: logits (rows, moves) and values (rows, 1 or 3). Whatever is wrong with them is found
  // before anything is changed.
  void grow(std::span<const float> logits, std::span<const float> values, Values form) {
    check_sizes(logits.size(), values.size(), form);
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) check_tree(i, logits, values, form);
    });
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) grow_tree(i, logits, values, form);
    });
    std::swap(rows_, next_);
    std::fill(next_.begin(), next_.end(), 0);
  }

  // Finishes all searches with an evaluator that needs no planes.
  template <class Evaluator>
  void run(const Evaluator& evaluator) {
    if (search_.leaves == 1) {
      crew_.share(trees_, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) run_tree(i, evaluator);
      });
      return;
    }
    for (gather(); rows() > 0; gather()) run_rows(evaluator);
  }

  [[nodiscard]] bool is_done(int index) const { return Simulation<G, OneLane>(search_, tree(index)).is_done(); }
  [[nodiscard]] Report report(int index) const { return Reporter<G>(search_, tree(index)).report(); }

  [[nodiscard]] std::string text(int index, const Excerpt& excerpt = {}) const {
    return Printer<G>(search_, tree(index), excerpt).text();
  }
  [[nodiscard]] std::string json(int index, const Excerpt& excerpt = {}) const {
    return Printer<G>(search_, tree(index), excerpt).json();
  }

  // The best move, or at a temperature above 0 one drawn by the policy. None: the game is over, or nothing is known
  // yet.
  [[nodiscard]] std::optional<Move> choose(int index, float temperature = 0) const {
    const Tree<G> t = tree(index);
    if (t.nodes[0].stage == Stage::waiting) return std::nullopt;
    const int slot = Decision<G, OneLane>(search_, t).sample(temperature);
    if (slot < 0) return std::nullopt;
    return t.move[t.nodes[0].first + static_cast<u32>(slot)];
  }

  [[nodiscard]] const typename G::State& state(int index) const { return tree(index).states[0]; }
  [[nodiscard]] Tree<G> tree(int index) const {
    return tree_at<G>(memory_.get(), bytes_, shape_, static_cast<u64>(index));
  }

 private:
  static constexpr std::align_val_t align{64};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, align); }
  };

  [[nodiscard]] static Shape with_room_for_two_waves(Shape shape) {
    shape.leaves *= 2;
    return shape;
  }

  // After `gather`, rows[i] is the first row of tree i.
  using Rows = std::vector<int>;
  [[nodiscard]] static u32 count(const Rows& rows, int index) {
    const auto i = static_cast<std::size_t>(index);
    return static_cast<u32>(rows[i + 1] - rows[i]);
  }
  // Leaves of a tree whose evaluations are to come: none where it was reset or played on since, and gave them up.
  [[nodiscard]] u32 waiting(int index) const {
    const u32 asked = count(rows_, index);
    return tree(index).head->leaves == asked + count(next_, index) ? asked : 0;
  }
  [[nodiscard]] std::size_t row(int index, u32 leaf) const {
    return static_cast<std::size_t>(rows_[static_cast<std::size_t>(index)]) + leaf;
  }

  void gather() {
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) Simulation<G, OneLane>(search_, tree(i)).cancel();
    });
    std::fill(next_.begin(), next_.end(), 0);
    gather_into(rows_);
  }

  void gather_into(Rows& rows) {
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const Tree<G> t = tree(i);
        const u32 waiting = t.head->leaves;
        const u32 all = Simulation<G, OneLane>(search_, t).gather(waiting + static_cast<u32>(search_.leaves));
        rows[static_cast<std::size_t>(i) + 1] = static_cast<int>(all - waiting);
      }
    });
    for (std::size_t i = 1; i < rows.size(); ++i) rows[i] += rows[i - 1];
  }

  // Of the wave that was gathered last; answers how many rows it has.
  int encode_all(const Rows& rows, float* planes) {
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const u32 last = tree(i).head->leaves, first = last - count(rows, i);
        for (u32 leaf = first; leaf < last; ++leaf) {
          encode(tree(i), leaf, planes + (rows[static_cast<std::size_t>(i)] + i64{leaf} - first) * planes_size);
        }
      }
    });
    return rows.back();
  }

  static constexpr i64 planes_size = i64{G::planes} * plane_cells<G>;
  void encode(const Tree<G>& t, u32 leaf, float* planes) const {
    const Past past = past_of<G, OneLane>(t, t.way(leaf), t.depths[leaf], t.keys);
    write_planes<G>(t.states[t.leaf_node(leaf)], past, planes);
  }

  void check_sizes(std::size_t logits, std::size_t values, Values form) const {
    const auto n = static_cast<std::size_t>(rows());
    if (n == 0) refuse("evaluations that nobody has asked for: ask for leaves first");
    const auto expect = [&](std::size_t size, int each, const char* what) {
      if (size != n * static_cast<std::size_t>(each)) {
        refuse(std::to_string(size) + " " + what + " for " + std::to_string(n) + " leaves, expected " +
               std::to_string(each) + " for each");
      }
    };
    expect(logits, G::moves, "logits");
    expect(values, width_of(form), "values");
  }

  void check_tree(int index, std::span<const float> logits, std::span<const float> values, Values form) const {
    const Tree<G> t = tree(index);
    for (u32 leaf = 0, leaves = waiting(index); leaf < leaves; ++leaf) {
      const std::size_t row = this->row(index, leaf);
      const Node& node = t.nodes[t.leaf_node(leaf)];
      const auto width = static_cast<std::size_t>(width_of(form));
      check_values(row, values.subspan(row * width, width), form);
      for (u32 i = 0; i < node.count; ++i) {
        const Move move = t.move[node.first + i];
        const float logit = logits[row * G::moves + move];
        if (portable::is_finite(logit)) continue;
        refuse("evaluation " + std::to_string(row) + ": the logit of move " + std::to_string(move) +
               ", which is legal, is " + std::to_string(logit) + ", expected a finite number");
      }
    }
  }

  static void check_values(std::size_t row, std::span<const float> values, Values form) {
    float sum = 0;
    for (const float value : values) {
      const bool fits = portable::is_finite(value) && (form == Values::logits || (value <= 1 && value >= -1)) &&
                        (form != Values::odds || value >= 0);
      sum += value;
      if (fits) continue;
      refuse("evaluation " + std::to_string(row) + ": a value is " + std::to_string(value) + ", expected " +
             (form == Values::logits ? "a finite number"
              : form == Values::odds ? "0 to 1"
                                     : "-1 to 1"));
    }
    if (form == Values::odds && !(sum > 0.99F && sum < 1.01F)) {
      refuse("evaluation " + std::to_string(row) + ": the odds add up to " + std::to_string(sum) + ", expected 1");
    }
  }

  void grow_tree(int index, std::span<const float> logits, std::span<const float> values, Values form) {
    const Tree<G> t = tree(index);
    Simulation<G, OneLane> simulation(search_, t);
    const u32 leaves = waiting(index);
    for (u32 leaf = 0; leaf < leaves; ++leaf) {
      const std::size_t row = this->row(index, leaf);
      const u32 node = t.leaf_node(leaf);
      const Move* moves = t.move + t.nodes[node].first;
      const float* logit = logits.data() + row * G::moves;
      set_priors<G, OneLane>(t, node,
                             [&](int i) { return logit[moves[i]] + boost<G>(search_, t.states[node], moves[i]); });
      const float* value = values.data() + row * static_cast<std::size_t>(width_of(form));
      simulation.grow_leaf(leaf, read_opinion(form, [&](int i) { return value[i]; }));
    }
    simulation.forget_leaves(leaves);
  }

  template <class Evaluator>
  void run_tree(int index, const Evaluator& evaluator) {
    const Tree<G> t = tree(index);
    Simulation<G, OneLane> simulation(search_, t);
    simulation.cancel();
    while (simulation.gather(1)) {
      const Past past = past_of<G, OneLane>(t, t.way(0), t.depths[0], t.keys);
      simulation.grow_leaf(0, evaluate(t, 0, past, evaluator));
      simulation.forget_leaves();
    }
  }

  // Sets a leaf's priors; answers the opinion.
  template <class Evaluator>
  [[nodiscard]] Opinion evaluate(const Tree<G>& t, u32 leaf, Past past, const Evaluator& evaluator) const {
    const u32 node = t.leaf_node(leaf);
    const Node& n = t.nodes[node];
    const Rng rng(t.head->key, evaluation_stream + t.head->simulations * static_cast<u64>(search_.leaves) + leaf);
    const Leaf<G> view{t.states[node], past, t.move + n.first, n.count, rng};
    if constexpr (Evaluator::has_priors) {
      Array<float, static_cast<int>(most_edges<G>)> logits;
      const Opinion opinion = evaluator(view, logits.items);
      set_priors<G, OneLane>(t, node, [&](int i) { return logits[i]; });
      return opinion;
    } else {
      set_equal_priors<G, OneLane>(t, node);
      return evaluator(view, nullptr);
    }
  }

  // All leaves of all trees at once, each by whatever thread is free: one tree can keep several busy.
  template <class Evaluator>
  void run_rows(const Evaluator& evaluator) {
    opinions_.resize(static_cast<std::size_t>(rows()));
    crew_.share(rows(), [&](int begin, int end) {
      std::vector<u64> keys(past_room<G> > 0 ? past_room<G> + shape_.depth : 0);
      int index = static_cast<int>(std::upper_bound(rows_.begin(), rows_.end(), begin) - rows_.begin()) - 1;
      for (int row = begin; row < end; ++row) {
        while (rows_[static_cast<std::size_t>(index) + 1] <= row) ++index;
        const Tree<G> t = tree(index);
        const u32 leaf = static_cast<u32>(row - rows_[static_cast<std::size_t>(index)]);
        if constexpr (HasPast<G>) std::copy_n(t.keys, t.head->history, keys.begin());
        const Past past = past_of<G, OneLane>(t, t.way(leaf), t.depths[leaf], keys.data());
        opinions_[static_cast<std::size_t>(row)] = evaluate(t, leaf, past, evaluator);
      }
    });
    crew_.share(trees_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) back_up_tree(i);
    });
  }

  void back_up_tree(int index) {
    const Tree<G> t = tree(index);
    Simulation<G, OneLane> simulation(search_, t);
    for (u32 leaf = 0; leaf < t.head->leaves; ++leaf) {
      simulation.grow_leaf(leaf, opinions_[row(index, leaf)]);
    }
    simulation.forget_leaves();
  }

  Search search_;
  Shape shape_;
  u64 bytes_;  // of one tree
  int trees_;
  u64 seed_;
  std::unique_ptr<std::byte[], Free> memory_;
  Rows rows_, next_;  // of the wave to be evaluated, and of the one after it: first row of each tree, then their number
  std::vector<Opinion> opinions_;
  mutable Crew crew_;
};

}  // namespace qilin::forest

namespace qilin {
using forest::Forest;
}
