// Dark chess 暗棋 on 4×4: turn pieces up, capture by rank, shoot with the cannon; 60 points win.
//
//    4  ? P n ?        bit = row * 4 + col. A square's code has four bits: 0 empty, 1 … 7 a red piece from soldier to
//    3  ? . C ?        general, 8 … 14 a black one, 15 face down. The board is four layers of 16 squares in one word;
//    2  . . ? k        layer i holds bit i of every code, so that four ands find all pieces of a kind.
//    1  ? A . ?
//       a b c d        Player 0 is RED (capitals) and starts.
//
// A move is 0 … 15, flip that square (text: b2), or 16 + 6 * from + i, from there to the i-th of the six other squares
// of its rank and file (b2b3): next to it a step, farther off a cannon's shot.
//
// Nobody knows what is face down; the pool of what it may be is public. A ply that turns a piece up, a flip or a shot
// at a face-down target, is pending until chance has answered with a kind of piece; nothing else has changed yet.
#pragma once

#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::dark_chess {

enum Rank : int { soldier, cannon, horse, chariot, elephant, advisor, general };
inline constexpr int ranks = 7, kinds = 2 * ranks;  // a kind is ranks * player + rank: what chance answers

struct Rules {
  using Bits = u64;
  using Grid = qilin::Grid<4, 4, 4>;
  static constexpr std::string_view name = "dark_chess";
  static constexpr int squares = 16, moves = squares + squares * 6, symmetries = 8, planes = 38;
  static constexpr int max_legal = 8 * 4 + 8;  // eight pieces with four plies each, eight flips
  static constexpr u8 none = moves;            // no ply is pending
  static constexpr int goal = 60, max_idle = 24, max_plies = 100;
  static constexpr std::array<const char*, planes> plane_names{
      "my P",          "my C",         "my N",         "my R",         "my B",         "my A",         "my K",
      "their P",       "their C",      "their N",      "their R",      "their B",      "their A",      "their K",
      "my pool P",     "my pool C",    "my pool N",    "my pool R",    "my pool B",    "my pool A",    "my pool K",
      "their pool P",  "their pool C", "their pool N", "their pool R", "their pool B", "their pool A", "their pool K",
      "face down",     "empty",        "my points",    "their points", "idle plies",   "plies",        "red to move",
      "capturer paid", "flip pending", "shot pending"};
  enum Reason : u8 { points, no_moves, no_progress, ply_limit };
  static constexpr std::array<const char*, 4> reasons{"points", "no_moves", "no_progress", "ply_limit"};
  static constexpr std::array<const char*, kinds> outcome_names{"P", "C", "N", "R", "B", "A", "K",
                                                                "p", "c", "n", "r", "b", "a", "k"};
  static constexpr std::array<Option, 1> options{
      choice("own_capture", "who is paid when a cannon takes its own face-down piece", {"enemy", "capturer"})};

  struct State {
    u64 board = 0;
    u32 pool = 0;                // how many of each kind are face down, two bits a kind
    Array<u8, 2> scores{};       // points, by player
    u8 idle = 0, plies = 0;      // since the last capture or flip; since the start, red's being the even ones
    u8 pending = none;           // the ply that chance is to answer
    bool pays_capturer = false;  // own_capture=capturer
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings& settings) {
    State s{.board = ~u64{0}, .pays_capturer = settings[0] == 1};  // every square face down
    for (int kind = 0; kind < kinds; ++kind) s.pool |= static_cast<u32>(full_count(kind)) << (2 * kind);
    return s;
  }

  QILIN_HD static constexpr int to_move(const State& s) { return s.plies & 1; }
  QILIN_HD static constexpr bool is_chance(const State& s) { return s.pending != none; }

  template <class Visit>
  QILIN_HD static constexpr void legal(const State& s, Visit&& visit) {
    if (is_settled(s)) return;
    each(hidden(s), [&](int at) { visit(static_cast<Move>(at)); });
    movers(s, to_move(s), [&](int from, Bits targets) { each(targets, [&](int to) { visit(move_of(from, to)); }); });
  }
  QILIN_HD static constexpr int count_legal(const State& s) {
    return is_settled(s) ? 0 : count(hidden(s)) + count_moving(s);
  }

  QILIN_HD static constexpr State play(const State& s, Move move) {
    if (!has(hidden(s), target(move))) return carry(s, origin(move), target(move));
    State next = s;
    next.pending = static_cast<u8>(move);
    return next;
  }

  template <class Visit>
  QILIN_HD static constexpr void outcomes(const State& s, Visit&& visit) {
    for (int kind = 0; kind < kinds; ++kind) {
      if (const int weight = in_pool(s, kind)) visit(kind, weight);
    }
  }
  // The piece is turned up where it lies; a shot then takes it like any other.
  QILIN_HD static constexpr State resolve(const State& s, int kind) {
    const int from = origin(s.pending), to = target(s.pending);
    State next = s;
    next.pending = none;
    next.pool -= u32{1} << (2 * kind);
    put(next, to, kind + 1);
    if (from != to) return carry(next, from, to);
    next.idle = 0;
    ++next.plies;
    return next;
  }

  QILIN_HD static constexpr Result result(const State& s) {
    if (is_chance(s)) return {};
    const int ahead = s.scores[1] > s.scores[0];
    if (s.scores[ahead] >= goal) return Result::win(ahead, points);
    if (!hidden(s) && count_moving(s) == 0) return Result::win(1 - to_move(s), no_moves);
    if (s.idle >= max_idle) return Result::draw(no_progress);
    return s.plies >= max_plies ? Result::draw(ply_limit) : Result{};
  }

  QILIN_HD static constexpr int margin(const State& s) { return s.scores[0] - s.scores[1]; }
  QILIN_HD static constexpr u64 key(const State& s) {
    const int rest = ((s.scores[0] << 8 | s.scores[1]) << 8 | s.pending) << 2 | s.pays_capturer << 1 | to_move(s);
    return hash(s.board, u64{s.pool} << 32 | static_cast<u64>(rest));
  }

  QILIN_HD static constexpr Array<Plane<Bits>, planes> encode(const State& s, Past) {
    Array<Plane<Bits>, planes> out{};
    int n = 0;
    const auto add = [&](Bits squares, float value = 1) { out[n++] = {squares, value}; };
    const int me = to_move(s), from = origin(s.pending), to = target(s.pending);
    const auto kind_of = [&](int i) { return (i + ranks * me) % kinds; };  // mine first
    for (int i = 0; i < kinds; ++i) add(pieces(s, kind_of(i)));
    for (int i = 0; i < kinds; ++i) {
      add(all, static_cast<float>(in_pool(s, kind_of(i))) / static_cast<float>(full_count(kind_of(i))));
    }
    for (const Bits squares : {hidden(s), all & ~taken(s)}) add(squares);
    for (const int player : {me, 1 - me}) add(all, s.scores[player] < goal ? s.scores[player] / float{goal} : 1);
    for (const float share : {s.idle / float{max_idle}, s.plies / float{max_plies}}) add(all, share);
    for (const bool holds : {me == 0, s.pays_capturer}) add(holds ? all : 0);
    for (const bool shot : {false, true}) add(is_chance(s) && shot == (from != to) ? bit<Bits>(to) : 0);
    return out;
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    State next = s;
    next.board = 0;
    for (int i = 0; i < 4; ++i) next.board |= Grid::transform_all(layer(s, i), symmetry) << (squares * i);
    if (is_chance(s)) next.pending = static_cast<u8>(transform_move(s.pending, symmetry));
    return next;
  }
  QILIN_HD static constexpr Move transform_move(Move move, int symmetry) {
    return move_of(Grid::transform(origin(move), symmetry), Grid::transform(target(move), symmetry));
  }

  static std::string text(const State& s) {
    std::string out = board_text<Grid>([&](int at) { return letters[static_cast<std::size_t>(code_at(s, at))]; });
    out += (to_move(s) == 0 ? " r " : " b ") + pool_text(s);
    for (const int number : {+s.scores[0], +s.scores[1], +s.idle, +s.plies}) out += ' ' + std::to_string(number);
    return is_chance(s) ? out + ' ' + move_text(s, s.pending) : out;
  }

  static State parse(std::string_view text, const Settings& settings) {
    Fields fields(text);
    State s{.pays_capturer = settings[0] == 1};
    parse_board<Grid>(fields, fields.next("the board"), letters.substr(1), [&](char c, int at) {
      const std::size_t code = letters.find(c, 1);
      if (code != letters.npos) put(s, at, static_cast<int>(code));
      return code != letters.npos;
    });
    const int mover = fields.letter("the side to move", "rb");
    parse_pool(fields, s);
    for (u8& score : s.scores) score = static_cast<u8>(fields.number("a side's points", 0, goal - 1 + worth(general)));
    s.idle = static_cast<u8>(fields.number("the plies without progress", 0, max_idle));
    s.plies = static_cast<u8>(fields.number("the plies played", 0, max_plies));
    if (mover != to_move(s)) fields.impossible("r starts, so it is r's turn after an even number of plies");
    check_pieces(fields, s);
    check_counters(fields, s);
    if (!fields.done()) s.pending = parse_pending(fields, s);
    fields.end();
    return s;
  }

  static std::string move_text(const State&, Move move) {
    const int from = origin(move), to = target(move);
    const std::string end = square_name(Grid::row(to), Grid::col(to));
    return from == to ? end : square_name(Grid::row(from), Grid::col(from)) + end;
  }

  // What stands where, in sets of squares: the rules and an opinion about the game look at these.

  QILIN_HD static constexpr Bits taken(const State& s) { return layer(s, 0) | layer(s, 1) | layer(s, 2) | layer(s, 3); }
  QILIN_HD static constexpr Bits pieces(const State& s, int kind) {
    Bits found = all;
    for (int i = 0; i < 4; ++i) found &= (kind + 1) >> i & 1 ? layer(s, i) : ~layer(s, i);
    return found;
  }
  QILIN_HD static constexpr Bits hidden(const State& s) { return pieces(s, face_down); }
  QILIN_HD static constexpr Bits side(const State& s, int player) {
    return taken(s) & ~hidden(s) & (player == 0 ? ~layer(s, 3) : layer(s, 3));
  }
  QILIN_HD static constexpr int code_at(const State& s, int at) {
    int code = 0;
    for (int i = 0; i < 4; ++i) code |= has(s.board, squares * i + at) << i;
    return code;
  }
  QILIN_HD static constexpr int in_pool(const State& s, int kind) { return static_cast<int>(s.pool >> (2 * kind) & 3); }
  QILIN_HD static constexpr int full_count(int kind) { return kind % ranks == soldier ? 2 : 1; }
  QILIN_HD static constexpr int worth(int rank) { return Array<int, ranks>{4, 10, 10, 10, 10, 20, 30}[rank]; }

  QILIN_HD static constexpr int origin(Move move) { return move < squares ? move : (move - squares) / 6; }
  QILIN_HD static constexpr int target(Move move) {
    if (move < squares) return move;
    const int row = Grid::row(origin(move)), col = Grid::col(origin(move));
    const int i = (move - squares) % 6, other = i % 3;  // counted without the own file or rank
    return i < 3 ? Grid::at(row, other + (other >= col)) : Grid::at(other + (other >= row), col);
  }
  QILIN_HD static constexpr Move move_of(int from, int to) {
    if (from == to) return static_cast<Move>(from);
    const int row = Grid::row(from), col = Grid::col(from), to_row = Grid::row(to), to_col = Grid::col(to);
    const int i = row == to_row ? to_col - (to_col > col) : 3 + to_row - (to_row > row);
    return static_cast<Move>(squares + 6 * from + i);
  }

  // A set moved one square right, left, up, down. What leaves the board is gone.
  QILIN_HD static constexpr Bits step(Bits set, int direction) {
    if (direction == 0) return (set & ~(file_a << 3)) << 1;
    if (direction == 1) return (set & ~file_a) >> 1;
    return direction == 2 ? set << Grid::stride & all : set >> Grid::stride;
  }
  QILIN_HD static constexpr Bits around(Bits set) { return step(set, 0) | step(set, 1) | step(set, 2) | step(set, 3); }

  // A step of one rank onto another.
  QILIN_HD static constexpr bool takes(int hunter, int prey) {
    if (hunter == soldier) return prey == soldier || prey == general;
    return hunter != cannon && prey <= hunter && !(hunter == general && prey == soldier);
  }

  // Calls `visit(from, targets)` for every face-up piece of a player: where it could go if it were to move.
  template <class Visit>
  QILIN_HD static constexpr void movers(const State& s, int player, Visit&& visit) {
    Array<Bits, ranks> enemies{};
    for (int rank = 0; rank < ranks; ++rank) enemies[rank] = pieces(s, ranks * (1 - player) + rank);
    for (int rank = 0; rank < ranks; ++rank) {
      Bits targets = all & ~taken(s);
      for (int prey = 0; prey < ranks; ++prey) targets |= takes(rank, prey) ? enemies[prey] : 0;
      each(pieces(s, ranks * player + rank),
           [&](int from) { visit(from, rank == cannon ? shots(s, player, from) : around(bit<Bits>(from)) & targets); });
    }
  }

  // A cannon takes, in each direction, the piece behind the first one, unless it is face up and its own.
  QILIN_HD static constexpr Bits shots(const State& s, int player, int from) {
    Bits targets = 0;
    for (int direction = 0; direction < 4; ++direction) {
      Bits at = bit<Bits>(from);
      for (int met = 0; at && met < 2; met += (at & taken(s)) != 0) at = step(at, direction);
      targets |= at;
    }
    return targets & ~side(s, player);
  }

 private:
  static constexpr Bits all = Grid::board<Bits>();
  static constexpr Bits file_a = all / 15;                                  // bits 0, 4, 8, 12
  static constexpr u64 layers = ~u64{0} / all;                              // bit 0 of each layer
  static constexpr int face_down = kinds;                                   // one more kind
  static constexpr std::string_view letters{"\0PCNRBAKpcnrbak?", squares};  // by code

  QILIN_HD static constexpr Bits layer(const State& s, int i) { return s.board >> (squares * i) & all; }
  QILIN_HD static constexpr void put(State& s, int at, int code) {
    s.board &= ~(layers << at);
    for (int i = 0; i < 4; ++i) s.board |= static_cast<u64>(code >> i & 1) << (squares * i + at);
  }

  // No ply is to be made, whatever the board: chance is to answer, or points or a counter have ended the game.
  QILIN_HD static constexpr bool is_settled(const State& s) {
    return is_chance(s) || s.scores[0] >= goal || s.scores[1] >= goal || s.idle >= max_idle || s.plies >= max_plies;
  }

  QILIN_HD static constexpr int count_moving(const State& s) {
    int n = 0;
    movers(s, to_move(s), [&](int, Bits targets) { n += count(targets); });
    return n;
  }

  // A step or a shot onto an empty square, or onto a piece that is face up by now: it is captured.
  QILIN_HD static constexpr State carry(const State& s, int from, int to) {
    State next = s;
    ++next.idle;
    ++next.plies;
    if (const int victim = code_at(s, to)) {
      const int kind = victim - 1, payee = s.pays_capturer ? to_move(s) : 1 - kind / ranks;
      next.scores[payee] = static_cast<u8>(next.scores[payee] + worth(kind % ranks));
      next.idle = 0;
    }
    put(next, to, code_at(s, from));
    put(next, from, 0);
    return next;
  }

  static std::string pool_text(const State& s) {
    std::string out;
    for (int kind = 0; kind < kinds; ++kind) out.append(in_pool(s, kind), letters[kind + 1]);
    return out.empty() ? "-" : out;
  }
  // How many of a kind are neither on the board nor in the pool: they were captured.
  static int missing(const State& s, int kind) { return full_count(kind) - in_pool(s, kind) - count(pieces(s, kind)); }
  static void parse_pool(Fields& fields, State& s) {
    const std::string_view field = fields.next("the pool");
    for (const char c : field) {
      const int kind = static_cast<int>(letters.find(c)) - 1;
      if (kind >= 0 && kind < kinds && missing(s, kind) > 0) s.pool += u32{1} << (2 * kind);
    }
    if (field == pool_text(s)) return;
    fields.bad(field, "the pool", "'-' or letters of PPCNRBAKppcnrbak, in this order, that aren't on the board");
  }

  // What is neither on the board nor in the pool was captured; if the capturer is paid, either side may have been.
  static void check_pieces(const Fields& fields, const State& s) {
    int pool = 0, paid[2] = {0, 0};
    u128 sums = 1;  // bit i: some captured pieces are worth i together
    for (int kind = 0; kind < kinds; ++kind) {
      const int captured = missing(s, kind), value = worth(kind % ranks);
      if (captured < 0)
        fields.impossible("there are too many {}", letters.substr(static_cast<std::size_t>(kind) + 1, 1));
      pool += in_pool(s, kind);
      paid[1 - kind / ranks] += captured * value;
      for (int i = 0; i < captured; ++i) sums |= sums << value;
    }
    if (pool != count(hidden(s))) fields.impossible("the pool must hold as many pieces as are face down");
    const int red = s.scores[0], black = s.scores[1];
    const bool shared = red + black == paid[0] + paid[1] && has(sums, red);
    if (s.pays_capturer ? shared : red == paid[0] && black == paid[1]) return;
    fields.impossible("the captured pieces make {} and {} points", paid[0], paid[1]);
  }

  // Every ply but the idle ones turns a piece up, takes one, or both.
  static void check_counters(const Fields& fields, const State& s) {
    const int turned = squares - count(hidden(s)), busy = s.plies - s.idle;
    const bool flips_only = taken(s) == all;  // without an empty square nobody can step
    const bool counted = flips_only ? s.plies == turned && s.idle == 0 : busy >= turned;
    if (!counted) fields.impossible("{} pieces are turned up, and the plies don't fit", turned);
    const int winners = (s.scores[0] >= goal) + (s.scores[1] >= goal);
    if (winners > 1 || (winners > 0 && s.idle > 0)) fields.impossible("the game ends when a side has 60 points");
  }

  static u8 parse_pending(Fields& fields, const State& s) {
    const std::string_view field = fields.next("the pending ply");
    for (const Move move : legal_list<Rules>(s)) {
      if (has(hidden(s), target(move)) && move_text(s, move) == field) return static_cast<u8>(move);
    }
    fields.bad(field, "the pending ply", "a flip or a cannon's shot that turns a piece up");
  }
};
static_assert(Game<Rules> && HasChance<Rules> && HasMargin<Rules> && HasCount<Rules>);

}  // namespace qilin::dark_chess
