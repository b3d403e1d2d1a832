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
    const float share = 1.0F / (portable::from_fixed_share(tried) + (rest > 0 ? rest * weight : 0.0F));
    const float visits = 1.0F / static_cast<float>(self_.visits + self_.pending);
    const Best opened = Group::best(node_.opened, [&](int i) {
      return is_lost(i) ? never : scratch_[i] * share - static_cast<float>(tries(i)) * visits;
    });
    return or_untried(opened, 0.0F, weight * share);
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
    Survey seen_so_far;
    Group::fold(node_.opened, seen_so_far, [&](Survey& survey, int i) {
      if (stats_[i].visits > 0) survey.add(stats_[i].visits, prior_[i], value(i), is_lost(i));
    });
    const float most = seen_so_far.most, untried = mixed(seen_so_far);
    // q between 0 and 1 is half of a value between -1 and 1, and a constant, which cancels out.
    const float visits = search_.gumbel_visits + static_cast<float>(seen_so_far.visits);
    const bool all_known = node_.opened == node_.count && most > never;
    return {visits * search_.gumbel_scale * 0.5F, untried, all_known || most > untried ? most : untried};
  }

  [[nodiscard]] QILIN_HD float q(const Completed& completed, int i) const {
    return stats_[i].visits > 0 ? value(i) : completed.untried;
  }

  [[nodiscard]] QILIN_HD bool is_lost(int i) const { return stats_[i].proof.value(node_.mover) < 0; }
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

  // What is to be known of the edges that were visited.
  struct Survey {
    u32 visits = 0;         // the most
    float most = never;     // the greatest Q of those not lost
    i32 mass = 0, sum = 0;  // of priors, and of priors times Q

    QILIN_HD void add(u32 n, float prior, float q, bool lost) {
      visits = n > visits ? n : visits;
      most = q > most && !lost ? q : most;
      mass += portable::fixed_share(prior);
      sum += portable::fixed_share(prior * q);
    }
    QILIN_HD void merge(const Survey& other) {
      visits = other.visits > visits ? other.visits : visits;
      most = other.most > most ? other.most : most;
      mass += other.mass;
      sum += other.sum;
    }
  };

  // (v + N * mean of Q by prior) / (1 + N), over the N visits below.
  [[nodiscard]] QILIN_HD float mixed(const Survey& survey) const {
    if (survey.mass == 0) return seen(node_.value);
    const float mean = portable::from_fixed_share(survey.sum) / portable::from_fixed_share(survey.mass);
    const float visits = static_cast<float>(self_.visits);
    return (seen(node_.value) + (visits - 1.0F) * mean) / visits;
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
  bool is_root_;
};

}  // namespace qilin::forest
