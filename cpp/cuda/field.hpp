// Self-play on a card: a grove with a plot for every tree, and a barn for what its games have given. Like a grove's,
// every function here is one lane group's work on one tree.
//
//    turn ──▶ look ──▶ (the network) ──▶ learn ──▶ turn …        all on one stream, in one CUDA graph
//      │
//      └─ a game has ended ──▶ barn   samples ■■■■■■■□□□   games ▤▤▤▤□□      rings: the newest write over the oldest
#pragma once

#include "cuda/grove.hpp"
#include "search/plot.hpp"

namespace qilin::cuda {

// Memory of the caller's.
struct Barn {
  std::byte* samples = nullptr;
  std::byte* games = nullptr;
  u64 sample_room = 0, game_room = 0;  // how many there is room for
};

// Since the games were begun.
struct Yield {
  u64 samples = 0, games = 0;  // brought to the barn: the n-th lies at n % room
  u64 plies = 0, simulations = 0, evaluations = 0;
  u64 left_out = 0;  // samples of very long games
  u64 refused = 0;   // simulations that full trees did not do
};

// A plain value: kernels get a copy.
template <Game G>
struct Field {
  selfplay::Program<G> program;
  std::byte* plots = nullptr;
  Barn barn;
  Yield* yield = nullptr;
  Yield* under_way = nullptr;  // what searches that are not done have come to, whenever somebody asks

  [[nodiscard]] QILIN_HD selfplay::Plot<G> plot(const Grove<G>& grove, u64 index) const {
    return selfplay::plot_at<G>(plots, grove.tree(index), index);
  }
};

template <class Group, class T>
QILIN_HD void copy_words(std::byte* to, const T& from) {
  static_assert(sizeof(T) % sizeof(u32) == 0);
  const u32* words = reinterpret_cast<const u32*>(&from);
  Group::each(sizeof(T) / sizeof(u32), [&](int i) { reinterpret_cast<u32*>(to)[i] = words[i]; });
}

// Brings what a game has given to the barn.
template <Game G, class Group>
QILIN_HD void deliver(const Field<G>& field, const selfplay::Plot<G>& plot) {
  const selfplay::Progress& progress = *plot.progress;
  u64 sample = 0, game = 0;
  if (Group::leads()) {
    sample = fetch_add(&field.yield->samples, u64{progress.samples});
    game = fetch_add(&field.yield->games, u64{1});
    fetch_add(&field.yield->left_out, u64{progress.left_out});
    fetch_add(&field.yield->refused, u64{plot.tree.head->refused});
  }
  sample = Group::of_leader(sample);
  game = Group::of_leader(game);
  for (int i = 0; i < progress.samples; ++i) {
    const u64 place = (sample + static_cast<u64>(i)) % field.barn.sample_room;
    copy_words<Group>(field.barn.samples + place * sizeof(selfplay::Sample<G>), plot.samples[i]);
  }
  auto& record = reinterpret_cast<selfplay::Record<G>*>(field.barn.games)[game % field.barn.game_room];
  copy_words<Group>(reinterpret_cast<std::byte*>(&record.progress), progress);
  Group::each(progress.notes, [&](int i) { record.notes[i] = plot.notes[i]; });
}

template <Game G, class Group>
QILIN_HD void open(const Field<G>& field, const Grove<G>& grove, u64 index) {
  const selfplay::Plot<G> plot = field.plot(grove, index);
  if (Group::leads()) *plot.progress = {};
  Group::sync();
  selfplay::Turn<G, Group>(field.program, plot).open(index);
}

// Adds what a search has come to.
template <Game G, class Group>
QILIN_HD void count(Yield* yield, const forest::Tree<G>& tree) {
  if (!Group::leads()) return;
  fetch_add(&yield->simulations, u64{tree.head->simulations});
  fetch_add(&yield->evaluations, u64{tree.head->evaluated});
}

// Plays a ply where the search is done. A game that has ended gives way to the next.
template <Game G, class Group>
QILIN_HD void turn(const Field<G>& field, const Grove<G>& grove, u64 index) {
  const selfplay::Plot<G> plot = field.plot(grove, index);
  if (!forest::Simulation<G, Group>(grove.search, plot.tree).is_done()) return;
  if (Group::leads()) fetch_add(&field.yield->plies, u64{1});
  count<G, Group>(field.yield, plot.tree);
  selfplay::Turn<G, Group> turn(field.program, plot);
  turn.take();
  if (!plot.progress->over) return;
  turn.close();
  deliver<G, Group>(field, plot);
  turn.open(index);
}

template <Game G, class Group>
QILIN_HD void forget(const Field<G>& field, const Grove<G>& grove, u64 index) {
  const selfplay::Plot<G> plot = field.plot(grove, index);
  forest::Simulation<G, Group>(grove.search, plot.tree).cancel();
  count<G, Group>(field.yield, plot.tree);
  selfplay::Turn<G, Group>(field.program, plot).forget();
}

// A drawn sample as a network learns it: `places` of the barn, each turned by its symmetry.
struct Draw {
  const i64* places = nullptr;
  const u8* symmetries = nullptr;  // null: as they are
  selfplay::Mixture mix;
  Questions planes;
  selfplay::Examples to{};
};

template <Game G, class Group>
QILIN_HD void teach(const Barn& barn, const Draw& draw, u64 row) {
  const auto* samples = reinterpret_cast<const selfplay::Sample<G>*>(barn.samples);
  const selfplay::Sample<G>& sample = samples[draw.places[row]];
  const int symmetry = draw.symmetries ? draw.symmetries[row] % G::symmetries : 0;
  write_row<G, Group>(selfplay::planes_of<G>(sample, symmetry), draw.planes, row);
  selfplay::Lesson<G, Group>(sample, symmetry, draw.mix, draw.to, row).write();
}

}  // namespace qilin::cuda
