// Whether a search's settings make sense, and how much memory its trees need: asked before anything is planted.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "core/text.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"

namespace qilin::forest {

// How much each tree can hold. Twice the nodes of a search leave room for a subtree that is kept.
struct Room {
  std::optional<int> nodes, edges, depth;
};

inline void check(const Search& s) {
  const auto require = [](bool holds, const char* what, auto value, const char* range) {
    if (!holds) refuse(std::string(what) + " is " + std::to_string(value) + ", expected " + range);
  };
  const auto positive = [&](float x, const char* what) { require(x > 0 && x < 1e6F, what, x, "a number above 0"); };
  const auto not_negative = [&](float x, const char* what) { require(x >= 0 && x < 1e6F, what, x, "a number from 0"); };
  require(s.simulations >= 1 && s.simulations <= 1 << 28, "simulations", s.simulations, "1 to 2^28");
  require(s.leaves >= 1 && s.leaves <= 1 << 12, "leaves", s.leaves, "1 to 4096");
  require(s.considered >= 1 && s.considered <= 1 << 12, "considered", s.considered, "1 to 4096");
  require(s.noise_weight >= 0 && s.noise_weight <= 1, "noise_weight", s.noise_weight, "0 to 1");
  positive(s.c_puct, "c_puct");
  not_negative(s.c_growth, "c_growth");
  positive(s.c_scale, "c_scale");
  not_negative(s.fpu_reduction, "fpu_reduction");
  not_negative(s.root_fpu_reduction, "root_fpu_reduction");
  positive(s.root_temperature, "root_temperature");
  positive(s.noise_alpha, "noise_alpha");
  not_negative(s.forced_playouts, "forced_playouts");
  not_negative(s.gumbel_noise, "gumbel_noise");
  not_negative(s.gumbel_visits, "gumbel_visits");
  positive(s.gumbel_scale, "gumbel_scale");
}

template <Game G>
[[nodiscard]] Shape shape_for(const Search& search, const Room& room) {
  const auto least = [](std::optional<int> given, i64 usual, i64 needed, const char* what) {
    if (given && *given < needed) {
      refuse(std::string("room for ") + std::to_string(*given) + " " + what + " of a tree, expected at least " +
             std::to_string(needed));
    }
    return static_cast<u32>(std::min<i64>(given ? i64{*given} : std::max(usual, needed), 0xfffffff0));
  };
  constexpr i64 answers = HasChance<G> ? 2 : 1;  // a simulation may pass chance, which makes a node more
  constexpr i64 edges_per_node = std::min<i64>(most_edges<G>, 64);
  const u32 nodes = least(room.nodes, 2 * answers * search.simulations + search.leaves, 1, "nodes");
  const u32 edges = least(room.edges, nodes * edges_per_node, 0, "edges");
  const u32 depth = least(room.depth, std::min<i64>(nodes, 512), 2, "steps");
  // Edge 0 leads to the root, and the last node may need as many as there can be.
  return {nodes, edges + 1 + most_edges<G>, depth, static_cast<u32>(search.leaves)};
}

}  // namespace qilin::forest
