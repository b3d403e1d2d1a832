// Random play, alone and as many lanes of a card would play it; perft, by recursion and by pools. What a kernel will
// run, run where there is no card. Included by playout_test.cpp.in, which CMake writes out once for each header of
// cpp/games/.
#pragma once

#include <array>
#include <fstream>

#include "contract.hpp"
#include "cuda/perft.hpp"
#include "cuda/playouts.hpp"

namespace qilin::contract::random_play {

template <Game G>
Tally play(const typename G::State& start, u64 seed, u64 games, int most_plies = G::max_plies) {
  std::vector<u64> keys(past_room<G>);
  Tally tally;
  for (u64 i = 0; i < games; ++i) tally.add(playout<G>({start, keys.data()}, Rng(seed, i), most_plies));
  return tally;
}

// The plain way: a Line, a list of moves, and nothing shared with search/playout.hpp but the random numbers.
template <Game G>
Ending play_plainly(const typename G::State& start, Rng rng) {
  Line<G> line(start);
  Ending ending;
  while (!line.result().over()) {
    ending.plies += !is_chance<G>(line.state);
    random_ply(line, rng);
  }
  ending.result = line.result();
  return ending;
}

template <Game G>
void equals_plain_play(const typename G::State& start) {
  std::vector<u64> keys(past_room<G>);
  for (u64 i = 0; i < 50; ++i) {
    const Ending fast = playout<G>({start, keys.data()}, Rng(7, i)), plain = play_plainly<G>(start, Rng(7, i));
    expect(fast.result == plain.result && fast.plies == plain.plies, "playout " + std::to_string(i) + " is plain play");
  }
}

template <Game G>
void is_a_function_of_its_seed(const typename G::State& start) {
  expect(play<G>(start, 1, 40) == play<G>(start, 1, 40), "the same seed plays the same games");
  expect(!(play<G>(start, 1, 40) == play<G>(start, 2, 40)), "another seed plays other games");
}

template <Game G>
void stops_where_told(const typename G::State& start) {
  const Tally none = play<G>(start, 1, 10, 0), few = play<G>(start, 1, 10, 3);
  expect(none.plies == 0 && none.unfinished == 10, "no plies, no ends");
  expect(few.plies == 30 && few.unfinished == 10, "three plies each");
}

template <Game G>
void lanes_play_the_same_games(const typename G::State& start) {
  qilin::cuda::Host host;
  for (const u64 blocks : {1, 3}) {
    qilin::cuda::WidePlayouts<G, qilin::cuda::Host> wide(host, blocks);
    for (const u64 games : {u64{1}, u64{100}}) {
      expect(wide(start, 5, games, G::max_plies) == play<G>(start, 5, games), "lanes play what a thread plays");
      expect(wide(start, 5, games, 4) == play<G>(start, 5, games, 4), "and stop where told");
    }
  }
}

template <Game G>
void pools_count_what_recursion_counts(const typename G::State& state) {
  qilin::cuda::Host host;
  for (const u64 room : {qilin::cuda::most_children<G>, 3 * qilin::cuda::most_children<G> + 1}) {
    for (int depth = 0; depth <= 3; ++depth) {
      const u64 wide = qilin::cuda::WidePerft<G, qilin::cuda::Host>(host, depth, room)(state);
      expect(wide == perft<G>(state, depth), "perft " + std::to_string(depth) + " by pools is perft");
    }
  }
}

template <Game G>
void pools_count_along_a_game(const typename G::State& start) {
  Line<G> line(start);
  Rng rng(3);
  for (int i = 0; !line.result().over(); ++i) {
    where = G::text(line.state);
    if (i % 8 == 0 || is_chance<G>(line.state)) pools_count_what_recursion_counts<G>(line.state);
    random_ply(line, rng);
  }
  pools_count_what_recursion_counts<G>(line.state);
}

// Mean plies, and the shares of first wins, second wins and draws in percent.
inline std::array<double, 4> summary(const Tally& tally) {
  const double games = static_cast<double>(tally.games());
  const auto percent = [&](u64 n) { return 100 * static_cast<double>(n) / games; };
  return {static_cast<double>(tally.plies) / games, percent(tally.first_wins), percent(tally.second_wins),
          percent(tally.draws)};
}

// tests/playouts has a line for games whose random play somebody else has counted too.
template <Game G>
void is_what_others_found(const Tally& tally) {
  where = "tests/playouts/" + std::string(G::name) + ".txt";
  std::ifstream table(where);
  std::string comment;
  std::array<double, 4> found = summary(tally), known{};
  char bar = 0;
  if (!std::getline(table, comment)) return;
  expect(bool(table >> known[0] >> bar >> known[1] >> known[2] >> known[3]), "the line is as the comment says");
  expect(std::abs(found[0] - known[0]) < 0.03 * known[0], "games last " + std::to_string(found[0]) + " plies");
  for (std::size_t i = 1; i < 4; ++i) {
    expect(std::abs(found[i] - known[i]) < 4, "share " + std::to_string(i) + " is " + std::to_string(found[i]) + " %");
  }
}

template <Game G>
void report(const Tally& tally) {
  const auto [plies, first, second, drawn] = summary(tally);
  std::printf("%s: %d playouts, mean %.1f plies, first %.1f %%, second %.1f %%, drawn %.1f %%\n",
              std::string(G::name).c_str(), static_cast<int>(tally.games()), plies, first, second, drawn);
}

template <Game G>
int run() {
  for (const Settings& settings : all_settings<G>()) {
    const typename G::State start = G::start(settings);
    where = G::text(start);
    equals_plain_play<G>(start);
    is_a_function_of_its_seed<G>(start);
    stops_where_told<G>(start);
    lanes_play_the_same_games<G>(start);
  }
  pools_count_along_a_game<G>(G::start(defaults<G>()));
  const Tally tally = play<G>(G::start(defaults<G>()), 1, 2000);
  report<G>(tally);
  is_what_others_found<G>(tally);
  return 0;
}

}  // namespace qilin::contract::random_play
