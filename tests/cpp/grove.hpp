// What a card does to a forest, done on the CPU: by one lane, and by 32 one after the other. The trees must be those of
// the host's own forest. Included by tests/cpp/grove_test.cpp.in, once for each game.
#pragma once

#include "contract.hpp"
#include "cuda/plantation.hpp"
#include "search/forest.hpp"

namespace qilin::cuda::test {

using contract::expect;
using contract::where;
using forest::Forest, forest::Kind, forest::Search, forest::Values;

struct ThirtyTwoLanes : OnHost {
  template <Game G, class Work>
  static void run(const Grove<G>& grove, const Work& work, Stream) {
    for (u64 i = 0; i < grove.trees; ++i) work.template operator()<Lanes<32>>(grove, i);
  }
};

inline constexpr int trees = 3;

inline Search search_of(Kind kind, int leaves) {
  Search search;
  search.kind = kind;
  search.simulations = 60;
  search.leaves = leaves;
  search.noise_weight = 0.25F;
  search.root_temperature = 1.1F;
  return search;
}

// A network that is a hash of a row of planes.
template <Game G>
struct Hashed {
  std::vector<float> logits, values;

  void answer(const float* planes, std::size_t rows) {
    constexpr std::size_t width = static_cast<std::size_t>(G::planes * plane_cells<G>);
    logits.assign(rows * G::moves, 0);
    values.assign(rows * 3, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      u64 seen = 1;
      for (std::size_t i = 0; i < width; ++i) seen = hash(seen, portable::to_bits(planes[row * width + i]));
      for (int i = 0; i < G::moves; ++i) logits[row * G::moves + static_cast<std::size_t>(i)] = unit(seen, i) * 3;
      for (int i = 0; i < 3; ++i) values[row * 3 + static_cast<std::size_t>(i)] = unit(seen, -1 - i);
    }
  }
  [[nodiscard]] Replies replies() const {
    return {logits.data(), values.data(), Number::f32, G::moves, 3, Values::logits};
  }

 private:
  static float unit(u64 seen, int i) { return Rng(seen, static_cast<u64>(i + 8)).unit(); }
};

template <Game G, class Place>
class Card {
 public:
  explicit Card(const Search& search)
      : memory_((Plantation<G, Place>::bytes(search, trees) + 63) / 64),
        planes_(static_cast<std::size_t>(trees * search.leaves * G::planes * plane_cells<G>)),
        forest_({"", "", "", ""}, search, trees, 5, reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * 64) {
  }

  void search(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      forest_.look({planes_.data(), Number::f32, 0}, {});
      network_.answer(planes_.data(), planes_.size() / static_cast<std::size_t>(G::planes * plane_cells<G>));
      forest_.learn(network_.replies(), {});
    }
  }
  [[nodiscard]] std::vector<int> choose() {
    std::vector<int> moves(trees);
    forest_.find({nullptr, nullptr, moves.data(), 1}, {});
    return moves;
  }
  void play(const std::vector<int>& moves, bool keep) { forest_.advance(moves.data(), keep, {}); }
  [[nodiscard]] u64 seal(int tree) const { return forest_.seal(static_cast<u64>(tree)); }

 private:
  struct alignas(64) CacheLine {
    std::byte bytes[64];
  };
  std::vector<CacheLine> memory_;
  std::vector<float> planes_;
  Hashed<G> network_;
  Plantation<G, Place> forest_;
};

template <Game G>
void finish(Forest<G>& forest) {
  Hashed<G> network;
  std::vector<float> planes(static_cast<std::size_t>(forest.most_rows() * G::planes * plane_cells<G>));
  while (const int rows = forest.leaves(planes.data())) {
    network.answer(planes.data(), static_cast<std::size_t>(rows));
    forest.grow(network.logits, network.values, Values::logits);
  }
}

template <Game G, class Place>
void grows_like_the_hosts(const Search& search, const char* place) {
  Forest<G> forest(search, trees, 5);
  Card<G, Place> card(search);
  for (int ply = 0; ply < 8; ++ply) {
    finish(forest);
    card.search(search.simulations + 40);
    for (int i = 0; i < trees; ++i) {
      where = std::string(G::name) + " " + place + ", ply " + std::to_string(ply) + ", tree " + std::to_string(i);
      expect(card.seal(i) == forest::seal(forest.tree(i)), "a tree is the same on a card and on the host");
    }
    const std::vector<int> moves = card.choose();
    for (int i = 0; i < trees; ++i) {
      const auto move = forest.choose(i, 1);
      expect(moves[static_cast<std::size_t>(i)] == (move ? *move : -1), "the same move is drawn");
      if (move) forest.advance(i, *move);
    }
    card.play(moves, true);
  }
}

// What bf16 holds, seen as floats.
template <Game G>
void channels_last_say_the_same() {
  constexpr int channels = (G::planes + 7) / 8 * 8, cells = plane_cells<G>;
  const auto state = G::start(defaults<G>());
  std::vector<float> plain(static_cast<std::size_t>(G::planes * cells));
  std::vector<Sixteen> packed(static_cast<std::size_t>(cells * channels / 8));
  write_row<G, OneLane>(G::encode(state, Past{}), {plain.data(), Number::f32, 0}, 0);
  write_row<G, Lanes<32>>(G::encode(state, Past{}), {packed.data(), Number::bf16, channels}, 0);
  const auto* numbers = reinterpret_cast<const u16*>(packed.data());
  for (int plane = 0; plane < G::planes; ++plane) {
    for (int cell = 0; cell < cells; ++cell) {
      const float exact = plain[static_cast<std::size_t>(plane * cells + cell)];
      const float kept = from_bf16(numbers[cell * channels + plane]);
      expect(std::abs(exact - kept) <= std::abs(exact) / 256, "a plane is the same in both layouts");
    }
  }
}

template <Game G>
int run() {
  channels_last_say_the_same<G>();
  for (const Kind kind : {Kind::puct, Kind::gumbel}) {
    for (const int leaves : {1, 5}) {
      grows_like_the_hosts<G, OnHost>(search_of(kind, leaves), "one lane");
      grows_like_the_hosts<G, ThirtyTwoLanes>(search_of(kind, leaves), "32 lanes");
    }
  }
  return 0;
}

}  // namespace qilin::cuda::test
