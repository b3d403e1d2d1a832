// What a game teaches: a position, what the search thought of it, and how the game went on. A plain value: it lies in
// memory, in a ring on a card, and in files, and becomes numbers for a network only when it is drawn.
//
//    Sample ──(symmetry)──▶ planes │ moves, shares │ odds │ margin, owner, reply, plies left
#pragma once

#include "core/planes.hpp"
#include "core/recall.hpp"
#include "search/settings.hpp"

namespace qilin::selfplay {

// Who owned what at the end; for a game that does not say, nothing.
template <class G>
struct Owned {};
template <HasOwnership G>
struct Owned<G> {
  typename G::Bits by_player[2];
};

template <Game G>
struct Sample {
  typename G::State state;
  Recall<G> recall;
  Owned<G> owned;
  u64 game;         // its number
  float value;      // of the search, for the player to move: +1 … -1
  float draws;      // and the share of draws
  float surprise;   // how far the search came from the network's policy, in nats
  float weight;     // how often it is to be learned from
  i32 margin;       // at the end, of player 0
  u16 ply;          // plies before it
  u16 note;         // its place among the notes of its game
  u16 plies_left;   // to the end
  u16 count;        // legal moves
  Move reply;       // the opponent's next move
  u8 has_reply;     // whether there was one
  u8 was_finished;  // the rules ended the game, nobody gave up: margin and owners are true
  i8 outcome;       // for the player to move: +1, 0, -1
  Move moves[G::max_legal];
  u16 shares[G::max_legal];  // of the search's policy, in 65535ths
};

inline constexpr float share_unit = 65535;

[[nodiscard]] QILIN_HD constexpr u16 to_share(float share) { return static_cast<u16>(share * share_unit + 0.5F); }

// What the value learns besides the outcome.
struct Mixture {
  float search_share = 0;  // of the search's own opinion
  float soft_share = 0;    // of tanh(margin / soft_scale)
  float soft_scale = 1;
  float margin_scale = 1;  // what margins are divided by
};

// Arrays with a row for every example; the planes are written apart.
struct Examples {
  int slots;           // G::max_legal
  i64* moves;          // (rows, slots)
  bool* legal;         // (rows, slots): whether there is a move
  float* shares;       // (rows, slots)
  float* odds;         // (rows, 3): win, draw, loss
  i64* reply;          // (rows,)
  bool* has_reply;     // (rows,)
  float* margin;       // (rows,)
  i64* owner;          // (rows, cells): 0 nobody, 1 the player to move, 2 the other
  float* plies_left;   // (rows,)
  bool* was_finished;  // (rows,)
};

struct Odds3 {
  float win, draw, loss;
};

// (1 - tanh x) / 2 and its kin: a share of wins from a margin.
[[nodiscard]] QILIN_HD inline float soft_win(float margin, float scale) {
  return 1.0F / (1.0F + portable::exp(-2.0F * margin / scale));
}

template <Game G>
[[nodiscard]] QILIN_HD Odds3 target_odds(const Sample<G>& sample, float margin, const Mixture& mix) {
  const float search = mix.search_share, soft = sample.was_finished ? mix.soft_share : 0.0F;
  const float rest = 1.0F - search - soft, win = soft_win(margin, mix.soft_scale);
  const float s = (1.0F - sample.draws + sample.value) / 2;
  return {rest * static_cast<float>(sample.outcome > 0) + search * s + soft * win,
          rest * static_cast<float>(sample.outcome == 0) + search * sample.draws,
          rest * static_cast<float>(sample.outcome < 0) + search * (1.0F - sample.draws - s) + soft * (1.0F - win)};
}

// The planes of a sample, turned.
template <Game G>
[[nodiscard]] QILIN_HD Planes<G> planes_of(const Sample<G>& sample, int symmetry) {
  Planes<G> planes = G::encode(symmetry ? G::transform(sample.state, symmetry) : sample.state, Past{});
  sample.recall.add_to(planes, symmetry);
  return planes;
}

// All else that a network learns from it.
template <Game G, class Group>
class Lesson {
 public:
  QILIN_HD Lesson(const Sample<G>& sample, int symmetry, const Mixture& mix, const Examples& to, u64 row)
      : sample_(sample), symmetry_(symmetry), mix_(mix), to_(to), row_(row), mover_(G::to_move(sample.state)) {}

  QILIN_HD void write() const {
    write_policy();
    if constexpr (HasOwnership<G>) write_owner();
    if (Group::leads()) write_numbers();
  }

 private:
  QILIN_HD void write_policy() const {
    const u64 first = row_ * static_cast<u64>(to_.slots);
    const i64 sum = Group::sum(sample_.count, [&](int i) { return i64{sample_.shares[i]}; });
    const float unit = 1.0F / static_cast<float>(sum > 0 ? sum : 1);
    Group::each(to_.slots, [&](int i) {
      const bool has_move = i < sample_.count;
      to_.legal[first + static_cast<u64>(i)] = has_move;
      to_.moves[first + static_cast<u64>(i)] = has_move ? turned(sample_.moves[i]) : 0;
      to_.shares[first + static_cast<u64>(i)] = has_move ? static_cast<float>(sample_.shares[i]) * unit : 0.0F;
    });
  }

  QILIN_HD void write_owner() const {
    const auto mine = G::Grid::transform_all(sample_.owned.by_player[mover_], symmetry_);
    const auto theirs = G::Grid::transform_all(sample_.owned.by_player[1 - mover_], symmetry_);
    Group::each(plane_cells<G>, [&](int cell) {
      const int square = G::Grid::unpack(cell);
      to_.owner[row_ * plane_cells<G> + static_cast<u64>(cell)] = has(mine, square) ? 1 : has(theirs, square) ? 2 : 0;
    });
  }

  QILIN_HD void write_numbers() const {
    const float margin = static_cast<float>(mover_ == 0 ? sample_.margin : -sample_.margin);
    const Odds3 odds = target_odds<G>(sample_, margin, mix_);
    to_.odds[3 * row_] = odds.win;
    to_.odds[3 * row_ + 1] = odds.draw;
    to_.odds[3 * row_ + 2] = odds.loss;
    to_.reply[row_] = sample_.has_reply ? turned(sample_.reply) : 0;
    to_.has_reply[row_] = sample_.has_reply != 0;
    to_.margin[row_] = margin / mix_.margin_scale;
    to_.plies_left[row_] = static_cast<float>(sample_.plies_left);
    to_.was_finished[row_] = sample_.was_finished != 0;
  }

  [[nodiscard]] QILIN_HD Move turned(Move move) const { return symmetry_ ? G::transform_move(move, symmetry_) : move; }

  const Sample<G>& sample_;
  int symmetry_;
  const Mixture& mix_;
  const Examples& to_;
  u64 row_;
  int mover_;
};

}  // namespace qilin::selfplay
