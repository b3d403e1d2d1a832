// How the forest searches. A plain value: kernels get a copy.
#pragma once

#include "core/array.hpp"
#include "core/lanes.hpp"

namespace qilin::forest {

enum class Kind : u8 { puct, gumbel };

inline constexpr int most_tiers = 16;  // of Evaluation<G>::tier

// Values lie between -1 (a loss) and +1, and so do the Q these numbers refer to.
struct Search {
  Kind kind = Kind::puct;
  int simulations = 800;    // of one search
  int leaves = 1;           // of one tree that are evaluated at a time; more than one: virtual losses keep them apart
  bool stop_early = false;  // once no other move can get more visits than the leader

  // PUCT: Q + c * prior * sqrt(N) / (1 + n), with c = c_puct + c_growth * log(1 + N / c_scale).
  float c_puct = 1;
  float c_growth = 0.45F;
  float c_scale = 500;
  // A move that was not tried is thought to be worth what the node is, less this times sqrt(prior of those tried).
  float fpu_reduction = 0.2F;
  float root_fpu_reduction = 0;
  // At the root, priors are softened by a temperature, and mixed with Dirichlet noise. The noise's alphas add up to
  // noise_alpha, so that positions with few moves get broad noise, and positions with many get a few sharp spikes.
  float root_temperature = 1;
  float noise_weight = 0;
  float noise_alpha = 10.83F;
  // At the root, a move that was tried gets at least sqrt(this * prior * visits) visits, so that noise is not in vain;
  // the policy to learn from leaves out those that were only forced. 0: off.
  float forced_playouts = 0;

  // What is added to the logits of moves, by their tier: a taste for captures and checks, for games that tell.
  bool boosted = false;
  Array<float, most_tiers> boosts{};

  // Gumbel: sigma(q) = (gumbel_visits + most visits) * gumbel_scale * q, with q between 0 and 1.
  int considered = 16;     // moves that are in the race at the root
  float gumbel_noise = 1;  // 0: the race is run by prior and value alone
  float gumbel_visits = 50;
  float gumbel_scale = 1;
};

// The streams of a search's random numbers. A simulation has the stream of its number.
inline constexpr u64 noise_stream = u64{1} << 60, gumbel_stream = u64{2} << 60, sample_stream = u64{3} << 60,
                     evaluation_stream = u64{4} << 60;

}  // namespace qilin::forest
