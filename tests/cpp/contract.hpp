// What must hold for every game, whatever its rules: one suite, no exemptions. Included by
// tests/cpp/contract_test.cpp.in, which CMake writes out once for each header of cpp/games/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/line.hpp"
#include "core/rng.hpp"
#include "search/perft.hpp"

namespace qilin::contract {

inline std::string where;  // the position under test, for the message

inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n  at %s\n", what.c_str(), where.c_str());
  std::exit(1);
}

template <Game G>
std::vector<Move> sorted_legal(const typename G::State& s, Past past = {}) {
  const MoveList<G> list = legal_list<G>(s, past);
  std::vector<Move> moves(list.begin(), list.end());
  std::sort(moves.begin(), moves.end());
  return moves;
}

template <Game G>
void text_comes_back(const typename G::State& s, const Settings& settings) {
  try {
    expect(G::parse(G::text(s), settings) == s,
           "parse(text) gives the same state; it gave " + G::text(G::parse(G::text(s), settings)));
  } catch (const std::exception& error) {
    expect(false, std::string("parse(text) accepts what text wrote; it said: ") + error.what());
  }
}

template <Game G>
void legal_xor_over(const Line<G>& line) {
  const MoveList<G> legal = line.legal();
  const bool chance = is_chance<G>(line.state);
  expect(line.result().over() + (legal.size() > 0) + chance == 1,
         "exactly one of over, legal moves, chance: over=" + std::to_string(line.result().over()) +
             " legal=" + std::to_string(legal.size()) + " chance=" + std::to_string(chance));
  expect(line.result().reason < G::reasons.size(), "the reason has a name");
  const int to_move = G::to_move(line.state);
  expect(to_move == 0 || to_move == 1, "the player to move is 0 or 1");
  expect(count_legal<G>(line.state) == legal_list<G>(line.state).size(), "count_legal counts what legal visits");
}

template <Game G>
void moves_are_distinct(const Line<G>& line) {
  std::map<std::string, Move> texts;
  std::set<Move> indices;
  std::string collisions;
  for (const Move move : line.legal()) {
    expect(move < G::moves, "policy index " + std::to_string(move) + " is below " + std::to_string(G::moves));
    const std::string text = G::move_text(line.state, move);
    if (!indices.insert(move).second) collisions += " index " + std::to_string(move) + " twice (" + text + ")";
    const auto [other, fresh] = texts.try_emplace(text, move);
    if (!fresh) collisions += " '" + text + "' is " + std::to_string(other->second) + " and " + std::to_string(move);
  }
  expect(collisions.empty(), "a move has one index and one text:" + collisions);
}

template <Game G>
void chance_sums_to_one(const typename G::State& s) {
  if constexpr (HasChance<G>) {
    if (!G::is_chance(s)) return;
    int total = 0, outcomes = 0;
    std::set<int> seen;
    G::outcomes(s, [&](int outcome, int weight) {
      expect(weight > 0, "an outcome that is listed can happen");
      expect(outcome >= 0 && outcome < static_cast<int>(G::outcome_names.size()), "an outcome has a name");
      expect(seen.insert(outcome).second, "an outcome is listed once");
      total += weight;
      ++outcomes;
    });
    expect(outcomes > 0 && total > 0, "chance has something to answer");
  }
}

template <Game G>
void planes_are_in_range(const typename G::State& s, Past past) {
  const auto planes = G::encode(s, past);
  const auto board = G::Grid::template board<typename G::Bits>();
  for (int i = 0; i < G::planes; ++i) {
    const std::string name = std::string("plane '") + G::plane_names[static_cast<std::size_t>(i)] + "'";
    expect(!(planes[i].squares & ~board), name + " lies on the board");
    expect(std::isfinite(planes[i].value) && std::abs(planes[i].value) <= 1, name + " is between -1 and 1");
  }
}

template <Game G>
void symmetry_is_exact(const typename G::State& s, int symmetry, Past past) {
  const std::string tag = "symmetry " + std::to_string(symmetry) + ": ";
  const auto turned = G::transform(s, symmetry);
  std::vector<Move> expected;
  for (const Move move : sorted_legal<G>(s)) {
    const Move moved = G::transform_move(move, symmetry);
    expected.push_back(moved);
    expect(G::play(turned, moved) == G::transform(G::play(s, move), symmetry),
           tag + "playing " + G::move_text(s, move) + " and turning commute");
  }
  std::sort(expected.begin(), expected.end());
  expect(sorted_legal<G>(turned) == expected, tag + "the legal moves turn with the board");
  expect(G::result(turned) == G::result(s), tag + "the result stays");
  const auto planes = G::encode(s, past), turned_planes = G::encode(turned, past);
  for (int i = 0; i < G::planes; ++i) {
    const auto squares = G::Grid::transform_all(planes[i].squares, symmetry);
    expect(past.length > 0 || turned_planes[i].squares == squares,
           tag + "plane '" + G::plane_names[static_cast<std::size_t>(i)] + "' turns with the board");
  }
  if constexpr (HasMargin<G>) expect(G::margin(turned) == G::margin(s), tag + "the margin stays");
  if constexpr (HasOwnership<G>) {
    for (int player = 0; player < 2; ++player) {
      expect(G::ownership(turned)[player] == G::Grid::transform_all(G::ownership(s)[player], symmetry),
             tag + "ownership turns with the board");
    }
  }
}

template <Game G>
void check_position(const Line<G>& line, const Settings& settings) {
  where = std::string(G::name) + " " + G::text(line.state);
  text_comes_back<G>(line.state, settings);
  legal_xor_over(line);
  moves_are_distinct(line);
  chance_sums_to_one<G>(line.state);
  planes_are_in_range<G>(line.state, line.past());
  for (int symmetry = 0; symmetry < G::symmetries; ++symmetry) symmetry_is_exact<G>(line.state, symmetry, {});
}

// Answers what was played: a move, or an outcome of chance.
template <Game G>
int random_ply(Line<G>& line, Rng& rng) {
  if constexpr (HasChance<G>) {
    if (G::is_chance(line.state)) {
      const int outcome = draw_outcome<G>(line.state, rng);
      line.resolve(outcome);
      return outcome;
    }
  }
  const MoveList<G> moves = line.legal();
  const Move move = moves[rng.below(moves.size())];
  line.play(move);
  return move;
}

// A game's images under every symmetry, played in step with it: what the past decides turns with the board too.
template <Game G>
class Images {
 public:
  explicit Images(const typename G::State& start) {
    for (int symmetry = 0; symmetry < G::symmetries; ++symmetry) images_.emplace_back(G::transform(start, symmetry));
  }

  void play(int chosen) {
    for (int i = 0; i < G::symmetries; ++i) {
      if constexpr (HasChance<G>) {
        if (G::is_chance(image(i).state)) {
          image(i).resolve(chosen);
          continue;
        }
      }
      image(i).play(G::transform_move(static_cast<Move>(chosen), i));
    }
  }

  void are_exact(const Line<G>& line) {
    const auto planes = G::encode(line.state, line.past());
    for (int symmetry = 0; symmetry < G::symmetries; ++symmetry) {
      const std::string tag = "with its past, symmetry " + std::to_string(symmetry) + ": ";
      const Line<G>& turned = image(symmetry);
      std::vector<Move> expected;
      for (const Move move : line.legal()) expected.push_back(G::transform_move(move, symmetry));
      std::sort(expected.begin(), expected.end());
      expect(sorted_legal<G>(turned.state, turned.past()) == expected, tag + "the legal moves turn with the board");
      expect(turned.result() == line.result(), tag + "the result stays");
      const auto turned_planes = G::encode(turned.state, turned.past());
      for (int i = 0; i < G::planes; ++i) {
        const std::string name = std::string("plane '") + G::plane_names[static_cast<std::size_t>(i)] + "'";
        expect(turned_planes[i].squares == G::Grid::transform_all(planes[i].squares, symmetry) &&
                   turned_planes[i].value == planes[i].value,
               tag + name + " turns with the board");
      }
    }
  }

 private:
  Line<G>& image(int symmetry) { return images_[static_cast<std::size_t>(symmetry)]; }

  std::vector<Line<G>> images_;
};

template <Game G>
void random_game(const Settings& settings, u64 seed, bool (*keep_looking)(u64)) {
  Rng rng(seed);
  Line<G> line(G::start(settings));
  Images<G> images(line.state);
  int plies = 0;
  for (; !line.result().over(); plies += !is_chance<G>(line.state)) {
    if (keep_looking(rng.next())) {
      check_position(line, settings);
      images.are_exact(line);
    }
    images.play(random_ply(line, rng));
    if constexpr (HasPast<G>) expect(static_cast<int>(line.keys.size()) <= G::max_past, "the past stays in its bound");
  }
  check_position(line, settings);
  images.are_exact(line);
  expect(plies <= G::max_plies, std::to_string(plies) + " plies stay within max_plies");
}

// Every preset, and every choice of every other option, one at a time.
template <Game G>
std::vector<Settings> all_settings() {
  std::vector<Settings> all;
  const int presets = G::options.size() > 0 ? std::max(1, G::options[0].choice_count()) : 1;
  for (int preset = 0; preset < presets; ++preset) {
    all.push_back(defaults<G>(preset));
    for (std::size_t i = 1; i < G::options.size(); ++i) {
      for (int value = 0; value < G::options[i].choice_count(); ++value) {
        all.push_back(defaults<G>(preset));
        all.back()[static_cast<int>(i)] = value;
      }
    }
  }
  return all;
}

template <Game G>
int run(int games) {
  int played = 0;
  for (const Settings& settings : all_settings<G>()) {
    for (int i = 0; i < games; ++i, ++played) {
      random_game<G>(settings, static_cast<u64>(i), [](u64 x) { return x % 4 == 0; });
    }
  }
  std::printf("%s: contract holds over %d random games\n", std::string(G::name).c_str(), played);
  return 0;
}

}  // namespace qilin::contract
