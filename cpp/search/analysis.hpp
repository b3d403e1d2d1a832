// What a search is asked with, and what it answers.
#pragma once

#include <vector>

#include "search/clock.hpp"
#include "search/score.hpp"

namespace qilin::alphabeta {

// How an alpha-beta search goes about it. With `selective` and `quiescence` off and `strict` on it finds exactly what
// plain minimax finds, only sooner.
struct Options {
  int table_mib = 16;      // memory for what has been searched already
  int threads = 1;         // one thread: the same search gives the same answer, node for node
  bool selective = true;   // look less deep where little is to be expected
  bool quiescence = true;  // look on past the last depth while the game's evaluation calls the position noisy
  bool strict = false;     // positions are the same only with the same counters and the same past; slow, for tests
};

// A line of play, best first ply first. It ends early where chance answers.
struct Variation {
  std::vector<Move> moves;
  Score score = 0;            // for the player to move at the root
  int depth = 0;              // of the search that gave the score
  Bound bound = Bound::none;  // exact; none: there was no time for a search, and the score is an opinion
};

struct Analysis {
  std::vector<Variation> lines;  // best first; no lines: the game is over
  int depth = 0;                 // completed
  int seldepth = 0;              // the longest path looked at, in plies
  u64 nodes = 0;                 // calls of the recursive search, quiescence included, of all threads together
  Time time{};
  int fullness = 0;  // of the table, in thousandths
  Stopped stopped = Stopped::running;
};

// Puts a line at its place among the best, in place of what was known about its first move; keeps `most` lines.
inline void adopt(std::vector<Variation>& lines, std::size_t place, Variation line, std::size_t most) {
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(place);
  const auto known = std::find_if(begin, lines.end(), [&](const Variation& other) {
    return !other.moves.empty() && !line.moves.empty() && other.moves[0] == line.moves[0];
  });
  if (known != lines.end()) {
    *known = std::move(line);
    std::rotate(begin, known, known + 1);
  } else {
    lines.insert(begin, std::move(line));
    if (lines.size() > most) lines.pop_back();
  }
}

}  // namespace qilin::alphabeta
