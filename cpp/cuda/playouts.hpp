// Many random games at once, one on each lane. Whoever ends a game takes the block's next one at once, so that the
// lanes of a warp all stay busy, although their games end at different plies:
//
//   lane 0   game 0 ───────────┤ game 5 ─────────┤ …
//   lane 1   game 1 ──────┤ game 4 ───────────────────┤ …
//   lane 2   game 2 ────────┤ game 3 ──────────┤ …
//
// Which lane plays a game does not matter to it: its numbers come from its index. So the totals are those of a CPU.
#pragma once

#include "cuda/machine.hpp"
#include "search/playout.hpp"

namespace qilin::cuda {

// Keys of one lane: an odd number of 128-byte cache lines, so that the lanes' newest keys spread over a cache's sets.
template <Game G>
inline constexpr u64 keys_per_lane = past_room<G> == 0 ? 0 : ((past_room<G> + 15) / 16 | 1) * 16;

template <Game G>
struct PlayGames {
  typename G::State start;
  u64 seed, games, blocks;
  int most_plies;
  u64* keys;     // keys_per_lane<G> for each lane
  Tally* tally;  // what all lanes' games add up to

  QILIN_HD void operator()(const Lane& lane) const {
    Tally mine;
    u64 index = next(lane);
    Playout<G> game = begin(lane, index);
    // In step after every ply: a compiler must not turn the plies of one game into a loop of their own.
    while (any_lane(index < games)) {
      if (index >= games || (game.plies < most_plies && game.step())) continue;
      mine.add({game.result(), game.plies});
      index = next(lane);
      game = begin(lane, index);
    }
    share(mine);
  }

 private:
  QILIN_HD u64 next(const Lane& lane) const { return lane.block + blocks * fetch_add(lane.taken, u32{1}); }

  QILIN_HD Playout<G> begin(const Lane& lane, u64 index) const {
    return {{start, keys + lane.index * keys_per_lane<G>}, Rng(seed, index)};
  }

  QILIN_HD void share(const Tally& mine) const {
    fetch_add(&tally->plies, mine.plies);
    fetch_add(&tally->first_wins, mine.first_wins);
    fetch_add(&tally->second_wins, mine.second_wins);
    fetch_add(&tally->draws, mine.draws);
    fetch_add(&tally->unfinished, mine.unfinished);
  }
};

template <Game G, class Machine>
class WidePlayouts {
 public:
  WidePlayouts(Machine& machine, u64 blocks)
      : machine_(machine), blocks_(blocks), keys_(blocks * block_size * keys_per_lane<G>), tally_(1) {}

  // Games 0 … games-1 of `seed`, all from `start`.
  [[nodiscard]] Tally operator()(const typename G::State& start, u64 seed, u64 games, int most_plies) {
    Tally total;
    tally_.write(&total, 1);
    machine_.crowd(blocks_, PlayGames<G>{start, seed, games, blocks_, most_plies, keys_.data(), tally_.data()});
    tally_.read(&total, 1);
    return total;
  }

 private:
  Machine& machine_;
  u64 blocks_;
  typename Machine::template Memory<u64> keys_;
  typename Machine::template Memory<Tally> tally_;
};

}  // namespace qilin::cuda
