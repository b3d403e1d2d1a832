// The searches of a game as tables of functions, beside its rules (rules.hpp).
#pragma once

#include <atomic>
#include <memory>

#include "bind/rules.hpp"
#include "search/analysis.hpp"
#include "search/deepening.hpp"
#include "search/forest.hpp"

namespace qilin::bind {

using alphabeta::Analysis, alphabeta::Limits, alphabeta::Options, alphabeta::Time, alphabeta::Watch;

struct AlphaBetaTable {
  std::shared_ptr<void> (*make)(const Options&);
  Analysis (*search)(void* player, const Position&, const Limits&, const Watch&, const std::atomic<bool>* stop);
  void (*forget)(void* player);
};

struct ForestTable {
  std::shared_ptr<void> (*make)(const Position& start, const forest::Search&, int trees, u64 seed, int threads,
                                u64 most_bytes);
  int (*size)(const void*);
  u64 (*bytes)(const void*);
  int (*most_rows)(const void*);
  int (*rows)(const void*);
  void (*reset)(void*, int tree, const Position&);
  void (*advance)(void*, int tree, Move);
  void (*begin)(void*, int tree, int simulations);
  int (*leaves)(void*, float* planes);
  int (*more)(void*, float* planes);
  void (*grow)(void*, std::span<const float> logits, std::span<const float> values, forest::Values);
  void (*run)(void*, const std::string& evaluator);
  bool (*is_done)(const void*, int tree);
  forest::Report (*report)(const void*, int tree);
  std::optional<Move> (*choose)(const void*, int tree, float temperature);
  Position (*root)(const void*, int tree);  // without its past
  std::string (*print)(const void*, int tree, int depth, int visits, bool json);
  u64 (*seal)(const void*, int tree);
};

struct Searches {
  AlphaBetaTable alphabeta;
  ForestTable forest;
  std::vector<std::string> (*line_text)(const Position&, const std::vector<Move>&);
  double (*score_probability)(int score);  // of a win, for the player to move
};

[[nodiscard]] const Searches& searches(const Rules& rules);

}  // namespace qilin::bind
