// Liuzhou chess 六洲棋: fill the board, then slide stones. A square 方 or a line 洲 of one colour takes from the other.
//
//    6  . . . . . .        bit = row * 8 + col: two columns are always empty, so that a shifted set never wraps from
//    one 5  . . . O . .        rank into the next. 4  . x x . . . 3  . x x . o .        x: BLACK, player 0, places
//    first. o: WHITE, player 1, moves first. X, O: marked stones, which 2  . . . . o .        count for nothing until
//    they all leave together, when the board is full. 1  . . . . . .
//       a b c d e f        x has a square: the stone that completed it marked d5, and o is to place.
//
// A ply is one atomic choice, and a player may have several in a row. A move is plane * 36 + cell:
//   plane 0      put a stone on this point                       c3
//   plane 1      mark or take the stone on this point            c3
//   plane 2 … 5  step from this point north, east, south, west   c3c4
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::liuzhou {

struct Rules {
  using Bits = u64;
  using Grid = qilin::Grid<6, 6, 8>;
  static constexpr std::string_view name = "liuzhou";
  static constexpr int cells = Grid::rows * Grid::cols, moves = 6 * cells, symmetries = 8, planes = 20;
  static constexpr int max_legal = 60;  // steps: an edge of the grid is crossed in one direction at most
  static constexpr int max_plies = 1000;
  static constexpr std::array<const char*, planes> plane_names{
      // stones
      "mine", "theirs", "my marked", "their marked", "my shapes", "their shapes", "can be taken",
      // the phase
      "placement", "mark", "forced removal", "movement", "capture", "counter removal",
      // and what else decides
      "two targets", "targets / 8", "black to move", "plies / limit", "plies without loss / 36", "modern", "additive"};
  enum Reason : u8 { captured_all, under_four, no_moves, ply_limit, no_loss };
  static constexpr std::array<const char*, 5> reasons{"captured_all", "under_four", "no_moves", "ply_limit", "no_loss"};
  static constexpr std::array<Option, 3> options{
      choice("rules", "what loses, and which limits end a game in a draw", {"classic", "modern"}),
      choice("shapes", "targets of one ply: of its best shape, or 1 per square and 2 per line", {"best", "additive"}),
      // The placing alone takes up to 73 plies: 36 stones, at most 36 marks, one REMOVAL.
      number("max_plies", "plies after which a game is drawn", 80, max_plies, {200, 144})};

  enum Preset : u8 { classic, modern };
  enum Colour : u8 { black, white };
  enum Act : u8 { put, take, step };  // planes of the policy; step … step + 3: one for each direction
  enum Phase : u8 { placement, mark, forced, movement, capture, counter };

  struct State {
    Array<Bits, 2> stones{};  // by player, marked ones included
    Bits marked = 0;
    u16 plies = 0, max_plies = 200;
    u8 phase = placement, side = black;
    u8 targets = 0;  // that the player may still mark or capture
    u8 quiet = 0;    // plies without a loss since REMOVAL, counted in `modern` alone
    u8 preset = classic;
    bool additive = false;
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings& settings) {
    State s;
    s.preset = static_cast<u8>(settings[0]);
    s.additive = settings[1] != 0;
    s.max_plies = static_cast<u16>(settings[2]);
    return s;
  }

  QILIN_HD static constexpr int to_move(const State& s) { return s.side; }

  template <class Visit>
  QILIN_HD static constexpr void legal(const State& s, Visit&& visit) {
    if (result(s).over()) return;
    for (int plane = put; plane < step + 4; ++plane) {
      each(choices(s, plane), [&](int at) { visit(move_at(plane, at)); });
    }
  }
  QILIN_HD static constexpr int count_legal(const State& s) {
    if (result(s).over()) return 0;
    int n = 0;
    for (int plane = put; plane < step + 4; ++plane) n += count(choices(s, plane));
    return n;
  }

  QILIN_HD static constexpr State play(const State& s, Move move) {
    State next = s;
    ++next.plies;
    if (s.phase >= movement && s.preset == modern) ++next.quiet;
    const int plane = move / cells, at = Grid::unpack(move % cells);
    if (plane == put) put_stone(next, at);
    if (plane == take) take_stone(next, at);
    if (plane >= step) step_stone(next, at, at + direction(plane));
    return next;
  }

  // A loss stands before a draw: the last stone may fall on the last ply.
  QILIN_HD static constexpr Result result(const State& s) {
    for (const int player : {black, white}) {
      const bool wiped_out = s.phase >= forced && count(s.stones[player]) < fewest(s);
      if (wiped_out) return Result::win(1 - player, s.preset == modern ? under_four : captured_all);
    }
    if (s.phase == mark && !takeable(s)) return Result::win(1 - s.side, no_moves);
    if (s.plies >= s.max_plies) return Result::draw(ply_limit);
    return s.quiet >= quiet_limit ? Result::draw(no_loss) : Result{};
  }

  QILIN_HD static constexpr u64 key(const State& s) {
    return hash(s.stones[0], s.stones[1], s.marked, s.phase | u64{s.side} << 8 | u64{s.targets} << 16);
  }

  QILIN_HD static constexpr Array<Plane<Bits>, planes> encode(const State& s, Past) {
    const Bits mine = unmarked(s, s.side), theirs = unmarked(s, 1 - s.side);
    const auto on = [](Bits points) { return Plane<Bits>{points}; };
    const auto when = [](bool holds) { return Plane<Bits>{holds ? board : 0}; };
    const auto part = [](int n, int whole) {
      return Plane<Bits>{board, static_cast<float>(n) / static_cast<float>(whole)};
    };
    const auto phase = [&](Phase which) { return when(s.phase == which); };
    return {{// stones
             on(mine), on(theirs), on(s.marked & s.stones[s.side]), on(s.marked & s.stones[1 - s.side]),
             on(in_shapes(mine)), on(in_shapes(theirs)), on(choices(s, take)),
             // the phase
             phase(placement), phase(mark), phase(forced), phase(movement), phase(capture), phase(counter),
             // and what else decides
             when(s.targets >= 2), part(s.targets, most_targets), when(s.side == black), part(s.plies, s.max_plies),
             part(s.quiet, quiet_limit), when(s.preset == modern), when(s.additive)}};
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    State turned = s;
    for (Bits& stones : turned.stones) stones = Grid::transform_all(stones, symmetry);
    turned.marked = Grid::transform_all(s.marked, symmetry);
    return turned;
  }
  QILIN_HD static constexpr Move transform_move(Move move, int symmetry) {
    const int plane = move / cells, at = Grid::transform(Grid::unpack(move % cells), symmetry);
    if (plane < step) return move_at(plane, at);
    int to = plane - step;  // 0 … 3: north, east, south, west
    if (symmetry & (to & 1 ? 1 : 2)) to ^= 2;
    if (symmetry & 4) to ^= 1;
    return move_at(step + to, at);
  }

  QILIN_HD static constexpr int margin(const State& s) { return count(s.stones[black]) - count(s.stones[white]); }
  QILIN_HD static constexpr Array<Bits, 2> ownership(const State& s) { return s.stones; }

  // Board, side, phase, targets left, plies, plies without a loss.
  static std::string text(const State& s) {
    const std::string stones = board_text<Grid>([&](int at) {
      return has(empty(s), at) ? '\0' : stone_letters[has(s.stones[white], at) + 2 * has(s.marked, at)];
    });
    return stones + ' ' + stone_letters[s.side] + ' ' + phase_letters[s.phase] + ' ' + std::to_string(s.targets) + ' ' +
           std::to_string(s.plies) + ' ' + std::to_string(s.quiet);
  }

  static State parse(std::string_view text, const Settings& settings) {
    Fields fields(text);
    State s = start(settings);
    parse_board<Grid>(fields, fields.next("the board"), stone_letters, [&](char c, int at) {
      const std::size_t letter = stone_letters.find(c);
      if (letter == std::string_view::npos) return false;
      s.stones[letter & 1] |= bit<Bits>(at);
      if (letter & 2) s.marked |= bit<Bits>(at);
      return true;
    });
    s.side = static_cast<u8>(fields.letter("the side to move", "xo"));
    s.phase = static_cast<u8>(fields.letter("the phase", phase_letters));
    s.targets = static_cast<u8>(fields.number("the targets left", 0, s.additive ? most_targets : 2));
    s.plies = static_cast<u16>(fields.number("the plies", 0, s.max_plies));
    s.quiet = static_cast<u8>(fields.number("the plies without a loss", 0, s.preset == modern ? quiet_limit : 0));
    fields.end();
    check(fields, s);
    return s;
  }

  static std::string move_text(const State&, Move move) {
    const int plane = move / cells, at = Grid::unpack(move % cells);
    return plane < step ? point_name(at) : point_name(at) + point_name(at + direction(plane));
  }

  // For opinions and tests as well as for the rules above:

  static constexpr Bits board = Grid::board<Bits>();
  static constexpr Bits rank = (1 << Grid::cols) - 1, file = board / rank;  // rank 1, file a
  static constexpr int quiet_limit = 36, most_targets = 8;                  // additive: amid four squares, on two lines

  QILIN_HD static constexpr Move move_at(int plane, int at) {
    return static_cast<Move>(plane * cells + Grid::pack(at));
  }
  QILIN_HD static constexpr int direction(int plane) {
    constexpr int steps[]{Grid::stride, 1, -Grid::stride, -1};
    return steps[plane - step];
  }

  QILIN_HD static constexpr Bits empty(const State& s) { return board & ~(s.stones[black] | s.stones[white]); }
  QILIN_HD static constexpr Bits unmarked(const State& s, int player) { return s.stones[player] & ~s.marked; }
  QILIN_HD static constexpr Bits beside(Bits b) {
    return (b << Grid::stride | b >> Grid::stride | b << 1 | b >> 1) & board;
  }
  QILIN_HD static constexpr bool is_stuck(const State& s) { return !(beside(s.stones[s.side]) & empty(s)); }

  // The lower left corners of the squares in a set; every stone of a square, or of a full rank or file.
  QILIN_HD static constexpr Bits squares(Bits b) {
    const Bits pairs = b & b >> 1;
    return pairs & pairs >> Grid::stride;
  }
  QILIN_HD static constexpr Bits in_shapes(Bits b) {
    const Bits corners = squares(b), pairs = corners | corners << 1;
    const Bits across = b & b >> 1 & b >> 2, up = b & b >> Grid::stride & b >> 2 * Grid::stride;
    const Bits ranks = across & across >> 3, files = up & up >> 3 * Grid::stride;
    return pairs | pairs << Grid::stride | ranks * rank | files * file;
  }

  // The targets that a player's stone on this point has just earned.
  QILIN_HD static constexpr int earned(const State& s, int player, int at) {
    const Bits mine = unmarked(s, player), right = bit<Bits>(at), here = right | right >> 1;
    const Bits its_rank = rank << Grid::at(Grid::row(at), 0), its_file = file << Grid::col(at);
    const int made = count(squares(mine) & (here | here >> Grid::stride));
    const int lines = ((mine & its_rank) == its_rank) + ((mine & its_file) == its_file);
    if (s.additive) return made + 2 * lines;
    return lines ? 2 : made ? 1 : 0;
  }

  // The enemy stones that may be marked or taken: the normal ones if there are any, else all that are not marked.
  QILIN_HD static constexpr Bits takeable(const State& s) {
    const Bits theirs = unmarked(s, 1 - s.side), normal = theirs & ~in_shapes(theirs);
    return normal ? normal : theirs;
  }

  // The points that a ply of this plane may name.
  QILIN_HD static constexpr Bits choices(const State& s, int plane) {
    if (s.phase == placement) return plane == put ? empty(s) : 0;
    if (s.phase != movement) return plane == take ? takeable(s) : 0;
    if (plane >= step) return s.stones[s.side] & shift(empty(s), -direction(plane));
    return plane == take && is_stuck(s) ? takeable(s) : 0;
  }

 private:
  static constexpr std::string_view stone_letters = "xoXO", phase_letters = "pmfscr";

  QILIN_HD static constexpr int fewest(const State& s) { return s.preset == modern ? 4 : 1; }

  QILIN_HD static constexpr void turn(State& s, Phase phase) {
    s.phase = phase;
    s.side ^= 1;
  }

  QILIN_HD static constexpr void put_stone(State& s, int at) {
    s.stones[s.side] |= bit<Bits>(at);
    s.targets = static_cast<u8>(earned(s, s.side, at));
    s.phase = mark;
    if (!s.targets) place_next(s);
  }
  QILIN_HD static constexpr void step_stone(State& s, int from, int to) {
    s.stones[s.side] ^= bit<Bits>(from) | bit<Bits>(to);
    s.targets = static_cast<u8>(earned(s, s.side, to));
    s.phase = capture;
    if (!s.targets) turn(s, movement);
  }

  QILIN_HD static constexpr void take_stone(State& s, int at) {
    if (s.phase == mark) {
      s.marked |= bit<Bits>(at);
      if (!--s.targets) place_next(s);
      return;
    }
    s.stones[1 - s.side] ^= bit<Bits>(at);
    s.quiet = 0;
    if (s.phase == capture && --s.targets) return;
    const bool again = s.phase == forced && s.side == white, stuck = s.phase == movement;
    turn(s, again ? forced : stuck ? counter : movement);
  }

  QILIN_HD static constexpr void place_next(State& s) {
    turn(s, placement);
    if (!empty(s)) remove_marked(s);
  }
  // A board that fills without a mark holds no shape, so in FORCED REMOVAL every stone is normal, and takeable.
  QILIN_HD static constexpr void remove_marked(State& s) {
    ++s.plies;
    s.phase = s.marked ? movement : forced;
    s.side = white;
    for (Bits& stones : s.stones) stones &= ~s.marked;
    s.marked = 0;
  }

  static std::string point_name(int at) { return square_name(Grid::row(at), Grid::col(at)); }

  static void check(const Fields& fields, const State& s) {
    const bool chain = s.phase == mark || s.phase == capture;
    const int most = count(s.stones[black]) > count(s.stones[white]) ? black : white;
    if (count(s.stones[most]) > 18) fields.impossible("{} has more than 18 stones", most ? "o" : "x");
    if (chain != (s.targets > 0)) fields.impossible("targets are left in the phases m and c, and in no other");
    if (s.phase >= forced && s.marked) fields.impossible("marked stones leave before the phases f, s, c and r");
    if (s.phase <= mark) check_filling(fields, s);
    if (s.phase == forced) check_forced(fields, s);
    if (s.phase >= movement) check_moving(fields, s);
    if (chain && !has_earned(s)) fields.impossible("no stone of the side to move can have earned these targets");
  }

  static void check_filling(const Fields& fields, const State& s) {
    const int lead = (s.phase == mark) != (s.side == white);  // BLACK places first, and they take turns
    if (margin(s) != lead) fields.impossible(lead ? "x should be one stone ahead" : "x and o should be level");
    if (s.phase == placement && !empty(s)) fields.impossible("no point is left to place a stone on");
    if (s.plies != count(board & ~empty(s)) + count(s.marked)) fields.impossible("each stone and each mark is one ply");
    if (s.quiet) fields.impossible("plies without a loss are counted from REMOVAL on");
    for (const int player : {black, white}) {
      const bool idle = count(s.stones[1 - player]) < 4;
      if (idle && s.marked & s.stones[player]) fields.impossible("only a shape, of four stones at least, marks");
    }
  }

  static void check_forced(const Fields& fields, const State& s) {
    const int taken = s.side == black;  // o has taken one
    if (count(s.stones[white]) != 18 || margin(s) != -taken) fields.impossible("each side takes one stone of 18");
    if (s.plies != cells + 1 + taken || s.quiet) fields.impossible("37 plies come before o takes, 38 before x takes");
    if (in_shapes(s.stones[black]) | in_shapes(s.stones[white])) fields.impossible("a shape would have marked a stone");
  }

  static void check_moving(const Fields& fields, const State& s) {
    const int gone = count(empty(s)), steps = s.plies - (cells + 1 + gone);  // at most: each loss took a ply
    if (gone == 0 || gone == cells) fields.impossible("REMOVAL leaves some point empty, and some stone");
    if (steps < s.quiet + (s.phase == capture && !s.quiet)) fields.impossible("that takes more plies");
    if (!steps && (s.phase == movement) != (s.side == white)) fields.impossible("o is the first to move");
    if (s.phase == movement) return;
    const int taker = s.phase == capture ? s.side : 1 - s.side;
    if (count(s.stones[taker]) < fewest(s)) fields.impossible("one side had too few stones before the last ply");
    if (s.phase == capture) return;
    if (gone < 2 || s.quiet) fields.impossible("the stuck side has just taken a stone");
    if (count(beside(s.stones[taker]) & empty(s)) > 1) fields.impossible("the stuck side could have made a step");
  }

  // Whether some stone can have been the last that was put or moved, with the targets and marks, or captures, since.
  QILIN_HD static constexpr bool has_earned(const State& s) {
    const Bits theirs = s.stones[1 - s.side];
    const int hit = s.phase == mark ? count(theirs & s.marked) : 18 - count(theirs);
    bool found = false;
    each(unmarked(s, s.side), [&](int at) {
      const int used = earned(s, s.side, at) - s.targets;
      const bool came = s.phase == mark || beside(bit<Bits>(at)) & empty(s);
      const bool counted = s.preset == classic || s.phase == mark || (used == 0) == (s.quiet > 0);
      found |= used >= 0 && used <= hit && came && counted;
    });
    return found;
  }
};
static_assert(Game<Rules>);
static_assert(Rules::file == 0x0000'0101'0101'0101 && count(Rules::in_shapes(Rules::rank)) == 6);

}  // namespace qilin::liuzhou
