// A plot: a game under way, played by its tree against itself. Notes say how it came to where it stands; samples wait
// for its end, to learn who won.
//
//    open ──▶ take_turn ──▶ take_turn … ──▶ close ──▶ (whoever runs this takes what has grown) ──▶ open …
//
//    progress │ notes  e2 e5 K …  │ samples  ■ ■ ■ … │ tree
//
// Every random number is keyed by the run's seed, the game's number and the place in the game: the same game comes out
// on any number of lanes and threads, and on a card.
#pragma once

#include "search/decide.hpp"
#include "search/replant.hpp"
#include "search/sample.hpp"
#include "search/simulate.hpp"

namespace qilin::selfplay {

// How games are made. A plain value: kernels get a copy.
struct Play {
  float temperature = 1;         // of the choice of moves, at the first ply,
  float temperature_end = 0.1F;  // that it falls to,
  float temperature_plies = 12;  // the distance halving in so many plies
  int opening_plies = 0;         // at most so many random plies before a game counts,
  int first_plies = 0;           // and before the first game of a plot, so that games do not all end together
  float full_share = 1;          // of the plies that are searched in full and learned from; the others are fast
  int fast_simulations = 16;     // of those
  float resign_below = -2;       // for the player to move; below -1: nobody resigns
  float resign_check = 0.1F;     // share of games that go on all the same, to see who was right
  bool reuse = true;             // keep the subtree of the move played
};

enum class Kind : u8 { opening, full, fast, chance };

// One event of a game.
struct Note {
  float value = 0;  // of the search, for player 0
  Move move = 0;    // or outcome
  u8 mover = 0;
  Kind kind = Kind::opening;
};

inline constexpr u8 neither = 2;

struct Progress {
  u64 number = 0;   // of the game
  u32 round = 0;    // games this plot has begun
  u16 plies = 0;    // chance events are none
  u16 opening = 0;  // of them at random
  u16 notes = 0;
  u16 samples = 0;
  u16 left_out = 0;         // samples for which there was no room
  bool full = false;        // the search under way is one to learn from
  bool over = false;        // the game has ended, and waits to be closed
  bool is_checked = false;  // nobody resigns in this one
  u8 resigner = neither;    // who gave up, or would have
  bool resigned = false;    // and did
  Result result;
};

// Notes that a game may need: a ply, and what chance answers.
template <class G>
inline constexpr int most_notes = G::max_plies + 16;
template <HasChance G>
inline constexpr int most_notes<G> = 2 * G::max_plies + 16;

// Samples that a game may keep: of the longest games the last ones are left out, and counted.
template <class G>
inline constexpr int most_samples = G::max_plies < 512 ? G::max_plies : 512;

// A game that has ended, in memory of fixed size.
template <Game G>
struct Record {
  Progress progress;
  Note notes[most_notes<G>];
};

template <Game G>
struct Plot {
  forest::Tree<G> tree;
  Progress* progress;
  Note* notes;
  Sample<G>* samples;
};

// What lies beside the trees: a block for each plot.
template <Game G>
[[nodiscard]] QILIN_HD Plot<G> deal_plot(forest::Dealer& dealer, const forest::Tree<G>& tree) {
  Plot<G> plot{tree, nullptr, nullptr, nullptr};
  plot.progress = dealer.deal<Progress>(1);
  plot.notes = dealer.deal<Note>(most_notes<G>);
  plot.samples = dealer.deal<Sample<G>>(most_samples<G>);
  return plot;
}

template <Game G>
[[nodiscard]] QILIN_HD u64 plot_bytes() {
  forest::Dealer dealer(nullptr);
  (void)deal_plot<G>(dealer, {});
  return dealer.used();
}

template <Game G>
[[nodiscard]] QILIN_HD Plot<G> plot_at(std::byte* memory, const forest::Tree<G>& tree, u64 index) {
  forest::Dealer dealer(memory + plot_bytes<G>() * index);
  return deal_plot<G>(dealer, tree);
}

// All that the games of a run have in common. A plain value.
template <Game G>
struct Program {
  forest::Search search;
  Play play;
  typename G::State start;
  u64 seed = 0;
  u64 plots = 1;  // the n-th game of plot p has number p + n * plots
};

// What is done to one plot, by a lane group.
template <Game G, class Group>
class Turn {
 public:
  QILIN_HD Turn(const Program<G>& program, const Plot<G>& plot)
      : program_(program), plot_(plot), tree_(plot.tree), progress_(*plot.progress) {}

  // A new game, after some plies at random.
  QILIN_HD void open(u64 index) {
    Progress fresh;
    fresh.round = progress_.round + 1;
    fresh.number = index + u64{progress_.round} * program_.plots;
    Group::sync();
    if (Group::leads()) {
      progress_ = fresh;
      *tree_.head = {};
    }
    Group::sync();
    play_opening();
    if (Group::leads()) {
      progress_.opening = progress_.plies;
      progress_.is_checked = draw(check_stream).unit() < program_.play.resign_check;
    }
    Group::sync();
    begin_search();
  }

  // The search is done: plays its ply, and whatever chance answers. The next search begins, or the game is over.
  QILIN_HD void take() {
    const forest::Decision<G, Group> decision(program_.search, tree_);
    const forest::Stats outlook = decision.outlook();
    const u8 mover = tree_.nodes[0].mover;
    const float value = mover == 0 ? outlook.value : -outlook.value;
    if (progress_.full) keep_sample(decision, value, outlook.draws);
    if (gives_up(mover, value)) return end(Result::win(1 - mover, 0), true);
    const int slot = decision.sample(temperature());
    const Move move = tree_.move[tree_.nodes[0].first + static_cast<u32>(slot)];
    note({outlook.value, move, mover, progress_.full ? Kind::full : Kind::fast});
    follow(slot);
    if (tree_.nodes[0].count > 0) return begin_search();
    end(result<G>(tree_.states[0], past()), false);
  }

  // The game is over: its samples learn how it went on.
  QILIN_HD void close() const {
    const typename G::State& last = tree_.states[0];
    Owned<G> owned{};
    int margin = 0;
    if constexpr (HasMargin<G>) margin = G::margin(last);
    if constexpr (HasOwnership<G>) {
      const auto at_the_end = G::ownership(last);
      for (int player = 0; player < 2; ++player) owned.by_player[player] = at_the_end[player];
    }
    Group::each(progress_.samples, [&](int i) {
      Sample<G>& sample = plot_.samples[i];
      const int mover = G::to_move(sample.state);
      sample.owned = owned;
      sample.margin = margin;
      sample.outcome = static_cast<i8>(progress_.result.value(mover));
      sample.plies_left = static_cast<u16>(progress_.plies - sample.ply);
      sample.was_finished = !progress_.resigned;
      find_reply(sample, mover);
    });
  }

  // The network has changed: what the tree holds are opinions of the old one. The search begins anew.
  QILIN_HD void forget() const {
    const typename G::State state = tree_.states[0];
    forest::plant<G, Group>(tree_, state);
    search_again();
  }

 private:
  static constexpr u64 opening_stream = 0, check_stream = 1, pace_stream = u64{1} << 32, chance_stream = u64{2} << 32;
  static constexpr int attempts = 16;  // at an opening that does not end the game

  [[nodiscard]] QILIN_HD Rng draw(u64 stream) const { return Rng(hash(program_.seed, progress_.number), stream); }
  [[nodiscard]] QILIN_HD Past past() const { return {tree_.keys, static_cast<int>(tree_.head->history)}; }

  QILIN_HD void note(const Note& event) const {
    Group::sync();
    if (Group::leads()) plot_.notes[progress_.notes++] = event;
    Group::sync();
  }

  // ---- the opening

  QILIN_HD void play_opening() const {
    Rng rng = draw(opening_stream);
    const Play& play = program_.play;
    const int most =
        progress_.round == 1 && play.first_plies > play.opening_plies ? play.first_plies : play.opening_plies;
    Walk<G> walk{program_.start, tree_.keys};
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const int plies = attempt + 1 < attempts ? rng.below(most + 1) : 0;
      walk = {program_.start, tree_.keys};
      Group::sync();
      if (Group::leads()) progress_.notes = progress_.plies = 0;
      Group::sync();
      if (wander(walk, plies, rng)) break;
    }
    if (Group::leads()) tree_.head->history = static_cast<u32>(walk.length);
    Group::sync();
    forest::plant<G, Group>(tree_, walk.state);
  }

  // Plies at random, each with what chance answers. False: the game is over.
  QILIN_HD bool wander(Walk<G>& walk, int plies, Rng& rng) const {
    for (int ply = 0; ply < plies; ++ply) {
      int n = 0;
      legal<G>(walk.state, walk.past(), [&](Move) { ++n; });
      if (n == 0) return false;
      Move chosen = 0;
      int ticket = rng.below(n);
      legal<G>(walk.state, walk.past(), [&](Move move) {
        if (ticket-- == 0) chosen = move;
      });
      note({0, chosen, static_cast<u8>(G::to_move(walk.state)), Kind::opening});
      walk.advance(G::play(walk.state, chosen));
      if (Group::leads()) ++progress_.plies;
      Group::sync();
      settle(walk, rng);
    }
    return !result<G>(walk.state, walk.past()).over();
  }

  QILIN_HD void settle([[maybe_unused]] Walk<G>& walk, [[maybe_unused]] Rng& rng) const {
    if constexpr (HasChance<G>) {
      while (G::is_chance(walk.state)) {
        const int outcome = draw_outcome<G>(walk.state, rng);
        note({0, static_cast<Move>(outcome), static_cast<u8>(G::to_move(walk.state)), Kind::chance});
        walk.advance(G::resolve(walk.state, outcome));
      }
    }
  }

  // ---- a ply

  QILIN_HD void begin_search() const {
    const bool full = draw(pace_stream + progress_.notes).unit() < program_.play.full_share;
    Group::sync();
    if (Group::leads()) progress_.full = full;
    Group::sync();
    search_again();
  }
  QILIN_HD void search_again() const {
    const int simulations = progress_.full ? program_.search.simulations : program_.play.fast_simulations;
    forest::begin_search<G, Group>(program_.search, tree_, program_.seed, progress_.number,
                                   static_cast<u32>(simulations), !progress_.full);
  }

  [[nodiscard]] QILIN_HD float temperature() const {
    const Play& play = program_.play;
    if (play.temperature_plies <= 0) return play.temperature_end;
    const float halvings = static_cast<float>(progress_.plies - progress_.opening) / play.temperature_plies;
    return play.temperature_end + (play.temperature - play.temperature_end) * portable::exp(-0.6931472F * halvings);
  }

  QILIN_HD void follow(int slot) const {
    forest::follow_root_edge<G, Group>(tree_, slot, program_.play.reuse);
    if (Group::leads()) ++progress_.plies;
    Group::sync();
    if constexpr (HasChance<G>) {
      while (tree_.nodes[0].chance) {
        Rng rng = draw(chance_stream + progress_.notes);
        const int outcome = draw_outcome<G>(tree_.states[0], rng);
        note({0, static_cast<Move>(outcome), tree_.nodes[0].mover, Kind::chance});
        const int to = forest::find_edge<G, Group>(tree_, static_cast<Move>(outcome));
        forest::follow_root_edge<G, Group>(tree_, to, program_.play.reuse);
      }
    }
  }

  // Whether the player to move resigns. Who would have, in a game that is checked, is remembered.
  [[nodiscard]] QILIN_HD bool gives_up(u8 mover, float value) const {
    const float least = program_.play.resign_below;
    if (least < -1 || value >= least) return false;
    Group::sync();
    if (Group::leads() && progress_.resigner == neither) progress_.resigner = mover;
    Group::sync();
    return !progress_.is_checked;
  }

  QILIN_HD void end(const Result& result, bool resigned) const {
    Group::sync();
    if (Group::leads()) {
      progress_.over = true;
      progress_.result = result;
      progress_.resigned = resigned;
    }
    Group::sync();
  }

  // ---- samples

  QILIN_HD void keep_sample(const forest::Decision<G, Group>& decision, float value, float draws) const {
    if (progress_.samples == most_samples<G>) {
      Group::sync();
      if (Group::leads()) ++progress_.left_out;
      return Group::sync();
    }
    const forest::Node& root = tree_.nodes[0];
    Sample<G>& sample = plot_.samples[progress_.samples];
    decision.write_policy(tree_.scratch);
    const float* policy = tree_.scratch;
    // What lay here before is wiped away to the last byte: a game that was resumed makes the same samples.
    Group::each(G::max_legal, [&](int i) {
      const bool has_move = i < root.count;
      sample.moves[i] = has_move ? tree_.move[root.first + static_cast<u32>(i)] : Move{0};
      sample.shares[i] = has_move ? to_share(policy[i]) : u16{0};
    });
    const i64 surprise = Group::sum(root.count, [&](int i) {
      const float share = policy[i];
      return share > 0 ? portable::fixed(share * (portable::log(share) - portable::log(decision.prior(i)))) : 0;
    });
    const Recall<G> recall = Recall<G>::of(tree_.states[0], past());
    Group::sync();
    if (Group::leads()) {
      sample.state = tree_.states[0];
      sample.recall = recall;
      sample.game = progress_.number;
      sample.value = value;
      sample.draws = draws;
      sample.surprise = portable::from_fixed(surprise);
      sample.weight = 1;
      sample.ply = progress_.plies;
      sample.note = progress_.notes;
      sample.count = root.count;
      sample.owned = {};
      sample.margin = 0;
      sample.plies_left = 0;
      sample.reply = 0;
      sample.has_reply = sample.was_finished = 0;
      sample.outcome = 0;
      ++progress_.samples;
    }
    Group::sync();
  }

  QILIN_HD void find_reply(Sample<G>& sample, int mover) const {
    sample.has_reply = 0;
    sample.reply = 0;
    for (int i = sample.note; i < progress_.notes && !sample.has_reply; ++i) {
      const Note& later = plot_.notes[i];
      if (later.kind == Kind::chance || later.mover == mover) continue;
      sample.reply = later.move;
      sample.has_reply = 1;
    }
  }

  const Program<G>& program_;
  const Plot<G>& plot_;
  const forest::Tree<G>& tree_;
  Progress& progress_;
};

}  // namespace qilin::selfplay
