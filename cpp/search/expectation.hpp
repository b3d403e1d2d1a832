// The value of a chance node, and how much of it need be searched (Star1).
//
//   outcome   weight   known            A score is an opinion about the odds, so what is averaged is the probability
//      P         2      0.61            of winning, not the score: one outcome in ten that wins at once is worth a
//      tenth K         1     [0, 1]           of a win, whatever number stands for a win. Unknown outcomes lie between
//      a c         1     [0, 1]           loss and a win, which bounds the mean, and so the search of the next outcome.
#pragma once

#include "search/score.hpp"

namespace qilin::alphabeta {

// What chance may answer, the likeliest first: they say most about the mean.
template <Game G>
  requires HasChance<G>
struct Outcomes {
  struct Outcome {
    int outcome, weight;
  };
  List<Outcome, static_cast<int>(std::size(G::outcome_names))> list;
  int total = 0;

  explicit Outcomes(const typename G::State& state) {
    G::outcomes(state, [&](int outcome, int weight) {
      list.push({outcome, weight});
      total += weight;
    });
    std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.weight > b.weight; });
  }
};

template <Game G>
class Expectation {
 public:
  explicit Expectation(int total_weight) : total_(total_weight), rest_(total_weight) {}

  void add(int weight, Score score) {
    sum_ += weight * win_probability<G>(score);
    rest_ -= weight;
    low_ = std::min(low_, score);
    high_ = std::max(high_, score);
  }

  // The mean if every outcome not yet added wins, loses; when all are added, both are the mean itself. A mean is
  // proven when every outcome is, and lies between the least and the greatest of them.
  [[nodiscard]] Score at_most() const { return mean(sum_ + rest_, low_, rest_ > 0 ? infinite : high_); }
  [[nodiscard]] Score at_least() const { return mean(sum_, rest_ > 0 ? -infinite : low_, high_); }
  [[nodiscard]] Score value() const { return mean(sum_, low_, high_); }

  // A score of the next outcome at or outside this window decides against the outer one, whatever the others say.
  // One unit of slack on either side keeps rounding out of it.
  [[nodiscard]] Window window(int weight, const Window& outer) const {
    const double others = rest_ - weight;
    Window inner;
    if (outer.alpha >= max_evaluation) inner.alpha = outer.alpha;  // proven means have nothing but proven outcomes
    if (outer.beta <= -max_evaluation) inner.beta = outer.beta;
    if (!is_proven(outer.alpha)) {
      const double share = (total_ * win_probability<G>(outer.alpha) - sum_ - others) / weight;
      if (is_inside(share)) inner.alpha = static_cast<Score>(std::floor(odds(share))) - 1;
    }
    if (!is_proven(outer.beta)) {
      const double share = (total_ * win_probability<G>(outer.beta) - sum_) / weight;
      if (is_inside(share)) inner.beta = static_cast<Score>(std::ceil(odds(share))) + 1;
    }
    return inner;
  }

 private:
  // Where a double still tells probabilities apart well enough to turn them back into scores.
  [[nodiscard]] static bool is_inside(double share) { return share > 1e-9 && share < 1 - 1e-9; }
  [[nodiscard]] static double odds(double probability) {
    return Evaluation<G>::scale * std::log(probability / (1 - probability));
  }

  [[nodiscard]] Score mean(double sum, Score low, Score high) const {
    const double probability = std::clamp(sum / total_, 1e-15, 1 - 1e-15);
    const double score = std::clamp<double>(odds(probability), -max_evaluation, max_evaluation);
    return std::clamp(static_cast<Score>(std::lround(score)), low, high);
  }

  double sum_ = 0;
  int total_, rest_;
  Score low_ = infinite, high_ = -infinite;
};

}  // namespace qilin::alphabeta
