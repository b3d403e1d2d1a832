// Self-play on the host, for any game: the same games on any number of threads and lanes, resumed games go on as if
// nothing had happened, and samples say what the rules say.
#pragma once

#include "contract.hpp"
#include "search/garden.hpp"

namespace qilin::garden_test {

using contract::expect;
using contract::where;
using forest::Search;
using selfplay::Garden, selfplay::Play, selfplay::Sample;

inline constexpr int plots = 6;

// An evaluator of numbers that depend on the planes alone.
inline float opinion(const float* planes, int size, u64 salt) {
  u64 all = salt;
  for (int i = 0; i < size; ++i) all = hash(all, portable::to_bits(planes[i]));
  return Rng(all).unit() * 2 - 1;
}

template <Game G>
void step(Garden<G>& garden) {
  constexpr int size = G::planes * plane_cells<G>;
  std::vector<float> planes(static_cast<std::size_t>(garden.most_rows()) * size);
  const int rows = garden.leaves(planes.data());
  std::vector<float> logits, values;
  for (int row = 0; row < rows; ++row) {
    Rng rng(hash(static_cast<u64>(portable::to_bits(opinion(planes.data() + row * size, size, 1)))));
    for (int i = 0; i < G::moves; ++i) logits.push_back(rng.unit() * 4);
    values.push_back(opinion(planes.data() + row * size, size, 2));
  }
  garden.grow(logits, values, forest::Values::scalar);
}

[[nodiscard]] inline Search search(forest::Kind kind) {
  Search s{.kind = kind, .simulations = 12};
  s.noise_weight = 0.25F;
  s.forced_playouts = 2;
  return s;
}
[[nodiscard]] inline Play play() {
  Play p;
  p.opening_plies = 5;
  p.full_share = 0.5F;
  p.fast_simulations = 4;
  p.resign_below = -0.97F;
  p.resign_check = 0.5F;
  return p;
}

template <Game G>
[[nodiscard]] Garden<G> garden(forest::Kind kind, u64 seed, int threads) {
  return {search(kind), play(), G::start(defaults<G>()), plots, seed, threads};
}

template <Game G>
[[nodiscard]] u64 seal(const std::vector<Sample<G>>& samples) {
  u64 all = samples.size();
  for (const Sample<G>& s : samples) {
    all = hash(all, G::key(s.state), s.game, portable::to_bits(s.value), portable::to_bits(s.surprise), s.ply, s.count,
               s.reply, static_cast<u64>(s.outcome + 1), s.plies_left, static_cast<u64>(s.margin + (1 << 20)));
    for (int i = 0; i < s.count; ++i) all = hash(all, s.moves[i], s.shares[i]);
  }
  return all;
}

template <Game G>
void grow_until(Garden<G>& garden, std::size_t samples) {
  while (garden.ready() < samples) step(garden);
}

template <Game G>
void threads_change_nothing(forest::Kind kind) {
  Garden<G> one = garden<G>(kind, 3, 1), three = garden<G>(kind, 3, 3);
  grow_until(one, 60);
  grow_until(three, 60);
  expect(seal<G>(one.take_samples()) == seal<G>(three.take_samples()), "the same samples on one thread and on three");
}

template <Game G>
void resuming_changes_nothing(forest::Kind kind) {
  Garden<G> first = garden<G>(kind, 4, 1), second = garden<G>(kind, 4, 2);
  grow_until(first, 30);
  for (int i = 0; i < 7; ++i) step(first);
  (void)first.take_samples();
  second.load(first.saved());
  first.forget(false, {});
  second.forget(false, {});
  grow_until(first, 60);
  grow_until(second, 60);
  expect(seal<G>(first.take_samples()) == seal<G>(second.take_samples()), "resumed games go on as if nothing had been");
}

template <Game G>
void damage_is_refused() {
  Garden<G> games = garden<G>(forest::Kind::puct, 5, 1);
  const std::vector<std::byte> saved = games.saved();
  for (const std::size_t size : {saved.size() - 1, std::size_t{3}}) {
    bool refused = false;
    try {
      games.load(std::span(saved).first(size));
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    expect(refused, "saved games that are cut off are refused");
  }
}

// A game as its notes have it, played beside all its images.
template <Game G>
struct Images {
  std::vector<Line<G>> lines;

  Images() {
    for (int i = 0; i < G::symmetries; ++i) lines.emplace_back(G::transform(G::start(defaults<G>()), i));
  }
  void play(const selfplay::Note& note) {
    for (int i = 0; i < G::symmetries; ++i) {
      if constexpr (HasChance<G>) {
        if (note.kind == selfplay::Kind::chance) {
          lines[static_cast<std::size_t>(i)].resolve(note.move);
          continue;
        }
      }
      lines[static_cast<std::size_t>(i)].play(G::transform_move(note.move, i));
    }
  }
};

template <Game G>
void sample_is_true(const Sample<G>& sample, const Images<G>& images, const selfplay::Note& note) {
  const Line<G>& line = images.lines[0];
  where = std::string(G::name) + " " + G::text(line.state);
  const int mover = G::to_move(line.state);
  expect(sample.state == line.state, "a sample's position is the one that was noted");
  expect(sample.value == (mover == 0 ? note.value : -note.value), "its value is the mover's");
  std::set<Move> moves(sample.moves, sample.moves + sample.count);
  for (const Move move : line.legal()) expect(moves.contains(move), "its moves are legal, with the game's past");
  expect(static_cast<int>(moves.size()) == line.legal().size(), "and all of them");
  for (int i = 0; i < G::symmetries; ++i) {
    const Line<G>& image = images.lines[static_cast<std::size_t>(i)];
    const Planes<G> seen = G::encode(image.state, image.past()), told = selfplay::planes_of<G>(sample, i);
    for (int plane = 0; plane < G::planes; ++plane) {
      const bool same = seen[plane].squares == told[plane].squares &&
                        (!seen[plane].squares || seen[plane].value == told[plane].value);
      expect(same, std::string("plane '") + G::plane_names[static_cast<std::size_t>(plane)] + "' under symmetry " +
                       std::to_string(i) + " is that of the game's image");
    }
  }
}

template <Game G>
void targets_are_true(const Sample<G>& sample, const selfplay::Finished& game, const Line<G>& end) {
  const int mover = G::to_move(sample.state);
  expect(sample.outcome == game.progress.result.value(mover), "its outcome is the mover's");
  expect(sample.plies_left == game.progress.plies - sample.ply, "so many plies were left");
  expect(sample.was_finished == !game.progress.resigned, "it knows whether somebody resigned");
  if constexpr (HasMargin<G>) expect(sample.margin == G::margin(end.state), "its margin is that of the end");
  std::optional<Move> reply;
  for (std::size_t i = sample.note; i < game.notes.size() && !reply; ++i) {
    if (game.notes[i].kind != selfplay::Kind::chance && game.notes[i].mover != mover) reply = game.notes[i].move;
  }
  expect(reply.has_value() == (sample.has_reply != 0) && reply.value_or(0) == sample.reply, "its reply is the next");
}

template <Game G>
void samples_are_true(forest::Kind kind) {
  Garden<G> games = garden<G>(kind, 8, 2);
  grow_until(games, 150);
  const std::vector<Sample<G>> samples = games.take_samples();
  std::size_t next = 0, resigned = 0;
  for (const selfplay::Finished& game : games.take_games()) {
    Images<G> images;
    const std::size_t first = next;
    for (const selfplay::Note& note : game.notes) {
      if (note.kind == selfplay::Kind::full) sample_is_true<G>(samples.at(next++), images, note);
      images.play(note);
    }
    // Who resigned had been searched for a move, which was not played.
    if (game.progress.resigned && next < samples.size() && samples[next].game == game.progress.number) ++next;
    const Line<G>& end = images.lines[0];
    resigned += game.progress.resigned;
    expect(end.result().over() != game.progress.resigned, "the rules end the game, or somebody resigns");
    expect(game.progress.resigned || end.result() == game.progress.result, "with the result of the rules");
    for (std::size_t i = first; i < next; ++i) targets_are_true<G>(samples[i], game, end);
  }
  expect(next == samples.size(), "every sample belongs to a game");
}

template <Game G>
int run() {
  where = std::string(G::name);
  for (const forest::Kind kind : {forest::Kind::puct, forest::Kind::gumbel}) {
    threads_change_nothing<G>(kind);
    resuming_changes_nothing<G>(kind);
    samples_are_true<G>(kind);
  }
  damage_is_refused<G>();
  return 0;
}

}  // namespace qilin::garden_test
