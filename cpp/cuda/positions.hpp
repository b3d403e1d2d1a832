// A position as it comes in: settings, a text, and the moves that were played from there.
#pragma once

#include "core/line.hpp"
#include "cuda/library.h"
#include "cuda/settings.hpp"

namespace qilin::cuda {

template <Game G>
[[nodiscard]] typename G::State state_of(const qilin_cuda_position& position) {
  const Settings settings = settings_of<G>(position.settings);
  const std::string_view text = position.text;
  return text.empty() ? G::start(settings) : G::parse(text, settings);
}

template <HasChance G>
[[nodiscard]] QILIN_HD bool can_turn_up(const typename G::State& state, int outcome) {
  bool can = false;
  G::outcomes(state, [&](int possible, int) { can = can || possible == outcome; });
  return can;
}

// Plays one move, or where chance is to answer, an outcome.
template <Game G>
void follow(Line<G>& line, std::string_view text) {
  if constexpr (HasChance<G>) {
    if (G::is_chance(line.state)) {
      for (int i = 0; i < static_cast<int>(G::outcome_names.size()); ++i) {
        if (G::outcome_names[static_cast<std::size_t>(i)] == text && can_turn_up<G>(line.state, i)) {
          return line.resolve(i);
        }
      }
      refuse(quoted(text) + " can not turn up in " + quoted(G::text(line.state)));
    }
  }
  for (const Move move : line.legal()) {
    if (G::move_text(line.state, move) == text) return line.play(move);
  }
  refuse(quoted(text) + " is not legal in " + quoted(G::text(line.state)));
}

template <Game G>
[[nodiscard]] Line<G> line_of(const qilin_cuda_position& position) {
  Line<G> line(state_of<G>(position));
  for (std::string_view moves = position.moves; !moves.empty();) {
    const std::string_view word = moves.substr(0, moves.find(' '));
    if (!word.empty()) follow<G>(line, word);
    moves.remove_prefix(std::min(moves.size(), word.size() + 1));
  }
  return line;
}

}  // namespace qilin::cuda
