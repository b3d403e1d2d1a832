// The searches of a game as tables of functions, beside its rules (rules.hpp).
#pragma once

#include <atomic>
#include <memory>

#include "bind/rules.hpp"
#include "search/analysis.hpp"
#include "search/deepening.hpp"

namespace qilin::bind {

using alphabeta::Analysis, alphabeta::Limits, alphabeta::Options, alphabeta::Time, alphabeta::Watch;

struct AlphaBetaTable {
  std::shared_ptr<void> (*make)(const Options&);
  Analysis (*search)(void* player, const Position&, const Limits&, const Watch&, const std::atomic<bool>* stop);
  void (*forget)(void* player);
};

struct Searches {
  AlphaBetaTable alphabeta;
  std::vector<std::string> (*line_text)(const Position&, const std::vector<Move>&);
  double (*score_probability)(int score);  // of a win, for the player to move
};

[[nodiscard]] const Searches& searches(const Rules& rules);

}  // namespace qilin::bind
