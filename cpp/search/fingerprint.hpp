// A number that changes when the search does: the nodes of a fixed list of positions, each searched to a fixed depth.
#pragma once

#include "search/alphabeta.hpp"

namespace qilin::alphabeta {

struct Fingerprint {
  u64 nodes = 0;
  Time time{};
};

template <Game G>
void play_at_random(Line<G>& line, Rng& rng) {
  if constexpr (HasChance<G>) {
    if (G::is_chance(line.state)) return line.resolve(draw_outcome<G>(line.state, rng));
  }
  const MoveList<G> moves = line.legal();
  line.play(moves[rng.below(moves.size())]);
}

// The start, and where random games stand after 6, 12, 18 … plies: as many positions as asked for.
template <Game G>
[[nodiscard]] std::vector<Line<G>> sample_positions(const Settings& settings, int positions) {
  std::vector<Line<G>> lines;
  for (int i = 0; i < positions; ++i) {
    Rng rng(1, static_cast<u64>(i));
    Line<G> line(G::start(settings)), last = line;
    for (int ply = 0; ply < 6 * i && !line.result().over(); ++ply) {
      last = line;
      play_at_random(line, rng);
    }
    lines.push_back(line.result().over() ? last : line);
  }
  return lines;
}

template <Game G>
[[nodiscard]] Fingerprint fingerprint(const Settings& settings, int depth, int positions = 8) {
  AlphaBeta<G> player;
  Fingerprint sum;
  for (const Line<G>& line : sample_positions<G>(settings, positions)) {
    player.clear();
    const Analysis found = player.search(line, {.depth = depth});
    sum.nodes += found.nodes;
    sum.time += found.time;
  }
  return sum;
}

}  // namespace qilin::alphabeta
