// Gumbel's way of choosing at a root: sequential halving between the moves with the greatest prior plus Gumbel noise.
//
//    considered 8, 48 simulations:     a b c d e f g h    2 visits each
//                                      a b   d     g      4 more for the better half
//                                        b         g      8 more for the best two
//                                        b                is played
//
// "Better" is lead + sigma(Q), where lead = Gumbel draw + log prior. (Danihelka et al., Policy improvement by planning
// with Gumbel, ICLR 2022.) Nothing but the counts in Halving is remembered: whoever is still in the race is whoever has
// had `level` visits.
#pragma once

#include "search/grow.hpp"
#include "search/select.hpp"

namespace qilin::forest {

// Uniform over (0, 1), both ends left out: one of 2^23 numbers, each of them exact.
[[nodiscard]] QILIN_HD inline float open_unit(Rng& rng) {
  return (static_cast<float>(rng.next() >> 41) + 0.5F) * 0x1p-23F;
}

template <Game G, class Group>
class Race {
 public:
  QILIN_HD Race(const Search& search, const Tree<G>& tree)
      : search_(search), tree_(tree), root_(tree.nodes[0]), choice_(search, tree, {0, 0}) {}

  // Lines the moves up: draws the noise, opens and marks those that are considered.
  QILIN_HD void prepare() {
    const float noise = tree_.head->plain ? 0.0F : search_.gumbel_noise;
    Group::each(root_.count, [&](int i) {
      tree_.lead[i] = noise * draw(edge(i)) + portable::log(tree_.prior[edge(i)]);
      tree_.before[i] = not_considered;
    });
    Group::sync();
    const u32 budget = tree_.head->budget - tree_.head->simulations;
    u32 n = static_cast<u32>(search_.considered);
    if (n > root_.count) n = root_.count;
    if (n > budget) n = budget;
    for (u32 i = 0; i < n; ++i) consider_next();
    if (Group::leads()) tree_.head->halving = {n, 0, n, rounds(n, n, budget)};
    Group::sync();
  }

  // The next to be visited. -1: all moves are proven to lose.
  [[nodiscard]] QILIN_HD int next() {
    const u32 level = tree_.head->halving.level;
    advance();
    int slot = leader(level);
    if (slot < 0) slot = least_visited();
    if (slot < 0 && consider_next()) slot = static_cast<int>(root_.opened) - 1;
    return slot;
  }

  // The winner: of those with most visits the one that leads.
  [[nodiscard]] QILIN_HD int winner() {
    const Best most =
        Group::best(root_.opened, [&](int i) { return is_racing(i) ? static_cast<float>(had(i)) : never; });
    return most.index < 0 ? -1 : leader(static_cast<u32>(most.score));
  }

 private:
  [[nodiscard]] QILIN_HD u32 edge(int slot) const { return root_.first + static_cast<u32>(slot); }
  [[nodiscard]] QILIN_HD bool is_racing(int slot) const {
    return tree_.before[slot] != not_considered && !choice_.is_lost(slot);
  }
  // Visits in this search.
  [[nodiscard]] QILIN_HD u32 had(int slot) const { return choice_.tries(slot) - tree_.before[slot]; }

  // A move has the same draw wherever its edge stands.
  [[nodiscard]] QILIN_HD float draw(u32 edge) const {
    Rng rng(tree_.head->key, gumbel_stream + tree_.move[edge]);
    return -portable::log(-portable::log(open_unit(rng)));
  }

  // Takes the next best move into the race. False: all are in it.
  QILIN_HD bool consider_next() {
    int slot = Group::best(root_.count, [&](int i) {
                 return tree_.before[i] == not_considered ? tree_.lead[i] : never;
               }).index;
    if (slot < 0) return false;
    if (slot >= root_.opened) {
      const int fresh = root_.opened;
      swap_edges<G, Group>(tree_, 0, static_cast<u32>(fresh), static_cast<u32>(slot));
      Group::sync();
      open<G, Group>(tree_, 0);
      slot = fresh;
    }
    if (Group::leads()) tree_.before[slot] = choice_.tries(slot);
    Group::sync();
    return true;
  }

  [[nodiscard]] QILIN_HD int leader(u32 level) const {
    const bool any_untried = level == 0 || search_.leaves > 1;
    const auto q = any_untried ? choice_.completed() : choice_.completed_but_untried();
    return Group::best(root_.opened,
                       [&](int i) {
                         return is_racing(i) && had(i) == level ? tree_.lead[i] + q.sigma(choice_.q(q, i)) : never;
                       })
        .index;
  }

  // Whom the schedule means has been proven to lose: its visits go to the others.
  [[nodiscard]] QILIN_HD int least_visited() const {
    return Group::best(root_.opened, [&](int i) { return is_racing(i) ? -static_cast<float>(had(i)) : never; }).index;
  }

  // One visit further in the schedule.
  QILIN_HD void advance() {
    Halving h = tree_.head->halving;
    if (--h.left == 0) {
      ++h.level;
      if (--h.rounds == 0) {
        const u32 all = considered();
        if (h.candidates > 1) h.candidates = h.candidates > 3 ? h.candidates / 2 : 2;
        h.rounds = rounds(h.candidates, all, tree_.head->budget);
      }
      h.left = h.candidates;
    }
    Group::sync();
    if (Group::leads()) tree_.head->halving = h;
    Group::sync();
  }

  [[nodiscard]] QILIN_HD u32 considered() const {
    const u32 most = static_cast<u32>(search_.considered);
    return most < root_.count ? most : root_.count;
  }

  // Visits that each of the candidates gets before the next half drops out: every halving costs about the same.
  [[nodiscard]] QILIN_HD static u32 rounds(u32 candidates, u32 all, u32 budget) {
    u32 halvings = 1;
    while ((u32{1} << halvings) < all) ++halvings;
    const u32 n = budget / (halvings * (candidates > 0 ? candidates : 1));
    return n > 0 ? n : 1;
  }

  const Search& search_;
  const Tree<G>& tree_;
  const Node& root_;
  Choice<G, Group> choice_;
};

// Priors at a PUCT root: softened, and mixed with Dirichlet noise.
template <Game G, class Group>
class RootNoise {
 public:
  QILIN_HD RootNoise(const Search& search, const Tree<G>& tree) : search_(search), tree_(tree), root_(tree.nodes[0]) {}

  QILIN_HD void prepare() {
    const bool plain = tree_.head->plain;
    if (search_.root_temperature != 1.0F && !plain) {
      set_priors<G, Group>(tree_, 0, [&](int i) { return portable::log(tree_.clean[i]) / search_.root_temperature; });
    }
    if (search_.noise_weight > 0 && !plain) mix();
    Group::sync();
    const i64 mass = Group::sum(root_.opened, [&](int i) { return portable::fixed(prior(i)); });
    if (Group::leads()) {
      tree_.nodes[0].mass = portable::from_fixed(mass);
      tree_.nodes[0].stage = Stage::expanded;
    }
    Group::sync();
  }

 private:
  [[nodiscard]] QILIN_HD float& prior(int slot) const { return tree_.prior[root_.first + static_cast<u32>(slot)]; }

  // A Dirichlet draw is a draw of gamma variates, divided by their sum.
  QILIN_HD void mix() {
    const float alpha = search_.noise_alpha / static_cast<float>(root_.count), weight = search_.noise_weight;
    const i64 sum = Group::sum(root_.count, [&](int i) {
      tree_.scratch[i] =
          gamma(alpha, Rng(tree_.head->key, noise_stream + tree_.move[root_.first + static_cast<u32>(i)]));
      return portable::fixed(tree_.scratch[i]);
    });
    if (sum == 0) return;
    const float share = weight / portable::from_fixed(sum);
    Group::each(root_.count, [&](int i) { prior(i) = prior(i) * (1.0F - weight) + tree_.scratch[i] * share; });
  }

  // Marsaglia and Tsang's method, for alpha + 1, and brought down to alpha.
  [[nodiscard]] QILIN_HD static float gamma(float alpha, Rng rng) {
    const float d = alpha + 2.0F / 3, c = 1.0F / portable::sqrt(9.0F * d);
    while (true) {
      const float x = normal(rng), t = 1.0F + c * x, v = t * t * t;
      const float u = open_unit(rng);
      if (t > 0 && portable::log(u) < 0.5F * x * x + d * (1.0F - v + portable::log(v))) {
        return d * v * portable::exp(portable::log(open_unit(rng)) / alpha);
      }
    }
  }

  // Marsaglia's polar method: no sine is needed.
  [[nodiscard]] QILIN_HD static float normal(Rng& rng) {
    while (true) {
      const float x = 2.0F * open_unit(rng) - 1.0F, y = 2.0F * open_unit(rng) - 1.0F, square = x * x + y * y;
      if (square > 0 && square < 1) return x * portable::sqrt(-2.0F * portable::log(square) / square);
    }
  }

  const Search& search_;
  const Tree<G>& tree_;
  const Node& root_;
};

// Before the first simulation of a search whose root has been evaluated.
template <Game G, class Group>
QILIN_HD void prepare_root(const Search& search, const Tree<G>& tree) {
  const Node& root = tree.nodes[0];
  Group::each(root.count, [&](int i) { tree.clean[i] = tree.prior[root.first + static_cast<u32>(i)]; });
  if (search.kind == Kind::gumbel) {
    Race<G, Group>(search, tree).prepare();
  } else {
    RootNoise<G, Group>(search, tree).prepare();
  }
  if (Group::leads()) tree.head->prepared = true;
  Group::sync();
}

}  // namespace qilin::forest
