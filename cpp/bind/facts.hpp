// What a game's facts (core/facts.hpp) tell, as a table of functions beside its rules (rules.hpp).
#pragma once

#include "bind/rules.hpp"
#include "core/facts.hpp"

namespace qilin::bind {

using Cells = std::vector<int>;  // numbered from the lowest rank's first file, row by row

// A legal ply and the board behind it, letter by letter.
struct Reply {
  std::string text, cells;
  bool is_chance;
};

struct Telling {
  std::vector<std::string> counter_names, phase_names, set_names, why_names;
  std::vector<Counter> (*counters)(const Position&);
  std::optional<Phase> (*phase)(const Position&);
  std::optional<std::pair<int, int>> (*scores)(const Position&);
  std::vector<std::pair<int, Cells>> (*sets)(const Position&);  // without the empty ones
  std::optional<std::pair<int, Cells>> (*why_not)(const Position&, int from, int to);
  Cells (*screens)(const Position&, int from, int to);
  std::vector<Reply> (*replies)(const Position&);
  std::vector<std::string> (*banned)(const Position&);        // plies that only the past forbids
  std::vector<std::pair<int, int>> (*pool)(const Position&);  // what chance may answer, now or later
};

[[nodiscard]] const Telling& telling(const Rules& rules);

}  // namespace qilin::bind
