// Fills the table of facts.hpp for one game.
#pragma once

#include <algorithm>

#include "bind/facts.hpp"
#include "core/text.hpp"

namespace qilin::bind {

// A position's board, letter by letter from the top rank; '.' where nothing stands.
[[nodiscard]] inline std::string board_cells(const std::string& text) {
  std::string cells;
  for (const char c : text.substr(0, text.find(' '))) {
    if (c >= '1' && c <= '9') {
      cells.append(static_cast<std::size_t>(c - '0'), '.');
    } else if (c != '/') {
      cells += c;
    }
  }
  return cells;
}

template <Game G>
struct EraseFacts {
  using State = typename G::State;
  using Bits = typename G::Bits;
  using Grid = typename G::Grid;
  using F = Facts<G>;
  static constexpr int cells = Grid::rows * Grid::cols;

  static const State& state(const Position& p) { return *reinterpret_cast<const State*>(p.state); }
  static Past past(const Position& p) { return {p.keys.data(), static_cast<int>(p.keys.size())}; }
  static Cells cells_of(Bits squares) {
    Cells found;
    each(squares, [&](int square) { found.push_back(Grid::pack(square)); });
    return found;
  }

  static std::vector<Counter> counters([[maybe_unused]] const Position& p) {
    std::vector<Counter> all;
    if constexpr (requires { F::counter_names; }) {
      F::counters(state(p), past(p), [&](const Counter& counter) { all.push_back(counter); });
    }
    return all;
  }
  static std::optional<Phase> phase([[maybe_unused]] const Position& p) {
    if constexpr (requires { F::phase_names; }) return F::phase(state(p));
    return std::nullopt;
  }
  static std::optional<std::pair<int, int>> scores([[maybe_unused]] const Position& p) {
    if constexpr (requires { F::scores(state(p)); }) {
      const Array<int, 2> both = F::scores(state(p));
      return std::pair{both[0], both[1]};
    }
    return std::nullopt;
  }
  static std::vector<std::pair<int, Cells>> sets([[maybe_unused]] const Position& p) {
    std::vector<std::pair<int, Cells>> all;
    if constexpr (requires { F::set_names; }) {
      F::sets(state(p), [&](int name, Bits squares) {
        if (squares) all.emplace_back(name, cells_of(squares));
      });
    }
    return all;
  }
  static std::optional<std::pair<int, Cells>> why_not(const Position& p, int from, int to) {
    if (to < 0 || to >= cells || from < nowhere || from >= cells) refuse("a square is out of the board");
    if constexpr (requires { F::why_names; }) {
      const Why<Bits> why =
          F::why_not(state(p), past(p), from == nowhere ? nowhere : Grid::unpack(from), Grid::unpack(to));
      if (why.name != nowhere) return std::pair{why.name, cells_of(why.squares)};
    }
    return std::nullopt;
  }

  static Cells screens(const Position& p, int from, int to) {
    if (from < 0 || from >= cells || to < 0 || to >= cells) refuse("a square is out of the board");
    if constexpr (requires { F::screens(state(p), from, to); }) {
      return cells_of(F::screens(state(p), Grid::unpack(from), Grid::unpack(to)));
    }
    return {};
  }

  static std::vector<Reply> replies(const Position& p) {
    std::vector<Reply> all;
    for (const Move move : p.rules->legal(p)) {
      const State next = G::play(state(p), move);
      all.push_back({G::move_text(state(p), move), board_cells(G::text(next)), is_chance<G>(next)});
    }
    return all;
  }
  static std::vector<std::string> banned([[maybe_unused]] const Position& p) {
    std::vector<std::string> texts;
    if constexpr (HasPast<G>) {
      const MoveList<G> plain = legal_list<G>(state(p)), allowed = legal_list<G>(state(p), past(p));
      if (allowed.empty() || allowed.size() == plain.size()) return texts;
      for (const Move move : plain) {
        if (std::find(allowed.begin(), allowed.end(), move) == allowed.end()) {
          texts.push_back(G::move_text(state(p), move));
        }
      }
    }
    return texts;
  }
  static std::vector<std::pair<int, int>> pool([[maybe_unused]] const Position& p) {
    std::vector<std::pair<int, int>> all;
    if constexpr (HasChance<G>) {
      G::outcomes(state(p), [&](int outcome, int weight) { all.emplace_back(outcome, weight); });
    }
    return all;
  }

  static std::vector<std::string> names(const auto& list) { return {list.begin(), list.end()}; }
  static Telling with_names() {
    Telling t{{}, {}, {}, {}, counters, phase, scores, sets, why_not, screens, replies, banned, pool};
    if constexpr (requires { F::counter_names; }) t.counter_names = names(F::counter_names);
    if constexpr (requires { F::phase_names; }) t.phase_names = names(F::phase_names);
    if constexpr (requires { F::set_names; }) t.set_names = names(F::set_names);
    if constexpr (requires { F::why_names; }) t.why_names = names(F::why_names);
    return t;
  }
};

template <Game G>
const Telling& telling_of() {
  static const Telling table = EraseFacts<G>::with_names();
  return table;
}

}  // namespace qilin::bind
