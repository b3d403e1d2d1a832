// Fills the table of searches.hpp for one game.
#pragma once

#include "bind/erase.hpp"
#include "bind/searches.hpp"
#include "search/alphabeta.hpp"

namespace qilin::bind {

template <Game G>
std::vector<std::string> line_text(const Position& p, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  Line<G> line = Erase<G>::line(p);
  for (const Move move : moves) {
    texts.push_back(G::move_text(line.state, move));
    line.play(move);
  }
  return texts;
}

template <Game G>
const Searches& searches_of() {
  static const Searches table{
      .alphabeta = {
          .make = [](const Options& options) -> std::shared_ptr<void> {
            return std::make_shared<AlphaBeta<G>>(options);
          },
          .search =
              [](void* player, const Position& p, const Limits& limits, const Watch& watch,
                 const std::atomic<bool>* stop) {
                return static_cast<AlphaBeta<G>*>(player)->search(Erase<G>::line(p), limits, watch, stop);
              },
          .forget = [](void* player) { static_cast<AlphaBeta<G>*>(player)->clear(); },
      },
      .line_text = line_text<G>,
      .score_probability = win_probability<G>,
  };
  return table;
}

}  // namespace qilin::bind
