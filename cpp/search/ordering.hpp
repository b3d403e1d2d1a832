// Which move to look at first. A good guess halves the depth of the tree.
//
//   the table's move | noisy moves by Evaluation::order | killers | the others by order and history
//
// Nothing is sorted: the best of the rest is picked when it is needed, since after a cut-off it never is.
#pragma once

#include <limits>
#include <vector>

#include "search/score.hpp"
#include "search/transposition.hpp"

namespace qilin::alphabeta {

// How often a move has refuted what the other side did, wherever it was played; per player, by policy index.
template <Game G>
class History {
 public:
  static constexpr int most = 1 << 13;

  [[nodiscard]] int operator()(int player, Move move) const { return score(player, move); }

  // A bonus, or a penalty below 0. The nearer to the bound, the less it moves: old merits fade.
  void reward(int player, Move move, int bonus) {
    std::int16_t& merit = score(player, move);
    merit = static_cast<std::int16_t>(merit + bonus - merit * std::abs(bonus) / most);
  }

  // A new search trusts an old one only half.
  void fade() {
    for (std::int16_t& merit : merits_) merit = static_cast<std::int16_t>(merit / 2);
  }
  void clear() { std::fill(merits_.begin(), merits_.end(), std::int16_t{0}); }

 private:
  [[nodiscard]] std::int16_t& score(int player, Move move) {
    return merits_[static_cast<std::size_t>(player * G::moves + move)];
  }
  [[nodiscard]] const std::int16_t& score(int player, Move move) const {
    return merits_[static_cast<std::size_t>(player * G::moves + move)];
  }

  std::vector<std::int16_t> merits_ = std::vector<std::int16_t>(2 * static_cast<std::size_t>(G::moves));
};

struct Killers {
  Move first = no_move, second = no_move;

  void add(Move move) {
    if (move == first) return;
    second = first;
    first = move;
  }
};

struct Pick {
  Move move;
  int rank;
};

// The moves of one position, handed out best first.
//
//   index    0     1     2     3         An entry is rank | 0xffff - index: the greatest is the best move, and the
//   moves    b3    b4    c3    c4        first among equals. One that was handed out becomes the least of all, so that
//   entries  9|.   2|.   least 9|.       nothing ever moves and finding the greatest is one pass without a branch.
template <Game G>
class Picker {
 public:
  void clear() {
    length_ = picked_ = 0;
    is_first_set_ = is_ranked_ = false;
    coming_ = handed_out;
  }
  void push(Move move) { moves_[length_++] = move; }
  [[nodiscard]] bool empty() const { return picked_ == length_; }

  // The table's move comes first, before the others are even ranked; unless it is not legal here: a key ignores
  // counters, and so may an entry.
  void put_first(Move move) {
    if (move == no_move) return;
    for (int i = 0; i < length_ && !is_first_set_; ++i) {
      if (moves_[i] != move) continue;
      std::swap(moves_[0], moves_[i]);
      is_first_set_ = true;
    }
  }

  template <class Rank>
  const Pick& next(Rank&& rank) {
    if (picked_ == 0 && is_first_set_) return hand_out(0, rank(moves_[0]));
    if (!is_ranked_) rank_rest(rank);
    const i64 best = coming_ != handed_out ? coming_ : greatest();
    coming_ = handed_out;
    return hand_out(0xffff - static_cast<int>(best & 0xffff), static_cast<int>(best >> 16));
  }

  // What comes next, of moves that are ranked and not all handed out.
  [[nodiscard]] Move coming() {
    coming_ = greatest();
    return moves_[0xffff - static_cast<int>(coming_ & 0xffff)];
  }

  // The moves handed out so far, in their order.
  [[nodiscard]] const Pick& operator[](int i) const { return picks_[i]; }

 private:
  using i64 = std::int64_t;
  static constexpr i64 handed_out = std::numeric_limits<i64>::min();

  const Pick& hand_out(int index, int rank) {
    entries_[index] = handed_out;
    return picks_[picked_++] = {moves_[index], rank};
  }

  template <class Rank>
  void rank_rest(Rank&& rank) {
    for (int i = picked_; i < length_; ++i) entries_[i] = static_cast<i64>(rank(moves_[i])) << 16 | (0xffff - i);
    is_ranked_ = true;
  }

  [[nodiscard]] i64 greatest() const {
    i64 best = handed_out;
    for (int i = 0; i < length_; ++i) best = std::max(best, entries_[i]);
    return best;
  }

  Array<i64, G::max_legal> entries_;
  Array<Move, G::max_legal> moves_;
  Array<Pick, G::max_legal> picks_;
  i64 coming_ = handed_out;  // or none was asked for
  int length_ = 0, picked_ = 0;
  bool is_first_set_ = false, is_ranked_ = false;
};

}  // namespace qilin::alphabeta
