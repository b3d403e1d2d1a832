// What a search comes to: the move to play, and the policy to learn from.
#pragma once

#include "search/race.hpp"

namespace qilin::forest {

// Answers about the edges of any node; where it is the root, noise and Gumbel's race are known.
template <Game G, class Group>
class Decision {
 public:
  QILIN_HD Decision(const Search& search, const Tree<G>& tree, const Step& here = {0, 0})
      : search_(search),
        tree_(tree),
        node_(tree.nodes[here.node]),
        stats_(tree.stats + node_.first),
        here_(here),
        choice_(search, tree, here) {}

  // The edge to play, counted from the node's first: the quickest proven win; otherwise the one with most visits, or
  // the winner of the race; of proven losses the longest. At a chance node, what was seen most often. -1: there is no
  // edge.
  [[nodiscard]] QILIN_HD int best() const {
    if (node_.count == 0) return -1;
    const int quickest = extreme(true);
    if (quickest >= 0) return quickest;
    const bool raced = here_.node == 0 && search_.kind == Kind::gumbel && tree_.head->prepared && !node_.chance;
    int slot = raced ? Race<G, Group>(search_, tree_).winner() : -1;
    if (slot < 0) slot = busiest();
    if (slot < 0 && node_.opened < node_.count) slot = most_promising();
    return slot < 0 ? extreme(false) : slot;
  }

  // One edge by the policy, sharpened by a temperature below 1. 0: the best.
  [[nodiscard]] QILIN_HD int sample(float temperature) const {
    if (temperature <= 0 || node_.count == 0) return best();
    write_policy(tree_.scratch);
    const auto weight = [&](int i) {
      const float share = tree_.scratch[i];
      return share > 0 ? portable::fixed(portable::exp(portable::log(share) / temperature)) : 0;
    };
    const i64 sum = Group::sum(node_.count, weight);
    if (sum <= 0) return best();
    Rng rng(tree_.head->key, sample_stream);
    i64 ticket = static_cast<i64>(scale(rng.next(), static_cast<u64>(sum)));
    int slot = 0;
    while ((ticket -= weight(slot)) >= 0) ++slot;
    return slot;
  }

  // The policy to learn from, by edge: shares of the visits, or Gumbel's improved policy. What is proven to lose gets
  // nothing; once the node itself is proven, the best edge gets everything.
  QILIN_HD void write_policy(float* out) const {
    if (tree_.stats[here_.edge].proof.known()) {
      const int winner = best();
      Group::each(node_.count, [&](int i) { out[i] = i == winner ? 1.0F : 0.0F; });
      Group::sync();
    } else if (search_.kind == Kind::gumbel) {
      write_improved(out);
    } else {
      write_shares(out);
    }
  }

  // prior * exp(sigma(Q)), to a sum of 1.
  QILIN_HD void write_improved(float* out) const {
    const auto q = choice_.completed();
    normalise(out, [&](int i) {
      if (i < node_.opened && choice_.is_lost(i)) return 0.0F;
      return prior(i) * q.weight(i < node_.opened ? choice_.q(q, i) : q.untried);
    });
  }

  // Where the value stands. A race visits the losers too, so its mean says little: what counts is the winner.
  [[nodiscard]] QILIN_HD const Stats& outlook() const {
    const Stats& self = tree_.stats[here_.edge];
    if (search_.kind == Kind::puct || node_.chance || node_.stage == Stage::waiting || self.proof.known()) return self;
    const int slot = best();
    if (slot < 0 || slot >= node_.opened || stats_[slot].visits == 0) return self;
    return stats_[slot];
  }

  // As the network said, without noise.
  [[nodiscard]] QILIN_HD float prior(int i) const {
    return here_.node == 0 && tree_.head->prepared ? tree_.clean[i] : tree_.prior[node_.first + static_cast<u32>(i)];
  }

 private:
  // Before anything was visited there are no shares: the priors stand for them.
  QILIN_HD void write_shares(float* out) const {
    const int leader = busiest();
    const bool pruned = here_.node == 0 && search_.forced_playouts > 0 && !tree_.head->plain && !node_.chance;
    normalise(out, [&](int i) {
      if (leader < 0) return prior(i);
      if (i >= node_.opened || choice_.is_lost(i)) return 0.0F;
      return pruned ? choice_.earned_visits(i, leader) : static_cast<float>(stats_[i].visits);
    });
  }

  template <class Weight>
  QILIN_HD void normalise(float* out, Weight&& weight) const {
    Group::sync();
    const i64 sum = Group::sum(node_.count, [&](int i) {
      out[i] = weight(i);
      return portable::fixed(out[i]);
    });
    const float share = sum > 0 ? 1.0F / portable::from_fixed(sum) : 0.0F;
    Group::each(node_.count, [&](int i) { out[i] *= share; });
    Group::sync();
  }

  // The quickest proven win, or the longest proven loss.
  [[nodiscard]] QILIN_HD int extreme(bool win) const {
    if (node_.chance) return -1;
    return Group::best(node_.opened,
                       [&](int i) {
                         const Proof proof = stats_[i].proof;
                         if (proof.value(node_.mover) != (win ? 1 : -1)) return never;
                         return static_cast<float>(win ? -proof.plies() : proof.plies());
                       })
        .index;
  }

  // Of equally busy ones the better.
  [[nodiscard]] QILIN_HD int busiest() const {
    const float most = Group::best(node_.opened, [&](int i) { return visits(i); }).score;
    return Group::best(node_.opened,
                       [&](int i) {
                         if (visits(i) != most || most <= 0) return never;
                         return node_.mover == 0 ? stats_[i].value : -stats_[i].value;
                       })
        .index;
  }
  [[nodiscard]] QILIN_HD float visits(int i) const {
    return choice_.is_lost(i) && !node_.chance ? never : static_cast<float>(stats_[i].visits);
  }

  [[nodiscard]] QILIN_HD int most_promising() const {
    if (node_.stage == Stage::waiting) return -1;
    const int rest = node_.count - node_.opened;
    return node_.opened + Group::best(rest, [&](int i) { return prior(node_.opened + i); }).index;
  }

  const Search& search_;
  const Tree<G>& tree_;
  const Node& node_;
  const Stats* stats_;
  Step here_;
  Choice<G, Group> choice_;
};

}  // namespace qilin::forest
