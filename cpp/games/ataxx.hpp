// Ataxx: a stone clones itself to a cell next to it or jumps two cells away, and the enemy stones around the cell
// where it lands turn. More stones at the end win. Rules: docs/games/ataxx.md.
//
//    7  x . . . . . o      bit = row * 9 + col: two columns at the right are always empty, so that a set shifted by
//    6  . . . . . . .      up to two files never wraps into another rank.
//    5  . . . . . . .
//    4  . . . . . . .      A move is plane * 49 + cell, with cell = row * 7 + col. Plane 0: a clone to the cell, from
//    3  . . . . . . .      whichever stone. Planes 1 … 16: a jump from the cell. The last index of all: a pass.
//    2  . . . . . . .
//    1  o . . . . . x      12 13 14 15 16
//       a b c d e f g      10  .  .  . 11      The planes of the jumps of a stone S.
//                           8  .  S  .  9
//    Player 0 is `x`        6  .  .  .  7
//    and starts.            1  2  3  4  5
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::ataxx {

struct Rules {
  using Bits = u64;
  using Grid = qilin::Grid<7, 7, 9>;
  static constexpr std::string_view name = "ataxx";
  static constexpr int cells = Grid::rows * Grid::cols, jump_planes = 16;
  static constexpr int moves = (1 + jump_planes) * cells + 1, symmetries = 8, planes = 9;
  static constexpr Move pass = moves - 1;
  static constexpr Bits board = Grid::board<Bits>();

  static constexpr int last_ply = 401;  // botzone: the game ends after it
  static constexpr int patience = 100;  // uai: half-moves without a clone that make a draw

  // 240 pairs of cells are a jump apart, and only one of a pair can hold the jumper; 48 cells to clone to.
  static constexpr int max_legal = 240 + 48;
  // In uai, from two stones: 47 clones fill the board, each after fewer than `patience` other plies.
  static constexpr int max_plies = 47 * patience, max_past = last_ply;

  static constexpr std::array<const char*, planes> plane_names{
      "mine",        "theirs",           "blocked",           "first player to move",
      "plies / 401", "half-moves / 100", "banned jumps from", "banned jumps to",
      "uai"};
  enum Reason : u8 { wiped_out, no_moves, full, ply_limit, no_progress, repetition };
  static constexpr std::array<const char*, 6> reasons{"wiped_out", "no_moves",    "full",
                                                      "ply_limit", "no_progress", "repetition"};
  enum Preset : u32 { botzone, uai };
  static constexpr std::array<Option, 1> options{
      choice("rules", "botzone: no passing, no repeating, 401 plies; uai: passing, 100 half-moves without a clone draw",
             {"botzone", "uai"})};

  struct State {
    Bits mine = 0, theirs = 0;  // mine: of the player to move
    Bits blocked = 0;
    u16 plies = 0;       // played so far; player 0 moves after an even number
    u16 half_moves = 0;  // plies since the last clone
    Preset rules = botzone;
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings& settings) {
    constexpr int top = Grid::rows - 1, right = Grid::cols - 1;
    State s;
    s.mine = bit<Bits>(Grid::at(top, 0)) | bit<Bits>(Grid::at(0, right));
    s.theirs = bit<Bits>(Grid::at(0, 0)) | bit<Bits>(Grid::at(top, right));
    s.rules = preset(settings);
    return s;
  }

  QILIN_HD static constexpr int to_move(const State& s) { return s.plies & 1; }

  template <class Visit>
  QILIN_HD static void legal(const State& s, Visit&& visit) {
    if (result(s).over()) return;
    const Bits open = empty(s);
    if (!reaches(s.mine, open)) return visit(pass);
    each_ply(s.mine, open, open, visit);
  }
  QILIN_HD static int count_legal(const State& s) {
    const Bits open = empty(s);
    const int n = count(around(s.mine) & open) + count_jumps(s.mine, open);
    if (!goes_on(s, n > 0, reaches(s.theirs, open))) return 0;
    return n ? n : 1;  // a pass
  }

  QILIN_HD static State play(const State& s, Move move) {
    const u16 plies = static_cast<u16>(s.plies + 1), half_moves = static_cast<u16>(s.half_moves + 1);
    if (move == pass) return {s.theirs, s.mine, s.blocked, plies, half_moves, s.rules};
    const Ends ends = ends_of(move);
    const Bits to = bit<Bits>(ends.to), turned = around(to) & s.theirs;
    const Bits moved = (s.mine & ~bit<Bits>(ends.from)) | to | turned;
    return {s.theirs ^ turned, moved, s.blocked, plies, is_clone(move) ? u16{0} : half_moves, s.rules};
  }

  // The board is looked at before the counters: a win on the last ply is a win.
  QILIN_HD static constexpr Result result(const State& s) {
    const Bits open = empty(s);
    const bool mine = reaches(s.mine, open), theirs = reaches(s.theirs, open);
    if (goes_on(s, mine, theirs)) return {};
    if (!s.mine || !s.theirs) return by_margin(s, wiped_out);
    if (!open) return by_margin(s, full);
    if (s.rules == botzone) return by_margin(s, mine && theirs ? ply_limit : no_moves);
    return mine || theirs ? Result::draw(no_progress) : by_margin(s, no_moves);
  }

  // Botzone's repetition rule bans a ply that would repeat a transition: the position before it and the position after
  // it stood one right after the other earlier. A clone adds a stone and no ply takes one away, so that no position
  // from before a clone comes again: the keys since then are all that matters, and only jumps can be banned.
  QILIN_HD static constexpr bool irreversible(const State& before, const State& after) {
    return count(before.mine | before.theirs) != count(after.mine | after.theirs);
  }

  template <class Visit>
  QILIN_HD static void legal(const State& s, Past past, Visit&& visit) {
    const bool can_repeat = recurs(s, past);
    legal(s, [&](Move move) {
      if (!can_repeat || !repeats(s, past, move)) visit(move);
    });
  }

  QILIN_HD static Result result(const State& s, Past past) {
    const Result plain = result(s);
    if (plain.over() || !recurs(s, past)) return plain;
    bool can_move = false;
    legal(s, past, [&](Move) { can_move = true; });
    return can_move ? plain : Result::win(1 - to_move(s), repetition);
  }

  QILIN_HD static constexpr int margin(const State& s) {
    const Array<Bits, 2> owned = ownership(s);
    return count(owned[0]) - count(owned[1]);
  }

  // Stones, and in botzone the empty cells where just one side can move (it would fill them all).
  QILIN_HD static constexpr Array<Bits, 2> ownership(const State& s) {
    const Bits open = s.rules == botzone ? empty(s) : 0;
    const bool mine = reaches(s.mine, open), theirs = reaches(s.theirs, open);
    return by_player(s, s.mine | (mine && !theirs ? open : 0), s.theirs | (theirs && !mine ? open : 0));
  }

  QILIN_HD static constexpr u64 key(const State& s) {
    return hash(s.mine, s.theirs, s.blocked | static_cast<u64>(to_move(s)) << 63);
  }

  QILIN_HD static Array<Plane<Bits>, planes> encode(const State& s, Past past) {
    const bool timed = s.rules == botzone;
    const Array<Bits, 2> banned = banned_jumps(s, past);
    return {{{s.mine},
             {s.theirs},
             {s.blocked},
             {to_move(s) == 0 ? board : 0},
             {timed ? board : 0, static_cast<float>(timed ? s.plies : 0) / last_ply},
             {timed ? 0 : board, static_cast<float>(timed ? 0 : s.half_moves) / patience},
             {banned[0]},
             {banned[1]},
             {timed ? 0 : board}}};
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    const auto turn = [&](Bits set) { return Grid::transform_all(set, symmetry); };
    return {turn(s.mine), turn(s.theirs), turn(s.blocked), s.plies, s.half_moves, s.rules};
  }
  // A direction turns like the square that lies there from the middle of the board, which stays.
  QILIN_HD static Move transform_move(Move move, int symmetry) {
    if (move == pass) return pass;
    constexpr int middle = Grid::at(Grid::rows / 2, Grid::cols / 2);
    const int target = Grid::transform(middle + step(move / cells), symmetry);
    int plane = 0;
    while (middle + step(plane) != target) ++plane;
    return static_cast<Move>(plane * cells + Grid::pack(Grid::transform(Grid::unpack(move % cells), symmetry)));
  }

  static std::string text(const State& s) {
    const Array<Bits, 2> stones = by_player(s, s.mine, s.theirs);
    const std::string stand = board_text<Grid>([&](int at) {
      return has(stones[0], at) ? 'x' : has(stones[1], at) ? 'o' : has(s.blocked, at) ? '-' : '\0';
    });
    return stand + (to_move(s) == 0 ? " x " : " o ") + std::to_string(s.half_moves) + " " +
           std::to_string(s.plies / 2 + 1);
  }

  static State parse(std::string_view text, const Settings& settings) {
    Fields fields(text);
    Array<Bits, 3> sets{};
    constexpr std::string_view letters = "xo-";
    parse_board<Grid>(fields, fields.next("the board"), letters, [&](char c, int at) {
      const std::size_t set = letters.find(c);
      if (set != letters.npos) sets[static_cast<int>(set)] |= bit<Bits>(at);
      return set != letters.npos;
    });
    const int mover = fields.letter("the side to move", "xo");
    State s{sets[mover], sets[1 - mover], sets[2], 0, 0, preset(settings)};
    read_counters(fields, s, mover);
    fields.end();
    check(fields, s);
    return s;
  }

  static std::string move_text(const State&, Move move) {
    if (move == pass) return "0000";
    const Ends ends = ends_of(move);
    const std::string to = square_name(Grid::row(ends.to), Grid::col(ends.to));
    return is_clone(move) ? to : square_name(Grid::row(ends.from), Grid::col(ends.from)) + to;
  }

  // From here on: what an evaluation asks besides.
  template <class Visit>
  QILIN_HD static void each_ply(Bits stones, Bits clone_to, Bits jump_to, Visit&& visit) {
    each(around(stones) & clone_to, [&](int at) { visit(Move(Grid::pack(at))); });
    for (int plane = 1; plane <= jump_planes; ++plane)
      each(stones & shift(jump_to, -step(plane)), [&](int at) { visit(Move(plane * cells + Grid::pack(at))); });
  }

  // Whether this position stood in the past. (Sides alternate: every second key is of the other side's turn.)
  QILIN_HD static constexpr bool recurs(const State& s, Past past) {
    if (s.rules == uai || past.length < 4) return false;  // to come back takes two jumps of each side
    const u64 now = key(s);
    for (int i = past.length - 4; i >= 0; i -= 2)
      if (past.keys[i] == now) return true;
    return false;
  }

  QILIN_HD static constexpr Bits empty(const State& s) { return board & ~(s.mine | s.theirs | s.blocked); }

  // The cells at most one step away from a set, and (with padding columns that may be set) at most two.
  QILIN_HD static constexpr Bits around(Bits set) {
    const Bits row = set | (set << 1) | (set >> 1);
    return row | (row << Grid::stride) | (row >> Grid::stride);
  }
  QILIN_HD static constexpr Bits around_twice(Bits set) {
    const Bits row = set | (set << 1) | (set >> 1) | (set << 2) | (set >> 2);
    const Bits rows = row | (row << Grid::stride) | (row >> Grid::stride);
    return rows | (row << (2 * Grid::stride)) | (row >> (2 * Grid::stride));
  }

  // How far away a jump of each plane lands, in squares; 0 for plane 0, the clones.
  QILIN_HD static constexpr Array<int, 1 + jump_planes> all_steps() {
    Array<int, 1 + jump_planes> steps{};
    int plane = 0;
    for (int up = -2; up <= 2; ++up) {
      for (int right = -2; right <= 2; ++right) {
        if (up * up == 4 || right * right == 4) steps[++plane] = Grid::at(up, right);
      }
    }
    return steps;
  }
  QILIN_HD static int step(int plane) {
    static constexpr auto steps = all_steps();
    return steps[plane];
  }

  // Where a ply begins and ends (a clone begins where it ends); no pass. A table: half as much work again to divide.
  struct Ends {
    u8 from, to;
  };
  QILIN_HD static constexpr Array<Ends, pass> all_ends() {
    Array<Ends, pass> all{};
    for (int move = 0; move < pass; ++move) {
      const int from = Grid::unpack(move % cells), to = from + all_steps()[move / cells];
      all[move] = {static_cast<u8>(from), static_cast<u8>(to & 63)};  // off the board: never legal
    }
    return all;
  }
  QILIN_HD static Ends ends_of(Move move) {
    static constexpr auto ends = all_ends();
    return ends[move];
  }
  QILIN_HD static constexpr bool is_clone(Move move) { return move < cells; }

 private:
  QILIN_HD static constexpr Preset preset(const Settings& settings) { return settings[0] == uai ? uai : botzone; }

  QILIN_HD static constexpr Array<Bits, 2> by_player(const State& s, Bits mine, Bits theirs) {
    if (to_move(s) == 0) return {{mine, theirs}};
    return {{theirs, mine}};
  }

  QILIN_HD static constexpr bool reaches(Bits stones, Bits open) {
    if (around(stones) & open) [[likely]]
      return true;
    return around_twice(stones) & open;
  }

  // Whether the game is open, given who has somewhere to go. In botzone both must, so that both have stones.
  QILIN_HD static constexpr bool goes_on(const State& s, bool mine, bool theirs) {
    if (s.rules == botzone) return mine && theirs && s.plies < last_ply;
    return (mine || theirs) && s.mine && s.theirs && s.half_moves < patience;
  }

  // Planes 9 to 16 jump up the board, or to the right along a rank; the others are their opposites. Seen from the lower
  // end of a jump, one popcount does for both. (The pragma: else g++ unrolls the loop, and sees no vector in it.)
  QILIN_HD static int count_jumps(Bits mine, Bits open) {
    u64 n = 0;
#ifndef __CUDACC__
#pragma GCC unroll 1
#endif
    for (int plane = 9; plane <= jump_planes; ++plane)
      n += static_cast<u64>(count(((mine << step(plane)) & open) | ((open << step(plane)) & mine)));
    return static_cast<int>(n);
  }

  QILIN_HD static constexpr Result by_margin(const State& s, Reason reason) {
    const int lead = margin(s);
    return lead == 0 ? Result::draw(reason) : Result::win(lead > 0 ? 0 : 1, reason);
  }

  QILIN_HD static bool repeats(const State& s, Past past, Move move) {
    if (is_clone(move)) return false;
    const u64 now = key(s), after = key(play(s, move));
    for (int i = past.length - 4; i >= 0; i -= 2)
      if (past.keys[i] == now && past.keys[i + 1] == after) return true;
    return false;
  }

  // Where the banned jumps begin and end.
  QILIN_HD static Array<Bits, 2> banned_jumps(const State& s, Past past) {
    Array<Bits, 2> banned{};
    if (!recurs(s, past)) return banned;
    legal(s, [&](Move move) {
      if (!repeats(s, past, move)) return;
      banned[0] |= bit<Bits>(ends_of(move).from);
      banned[1] |= bit<Bits>(ends_of(move).to);
    });
    return banned;
  }

  static void read_counters(Fields& fields, State& s, int mover) {
    const bool timed = s.rules == botzone;
    s.half_moves = static_cast<u16>(fields.number("plies since the last clone", 0, timed ? last_ply : patience));
    const int most = (timed ? last_ply : (cells + 1) * patience) / 2 + 1;
    s.plies = static_cast<u16>(2 * (fields.number("the number of the move", 1, most) - 1) + mover);
  }

  static void check(const Fields& fields, const State& s) {
    if (!s.mine && !s.theirs) fields.impossible("neither side has a stone");
    if (s.half_moves > s.plies) {
      fields.impossible("there were {} plies, so not {} since the last clone", s.plies, s.half_moves);
    }
    const int stones = count(s.mine | s.theirs);
    if (s.rules == uai && s.plies > s.half_moves + stones * patience) {
      fields.impossible("without a clone every {} plies the game would have ended", patience);
    }
  }
};
static_assert(Game<Rules> && HasPast<Rules> && HasMargin<Rules> && HasOwnership<Rules> && HasCount<Rules>);
static_assert(sizeof(Rules::State) == 32);

}  // namespace qilin::ataxx
