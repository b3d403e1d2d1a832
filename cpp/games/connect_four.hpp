// Connect four: drop a disc into a column; four in a row, in any of the four directions, win.
//
//    6  . . . . . . .        bit = row * 8 + col: the eighth column is always empty, so that a shifted set never wraps
//    5  . . . . . . .        from one rank into the next.
//    4  . . . . . . .
//    3  . . . o . . .        A move is a column, 0 … 6 (text: a … g).
//    2  . . . x . . .
//    1  . . o x x . .        Player 0 is `x` and starts.
//       a b c d e f g
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::connect_four {

struct Rules {
  using Bits = u64;
  using Grid = qilin::Grid<6, 7, 8>;
  static constexpr std::string_view name = "connect_four";
  static constexpr int moves = 7, max_legal = 7, max_plies = 42, symmetries = 2, planes = 3;
  static constexpr std::array<const char*, planes> plane_names{"mine", "theirs", "first player to move"};
  enum Reason : u8 { four, full };
  static constexpr std::array<const char*, 2> reasons{"four", "full"};
  static constexpr std::array<Option, 0> options{};

  struct State {
    Array<Bits, 2> discs{};  // by player
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings&) { return {}; }

  QILIN_HD static constexpr int to_move(const State& s) { return count(taken(s)) & 1; }

  template <class Visit>
  QILIN_HD static constexpr void legal(const State& s, Visit&& visit) {
    if (has_four(s.discs[1 - to_move(s)])) return;
    for (int col = 0; col < Grid::cols; ++col) {
      if (has(~taken(s), Grid::at(Grid::rows - 1, col))) visit(static_cast<Move>(col));
    }
  }
  QILIN_HD static constexpr int count_legal(const State& s) {
    return has_four(s.discs[1 - to_move(s)]) ? 0 : count(landings(s));
  }

  QILIN_HD static constexpr State play(const State& s, Move col) {
    State next = s;
    next.discs[to_move(s)] |= landings(s) & (file << col);
    return next;
  }

  QILIN_HD static constexpr Result result(const State& s) {
    const int last = 1 - to_move(s);
    if (has_four(s.discs[last])) return Result::win(last, four);
    return taken(s) == board ? Result::draw(full) : Result{};
  }

  QILIN_HD static constexpr u64 key(const State& s) { return hash(s.discs[0], s.discs[1]); }

  QILIN_HD static constexpr Array<Plane<Bits>, planes> encode(const State& s, Past) {
    const int me = to_move(s);
    return {{{s.discs[me]}, {s.discs[1 - me]}, {me == 0 ? board : 0}}};
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    return {{{Grid::transform_all(s.discs[0], symmetry), Grid::transform_all(s.discs[1], symmetry)}}};
  }
  QILIN_HD static constexpr Move transform_move(Move col, int symmetry) {
    return symmetry & 1 ? static_cast<Move>(Grid::cols - 1 - col) : col;
  }

  static std::string text(const State& s) {
    const std::string discs = board_text<Grid>([&](int at) {
      return has(s.discs[0], at) ? 'x' : has(s.discs[1], at) ? 'o' : '\0';
    });
    return discs + (to_move(s) == 0 ? " x" : " o");
  }

  static State parse(std::string_view text, const Settings&) {
    Fields fields(text);
    State s;
    parse_board<Grid>(fields, fields.next("the board"), "xo", [&](char c, int at) {
      if (c != 'x' && c != 'o') return false;
      s.discs[c == 'x' ? 0 : 1] |= bit<Bits>(at);
      return true;
    });
    const int mover = fields.letter("the side to move", "xo");
    fields.end();
    check(fields, s, mover);
    return s;
  }

  static std::string move_text(const State&, Move col) { return {static_cast<char>('a' + col)}; }

  // Below: what an opinion about the game wants to know, too.

  static constexpr Bits board = Grid::board<Bits>();
  static constexpr Bits bottom = 0x7f, file = 0x0101010101010101;

  QILIN_HD static constexpr Bits taken(const State& s) { return s.discs[0] | s.discs[1]; }

  // Where a disc would come to rest: empty squares with something below them.
  QILIN_HD static constexpr Bits landings(const State& s) {
    return board & ~taken(s) & ((taken(s) << Grid::stride) | bottom);
  }

 private:
  QILIN_HD static constexpr bool has_four(Bits discs) {
    for (const int step : {1, Grid::stride, Grid::stride - 1, Grid::stride + 1}) {
      const Bits pairs = discs & (discs >> step);
      if (pairs & (pairs >> (2 * step))) return true;
    }
    return false;
  }

  static void check(const Fields& fields, const State& s, int mover) {
    if (taken(s) & ~((taken(s) << Grid::stride) | bottom)) fields.impossible("a disc hangs in the air");
    const int lead = count(s.discs[0]) - count(s.discs[1]);
    if (lead != 0 && lead != 1) {
      fields.impossible("x has {} discs and o {}; x starts, and they take turns", count(s.discs[0]), count(s.discs[1]));
    }
    if (mover != lead) fields.impossible("it is {}'s turn by the discs", lead ? "o" : "x");
    if (has_four(s.discs[mover])) fields.impossible("the side to move has won already");
  }
};
static_assert(Game<Rules>);

}  // namespace qilin::connect_four
