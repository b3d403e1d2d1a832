// Opinions about a leaf without a network: none at all, the game's hand-written evaluation, random playouts.
//
// An evaluator is any callable from a Leaf to the opinion of the player to move. One that has priors too writes a logit
// for each of the leaf's moves, and says so by `has_priors`; otherwise all moves are equally promising.
#pragma once

#include "core/evaluation.hpp"
#include "search/grow.hpp"

namespace qilin::forest {

template <Game G>
struct Leaf {
  const typename G::State& state;
  Past past;
  const Move* moves;
  int count;
  Rng rng;  // a stream of this leaf's own
};

struct Uniform {
  static constexpr bool has_priors = false;

  template <Game G>
  QILIN_HD Opinion operator()(const Leaf<G>&, float*) const {
    return {};
  }
};

// Evaluation<G>. The most promising move by `order` gets e^sharpness times the prior of the least promising one.
struct Handwritten {
  static constexpr bool has_priors = true;
  float sharpness = 3;

  template <Game G>
  QILIN_HD Opinion operator()(const Leaf<G>& leaf, float* logits) const {
    int most = 0;
    for (int i = 0; i < leaf.count; ++i) {
      const int order = Evaluation<G>::order(leaf.state, leaf.moves[i]);
      logits[i] = static_cast<float>(order);
      most = order > most ? order : most;
    }
    const float unit = most > 0 ? sharpness / static_cast<float>(most) : 0.0F;
    for (int i = 0; i < leaf.count; ++i) logits[i] *= unit;
    const float score = static_cast<float>(Evaluation<G>::evaluate(leaf.state));
    return {2.0F / (1.0F + portable::exp(-score / static_cast<float>(Evaluation<G>::scale))) - 1.0F, 0};
  }
};

struct Playouts {
  static constexpr bool has_priors = false;
  int games = 1;  // whose mean is taken

  template <Game G>
  QILIN_HD Opinion operator()(const Leaf<G>& leaf, float*) const {
    const int mover = G::to_move(leaf.state);
    int balance = 0, draws = 0;
    Rng rng = leaf.rng;
    for (int i = 0; i < games; ++i) {
      const Result result = play_out<G>(leaf, Rng(rng.next()));
      balance += result.value(mover);
      draws += result.value(mover) == 0;
    }
    const float share = 1.0F / static_cast<float>(games);
    return {static_cast<float>(balance) * share, static_cast<float>(draws) * share};
  }

 private:
  // A playout writes over the keys of the way, so it gets a copy.
  template <Game G>
  [[nodiscard]] QILIN_HD static Result play_out(const Leaf<G>& leaf, Rng rng) {
    Array<u64, past_room<G> + 1> keys;
    for (int i = 0; i < leaf.past.length; ++i) keys[i] = leaf.past.keys[i];
    return playout<G>({leaf.state, keys.items, leaf.past.length}, rng).result;
  }
};

}  // namespace qilin::forest
