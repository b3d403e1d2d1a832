// A forest as an object: planned, planted, grown and read, wherever its memory lies.
#pragma once

#include <cstring>
#include <vector>

#include "cuda/grove.hpp"
#include "cuda/positions.hpp"
#include "search/print.hpp"
#include "search/seal.hpp"

namespace qilin::cuda {

// What is done to every tree, as values that a kernel can take.
template <Game G>
struct PlantAll {
  typename G::State state;
  u32 history;
  template <class Group>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    plant<G, Group>(grove, index, state, history);
  }
};

struct LookAll {
  Questions to;
  template <class Group, Game G>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    look<G, Group>(grove, index, to);
  }
};

struct LearnAll {
  Replies replies;
  template <class Group, Game G>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    learn<G, Group>(grove, index, replies);
  }
};

struct AdvanceAll {
  const int* moves;
  bool keep;
  template <class Group, Game G>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    if (moves[index] >= 0) advance<G, Group>(grove, index, static_cast<Move>(moves[index]), keep);
  }
};

struct FindAll {
  Findings to;
  template <class Group, Game G>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    find<G, Group>(grove, index, to);
  }
};

// The host as a place for a forest: one lane, one tree after the other. It is there to check the card.
struct OnHost {
  struct Stream {};

  template <Game G, class Work>
  static void run(const Grove<G>& grove, const Work& work, Stream) {
    for (u64 i = 0; i < grove.trees; ++i) work.template operator()<OneLane>(grove, i);
  }
  template <Game G, class Work>
  static void rows(const Work& work, u64 n, Stream) {
    for (u64 i = 0; i < n; ++i) work.template operator()<OneLane>(i);
  }
  static void write(void* to, const void* from, u64 bytes) { std::memcpy(to, from, bytes); }
  static void read(void* to, const void* from, u64 bytes) { std::memcpy(to, from, bytes); }
};

// A forest in memory of the caller's, on a card or on the host: what the C interface hands out.
template <Game G, class Place>
class Plantation {
 public:
  using Stream = typename Place::Stream;

  Plantation(const qilin_cuda_position& position, const forest::Search& search, u32 trees, u64 seed, std::byte* memory,
             u64 bytes) {
    grove_ = planned(search, trees, seed);
    if (bytes < all_bytes(grove_)) {
      refuse(std::to_string(bytes) + " bytes for a forest that needs " + std::to_string(all_bytes(grove_)));
    }
    grove_.memory = memory;
    grove_.counts = reinterpret_cast<Counts*>(memory + grove_.bytes * trees);
    const Counts none;
    Place::write(grove_.counts, &none, sizeof none);
    plant_all(line_of<G>(position));
  }

  [[nodiscard]] static u64 bytes(const forest::Search& search, u32 trees) {
    return all_bytes(planned(search, trees, 0));
  }

  void look(const Questions& to, Stream stream) {
    if (to.number == Number::bf16 && (to.channels < G::planes || to.channels % 8)) {
      refuse(std::to_string(to.channels) + " channels for " + std::to_string(G::planes) +
             " planes, expected a multiple of eight that is no less");
    }
    Place::run(grove_, LookAll{to}, stream);
  }
  void learn(const Replies& replies, Stream stream) { Place::run(grove_, LearnAll{replies}, stream); }
  void advance(const int* moves, bool keep, Stream stream) { Place::run(grove_, AdvanceAll{moves, keep}, stream); }
  void find(const Findings& to, Stream stream) { Place::run(grove_, FindAll{to}, stream); }

  [[nodiscard]] Counts counts() const {
    Counts now;
    Place::read(&now, grove_.counts, sizeof now);
    return now;
  }

  [[nodiscard]] const Grove<G>& grove() const { return grove_; }
  void set_boosts(bool boosted, const Array<float, forest::most_tiers>& boosts) {
    grove_.search.boosted = boosted;
    grove_.search.boosts = boosts;
  }

  // One tree, brought home.
  [[nodiscard]] std::string print(u64 index, const forest::Excerpt& excerpt, bool json) const {
    const HomeTree home(grove_, index);
    const forest::Printer<G> printer(grove_.search, home.tree, excerpt);
    return json ? printer.json() : printer.text();
  }
  [[nodiscard]] u64 seal(u64 index) const { return forest::seal(HomeTree(grove_, index).tree); }

 private:
  struct HomeTree {
    std::vector<std::byte> memory;
    forest::Tree<G> tree;

    HomeTree(const Grove<G>& grove, u64 index) : memory(grove.bytes) {
      if (index >= grove.trees) {
        refuse("tree " + std::to_string(index) + " of a forest of " + std::to_string(grove.trees));
      }
      Place::read(memory.data(), grove.memory + index * grove.bytes, grove.bytes);
      tree = forest::tree_at<G>(memory.data(), grove.bytes, grove.shape, 0);
    }
  };

  [[nodiscard]] static Grove<G> planned(const forest::Search& search, u32 trees, u64 seed) {
    forest::check(search);
    if (trees < 1) refuse("0 trees, expected at least one");
    Grove<G> grove;
    grove.shape = forest::shape_for<G>(search, {});
    grove.bytes = forest::tree_bytes<G>(grove.shape);
    grove.search = search;
    grove.seed = seed;
    grove.trees = trees;
    return grove;
  }
  [[nodiscard]] static u64 all_bytes(const Grove<G>& grove) { return grove.bytes * grove.trees + sizeof(Counts); }

  void plant_all(const Line<G>& line) {
    const u32 history = static_cast<u32>(line.keys.size());
    for (u64 i = 0; history > 0 && i < grove_.trees; ++i) {
      Place::write(grove_.tree(i).keys, line.keys.data(), history * sizeof(u64));
    }
    Place::run(grove_, PlantAll<G>{line.state, history}, {});
  }

  Grove<G> grove_;
};

}  // namespace qilin::cuda
