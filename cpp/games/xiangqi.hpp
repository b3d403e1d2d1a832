// Xiangqi, Chinese chess: attack the enemy general so that nothing saves it, or leave the enemy without a move.
//
//    9  r n b a k a b n r      bit = rank * 11 + file: two columns stay empty, so that no step of a piece, two files at
//    8  . . . . . . . . .      most, wraps into another rank. All moves of a kind in one direction are one shift.
//    7  . c . . . . . c .
//    6  p . p . p . p . p      A move is from * 90 + to (text: h2e2), seen by its player: for BLACK the ranks are
//    5  . . . . . . . . .      mirrored, square (rank, file) -> (9 - rank, file), in moves and in planes alike.
//       ~ ~ ~ river ~ ~ ~
//    4  . . . . . . . . .      Player 0 is RED, with capitals, and starts.
//    3  P . P . P . P . P
//    2  . C . . . . . C .      K general, A advisor (both in the palace, files d-f of the last three ranks),
//    1  . . . . . . . . .      B elephant (on its side of the river), N horse, R chariot, C cannon, P soldier
//    0  R N B A K A B N R
//       a b c d e f g h i
#pragma once

#include "core/echo.hpp"
#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/sliding.hpp"
#include "core/stepping.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace qilin::xiangqi {

struct Rules {
  using Bits = u128;
  using Grid = qilin::Grid<10, 9, 11>;
  static constexpr std::string_view name = "xiangqi";
  // At most 17 moves for each chariot and cannon, 8 for a horse, 4 + 1 for the advisors, 4 for an elephant, 4, 3.
  static constexpr int moves = 8100, max_legal = 4 * 17 + 2 * 8 + 5 + 2 * 4 + 4 + 5 * 3;
  static constexpr int max_plies = 1000, max_past = 1000, symmetries = 2, planes = 22, first_rank = 0;
  static constexpr std::array<const char*, planes> plane_names{
      "my K",      "my A",         "my B",     "my N",     "my R",       "my C",    "my P",        "their K",
      "their A",   "their B",      "their N",  "their R",  "their C",    "their P", "red to move", "came before",
      "I checked", "they checked", "in check", "selfplay", "idle plies", "plies"};
  enum Reason : u8 { checkmate, stalemate, perpetual_check, repetition, no_capture, ply_limit };
  static constexpr std::array<const char*, 6> reasons{"checkmate",  "stalemate",  "perpetual_check",
                                                      "repetition", "no_capture", "ply_limit"};
  static constexpr std::array<Option, 3> options{
      choice("rules", "standard: perpetual check loses; selfplay: every repetition draws", {"standard", "selfplay"}),
      number("no_capture_plies", "half-moves without a capture that draw", 1, 1000, {120, 60}),
      number("max_plies", "half-moves that draw", 1, max_plies, {512, 512})};

  enum Kind { none, general, advisor, elephant, horse, chariot, cannon, soldier };
  struct State {
    Array<Bits, 4> code{};  // of the piece on a square: three bits of its Kind, and one that says it is BLACK's
    u16 plies = 0, idle = 0, most_plies = 0, most_idle = 0;  // since the start, since the last capture; their limits
    bool selfplay = false;
    constexpr bool operator==(const State&) const = default;
  };

  QILIN_HD static constexpr State start(const Settings& settings) {
    State s = empty(settings);
    for (int cell = 0; cell < 90; ++cell) {
      const int row = cell / 9, col = cell % 9, depth = row < 5 ? row : 9 - row, wing = col < 5 ? col : 8 - col;
      const bool shooter = depth == 2 && wing == 1, walker = depth == 3 && wing % 2 == 0;
      const int kind = depth == 0 ? chariot - wing : shooter ? cannon : walker ? soldier : none;
      if (kind != none) put(s, Grid::unpack(cell), kind, row / 5);
    }
    return s;
  }

  QILIN_HD static constexpr int to_move(const State& s) { return s.plies & 1; }

  template <class Visit>
  QILIN_HD static void legal(const State& s, Visit&& visit) {
    if (!limit(s).over()) visit_moves(s, board, visit);
  }
  template <class Visit>
  QILIN_HD static void legal(const State& s, Past past, Visit&& visit) {
    if (!repeated(s, past).over()) legal(s, visit);
  }
  QILIN_HD static int count_legal(const State& s) { return limit(s).over() ? 0 : count_moves(s); }

  QILIN_HD static State play(const State& s, Move move) {
    const Bits from = bit<Bits>(square(move / 90, to_move(s))), to = bit<Bits>(square(move % 90, to_move(s)));
    State next = s;
    ++next.plies;
    next.idle = taken(s) & to ? 0 : static_cast<u16>(s.idle + 1);
    for (Bits& plane : next.code) plane = (plane & ~(from | to)) | (plane & from ? to : 0);
    return next;
  }

  QILIN_HD static Result result(const State& s, Past past = {}) {
    if (!can_move(s)) return Result::win(1 - to_move(s), in_check(s) ? checkmate : stalemate);
    const Result again = repeated(s, past);
    return again.over() ? again : limit(s);
  }

  // A captured piece stays away, and a soldier never steps back.
  QILIN_HD static constexpr bool irreversible(const State& before, const State& after) {
    const Bits moved = pieces(before, board, soldier) ^ pieces(after, board, soldier);
    return after.idle == 0 || (moved & (moved >> up));
  }

  // The lowest bit says whether the player to move is in check, so that keys alone tell perpetual check.
  QILIN_HD static u64 key(const State& s) {
    return (hash_sets(s.code, static_cast<u64>(to_move(s))) & ~u64{1}) | (in_check(s) ? 1 : 0);
  }

  QILIN_HD static Array<Plane<Bits>, planes> encode(const State& s, Past past) {
    const int side = to_move(s);
    const Echo echo = look_back(key(s), past, 1);
    const bool facts[]{side == 0, echo.times > 0, echo.mine, echo.theirs, in_check(s), s.selfplay};
    Array<Plane<Bits>, planes> out{};
    for (int i = 0; i < 14; ++i) {
      out[i].squares = Grid::transform_all(pieces(s, army(s, i < 7 ? side : 1 - side), i % 7 + 1), 2 * side);
    }
    for (int i = 0; i < 6; ++i) out[14 + i].squares = facts[i] ? board : 0;
    out[20] = {board, static_cast<float>(s.idle) / static_cast<float>(s.most_idle)};
    out[21] = {board, static_cast<float>(s.plies) / static_cast<float>(s.most_plies)};
    return out;
  }

  QILIN_HD static constexpr State transform(const State& s, int symmetry) {
    State turned = s;
    for (Bits& plane : turned.code) plane = Grid::transform_all(plane, symmetry);
    return turned;
  }
  QILIN_HD static Move transform_move(Move move, int symmetry) {
    const auto turned = [&](int at) { return cell(Grid::transform(square(at, 0), symmetry), 0); };
    return static_cast<Move>(turned(move / 90) * 90 + turned(move % 90));
  }

  // The other layout of the policy: plane * 90 + from, the plane being the piece's kind and where it goes (four ways:
  // forward, back, left, right; diagonals: forward-left, forward-right, back-left, back-right; seen by the player).
  static constexpr int policy_planes = 99;
  QILIN_HD static int plane_index(const State& s, Move move) {
    const int from = move / 90, to = move % 90, ranks = to / 9 - from / 9, files = to % 9 - from % 9;
    const int way = ranks > 0 ? 0 : ranks < 0 ? 1 : files < 0 ? 2 : 3, corner = (ranks < 0) * 2 + (files > 0);
    const int steps = (ranks < 0 ? -ranks : ranks) + (files < 0 ? -files : files);
    const int kind = kind_at(s, square(from, to_move(s)));
    const auto plane = [&] {
      if (kind == cannon && has(taken(s), square(to, to_move(s)))) return 36 + way;
      if (kind == chariot || kind == cannon) return way * 9 + steps - 1;
      if (kind == horse) return corner * 2 + (ranks == 1 || ranks == -1);
      if (kind == soldier) return (way + 1) / 2;
      return kind == general ? way : corner;
    };
    constexpr Array<int, 8> first{0, 92, 84, 88, 76, 0, 36, 96};  // of the planes of a kind
    return (first[kind] + plane()) * 90 + from;
  }

  static std::string text(const State& s) {
    const std::string pieces = board_text<Grid>([&](int at) {
      const char letter = letters[static_cast<std::size_t>(kind_at(s, at))];
      return has(s.code[3], at) ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return pieces + (to_move(s) == 0 ? " w - - " : " b - - ") + std::to_string(s.idle) + ' ' +
           std::to_string(s.plies / 2 + 1);
  }

  static State parse(std::string_view text, const Settings& settings) {
    Fields fields(text);
    State s = empty(settings);
    parse_board<Grid>(fields, fields.next("the board"), "KABNRCPkabnrcp", [&](char c, int at) {
      const int kind = kind_of(c);
      put(s, at, kind, c >= 'a');
      return kind != none;
    });
    const int side = fields.letter("the side to move", "wbr") % 2;
    for (const char* field : {"the third field", "the fourth field"}) static_cast<void>(fields.letter(field, "-"));
    s.idle = static_cast<u16>(fields.number("the count of half-moves without capture", 0, s.most_idle));
    const int number = fields.number("the number of the move", 1, s.most_plies / 2 + 1);
    s.plies = static_cast<u16>(2 * (number - 1) + side);
    fields.end();
    check(fields, s);
    return s;
  }

  static std::string move_text(const State& s, Move move) {
    return square_text(square(move / 90, to_move(s))) + square_text(square(move % 90, to_move(s)));
  }

  // From here to `private`: what an opinion about the game asks too.
  using Lines = Sliding<Grid>;
  static constexpr int up = Grid::stride;
  static constexpr Bits board = Grid::board<Bits>(), red_half = board & (bit<Bits>(5 * up) - 1);
  static constexpr Bits palace = both_sides<Grid>("d0 e0 f0 d1 e1 f1 d2 e2 f2");

  // A square of the board as its player numbers it, 0 … 89, and back.
  QILIN_HD static int cell(int square, int side) { return Views<Grid>::cell(square, side); }
  QILIN_HD static int square(int cell, int side) { return Views<Grid>::square(cell, side); }
  QILIN_HD static constexpr Bits taken(const State& s) { return s.code[0] | s.code[1] | s.code[2]; }
  QILIN_HD static constexpr Bits army(const State& s, int side) { return side ? s.code[3] : taken(s) & ~s.code[3]; }
  QILIN_HD static constexpr Bits pieces(const State& s, Bits among, int kind) {
    for (int i = 0; i < 3; ++i) among &= kind >> i & 1 ? s.code[i] : ~s.code[i];
    return among;
  }
  QILIN_HD static constexpr Bits mine(const State& s, int kind) { return pieces(s, army(s, to_move(s)), kind); }
  QILIN_HD static constexpr Bits theirs(const State& s, int kind) { return pieces(s, army(s, 1 - to_move(s)), kind); }
  QILIN_HD static constexpr int kind_at(const State& s, int at) {
    return has(s.code[0], at) | has(s.code[1], at) << 1 | has(s.code[2], at) << 2;
  }
  QILIN_HD static bool in_check(const State& s) { return attackers(s, lowest(mine(s, general)), taken(s)) != 0; }

  // The enemies that attack a square of the player to move when the squares of `all` hold pieces.
  QILIN_HD static Bits attackers(const State& s, int at, Bits all) {
    const Bits found = close_attackers(s, at, all), sliders = theirs_sliding(s), cannons = theirs(s, cannon);
    if (!(Lines::cross(at) & (sliders | cannons))) return found;
    const auto sight = Lines::look(at, all);
    return found | (Lines::reach(at, sight) & sliders) | (Lines::shots(at, sight) & cannons);
  }

  // The legal moves to squares of `wanted`: one by one, and in sets.
  template <class Visit>
  QILIN_HD static void visit_moves(const State& s, Bits wanted, Visit&& visit) {
    const auto as_seen = [side = to_move(s)](int at) { return cell(at, side); };
    for (const auto& fan : fans(s, wanted)) {
      each(fan.targets, [&](int to) { visit(static_cast<Move>(as_seen(fan.origin(to)) * 90 + as_seen(to))); });
    }
  }
  QILIN_HD static Fans<Bits, 50> fans(const State& s, Bits wanted) {
    const Bits us = army(s, to_move(s)), all = taken(s), king = mine(s, general);
    const auto guard = guard_of(s, lowest(king));
    Fans<Bits, 50> legal, tried;
    wanted &= ~us;
    add_moves(s, us & ~guard.bound, wanted & guard.open, legal);
    if (guard.bound & us) add_moves(s, us & guard.bound, wanted, tried);
    tried.hop<up, -up, 1, -1>(king, palace & wanted);
    for (auto& fan : tried) {
      each(fan.targets, [&](int to) {
        const Bits from = bit<Bits>(fan.origin(to)), there = bit<Bits>(to);
        const int at = from == king ? to : lowest(king);
        if (attackers(s, at, (all & ~from) | there) & ~there) fan.targets ^= there;
      });
      legal.add(fan);
    }
    return legal;
  }

 private:
  static constexpr std::string_view letters{"\0KABNRCP\0KAEHRCS", 16};  // by Kind; then those that are read, too
  static constexpr Bits advisor_points = both_sides<Grid>("d0 f0 e1 d2 f2");
  static constexpr Bits elephant_points = both_sides<Grid>("c0 g0 a2 e2 i2 c4 g4");
  static constexpr Bits soldier_starts = both_sides<Grid>("a3 c3 e3 g3 i3 a4 c4 e4 g4 i4");

  QILIN_HD static constexpr State empty(const Settings& settings) {
    State s;
    s.selfplay = settings[0] == 1;
    s.most_idle = static_cast<u16>(settings[1]);
    s.most_plies = static_cast<u16>(settings[2]);
    return s;
  }
  QILIN_HD static constexpr void put(State& s, int at, int kind, int side) {
    for (int i = 0; i < 4; ++i) s.code[i] |= (kind | side << 3) >> i & 1 ? bit<Bits>(at) : 0;
  }

  QILIN_HD static constexpr Result limit(const State& s) {
    if (s.idle >= s.most_idle) return Result::draw(no_capture);
    return s.plies >= s.most_plies ? Result::draw(ply_limit) : Result{};
  }

  QILIN_HD static Result repeated(const State& s, Past past) {
    if (past.length < 8) return {};  // too short to come twice
    const Echo echo = look_back(key(s), past, 2);
    if (echo.times < 2) return {};
    if (s.selfplay || echo.mine == echo.theirs) return Result::draw(repetition);
    return Result::win(echo.mine ? 1 - to_move(s) : to_move(s), perpetual_check);
  }

  QILIN_HD static int count_moves(const State& s) {
    int n = 0;
    for (const auto& fan : fans(s, board)) n += count(fan.targets);
    return n;
  }

  // Most often a chariot or cannon that nothing binds has an empty square beside it, and that settles it.
  QILIN_HD static bool can_move(const State& s) {
    const auto guard = guard_of(s, lowest(mine(s, general)));
    const Bits runners = (mine(s, chariot) | mine(s, cannon)) & ~guard.bound;
    return (around(runners) & guard.open & ~taken(s)) || count_moves(s) > 0;
  }

  // Moves of all pieces but the general, legal if they expose nothing.
  QILIN_HD static void add_moves(const State& s, Bits movers, Bits targets, Fans<Bits, 50>& fans) {
    const int side = to_move(s);
    const Bits all = taken(s), empty = ~all;
    each(pieces(s, movers, chariot), [&](int at) { fans.spread(at, Lines::reach(at, all) & targets); });
    each(pieces(s, movers, cannon), [&](int at) { fans.spread(at, Lines::shots(at, all) & targets); });
    const Bits horses = pieces(s, movers, horse);
    fans.hop_over<up, 2 * up - 1, 2 * up + 1>(horses, empty, targets);
    fans.hop_over<-up, -2 * up - 1, -2 * up + 1>(horses, empty, targets);
    fans.hop_over<1, 2 + up, 2 - up>(horses, empty, targets);
    fans.hop_over<-1, -2 + up, -2 - up>(horses, empty, targets);
    fans.hop_over_middle<2 * up - 2, 2 * up + 2, -2 * up - 2, -2 * up + 2>(pieces(s, movers, elephant), empty,
                                                                           targets & elephant_points);
    fans.hop<up - 1, up + 1, -up - 1, -up + 1>(pieces(s, movers, advisor), targets & advisor_points);
    const Bits soldiers = pieces(s, movers, soldier);
    side == 0 ? fans.hop<up>(soldiers, targets) : fans.hop<-up>(soldiers, targets);
    fans.hop<-1, 1>(soldiers & (side == 0 ? ~red_half : red_half), targets);
  }

  // A general, 0b001, attacks along the open file as a chariot, 0b101, would.
  QILIN_HD static constexpr Bits theirs_sliding(const State& s) {
    return army(s, 1 - to_move(s)) & s.code[0] & ~s.code[1];
  }
  QILIN_HD static constexpr Bits beside(Bits set) { return set << 1 | set >> 1; }
  QILIN_HD static constexpr Bits around(Bits set) { return beside(set) | set << up | set >> up; }
  QILIN_HD static constexpr Bits diagonal_to(Bits set) { return beside(set) << up | beside(set) >> up; }

  // Soldiers beside or before the square; and horses, one step straight on from an empty leg, its diagonal neighbour.
  QILIN_HD static constexpr Bits close_attackers(const State& s, int at, Bits all) {
    const Bits here = bit<Bits>(at), legs = diagonal_to(here) & ~all, horses = theirs(s, horse) & ~around(here);
    const Bits front = shift(here, to_move(s) == 0 ? up : -up);
    return (around(legs) & horses) | ((front | beside(here)) & theirs(s, soldier));
  }

  // What keeps the general safe. The legs of horses near it must not go; a check from close by has many answers.
  QILIN_HD static Lines::Guard guard_of(const State& s, int king) {
    auto guard = Lines::guard(king, theirs_sliding(s), theirs(s, cannon), taken(s));
    if (close_attackers(s, king, 0)) {
      guard.bound |= close_attackers(s, king, taken(s)) ? board : diagonal_to(bit<Bits>(king));
    }
    return guard;
  }

  static int kind_of(char letter) {
    const char capital = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    const std::size_t found = letters.find(capital);
    return found == letters.npos ? none : static_cast<int>(found % 8);
  }
  static std::string square_text(int at) { return square_name(Grid::row(at), Grid::col(at), first_rank); }

  static void check(const Fields& fields, const State& s) {
    for (int i = 0; i < 14; ++i) check_kind(fields, s, i % 2, i / 2 + 1);
    if (s.plies > s.most_plies) fields.impossible("a game has at most {} half-moves", s.most_plies);
    if (s.idle > s.plies) fields.impossible("more half-moves without capture than half-moves");
    State waiting = s;
    waiting.plies ^= 1;
    if (in_check(waiting)) fields.impossible("the side that has just moved left its general to be taken");
  }
  static void check_kind(const Fields& fields, const State& s, int side, int kind) {
    const Bits home = side == 0 ? red_half : board & ~red_half, found = pieces(s, army(s, side), kind);
    const Bits places[]{board, palace & home, advisor_points & home, elephant_points & home, board,
                        board, board,         ~home | soldier_starts};
    const std::string_view who = side == 0 ? "RED" : "BLACK", what = letters.substr(static_cast<std::size_t>(kind), 1);
    const int most = kind == general ? 1 : kind == soldier ? 5 : 2;
    const Bits astray = found & ~places[kind], back = found & home;
    if (astray) fields.impossible("{}'s {} stands on {}", who, what, square_text(lowest(astray)));
    if (count(found) > most) fields.impossible("{}'s {} stands on {} squares", who, what, count(found));
    if (kind == general && !found) fields.impossible("{}'s {} is missing", who, what);
    if (kind == soldier && (back & (back >> up))) fields.impossible("two {}'s {} share a file at home", who, what);
  }
};
static_assert(Game<Rules> && HasPast<Rules> && HasCount<Rules>);

}  // namespace qilin::xiangqi
