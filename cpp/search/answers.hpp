// What an evaluator answers about a leaf, and how it is read.
#pragma once

#include "search/grow.hpp"

namespace qilin::forest {

// What an evaluator's values are; all are those of the player to move.
enum class Values : u8 {
  scalar,  // one: +1 a win … -1 a loss
  odds,    // three: probability of a win, a draw, a loss
  logits,  // three, whose softmax is the odds
};

[[nodiscard]] QILIN_HD constexpr int width_of(Values form) { return form == Values::scalar ? 1 : 3; }

// `value(i)` is the i-th of them.
template <class Value>
[[nodiscard]] QILIN_HD Opinion read_opinion(Values form, Value&& value) {
  if (form == Values::scalar) return {value(0), 0};
  const float v[3]{value(0), value(1), value(2)};
  if (form == Values::odds) return {v[0] - v[2], v[1]};
  float most = v[0] > v[1] ? v[0] : v[1];
  if (v[2] > most) most = v[2];
  const float win = portable::exp(v[0] - most), draw = portable::exp(v[1] - most), loss = portable::exp(v[2] - most);
  const float sum = win + draw + loss;
  return {(win - loss) / sum, draw / sum};
}

}  // namespace qilin::forest
