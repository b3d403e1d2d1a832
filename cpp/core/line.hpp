// A game as it is played on the host: the position, and the keys that repetition rules look back at.
#pragma once

#include <vector>

#include "core/game.hpp"

namespace qilin {

template <Game G>
struct Line {
  typename G::State state;
  std::vector<u64> keys;  // of the positions since the last irreversible ply, this one left out; empty without HasPast

  explicit Line(const typename G::State& start) : state(start) {}

  [[nodiscard]] Past past() const { return {keys.data(), static_cast<int>(keys.size())}; }
  [[nodiscard]] MoveList<G> legal() const { return legal_list<G>(state, past()); }
  [[nodiscard]] Result result() const { return qilin::result<G>(state, past()); }

  void play(Move move) { advance(G::play(state, move)); }
  void resolve(int outcome)
    requires HasChance<G>
  {
    advance(G::resolve(state, outcome));
  }

 private:
  void advance(const typename G::State& next) {
    if constexpr (HasPast<G>) {
      if (G::irreversible(state, next)) {
        keys.clear();
      } else {
        keys.push_back(G::key(state));
      }
    }
    state = next;
  }
};

}  // namespace qilin
