// Which move to look at first. A good guess halves the depth of the tree.
//
//   the table's move | noisy moves by Evaluation::order | killers | the others by order and history
//
// Nothing is sorted: the best of the rest is picked when it is needed, since after a cut-off it never is.
#pragma once

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

// The moves of one position, handed out best first.
template <Game G>
class Picker {
 public:
  void clear() { length_ = next_ = first_ = 0; }
  void push(Move move) { moves_[length_++] = {0, move}; }

  // The table's move comes first, before the others are even ranked. False if it is not legal here: a key ignores
  // counters, and so may an entry.
  bool put_first(Move move) {
    for (int i = 0; i < length_; ++i) {
      if (moves_[i].move != move) continue;
      for (; i > 0; --i) moves_[i] = moves_[i - 1];
      moves_[0].move = move;
      first_ = 1;
      return true;
    }
    return false;
  }
  [[nodiscard]] bool awaits_ranks() const { return first_ == 1 && next_ == 1; }

  template <class Rank>
  void rank(Rank&& rank) {
    for (int i = next_; i < length_; ++i) moves_[i].rank = rank(moves_[i].move);
  }

  [[nodiscard]] bool empty() const { return next_ == length_; }
  // The moves handed out so far, in their order.
  [[nodiscard]] Move operator[](int i) const { return moves_[i].move; }

  Move next() {
    if (next_ >= first_) {
      int best = next_;
      for (int i = next_ + 1; i < length_; ++i) {
        if (moves_[i].rank > moves_[best].rank) best = i;
      }
      std::swap(moves_[next_], moves_[best]);
    }
    return moves_[next_++].move;
  }

 private:
  struct Ranked {
    int rank;
    Move move;
  };

  Array<Ranked, G::max_legal> moves_;
  int length_ = 0, next_ = 0;
  int first_ = 0;  // how many are put first
};

}  // namespace qilin::alphabeta
