// What xiangqi tells: who gives check, which draw or loss is near, and why a piece can't go there.
//
//    塞象眼 elephant_eye    蹩马腿 horse_leg    炮架 no_screen, many_screens    将帅照面 generals_face    送将 exposes
#pragma once

#include "core/facts.hpp"
#include "games/xiangqi.hpp"

namespace qilin {

template <>
struct Facts<xiangqi::Rules> {
  using Rules = xiangqi::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;
  using Grid = Rules::Grid;

  enum Counted { no_capture, plies, repetition, perpetual_check };
  static constexpr std::array<const char*, 4> counter_names{"no_capture", "plies", "repetition", "perpetual_check"};
  enum Set { check, attackers };
  static constexpr std::array<const char*, 2> set_names{"check", "attackers"};
  enum Reason {
    no_piece,
    not_yours,
    own_piece,
    general_moves,
    advisor_moves,
    elephant_moves,
    horse_moves,
    chariot_moves,
    cannon_moves,
    soldier_moves,
    palace,
    river,
    elephant_eye,
    horse_leg,
    path_blocked,
    no_screen,
    many_screens,
    soldier_river,
    generals_face,
    still_check,
    exposes,
    into_check
  };
  static constexpr std::array<const char*, 22> why_names{
      "no_piece",      "not_yours",     "own_piece",    "general_moves", "advisor_moves", "elephant_moves",
      "horse_moves",   "chariot_moves", "cannon_moves", "soldier_moves", "palace",        "river",
      "elephant_eye",  "horse_leg",     "path_blocked", "no_screen",     "many_screens",  "soldier_river",
      "generals_face", "still_check",   "exposes",      "into_check"};

  static int captured(const State&, const State& after) { return after.idle == 0; }

  template <class Visit>
  static void counters(const State& s, Past past, Visit&& visit) {
    visit(Counter{no_capture, nobody, s.idle, s.most_idle});
    visit(Counter{plies, nobody, s.plies, s.most_plies});
    const Echo echo = look_back(Rules::key(s), past, 2);
    if (!echo.times) return;
    const bool draws = s.selfplay || echo.mine == echo.theirs;
    const int loser = echo.mine ? Rules::to_move(s) : 1 - Rules::to_move(s);
    visit(Counter{draws ? repetition : perpetual_check, draws ? nobody : loser, echo.times + 1, 3});
  }

  template <class Visit>
  static void sets(const State& s, Visit&& visit) {
    const Bits king = Rules::mine(s, Rules::general), found = Rules::attackers(s, lowest(king), Rules::taken(s));
    visit(check, found ? king : 0);
    visit(attackers, found);
  }

  static Bits screens(const State& s, int from, int to) {
    return Rules::kind_at(s, from) == Rules::cannon ? on_the_way(s, from, to) : 0;
  }

  static Why<Bits> why_not(const State& s, Past, int from, int to) {
    if (from == nowhere) return {no_piece};
    const Bits here = bit<Bits>(from), there = bit<Bits>(to), mine = Rules::army(s, Rules::to_move(s));
    if (!(Rules::taken(s) & here)) return {no_piece, here};
    if (!(mine & here)) return {not_yours, here};
    if (mine & there) return {own_piece, there};
    const Why<Bits> way = why_not_reached(s, from, to);
    return way.name == nowhere ? why_not_safe(s, from, to) : way;
  }

 private:
  static Why<Bits> why_not_reached(const State& s, int from, int to) {
    constexpr Why<Bits> (*by_kind[])(const State&, int, int){nothing,   general_way, advisor_way, elephant_way,
                                                             horse_way, chariot_way, cannon_way,  soldier_way};
    return by_kind[Rules::kind_at(s, from)](s, from, to);
  }
  static Why<Bits> nothing(const State&, int, int) { return {no_piece}; }

  static int far(int a, int b) { return a < b ? b - a : a - b; }
  static int ranks(int from, int to) { return far(Grid::row(from), Grid::row(to)); }
  static int files(int from, int to) { return far(Grid::col(from), Grid::col(to)); }
  static Bits on_the_way(const State& s, int from, int to) { return Rules::Lines::between(from, to) & Rules::taken(s); }
  static bool at_home(int side, int square) { return has(Rules::red_half, square) == (side == 0); }

  static Why<Bits> general_way(const State&, int from, int to) {
    if (ranks(from, to) + files(from, to) != 1) return {general_moves};
    return has(Rules::palace, to) ? Why<Bits>{} : Why<Bits>{palace, Rules::palace};
  }
  static Why<Bits> advisor_way(const State&, int from, int to) {
    if (ranks(from, to) != 1 || files(from, to) != 1) return {advisor_moves};
    return has(Rules::palace, to) ? Why<Bits>{} : Why<Bits>{palace, Rules::palace};
  }
  static Why<Bits> elephant_way(const State& s, int from, int to) {
    if (ranks(from, to) != 2 || files(from, to) != 2) return {elephant_moves};
    if (!at_home(Rules::to_move(s), to)) return {river, bit<Bits>(to)};
    const Bits eye = bit<Bits>((from + to) / 2);
    return Rules::taken(s) & eye ? Why<Bits>{elephant_eye, eye} : Why<Bits>{};
  }
  static Why<Bits> horse_way(const State& s, int from, int to) {
    const int up = ranks(from, to), across = files(from, to);
    if (up + across != 3 || up == 0 || across == 0) return {horse_moves};
    const int rank = (Grid::row(from) + Grid::row(to)) / 2, file = (Grid::col(from) + Grid::col(to)) / 2;
    const Bits leg = bit<Bits>(up == 2 ? Grid::at(rank, Grid::col(from)) : Grid::at(Grid::row(from), file));
    return Rules::taken(s) & leg ? Why<Bits>{horse_leg, leg} : Why<Bits>{};
  }
  static Why<Bits> chariot_way(const State& s, int from, int to) {
    if (ranks(from, to) && files(from, to)) return {chariot_moves};
    const Bits met = on_the_way(s, from, to);
    return met ? Why<Bits>{path_blocked, met} : Why<Bits>{};
  }
  static Why<Bits> cannon_way(const State& s, int from, int to) {
    if (ranks(from, to) && files(from, to)) return {cannon_moves};
    const Bits met = on_the_way(s, from, to);
    if (!has(Rules::taken(s), to)) return met ? Why<Bits>{path_blocked, met} : Why<Bits>{};
    if (!met) return {no_screen, bit<Bits>(to)};
    return count(met) > 1 ? Why<Bits>{many_screens, met} : Why<Bits>{};
  }
  static Why<Bits> soldier_way(const State& s, int from, int to) {
    const int side = Rules::to_move(s), up = (Grid::row(to) - Grid::row(from)) * (side == 0 ? 1 : -1);
    if (ranks(from, to) + files(from, to) != 1 || up < 0) return {soldier_moves};
    return up == 0 && at_home(side, from) ? Why<Bits>{soldier_river, bit<Bits>(from)} : Why<Bits>{};
  }

  // The piece can go there; so its general would be taken.
  static Why<Bits> why_not_safe(const State& s, int from, int to) {
    const Bits here = bit<Bits>(from), there = bit<Bits>(to), king = Rules::mine(s, Rules::general);
    const int at = king == here ? to : lowest(king);
    const Bits found = Rules::attackers(s, at, (Rules::taken(s) & ~here) | there) & ~there;
    if (!found) return {};
    if (found & Rules::theirs(s, Rules::general)) return {generals_face, found};
    if (Rules::in_check(s)) return {still_check, found};
    return {king == here ? into_check : exposes, found};
  }
};

}  // namespace qilin
