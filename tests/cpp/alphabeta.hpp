// What must hold of alpha-beta in every game. Included by tests/cpp/alphabeta_test.cpp.in, once for each game.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "search/fingerprint.hpp"

namespace qilin::alphabeta::test {

// A game under an opinion that is noise: every position is told from every other, and no order of moves is a good
// guess.
template <Game G>
struct Noise : G {};

}  // namespace qilin::alphabeta::test

namespace qilin {

template <Game G>
struct Evaluation<alphabeta::test::Noise<G>> {
  static constexpr double scale = 100;
  static int evaluate(const typename G::State& s) { return static_cast<int>(hash(G::key(s), 1) % 601) - 300; }
  static int order(const typename G::State& s, Move move) { return static_cast<int>(hash(G::key(s), move) % 16); }
};

}  // namespace qilin

namespace qilin::alphabeta::test {

inline std::string where;

inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n  at %s\n", what.c_str(), where.c_str());
  std::exit(1);
}

template <Game G>
void stand_at(const Line<G>& line, int depth) {
  where = std::string(G::name) + " " + G::text(line.state) + " depth " + std::to_string(depth);
}

// The definition: what every cleverness is measured against. At depth 0 the player to move may take the opinion, or, in
// quiescence, try to better it by a noisy move. The budget bounds the nodes; a result that used it up means nothing.
template <Game G>
struct Minimax {
  bool quiescence = false;
  int budget = 20'000;

  Score value(const Line<G>& line, int depth, int ply) {
    if (budget > 0) --budget;
    if (const Result r = line.result(); r.over()) return r.value(G::to_move(line.state)) * win_in(ply);
    if constexpr (HasChance<G>) {
      if (G::is_chance(line.state)) return mean(line, depth, ply);
    }
    const bool leaf = depth <= 0 || budget == 0;
    Score best = leaf ? std::clamp(Evaluation<G>::evaluate(line.state), -max_evaluation, max_evaluation) : -infinite;
    if (budget == 0 || depth <= -selectivity::longest_quiescence) return best;
    for (const Move move : line.legal()) {
      if (!leaf || (quiescence && is_noisy(line.state, move))) best = std::max(best, after(line, move, depth, ply));
    }
    return best;
  }

  // For the player who makes the move.
  Score after(const Line<G>& line, Move move, int depth, int ply) {
    Line<G> next = line;
    next.play(move);
    const Score score = value(next, depth - 1, ply + 1);
    return G::to_move(next.state) == G::to_move(line.state) ? score : -score;
  }

  Score mean(const Line<G>& line, int depth, int ply)
    requires HasChance<G>
  {
    const Outcomes<G> outcomes(line.state);
    Expectation<G> mean(outcomes.total);
    for (const auto& [outcome, weight] : outcomes.list) {
      Line<G> next = line;
      next.resolve(outcome);
      const Score score = value(next, depth, ply);
      mean.add(weight, G::to_move(next.state) == G::to_move(line.state) ? score : -score);
    }
    return mean.value();
  }

  static bool is_noisy(const typename G::State& state, Move move) {
    if constexpr (HasNoisy<G>) return Evaluation<G>::noisy(state, move);
    return false;
  }
};

// The score of every root move, best first.
template <Game G>
std::vector<Score> root_scores(const Line<G>& line, int depth, Minimax<G>& minimax) {
  std::vector<Score> scores;
  for (const Move move : line.legal()) scores.push_back(minimax.after(line, move, depth, 0));
  std::sort(scores.rbegin(), scores.rend());
  return scores;
}

// Some ten random positions all through each of some random games.
template <Game G, class Visit>
void visit_positions(const Settings& settings, int games, u64 seed, Visit&& visit) {
  for (int i = 0; i < games; ++i) {
    Rng rng(seed, static_cast<u64>(i));
    Line<G> line(G::start(settings));
    int next = 0;
    for (int ply = 0; !line.result().over(); ++ply) {
      if (ply >= next && !is_chance<G>(line.state)) {
        visit(line);
        next = ply + 1 + rng.below(3 + ply / 2);
      }
      play_at_random(line, rng);
    }
  }
}

template <Game G>
void line_is_playable(Line<G> line, const Variation& variation) {
  for (const Move move : variation.moves) {
    bool known = false;
    for (const Move other : line.legal()) known |= move == other;
    expect(known, "move " + std::to_string(move) + " of a line is legal where it is played");
    line.play(move);
  }
}

template <Game G>
void scores_as(const Line<G>& line, AlphaBeta<G>& player, int depth, const std::vector<Score>& scores) {
  const Analysis found = player.search(line, {.depth = depth, .lines = 3});
  expect(found.lines.size() == std::min<std::size_t>(3, scores.size()), "there are three lines");
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    expect(found.lines[i].score == scores[i], "line " + std::to_string(i) + " scores as in minimax, " +
                                                  std::to_string(scores[i]) + ", not " +
                                                  std::to_string(found.lines[i].score));
    line_is_playable(line, found.lines[i]);
  }
}

// Plain minimax, with and without a table, by one thread and by two, every line of several.
template <Game G>
int equals_minimax(const Settings& settings, int games, bool quiescence) {
  Options options{.table_mib = 4, .selective = false, .quiescence = quiescence, .strict = true};
  AlphaBeta<G> with(options), small((options.table_mib = 1, options)), without((options.table_mib = 0, options)),
      two((options.table_mib = 4, options.threads = 2, options));
  int compared = 0;
  visit_positions<G>(settings, games, 11, [&](const Line<G>& line) {
    Minimax<G> minimax{.quiescence = quiescence};
    for (int depth = 1; depth <= 8; ++depth) {
      const std::vector<Score> scores = root_scores<G>(line, depth, minimax);
      if (minimax.budget == 0) break;
      stand_at(line, depth);
      for (AlphaBeta<G>* player : {&with, &small, &without, &two}) scores_as(line, *player, depth, scores);
      ++compared;
    }
  });
  return compared;
}

template <Game G>
bool same(const Analysis& a, const Analysis& b) {
  return a.nodes == b.nodes && a.depth == b.depth && a.lines[0].score == b.lines[0].score &&
         a.lines[0].moves == b.lines[0].moves;
}

// The same search twice, node for node; a limit on nodes kept to the node; a legal answer whatever the limit.
template <Game G>
void limits_hold(const Settings& settings, int games) {
  AlphaBeta<G> player({.table_mib = 1});
  visit_positions<G>(settings, games, 12, [&](const Line<G>& line) {
    stand_at(line, 0);
    player.clear();
    const Analysis first = player.search(line, {.nodes = 3000});
    player.clear();
    expect(same<G>(first, player.search(line, {.nodes = 3000})), "the same search gives the same answer");
    expect(first.nodes <= 3000, "3000 nodes are enough, it took " + std::to_string(first.nodes));
    line_is_playable(line, first.lines[0]);
    for (const u64 nodes : {1, 2, 10, 100}) {
      const Analysis hasty = player.search(line, {.nodes = nodes, .lines = 2});
      expect(!hasty.lines.empty() && !hasty.lines[0].moves.empty(), "there is an answer after so few nodes");
      expect(hasty.nodes <= nodes, "the limit is kept");
      for (const Variation& variation : hasty.lines) line_is_playable(line, variation);
    }
    const std::atomic<bool> stop{true};
    const Analysis stopped = player.search(line, {}, {}, &stop);
    expect(stopped.stopped == Stopped::asked || stopped.stopped == Stopped::proven, "it stops when it is told to");
  });
}

// No answer comes later than its time, by the clock of the process.
template <Game G>
void time_holds(const Settings& settings) {
  AlphaBeta<G> player({.table_mib = 4});
  AlphaBeta<G> pair({.table_mib = 4, .threads = 2});
  Time worst{};
  for (const Line<G>& line : sample_positions<G>(settings, 6)) {
    for (AlphaBeta<G>* one : {&player, &pair}) {
      const Analysis found = one->search(line, {.time = std::chrono::milliseconds(20)});
      stand_at(line, found.depth);
      worst = std::max(worst, found.time);
      expect(found.stopped != Stopped::running, "there is a reason why it stopped");
    }
  }
  const double ms = std::chrono::duration<double, std::milli>(worst).count();
  std::printf("%s: asked for 20 ms, the slowest answer came after %.2f ms\n", std::string(G::name).c_str(), ms);
}

// What an evaluation calls promising is legal, and named once.
template <HasPromising G>
void promises_hold(const Settings& settings, int games) {
  for (const Line<G>& line : sample_positions<G>(settings, games)) {
    std::set<Move> legal, seen;
    for (const Move move : line.legal()) legal.insert(move);
    Evaluation<G>::promising(line.state, line.past(), [&](Move move) {
      stand_at(line, 0);
      expect(legal.count(move) == 1, "what is promising is legal");
      expect(seen.insert(move).second, "and is named once");
    });
  }
}

template <Game G>
int run(int games) {
  int compared = 0;
  const int presets = G::options.size() > 0 ? std::max(1, G::options[0].choice_count()) : 1;
  for (int preset = 0; preset < presets; ++preset) {
    const Settings settings = defaults<G>(preset);
    compared += equals_minimax<G>(settings, games, false) + equals_minimax<Noise<G>>(settings, games, false);
    if constexpr (HasNoisy<G>) compared += equals_minimax<G>(settings, games, true);
    if constexpr (HasPromising<G>) promises_hold<G>(settings, games);
    limits_hold<G>(settings, games);
    time_holds<G>(settings);
  }
  std::printf("%s: equals minimax in %d searches\n", std::string(G::name).c_str(), compared);
  return 0;
}

}  // namespace qilin::alphabeta::test
