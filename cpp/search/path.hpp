// Where a search stands: one frame a ply from the root down, and the keys of everything that was passed on the way.
//
//   keys      k k k k | k k k k k . . . .      one array: the game's past, then the path's
//             └ game ┘ └ path ┘ └ free
//   frame 5       [──────────) own             a frame's past is a stretch of it, back to the last irreversible ply;
//                                              its own key stands right behind, where the next frame's past will end
#pragma once

#include <vector>

#include "core/line.hpp"
#include "search/ordering.hpp"

namespace qilin::alphabeta {

inline constexpr int max_height = 127;  // plies from the root, quiescence included; what the table's depth can hold

template <Game G>
struct Frame {
  typename G::State state;
  Past past;
  u64 key = 0;
  Picker<G> moves;
  Killers killers;
  List<Move, max_height + 2> line;  // the best play found from here
  bool passed = false;              // the ply that led here was a null move
  bool is_signed = false;           // the key is worked out, and stands among those of the path

  [[nodiscard]] int player() const { return G::to_move(state); }
  // The best play is this move, and then what was found behind it.
  void lead(Move move, const Frame& next) {
    line.length = 0;
    line.push(move);
    for (const Move following : next.line) line.push(following);
  }
};

template <Game G>
class Path {
 public:
  using State = typename G::State;

  void begin(const Line<G>& line) {
    keys_ = line.keys;
    keys_.resize(line.keys.size() + 4 * (max_height + 2));
    (*this)[0].state = line.state;
    (*this)[0].past = {keys_.data(), static_cast<int>(line.keys.size())};
    (*this)[0].is_signed = false;
    for (Frame<G>& frame : frames_) frame.killers = {};
    sign(0);
  }

  [[nodiscard]] Frame<G>& operator[](int ply) { return frames_[static_cast<std::size_t>(ply)]; }
  [[nodiscard]] const Frame<G>& operator[](int ply) const { return frames_[static_cast<std::size_t>(ply)]; }

  // Works out the key of a position, if nobody has: before it is looked up, and before the first step from it that can
  // be undone.
  void sign(int ply) {
    Frame<G>& frame = (*this)[ply];
    if (frame.is_signed) return;
    frame.key = G::key(frame.state);
    frame.is_signed = true;
    own_key(frame)[0] = frame.key;
  }

  void play(int ply, Move move) {
    const Frame<G>& frame = (*this)[ply];
    enter(ply + 1, frame.state, frame.past, G::play(frame.state, move));
    if ((*this)[ply + 1].past.length > 0) sign(ply);
  }
  // After a null move nothing before it can come again.
  void pass(int ply, const State& next) {
    const Past past = (*this)[ply].past;
    (*this)[ply + 1].state = next;
    (*this)[ply + 1].past = {past.keys + past.length + 1, 0};
    (*this)[ply + 1].passed = true;
    (*this)[ply + 1].is_signed = false;
  }
  void enter(int ply, const State& before, Past past, const State& next) {
    Frame<G>& frame = (*this)[ply];
    frame.past = past;
    if constexpr (HasPast<G>) {
      frame.past =
          G::irreversible(before, next) ? Past{past.keys + past.length + 1, 0} : Past{past.keys, past.length + 1};
    }
    frame.state = next;
    frame.passed = frame.is_signed = false;
  }

  // A cycle within the search is judged as if it had been gone through once more: what the players did once they will
  // do again. The rules then say what three occurrences mean: a draw, or a loss for who gave perpetual check.
  [[nodiscard]] Result cycle(int ply) {
    if constexpr (HasPast<G>) {
      const Frame<G>& frame = (*this)[ply];
      const int n = frame.past.length;
      for (int i = n - 2; i >= std::max(0, n - ply); --i) {
        if (frame.past.keys[i] != frame.key) continue;
        std::copy(frame.past.keys + i, frame.past.keys + n, own_key(frame));
        return result<G>(frame.state, Past{frame.past.keys, n + n - i});
      }
    }
    return {};
  }

  // A position is wholly the same with the same counters (the text says everything the rules need) and the same past.
  [[nodiscard]] u64 whole_identity(int ply) const {
    const Frame<G>& frame = (*this)[ply];
    u64 all = std::hash<std::string>{}(G::text(frame.state));
    for (int i = 0; i < frame.past.length; ++i) all = hash(all, frame.past.keys[i]);
    return hash(all, static_cast<u64>(frame.past.length));
  }

 private:
  [[nodiscard]] u64* own_key(const Frame<G>& frame) {
    return keys_.data() + (frame.past.keys - keys_.data()) + frame.past.length;
  }

  std::vector<Frame<G>> frames_ = std::vector<Frame<G>>(max_height + 2);
  std::vector<u64> keys_;
};

}  // namespace qilin::alphabeta
