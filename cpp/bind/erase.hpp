// Fills the table of rules.hpp for one game. The only place where a template meets a function pointer.
#pragma once

#include <algorithm>
#include <cstring>

#include "bind/rules.hpp"
#include "core/evaluation.hpp"
#include "core/line.hpp"
#include "core/text.hpp"
#include "search/perft.hpp"
#include "search/score.hpp"

namespace qilin::bind {

template <Game G>
struct Erase {
  using State = typename G::State;
  using Bits = typename G::Bits;
  using Grid = typename G::Grid;
  static constexpr int cells = Grid::rows * Grid::cols;

  static const State& state(const Position& p) { return *reinterpret_cast<const State*>(p.state); }
  static Past past(const std::vector<u64>& keys) { return {keys.data(), static_cast<int>(keys.size())}; }

  static Position box(const State& state, std::vector<u64> keys = {}) {
    Position p{rules(), {}, std::move(keys)};
    std::memcpy(p.state, &state, sizeof state);
    return p;
  }
  static Line<G> line(const Position& p) {
    Line<G> line(state(p));
    line.keys = p.keys;
    return line;
  }

  static Position play(const Position& p, Move move) {
    Line<G> next = line(p);
    next.play(move);
    return box(next.state, std::move(next.keys));
  }
  static Position resolve([[maybe_unused]] const Position& p, [[maybe_unused]] int outcome) {
    if constexpr (HasChance<G>) {
      Line<G> next = line(p);
      next.resolve(outcome);
      return box(next.state, std::move(next.keys));
    } else {
      refuse(std::string(G::name) + " has no chance events");
    }
  }

  static std::vector<Move> legal(const Position& p) {
    const MoveList<G> list = legal_list<G>(state(p), past(p.keys));
    std::vector<Move> moves(list.begin(), list.end());
    std::sort(moves.begin(), moves.end());
    return moves;
  }
  static std::vector<std::pair<int, int>> outcomes([[maybe_unused]] const Position& p) {
    std::vector<std::pair<int, int>> all;
    if constexpr (HasChance<G>) {
      if (G::is_chance(state(p))) {
        G::outcomes(state(p), [&](int outcome, int weight) { all.emplace_back(outcome, weight); });
      }
    }
    return all;
  }
  static int margin([[maybe_unused]] const State& s) {
    if constexpr (HasMargin<G>) return G::margin(s);
    return 0;
  }

  static double win_probability(const Position& p) {
    const Result r = qilin::result<G>(state(p), past(p.keys));
    if (r.over()) return (1 + r.value(G::to_move(state(p)))) / 2.0;
    return qilin::win_probability<G>(Evaluation<G>::evaluate(state(p)));
  }

  static void paint(Plane<Bits> plane, float* out) {
    std::fill_n(out, cells, 0.0F);
    each(plane.squares, [&](int square) { out[Grid::pack(square)] = plane.value; });
  }
  static void encode(const State& s, Past past, float* out) {
    const auto planes = G::encode(s, past);
    for (int i = 0; i < G::planes; ++i) paint(planes[i], out + i * cells);
  }
  static void ownership([[maybe_unused]] const Position& p, [[maybe_unused]] float* out) {
    if constexpr (HasOwnership<G>) {
      const auto owned = G::ownership(state(p));
      for (int player = 0; player < 2; ++player) paint({owned[player], 1}, out + player * cells);
    }
  }

  // Blocks. A game's keys are kept only where its rules look back.

  static State& at(const Block& b, int i) { return reinterpret_cast<State*>(b.states.get())[i]; }
  static const std::vector<u64>& keys(const Block& b, int i) {
    static const std::vector<u64> none;
    return HasPast<G> ? b.keys[static_cast<std::size_t>(i)] : none;
  }
  static Result block_result(const Block& b, int i) { return qilin::result<G>(at(b, i), past(keys(b, i))); }

  static void block_reset(Block& b, int begin, int end, const bool* which) {
    for (int i = begin; i < end; ++i) {
      if (which && !which[i]) continue;
      at(b, i) = state(b.start);
      if constexpr (HasPast<G>) b.keys[static_cast<std::size_t>(i)] = b.start.keys;
    }
  }
  static void block_legal(const Block& b, int begin, int end, bool* mask) {
    std::fill(mask + static_cast<std::ptrdiff_t>(begin) * G::moves, mask + static_cast<std::ptrdiff_t>(end) * G::moves,
              false);
    for (int i = begin; i < end; ++i) {
      bool* row = mask + static_cast<std::ptrdiff_t>(i) * G::moves;
      qilin::legal<G>(at(b, i), past(keys(b, i)), [&](Move move) { row[move] = true; });
    }
  }
  static int block_illegal(const Block& b, int begin, int end, const std::int32_t* moves) {
    for (int i = begin; i < end; ++i) {
      bool any = false, found = false;
      qilin::legal<G>(at(b, i), past(keys(b, i)), [&](Move move) {
        any = true;
        found |= move == moves[i];
      });
      if (any && !found) return i;
    }
    return end;
  }
  static void block_play(Block& b, int begin, int end, const std::int32_t* moves) {
    for (int i = begin; i < end; ++i) {
      if (block_result(b, i).over()) continue;
      Line<G> line(at(b, i));
      if constexpr (HasPast<G>) line.keys.swap(b.keys[static_cast<std::size_t>(i)]);
      line.play(static_cast<Move>(moves[i]));
      if constexpr (HasChance<G>) {
        while (G::is_chance(line.state))
          line.resolve(draw_outcome<G>(line.state, b.chance[static_cast<std::size_t>(i)]));
      }
      at(b, i) = line.state;
      if constexpr (HasPast<G>) line.keys.swap(b.keys[static_cast<std::size_t>(i)]);
    }
  }
  static void block_encode(const Block& b, int begin, int end, float* out) {
    for (int i = begin; i < end; ++i) {
      encode(at(b, i), past(keys(b, i)), out + static_cast<std::ptrdiff_t>(i) * G::planes * cells);
    }
  }
  static void block_status(const Block& b, int begin, int end, const Status& out) {
    for (int i = begin; i < end; ++i) {
      const Result r = block_result(b, i);
      out.over[i] = r.over();
      out.to_move[i] = static_cast<i8>(r.over() ? -1 : G::to_move(at(b, i)));
      out.winner[i] = static_cast<i8>(r.end == End::first_wins ? 0 : r.end == End::second_wins ? 1 : -1);
      out.reason[i] = r.reason;
      out.margin[i] = margin(at(b, i));
    }
  }

  static std::vector<std::string> outcome_names() {
    if constexpr (HasChance<G>) return {G::outcome_names.begin(), G::outcome_names.end()};
    return {};
  }

  static const Rules* rules() {
    static const Rules table{
        .name = G::name,
        .rows = Grid::rows,
        .cols = Grid::cols,
        .first_rank = qilin::first_rank<G>(),
        .planes = G::planes,
        .moves = G::moves,
        .symmetries = G::symmetries,
        .max_legal = G::max_legal,
        .max_plies = G::max_plies,
        .state_bytes = sizeof(State),
        .plane_names = {G::plane_names.begin(), G::plane_names.end()},
        .reasons = {G::reasons.begin(), G::reasons.end()},
        .outcome_names = outcome_names(),
        .options = {G::options.begin(), G::options.end()},
        .has_chance = HasChance<G>,
        .has_past = HasPast<G>,
        .has_margin = HasMargin<G>,
        .has_ownership = HasOwnership<G>,
        .defaults = [](int preset) { return qilin::defaults<G>(preset); },
        .start = [](const Settings& settings) { return box(G::start(settings)); },
        .parse = [](std::string_view text, const Settings& settings) { return box(G::parse(text, settings)); },
        .play = play,
        .resolve = resolve,
        .transform = [](const Position& p, int symmetry) { return box(G::transform(state(p), symmetry)); },
        .transform_move = [](Move move, int symmetry) { return G::transform_move(move, symmetry); },
        .text = [](const Position& p) { return G::text(state(p)); },
        .move_text = [](const Position& p, Move move) { return G::move_text(state(p), move); },
        .legal = legal,
        .outcomes = outcomes,
        .to_move = [](const Position& p) { return G::to_move(state(p)); },
        .is_chance = [](const Position& p) { return qilin::is_chance<G>(state(p)); },
        .result = [](const Position& p) { return qilin::result<G>(state(p), past(p.keys)); },
        .margin = [](const Position& p) { return margin(state(p)); },
        .key = [](const Position& p) { return G::key(state(p)); },
        .equal = [](const Position& a, const Position& b) { return state(a) == state(b) && a.keys == b.keys; },
        .encode = [](const Position& p, float* out) { encode(state(p), past(p.keys), out); },
        .ownership = ownership,
        .perft =
            [](const Position& p, int depth, const std::atomic<bool>& stop) {
              return qilin::perft<G>(state(p), depth, [&] { return stop.load(std::memory_order_relaxed); });
            },
        .evaluate = [](const Position& p) { return Evaluation<G>::evaluate(state(p)); },
        .win_probability = win_probability,
        .block_reset = block_reset,
        .block_legal = block_legal,
        .block_illegal = block_illegal,
        .block_play = block_play,
        .block_encode = block_encode,
        .block_status = block_status,
        .block_at = [](const Block& b, int i) { return box(at(b, i), keys(b, i)); },
    };
    return &table;
  }
};

}  // namespace qilin::bind
