// Perft for many lanes. Positions wait in pools, one for every number of plies still to go; a lane takes one position
// and hands out its children. No recursion, no list of moves, and every lane has the same small thing to do.
//
//   pools[3]  s                       the position that is asked about
//   pools[2]  s s s s s s             expand a slice of the lowest pool that has any
//   pools[1]  s s s s s s s s s s …   count: one ply to go, so the number of legal moves is the answer
//
// Slices are as large as the next pool surely holds, so memory stays bounded whatever the depth.
#pragma once

#include <stdexcept>

#include "cuda/machine.hpp"
#include "search/perft.hpp"

namespace qilin::cuda {

// The position itself, or where chance is to answer, each that it may answer with. (Chance answers once: the contract.)
template <Game G, class Visit>
QILIN_HD void each_answer(const typename G::State& state, Visit&& visit) {
  if constexpr (HasChance<G>) {
    if (G::is_chance(state)) {
      G::outcomes(state, [&](int outcome, int) { visit(G::resolve(state, outcome)); });
      return;
    }
  }
  visit(state);
}

// The moves are listed first: `visit` is then compiled once, not at every place where a generator finds a move, and the
// lanes of a warp come to it together.
template <Game G, class Visit>
QILIN_HD void each_child(const typename G::State& state, Visit&& visit) {
  Move moves[G::max_legal];
  int n = 0;
  G::legal(state, [&](Move move) { moves[n++] = move; });
  for (int i = 0; i < n; ++i) each_answer<G>(G::play(state, moves[i]), visit);
}

template <Game G>
[[nodiscard]] QILIN_HD u64 count_children(const typename G::State& state) {
  if constexpr (HasChance<G>) {
    u64 n = 0;
    each_child<G>(state, [&](const typename G::State&) { ++n; });
    return n;
  } else {
    return static_cast<u64>(count_legal<G>(state));
  }
}

template <class G>
inline constexpr int most_answers = 1;
template <HasChance G>
inline constexpr int most_answers<G> = static_cast<int>(G::outcome_names.size());

template <Game G>
inline constexpr u64 most_children = static_cast<u64>(G::max_legal) * most_answers<G>;

template <Game G>
using Answers = List<typename G::State, most_answers<G>>;

template <Game G>
[[nodiscard]] QILIN_HD Answers<G> answers(const typename G::State& state) {
  Answers<G> all;
  each_answer<G>(state, [&](const typename G::State& answer) { all.push(answer); });
  return all;
}

template <Game G>
struct CountMoves {
  const typename G::State* states;

  QILIN_HD u64 operator()(u64 i) const { return static_cast<u64>(count_legal<G>(states[i])); }
};

// Writes the children of `from` to `to`, in whatever order the lanes come; the answers sum up to their number.
template <Game G>
struct Expand {
  const typename G::State* from;
  typename G::State* to;
  u64* filled;
  u64 room;

  QILIN_HD u64 operator()(u64 i) const {
    const typename G::State state = from[i];
    const u64 n = count_children<G>(state);
    u64 slot = fetch_add(filled, n);
    if (slot + n <= room) each_child<G>(state, [&](const typename G::State& child) { to[slot++] = child; });
    return n;
  }
};

template <Game G, class Machine>
class WidePerft {
 public:
  using State = typename G::State;

  // `room`: positions in each pool, at least most_children<G>.
  WidePerft(Machine& machine, int depth, u64 room) : machine_(machine), room_(room), filled_(1) {
    for (int d = 0; d < depth; ++d) pools_.push_back({typename Machine::template Memory<State>(room)});
  }

  [[nodiscard]] u64 operator()(const State& state) {
    if (pools_.empty()) return 1;
    const Answers<G> roots = answers<G>(state);
    pools_.back().size = static_cast<u64>(roots.size());
    pools_.back().states.write(roots.begin(), pools_.back().size);
    return drain();
  }

 private:
  struct Pool {
    typename Machine::template Memory<State> states;
    u64 size = 0;
  };

  u64 drain() {
    u64 nodes = 0;
    for (std::size_t lowest = pools_.size() - 1; lowest < pools_.size();) {
      if (pools_[lowest].size == 0) {
        ++lowest;
      } else if (lowest > 0) {
        expand(pools_[lowest], pools_[lowest - 1]);
        --lowest;
      } else {
        nodes += machine_.sum(pools_[0].size, CountMoves<G>{pools_[0].states.data()});
        pools_[0].size = 0;
      }
    }
    return nodes;
  }

  void expand(Pool& from, Pool& to) {
    const u64 n = std::min(from.size, room_ / most_children<G>), none = 0;
    from.size -= n;
    filled_.write(&none, 1);
    to.size = machine_.sum(n, Expand<G>{from.states.data() + from.size, to.states.data(), filled_.data(), room_});
    if (to.size > room_) throw std::logic_error(std::string(G::name) + " has more legal moves than its max_legal");
  }

  Machine& machine_;
  u64 room_;
  std::vector<Pool> pools_;  // pools_[i]: i + 1 plies to go
  typename Machine::template Memory<u64> filled_;
};

}  // namespace qilin::cuda
