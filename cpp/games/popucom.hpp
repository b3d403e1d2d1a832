// Popucom chess: three stones in a line match and leave, and paint the floor along the line. Most floor wins.
//
//    9  . . . . . . . . .      . . . . . . . . .      bit = row * 10 + col: the tenth column is always empty, so that
//    8  . . . . o . . . .      . . . . o . . . .      a shifted set never wraps from one rank into the next.
//    7  . . . . w . . . .      . . . . b . . . .
//    6  . . . . . . . . .      . . . . b . . . .      x o   stones of BLACK and WHITE on bare floor; X O on their own
//    5  o . x x * . . . .      o b b b b b b b b      b w   floor of BLACK and WHITE with no stone on it
//    4  . . . . x . . . .      . . . . b . . . .
//    3  . . . . x . . . .      . . . . b . . . .      BLACK plays e5: rank 5 and file e match, and five stones leave.
//    2  . . . . . . . . .      . . . . b . . . .      Paint runs from e5 to the edge or up to the first o: over w e7
//    1  . . . . x . . . .      . . . . X . . . .      and under x e1, which is in no run and stays.
//       a b c d e f g h i      a b c d e f g h i
//
// A move is a cell, 0 … 80 (text: a1 … i9), without a stone and not of the enemy's floor. Player 0 is BLACK and starts.
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::popucom {

struct Rules {
  using Bits = u128;
  using Grid = qilin::Grid<9, 9, 10>;
  static constexpr std::string_view name = "popucom";
  static constexpr int supply = 25;  // stones of one player, one a ply
  static constexpr int moves = 81, max_legal = 81, max_plies = 2 * supply, symmetries = 8, planes = 8;
  static constexpr std::array<const char*, planes> plane_names{
      "mine",       "theirs",     "my floor",       "their floor",
      "bare floor", "open to me", "my stones left", "first player to move"};
  enum Reason : u8 { most_floor, no_moves };
  static constexpr std::array<const char*, 2> reasons{"floor", "no_moves"};
  static constexpr std::array<Option, 0> options{};

  // Two things always hold: no three stones of a player stand in a line (they would have left), and no stone stands on
  // the other player's floor (it can't be put there, and paint stops before it).
  struct State {
    Array<Bits, 2> stones{}, floor{};  // by player
    u8 plies = 0;
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings&) { return {}; }

  QILIN_HD static constexpr int to_move(const State& s) { return s.plies & 1; }

  template <class Visit>
  QILIN_HD static constexpr void legal(const State& s, Visit&& visit) {
    if (s.plies == max_plies) return;
    each(open(s, to_move(s)), [&](int square) { visit(static_cast<Move>(Grid::pack(square))); });
  }
  QILIN_HD static constexpr int count_legal(const State& s) {
    return s.plies == max_plies ? 0 : count(open(s, to_move(s)));
  }

  QILIN_HD static constexpr State play(const State& s, Move cell) {
    const int me = to_move(s);
    const Bits mine = s.stones[me] | bit<Bits>(Grid::unpack(cell));
    const Match matched = match(mine, s.stones[1 - me]);
    State next = s;
    next.stones[me] = mine & ~matched.stones;
    next.floor[me] |= matched.paint;
    next.floor[1 - me] &= ~matched.paint;
    ++next.plies;
    return next;
  }

  QILIN_HD static constexpr Result result(const State& s) {
    if (s.plies == max_plies) {
      const int lead = margin(s);
      return lead == 0 ? Result::draw(most_floor) : Result::win(lead > 0 ? 0 : 1, most_floor);
    }
    return open(s, to_move(s)) ? Result{} : Result::win(1 - to_move(s), no_moves);
  }

  QILIN_HD static constexpr int margin(const State& s) { return count(s.floor[0]) - count(s.floor[1]); }
  QILIN_HD static constexpr Array<Bits, 2> ownership(const State& s) { return s.floor; }

  // Plies played are part of the position here: they decide how much of the game is left.
  QILIN_HD static constexpr u64 key(const State& s) {
    const Bits stone = s.stones[0] | s.stones[1], painted = s.floor[0] | s.floor[1], white = s.stones[1] | s.floor[1];
    return hash(low(stone), low(painted), low(white), high(stone) | high(painted) << 32,
                high(white) | static_cast<u64>(s.plies) << 32);
  }

  QILIN_HD static constexpr Array<Plane<Bits>, planes> encode(const State& s, Past) {
    const int me = to_move(s), they = 1 - me;
    const Bits bare = board & ~(s.floor[0] | s.floor[1]);
    return {{{s.stones[me]},
             {s.stones[they]},
             {s.floor[me]},
             {s.floor[they]},
             {bare},
             {open(s, me)},
             {board, static_cast<float>(left(s)) / supply},
             {me == 0 ? board : 0}}};
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    State turned = s;
    for (int player = 0; player < 2; ++player) {
      turned.stones[player] = Grid::transform_all(s.stones[player], symmetry);
      turned.floor[player] = Grid::transform_all(s.floor[player], symmetry);
    }
    return turned;
  }
  QILIN_HD static constexpr Move transform_move(Move cell, int symmetry) {
    return static_cast<Move>(Grid::pack(Grid::transform(Grid::unpack(cell), symmetry)));
  }

  // The side to move, and how many stones it has left: from these follow the plies played.
  static std::string text(const State& s) {
    const std::string cells = board_text<Grid>([&](int at) { return letter(s, at); });
    return cells + (to_move(s) == 0 ? " x " : " o ") + std::to_string(left(s));
  }

  static State parse(std::string_view text, const Settings&) {
    Fields fields(text);
    State s;
    parse_board<Grid>(fields, fields.next("the board"), letters, [&](char c, int at) { return put(s, c, at); });
    const int mover = fields.letter("the side to move", "xo");
    // BLACK may have none left: then all are out, and the game is over.
    const int stones_left = fields.number("the number of its stones left", mover, supply);
    fields.end();
    s.plies = static_cast<u8>(2 * (supply - stones_left) + mover);
    check(fields, s);
    return s;
  }

  static std::string move_text(const State&, Move cell) {
    return square_name(Grid::row(Grid::unpack(cell)), Grid::col(Grid::unpack(cell)));
  }

  // Below: what an opinion about the game wants to know, too.

  static constexpr Bits board = Grid::board<Bits>();

  // Where a player may put a stone.
  QILIN_HD static constexpr Bits open(const State& s, int player) {
    return board & ~(s.stones[0] | s.stones[1] | s.floor[1 - player]);
  }

  // Stones that the player to move has left.
  QILIN_HD static constexpr int left(const State& s) { return supply - s.plies / 2; }

  // What a new stone does: the stones that leave, and the floor that is painted. As no three stood in a line without
  // it, each three there is now goes through it, or is part of a longer run that does.
  struct Match {
    Bits stones = 0, paint = 0;
  };
  QILIN_HD static constexpr Match match(Bits mine, Bits theirs) {
    Match all;
    for (const int step : {1, Grid::stride - 1, Grid::stride, Grid::stride + 1}) {
      const Bits threes = mine & (mine >> step) & (mine >> (2 * step));
      if (!threes) continue;
      const Bits run = threes | (threes << step) | (threes << (2 * step));
      all.stones |= run;
      all.paint |= reach(run, step, board & ~theirs);
    }
    return all;
  }

  // `run` and all that it reaches along its line without leaving `clear`. Beyond a run of three there are six cells.
  QILIN_HD static constexpr Bits reach(Bits run, int step, Bits clear) {
    for (int i = 0; i < Grid::cols - 3; ++i) run |= clear & ((run << step) | (run >> step));
    return run;
  }

 private:
  static constexpr std::string_view letters = "xoXObw";

  QILIN_HD static constexpr u64 low(Bits bits) { return static_cast<u64>(bits); }
  QILIN_HD static constexpr u64 high(Bits bits) { return static_cast<u64>(bits >> 64); }

  // A letter of `letters`, or 0 for bare floor without a stone.
  static char letter(const State& s, int at) {
    const bool painted = has(s.floor[0] | s.floor[1], at);
    for (const int player : {0, 1}) {
      if (has(s.stones[player], at)) return letters[static_cast<std::size_t>(player + 2 * painted)];
      if (has(s.floor[player], at)) return letters[static_cast<std::size_t>(player + 4)];
    }
    return 0;
  }

  static bool put(State& s, char c, int at) {
    const std::size_t kind = letters.find(c);
    if (kind == std::string_view::npos) return false;
    const int player = kind & 1;
    if (kind < 4) s.stones[player] |= bit<Bits>(at);
    if (kind >= 2) s.floor[player] |= bit<Bits>(at);
    return true;
  }

  static void check(const Fields& fields, const State& s) {
    const int gone[2]{check_stones(fields, s, 0), check_stones(fields, s, 1)};
    if (gone[0] + gone[1] > 0 && count(s.floor[0] | s.floor[1]) < 3) {
      fields.impossible("stones have left, and what leaves last leaves three painted cells or more");
    }
  }

  // How many of a player's stones have left, if its stones and floor can be.
  static int check_stones(const Fields& fields, const State& s, int player) {
    const std::string_view who = letters.substr(static_cast<std::size_t>(player), 1);
    const int placed = (s.plies + 1 - player) / 2, gone = placed - count(s.stones[player]);
    if (gone < 0) fields.impossible("{} has more stones on the board than the {} it put", who, placed);
    if (gone == 1 || gone == 2) {
      fields.impossible("{} put {} stones and has {} on the board, but three or more leave at a time", who, placed,
                        placed - gone);
    }
    if (s.floor[player] && gone == 0) fields.impossible("{} has floor, but none of its stones has left", who);
    if (match(s.stones[player], 0).stones) fields.impossible("three {} stand in a line; they would have left", who);
    return gone;
  }
};
static_assert(Game<Rules>);

}  // namespace qilin::popucom
