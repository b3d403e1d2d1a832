// Self-play on the host: a forest with a plot for every tree. Whoever has a network asks for leaves and brings
// evaluations, for ever; games that end are gathered, and others begin in their place.
//
//     garden.forget()                                 new weights: every tree begins anew
//     rows = garden.leaves(planes)                    the next positions to look at, from all games
//     garden.grow(logits, values, form)               what the network thinks of them
//     garden.take_samples(), garden.take_games()      of the games that have ended
//
// Games do not depend on the number of threads, nor on when they are gathered.
#pragma once

#include "search/forest.hpp"
#include "search/plot.hpp"

namespace qilin::selfplay {

inline void check(const Play& p) {
  const auto require = [](bool holds, const char* what, auto value, const char* range) {
    if (!holds) refuse(std::string(what) + " is " + std::to_string(value) + ", expected " + range);
  };
  require(p.temperature >= 0 && p.temperature < 1e3F, "temperature", p.temperature, "a number from 0");
  require(p.temperature_end >= 0 && p.temperature_end < 1e3F, "temperature_end", p.temperature_end, "a number from 0");
  require(p.temperature_plies >= 0 && p.temperature_plies < 1e6F, "temperature_plies", p.temperature_plies,
          "a number from 0");
  require(p.opening_plies >= 0 && p.opening_plies <= 1000, "opening_plies", p.opening_plies, "0 to 1000");
  require(p.first_plies >= 0 && p.first_plies <= 1000, "first_plies", p.first_plies, "0 to 1000");
  require(p.full_share > 0 && p.full_share <= 1, "full_share", p.full_share, "above 0, to 1");
  require(p.fast_simulations >= 1 && p.fast_simulations <= 1 << 28, "fast_simulations", p.fast_simulations,
          "1 to 2^28");
  require(p.resign_check >= 0 && p.resign_check <= 1, "resign_check", p.resign_check, "0 to 1");
}

// A game that has ended.
struct Finished {
  Progress progress;
  std::vector<Note> notes;
};

template <Game G>
class Garden {
 public:
  Garden(const forest::Search& search, const Play& play, const typename G::State& start, int plots, u64 seed,
         int threads)
      : program_{search, (check(play), play), start, seed, static_cast<u64>(std::max(plots, 1))},
        forest_(search, plots, seed, threads, {}, Line<G>(start)),
        memory_(plot_bytes<G>() * static_cast<u64>(plots)),
        crew_(threads) {
    each([&](int i) {
      *plot(i).progress = {};
      turn(plot(i)).open(static_cast<u64>(i));
    });
  }

  [[nodiscard]] static u64 bytes(const forest::Search& search) {
    return forest::tree_bytes<G>(forest::shape_for<G>(search, {})) + plot_bytes<G>();
  }
  [[nodiscard]] int size() const { return forest_.size(); }
  [[nodiscard]] int rows() const { return forest_.rows(); }
  [[nodiscard]] int most_rows() const { return forest_.most_rows(); }

  // Plays the plies of all searches that are done, and goes down to the next leaves: never none.
  int leaves(float* planes) {
    do {
      take_turns();
    } while (forest_.leaves(planes) == 0);
    return rows();
  }
  void grow(std::span<const float> logits, std::span<const float> values, forest::Values form) {
    forest_.grow(logits, values, form);
  }

  // The boosts of a search may change with the network.
  void forget(bool boosted, const Array<float, forest::most_tiers>& boosts) {
    program_.search.boosted = boosted;
    program_.search.boosts = boosts;
    forest_.set_boosts(boosted, boosts);
    each([&](int i) { turn(plot(i)).forget(); });
  }

  // Of games that have ended since the last time, in the order of their ends.
  [[nodiscard]] std::vector<Sample<G>> take_samples() { return std::exchange(samples_, {}); }
  [[nodiscard]] std::vector<Finished> take_games() { return std::exchange(games_, {}); }
  [[nodiscard]] std::size_t ready() const { return samples_.size(); }

  // All that is needed to go on after `forget`: everything but the trees.
  [[nodiscard]] std::vector<std::byte> saved() const {
    std::vector<std::byte> out;
    for (int i = 0; i < size(); ++i) {
      const Plot<G> p = plot(i);
      append(out, p.progress, 1);
      append(out, &p.tree.head->searches, 1);
      append(out, &p.tree.head->history, 1);
      append(out, p.tree.states, 1);
      append(out, p.tree.keys, HasPast<G> ? p.tree.head->history : 0);
      append(out, p.notes, p.progress->notes);
      append(out, p.samples, p.progress->samples);
    }
    return out;
  }

  // What `saved` gave, of a garden with the same settings. Searches begin when the network is new: see `forget`.
  void load(std::span<const std::byte> from) {
    for (int i = 0; i < size(); ++i) {
      const Plot<G> p = plot(i);
      u32 searches = 0, history = 0;
      typename G::State state;
      take(from, p.progress, 1);
      take(from, &searches, 1);
      take(from, &history, 1);
      take(from, &state, 1);
      const bool fits = history <= static_cast<u32>(past_room<G>) && p.progress->notes <= most_notes<G> &&
                        p.progress->samples <= most_samples<G>;
      if (!fits) refuse("saved games that are damaged, or of another version");
      take(from, p.tree.keys, history);
      take(from, p.notes, p.progress->notes);
      take(from, p.samples, p.progress->samples);
      *p.tree.head = {};
      p.tree.head->searches = searches;
      p.tree.head->history = history;
      forest::plant(p.tree, state);
    }
    if (!from.empty()) refuse("saved games of another run: " + std::to_string(from.size()) + " bytes are left");
  }

  [[nodiscard]] Plot<G> plot(int index) const {
    return plot_at<G>(const_cast<std::byte*>(memory_.data()), forest_.tree(index), static_cast<u64>(index));
  }

 private:
  [[nodiscard]] Turn<G, OneLane> turn(const Plot<G>& plot) const { return {program_, plot}; }

  template <class Work>
  void each(Work&& work) {
    crew_.share(size(), [&](int begin, int end) {
      for (int i = begin; i < end; ++i) work(i);
    });
  }

  void take_turns() {
    each([&](int i) {
      const Plot<G> p = plot(i);
      if (!forest_.is_done(i)) return;
      turn(p).take();
      if (p.progress->over) turn(p).close();
    });
    for (int i = 0; i < size(); ++i) {
      if (plot(i).progress->over) gather(plot(i));
    }
    each([&](int i) {
      if (plot(i).progress->over) turn(plot(i)).open(static_cast<u64>(i));
    });
  }

  void gather(const Plot<G>& p) {
    samples_.insert(samples_.end(), p.samples, p.samples + p.progress->samples);
    games_.push_back({*p.progress, {p.notes, p.notes + p.progress->notes}});
  }

  template <class T>
  static void append(std::vector<std::byte>& out, const T* items, std::size_t n) {
    const auto* bytes = reinterpret_cast<const std::byte*>(items);
    out.insert(out.end(), bytes, bytes + n * sizeof(T));
  }
  template <class T>
  static void take(std::span<const std::byte>& from, T* items, std::size_t n) {
    if (from.size() < n * sizeof(T)) refuse("saved games that end too early");
    std::memcpy(static_cast<void*>(items), from.data(), n * sizeof(T));
    from = from.subspan(n * sizeof(T));
  }

  Program<G> program_;
  forest::Forest<G> forest_;
  std::vector<std::byte> memory_;  // zeroed: gaps in values that are saved say the same every time
  Crew crew_;
  std::vector<Sample<G>> samples_;
  std::vector<Finished> games_;
};

}  // namespace qilin::selfplay
