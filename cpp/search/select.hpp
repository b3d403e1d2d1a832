// Which edge of a node to follow: by PUCT, or by Gumbel's improved policy.
//
//    edges     h2e2   b2e2   c3c4 │ g3g4   h0g2   b0c2  …      opened │ not opened, the most promising first
//    score     0.31   0.47   0.20 │ 0.40                       All that were not tried are thought to be worth the
//    same,
//                                                              so the one with the greatest prior has the best score,
//                                                              and reading may stop there.
#pragma once

#include "search/settings.hpp"
#include "search/tree.hpp"

namespace qilin::forest {

// The choice at one node, seen by the player whose choice it is.
template <Game G, class Group>
class Choice {
 public:
  QILIN_HD Choice(const Search& search, const Tree<G>& tree, const Step& here)
      : search_(search),
        node_(tree.nodes[here.node]),
        self_(tree.stats[here.edge]),
        stats_(tree.stats + node_.first),
        prior_(tree.prior + node_.first),
        scratch_(tree.scratch),
        loss_(node_.mover == 0 ? End::second_wins : End::first_wins),
        is_root_(here.node == 0) {}

  // Both answer an edge, counted from the node's first, or -1: all are proven to lose.
  [[nodiscard]] QILIN_HD int puct() const {
    const float visits = static_cast<float>(self_.visits + self_.pending);
    const float explore = exploration(visits) * portable::sqrt(visits), untried = first_play();
    const Best opened = Group::best(node_.opened, [&](int i) {
      if (is_lost(i)) return never;
      const float n = static_cast<float>(tries(i));
      return (n > 0 ? value_in_flight(i) : untried) + explore * prior_[i] / (1.0F + n);
    });
    return or_untried(opened, untried, explore);
  }

  // At the root: a move that has not had the visits it is to get in any case. -1: there is none.
  [[nodiscard]] QILIN_HD int forced() const {
    return Group::best(node_.opened,
                       [&](int i) {
                         const float n = static_cast<float>(tries(i));
                         return n > 0 && n < forced_visits(i) && !is_lost(i) ? prior_[i] : never;
                       })
        .index;
  }
  [[nodiscard]] QILIN_HD float forced_visits(int i) const {
    return portable::sqrt(search_.forced_playouts * prior_[i] * static_cast<float>(self_.visits));
  }

  // The visits that a move has earned: without those it was given although PUCT saw a better one in `best`.
  [[nodiscard]] QILIN_HD float earned_visits(int i, int best) const {
    const float n = static_cast<float>(stats_[i].visits), visits = static_cast<float>(self_.visits);
    const float explore = exploration(visits) * portable::sqrt(visits);
    const float most = value(best) + explore * prior_[best] / (1.0F + static_cast<float>(stats_[best].visits));
    const float spare = most - value(i);
    if (i == best || spare <= 0) return n;
    const float least = explore * prior_[i] / spare - 1.0F, without = n - forced_visits(i);
    const float earned = least > without ? least : without;
    return earned < n ? (earned > 1.0F ? earned : 0.0F) : n;
  }

  // Visits come as near to the improved policy as whole numbers can.
  [[nodiscard]] QILIN_HD int gumbel() const {
    if (node_.opened == 0) return 0;
    const Completed q = completed();
    const i32 tried = Group::sum(node_.opened, [&](int i) {
      const float weight = prior_[i] * q.weight(this->q(q, i));
      scratch_[i] = is_lost(i) ? 0.0F : weight;
      return portable::fixed_share(scratch_[i]);
    });
    const float weight = q.weight(q.untried);
    const float rest = 1.0F - node_.mass;
    const float all = portable::from_fixed_share(tried) + (rest > 0 ? rest * weight : 0.0F);
    const float visits = static_cast<float>(self_.visits + self_.pending);
    // Share of the weights less share of the visits, times both sums: that takes no division.
    const Best opened = Group::best(node_.opened, [&](int i) {
      return is_lost(i) ? never : scratch_[i] * visits - static_cast<float>(tries(i)) * all;
    });
    return or_untried(opened, 0.0F, weight * visits);
  }

  // What Gumbel's formulas take for the Q of every move: its own, or for untried ones a mixture of the node's
  // evaluation and the Q of the others.
  struct Completed {
    float slope, untried, most;

    [[nodiscard]] QILIN_HD float sigma(float value) const { return slope * value; }
    [[nodiscard]] QILIN_HD float weight(float value) const {
      return portable::power_of_half(slope * (value - most) * portable::log2_e);
    }
  };

  [[nodiscard]] QILIN_HD Completed completed() const {
    const Peak peak = this->peak();
    const bool all_known = node_.opened == node_.count && peak.missing == 0 && peak.most > never;
    const float untried = all_known ? peak.most : mixed();  // if all are known, nobody will ask
    return {slope(peak), untried, peak.most > untried ? peak.most : untried};
  }
  // The same where nobody will ask for the Q of an untried move.
  [[nodiscard]] QILIN_HD Completed completed_but_untried() const {
    const Peak peak = this->peak();
    return {slope(peak), peak.most, peak.most};
  }

  [[nodiscard]] QILIN_HD float q(const Completed& completed, int i) const {
    return stats_[i].visits > 0 ? value(i) : completed.untried;
  }

  [[nodiscard]] QILIN_HD bool is_lost(int i) const { return stats_[i].proof.end() == loss_; }
  [[nodiscard]] QILIN_HD u32 tries(int i) const { return stats_[i].visits + stats_[i].pending; }

 private:
  [[nodiscard]] QILIN_HD float exploration(float visits) const {
    return search_.c_puct + search_.c_growth * portable::log(1.0F + visits / search_.c_scale);
  }
  // +1: good for the one who chooses.
  [[nodiscard]] QILIN_HD float seen(float value) const { return node_.mover == 0 ? value : -value; }
  [[nodiscard]] QILIN_HD float value(int i) const { return seen(stats_[i].value); }

  // Descents under way count as lost, which sends the next ones elsewhere.
  [[nodiscard]] QILIN_HD float value_in_flight(int i) const {
    const Stats& s = stats_[i];
    if (s.pending == 0) return seen(s.value);
    const float visits = static_cast<float>(s.visits), lost = static_cast<float>(s.pending);
    return (seen(s.value) * visits - lost) / (visits + lost);
  }

  [[nodiscard]] QILIN_HD float first_play() const {
    const float reduction = is_root_ ? search_.root_fpu_reduction : search_.fpu_reduction;
    return seen(self_.value) - reduction * portable::sqrt(node_.mass);
  }

  // Of the edges that were visited: the most visits, and the greatest Q of those not lost. And how many were not.
  struct Peak {
    u32 visits = 0;
    float most = never;
    u32 missing = 0;

    QILIN_HD void add(u32 n, float q, bool lost) {
      visits = n > visits ? n : visits;
      most = q > most && n > 0 && !lost ? q : most;
      missing += n == 0;
    }
    QILIN_HD void merge(const Peak& other) {
      visits = other.visits > visits ? other.visits : visits;
      most = other.most > most ? other.most : most;
      missing += other.missing;
    }
  };
  [[nodiscard]] QILIN_HD Peak peak() const {
    Peak peak;
    Group::fold(node_.opened, peak, [&](Peak& part, int i) { part.add(stats_[i].visits, value(i), is_lost(i)); });
    return peak;
  }

  // q between 0 and 1 is half of a value between -1 and 1, and a constant, which cancels out.
  [[nodiscard]] QILIN_HD float slope(const Peak& peak) const {
    return (search_.gumbel_visits + static_cast<float>(peak.visits)) * search_.gumbel_scale * 0.5F;
  }

  // Of the edges that were visited: the sums of their priors, and of priors times Q.
  struct Mixture {
    i32 mass = 0, sum = 0;

    QILIN_HD void merge(const Mixture& other) {
      mass += other.mass;
      sum += other.sum;
    }
  };
  // (v + N * mean of Q by prior) / (1 + N), over the N visits below.
  [[nodiscard]] QILIN_HD float mixed() const {
    Mixture mixture;
    Group::fold(node_.opened, mixture, [&](Mixture& part, int i) {
      if (stats_[i].visits == 0) return;
      part.merge({portable::fixed_share(prior_[i]), portable::fixed_share(prior_[i] * value(i))});
    });
    if (mixture.mass == 0) return seen(node_.value);
    const float visits = static_cast<float>(self_.visits), mass = portable::from_fixed_share(mixture.mass);
    return (seen(node_.value) * mass + (visits - 1.0F) * portable::from_fixed_share(mixture.sum)) / (visits * mass);
  }

  [[nodiscard]] QILIN_HD int or_untried(const Best& opened, float base, float factor) const {
    if (node_.opened == node_.count) return opened.index;
    return base + factor * prior_[node_.opened] > opened.score ? static_cast<int>(node_.opened) : opened.index;
  }

  const Search& search_;
  const Node& node_;
  const Stats& self_;
  const Stats* stats_;
  const float* prior_;
  float* scratch_;
  End loss_;
  bool is_root_;
};

}  // namespace qilin::forest
