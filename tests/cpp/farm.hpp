// What a card does to games of self-play, done on the CPU: by one lane, and by 32 one after the other. The games must
// be those of the host's own garden. Included by tests/cpp/farm_test.cpp.in, once for each game.
#pragma once

#include "cuda/farm.hpp"
#include "garden.hpp"
#include "grove.hpp"

namespace qilin::cuda::test {

using garden_test::seal;
using selfplay::Finished, selfplay::Garden, selfplay::Record, selfplay::Sample;

// What came of a game: everything that is learned from it, and how it went.
template <Game G>
using Games = std::map<u64, u64>;  // by number: the seal of its samples and notes

template <Game G>
[[nodiscard]] u64 seal_of_game(const std::vector<Sample<G>>& samples, const selfplay::Note* notes, int count,
                               Result result) {
  u64 all = hash(seal<G>(samples), static_cast<u64>(count), static_cast<u64>(result.end), result.reason);
  for (int i = 0; i < count; ++i) {
    all = hash(all, notes[i].move, notes[i].mover, static_cast<u64>(notes[i].kind), portable::to_bits(notes[i].value));
  }
  return all;
}

template <Game G>
[[nodiscard]] std::map<u64, std::vector<Sample<G>>> by_game(const std::vector<Sample<G>>& samples) {
  std::map<u64, std::vector<Sample<G>>> games;
  for (const Sample<G>& sample : samples) games[sample.game].push_back(sample);
  return games;
}

inline constexpr int wanted = 10;  // games

template <Game G>
[[nodiscard]] Games<G> hosts_games(Kind kind) {
  Garden<G> garden(garden_test::search(kind), garden_test::play(), G::start(defaults<G>()), trees, 5, 2);
  Hashed<G> network;
  std::vector<float> planes(static_cast<std::size_t>(garden.most_rows() * G::planes * plane_cells<G>));
  Games<G> games;
  std::vector<Finished> ended;
  std::vector<Sample<G>> samples;
  while (ended.size() < wanted) {
    const int rows = garden.leaves(planes.data());
    network.answer(planes.data(), static_cast<std::size_t>(rows));
    garden.grow(network.logits, network.values, Values::logits);
    for (Finished& game : garden.take_games()) ended.push_back(std::move(game));
    for (const Sample<G>& sample : garden.take_samples()) samples.push_back(sample);
  }
  auto of_game = by_game<G>(samples);
  for (const Finished& game : ended) {
    const auto& p = game.progress;
    games[p.number] = seal_of_game<G>(of_game[p.number], game.notes.data(), p.notes, p.result);
  }
  return games;
}

// Rings that are too small for everything: what is old is written over.
template <Game G, class Place>
class Barnyard {
 public:
  explicit Barnyard(const Search& search)
      : memory_((Farm<G, Place>::needed(search, trees) + 63) / 64),
        samples_(selfplay::most_samples<G>),
        records_(3),
        planes_(static_cast<std::size_t>(trees * G::planes * plane_cells<G>)),
        farm_({"", "", "", ""}, search, garden_test::play(), trees, 5, reinterpret_cast<std::byte*>(memory_.data()),
              memory_.size() * 64,
              {reinterpret_cast<std::byte*>(samples_.data()), reinterpret_cast<std::byte*>(records_.data()),
               samples_.size(), records_.size()}) {}

  [[nodiscard]] Games<G> play() {
    Games<G> games;
    for (u64 seen = 0; games.size() < wanted;) {
      farm_.turn({});
      for (; seen < farm_.yield().games; ++seen) gather(games, records_[seen % records_.size()]);
      farm_.trees().look({planes_.data(), Number::f32, 0}, {});
      network_.answer(planes_.data(), trees);
      farm_.trees().learn(network_.replies(), {});
    }
    return games;
  }

 private:
  struct alignas(64) CacheLine {
    std::byte bytes[64];
  };

  void gather(Games<G>& games, const Record<G>& record) const {
    const auto& p = record.progress;
    std::vector<Sample<G>> mine;
    for (const Sample<G>& sample : samples_) {
      if (sample.game == p.number && sample.count > 0) mine.push_back(sample);
    }
    std::sort(mine.begin(), mine.end(), [](const auto& a, const auto& b) { return a.note < b.note; });
    games[p.number] = seal_of_game<G>(mine, record.notes, p.notes, p.result);
  }

  std::vector<CacheLine> memory_;
  std::vector<Sample<G>> samples_;
  std::vector<Record<G>> records_;
  std::vector<float> planes_;
  Hashed<G> network_;
  Farm<G, Place> farm_;
};

template <Game G, class Place>
void plays_like_the_host(Kind kind, const char* place) {
  const Games<G> expected = hosts_games<G>(kind), found = Barnyard<G, Place>(garden_test::search(kind)).play();
  int compared = 0;
  for (const auto& [number, all] : found) {
    where = std::string(G::name) + " " + place + ", game " + std::to_string(number);
    const auto host = expected.find(number);
    if (host == expected.end()) continue;
    expect(all == host->second, "a game is the same on a card and on the host");
    ++compared;
  }
  expect(compared >= wanted / 2, "enough games were compared");
}

template <Game G>
int run_farm() {
  for (const Kind kind : {Kind::puct, Kind::gumbel}) {
    plays_like_the_host<G, OnHost>(kind, "one lane");
    plays_like_the_host<G, ThirtyTwoLanes>(kind, "32 lanes");
  }
  return 0;
}

}  // namespace qilin::cuda::test
