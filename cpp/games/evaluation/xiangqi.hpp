// An opinion about xiangqi: what stands on the board and where, how far it sees, and how safe the palaces are.
//
//    9  . . . a k a . . .      c attacks nothing as yet, but nothing may step between it and the general: a hollow
//    8  . . . . . . . . .      cannon. Two pieces between them: a screen too many, which may leave with tempo.
//    7  . . . . . . . . .      Every square of the palace that an enemy sees counts, and counts more when advisors are
//    6  . . . . C . . . .      missing; chariots and horses like a palace without advisors, cannons one without
//       a b c d e f g h i      elephants.
//
// A piece is worth a number, one more for its rank and one for its file, counted from the edge: both as its player sees
// the board. The weights were set by hand, in hundredths of a soldier at home, and not fitted: see bench/README.md for
// what they are worth against other engines.
#pragma once

#include "core/evaluation.hpp"
#include "games/xiangqi.hpp"

namespace qilin {

template <>
struct Evaluation<xiangqi::Rules> {
  using Rules = xiangqi::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;
  using Lines = Rules::Lines;

  static constexpr double scale = 200;

  QILIN_HD static int evaluate(const State& s) {
    const int lead = sum(s, Rules::to_move(s)) - sum(s, 1 - Rules::to_move(s)), force = strength(s);
    return (early(lead) * force + late(lead) * (full_strength - force)) / full_strength + tempo;
  }

  // Captures by what they win; other moves by what the piece is worth where it goes.
  QILIN_HD static int order(const State& s, Move move) {
    const int side = Rules::to_move(s), to = Rules::square(move % 90, side), kind = kind_of(s, move / 90, side);
    if (has(Rules::taken(s), to)) return 1000 + 2 * worth(Rules::kind_at(s, to)) - worth(kind) / 8;
    const int gain = early(places()[kind][move % 90] - places()[kind][move / 90]);
    return gain < -200 ? 0 : 200 + gain;
  }

  // Captures, unless the piece that takes is worth more than what it takes and would be taken at once.
  QILIN_HD static bool noisy(const State& s, Move move) {
    const int to = Rules::square(move % 90, Rules::to_move(s));
    return has(Rules::taken(s), to) && pays(s, move, Rules::kind_at(s, to));
  }
  template <class Visit>
  QILIN_HD static void noisy_moves(const State& s, Visit&& visit) {
    const int side = Rules::to_move(s);
    Rules::visit_moves(s, Rules::army(s, 1 - side), [&](Move move) {
      if (pays(s, move, kind_of(s, move % 90, side))) visit(move);
    });
  }

  // 0 quiet; takes 1 an advisor or elephant, 2 a soldier, 3 a horse, 4 a cannon, 5 a chariot; 6 to 11: and gives check.
  QILIN_HD static int tier(const State& s, Move move) {
    const int side = Rules::to_move(s), to = Rules::square(move % 90, side);
    int takes = 0;
    if (has(Rules::taken(s), to)) {
      switch (Rules::kind_at(s, to)) {
        case Rules::soldier:
          takes = 2;
          break;
        case Rules::horse:
          takes = 3;
          break;
        case Rules::cannon:
          takes = 4;
          break;
        case Rules::chariot:
          takes = 5;
          break;
        default:
          takes = 1;
      }
    }
    return takes + (Rules::in_check(Rules::play(s, move)) ? 6 : 0);
  }

  QILIN_HD static bool in_danger(const State& s) { return Rules::in_check(s); }

  // With pieces that cross the river there is always something better to do than to pass.
  QILIN_HD static bool can_pass(const State& s) {
    return Rules::mine(s, Rules::chariot) | Rules::mine(s, Rules::horse) | Rules::mine(s, Rules::cannon);
  }
  QILIN_HD static State pass(const State& s) {
    State next = s;
    ++next.plies;
    return next;
  }

  QILIN_HD static int plies_left(const State& s) {
    const int idle = s.most_idle - s.idle, plies = s.most_plies - s.plies;
    return idle < plies ? idle : plies;
  }

  // What the opinion looks at, besides where pieces stand; also for the regression.
  enum Term {
    advisors,
    elephants,
    chariot_sight,
    horse_steps,
    hollow_cannon,
    loaded_cannon,
    far_cannon,
    palace_seen,
    palace_seen_bare,
    chariots_at_advisors,
    horses_at_advisors,
    cannons_at_advisors,
    cannons_at_elephants,
    soldiers_in_pairs,
    terms
  };

  // Tells `sink` of every piece of a side that has a table, `place(kind, cell)`, and of every term, `term(which,
  // number)`.
  template <class Sink>
  QILIN_HD static void look(const State& s, int side, Sink& sink) {
    const Bits all = Rules::taken(s), own = Rules::army(s, side), theirs = all ^ own;
    const auto of = [&](int kind) { return Rules::pieces(s, own, kind); };
    const auto missing = [&](int kind) { return 2 - count(Rules::pieces(s, theirs, kind)); };
    const int king = lowest(Rules::pieces(s, theirs, Rules::general)), bare = missing(Rules::advisor);
    const Bits horses = of(Rules::horse), soldiers = of(Rules::soldier);
    const auto place = [&](int kind, int at) { sink.place(kind, Rules::cell(at, side)); };
    int sight = 0, chariots = 0, cannons = 0;
    place(Rules::general, lowest(of(Rules::general)));
    each(of(Rules::chariot), [&](int at) {
      place(Rules::chariot, at);
      const auto seen = Lines::look(at, all);
      sight += count(u64{(seen.across & 0xffff) | (seen.along & 0xffff) << 16});
      ++chariots;
    });
    each(of(Rules::cannon), [&](int at) {
      place(Rules::cannon, at);
      aim(at, king, all, sink);
      ++cannons;
    });
    each(horses, [&](int at) { place(Rules::horse, at); });
    each(soldiers, [&](int at) { place(Rules::soldier, at); });
    const Bits palace = Rules::palace & (side == 0 ? ~Rules::red_half : Rules::red_half);
    int steps = 0, seen = count((soldiers << 1 | soldiers >> 1) & palace);
    gallop(horses, ~all, [&](Bits targets) {
      steps += count(targets & ~own);
      seen += count(targets & palace);
    });
    sink.term(advisors, count(of(Rules::advisor)));
    sink.term(elephants, count(of(Rules::elephant)));
    sink.term(chariot_sight, sight);
    sink.term(horse_steps, steps);
    sink.term(palace_seen, seen);
    sink.term(palace_seen_bare, seen * bare);
    sink.term(chariots_at_advisors, chariots * bare);
    sink.term(horses_at_advisors, count(horses) * bare);
    sink.term(cannons_at_advisors, cannons * bare);
    sink.term(cannons_at_elephants, cannons * missing(Rules::elephant));
    sink.term(soldiers_in_pairs, count(soldiers & (soldiers << 1)));
  }

 private:
  struct Sum {
    int weight = 0;
    QILIN_HD void place(int kind, int cell) { weight += places()[kind][cell]; }
    QILIN_HD void term(Term which, int number) { weight += number * weights[which]; }
  };
  QILIN_HD static int sum(const State& s, int side) {
    Sum all;
    look(s, side, all);
    return all.weight;
  }

  static constexpr int tempo = 20, full_strength = 16;
  static constexpr int weights[]{both(120, 140), both(120, 140), both(5, 5),   both(10, 10), both(80, 60),
                                 both(20, 20),   both(5, 5),     both(8, 8),   both(4, 4),   both(25, 25),
                                 both(10, 10),   both(-15, 0),   both(15, 15), both(10, 10)};

  // By kind: what it is worth; and more for each rank, for each file from the edge to the middle.
  static constexpr int early_worth[8]{0, 0, 120, 120, 400, 900, 450, 80},
      late_worth[8]{0, 0, 140, 140, 450, 950, 430, 120};
  static constexpr int early_ranks[8][10]{{},
                                          {20, -10, -30},
                                          {},
                                          {},
                                          {-30, -10, 0, 5, 10, 20, 25, 25, 15, -10},
                                          {-20, 0, 0, 5, 10, 15, 15, 15, 10, 5},
                                          {-5, 0, 5, 0, 5, 5, 5, 10, 5, 10},
                                          {0, 0, 0, -20, 0, 60, 90, 100, 80, -10}};
  static constexpr int late_ranks[8][10]{{},
                                         {20, -10, -30},
                                         {},
                                         {},
                                         {-30, -10, 0, 5, 10, 20, 25, 25, 15, -10},
                                         {-20, 0, 0, 5, 10, 15, 15, 15, 10, 5},
                                         {-5, 0, 5, 0, 5, 5, 5, 10, 5, 10},
                                         {0, 0, 0, -20, 0, 60, 90, 100, 80, -10}};
  static constexpr int early_files[8][5]{
      {}, {0, 0, 0, 0, 10}, {}, {}, {-15, -5, 5, 5, 5}, {-5, 0, 0, 10, 10}, {0, 0, 0, 5, 20}, {-10, 0, 0, 10, 15}};
  static constexpr int late_files[8][5]{
      {}, {0, 0, 0, 0, 10}, {}, {}, {-15, -5, 5, 5, 5}, {-5, 0, 0, 10, 10}, {0, 0, 0, 5, 20}, {-10, 0, 0, 10, 15}};

  using Places = Array<Array<int, 90>, 8>;
  QILIN_HD static constexpr Places all_places() {
    Places all{};
    for (int kind = Rules::general; kind <= Rules::soldier; ++kind) {
      for (int cell = 0; cell < 90; ++cell) {
        const int rank = cell / 9, file = cell % 9 < 5 ? cell % 9 : 8 - cell % 9;
        all[kind][cell] = both(early_worth[kind] + early_ranks[kind][rank] + early_files[kind][file],
                               late_worth[kind] + late_ranks[kind][rank] + late_files[kind][file]);
      }
    }
    return all;
  }
  QILIN_HD static const Places& places() {
    static constexpr Places all = all_places();
    return all;
  }

  QILIN_HD static int worth(int kind) { return early_worth[kind]; }
  QILIN_HD static int kind_of(const State& s, int cell, int side) {
    return Rules::kind_at(s, Rules::square(cell, side));
  }

  // Chariots count two, horses and cannons one.
  QILIN_HD static int strength(const State& s) {
    const Bits all = Rules::taken(s);
    const int n = 2 * count(Rules::pieces(s, all, Rules::chariot)) + count(Rules::pieces(s, all, Rules::horse)) +
                  count(Rules::pieces(s, all, Rules::cannon));
    return n < full_strength ? n : full_strength;
  }

  QILIN_HD static bool pays(const State& s, Move move, int prey) {
    const int side = Rules::to_move(s), from = Rules::square(move / 90, side), to = Rules::square(move % 90, side);
    const int kind = Rules::kind_at(s, from);
    if (kind == Rules::general || worth(prey) + 60 >= worth(kind)) return true;
    const Bits gone = bit<Bits>(from), there = bit<Bits>(to);
    return !(Rules::attackers(s, to, (Rules::taken(s) & ~gone)) & ~there);
  }

  // A cannon on a line with the enemy general.
  template <class Sink>
  QILIN_HD static void aim(int at, int king, Bits all, Sink& sink) {
    if (!has(Lines::cross(king), at)) return;
    const int screens = count(Lines::between(at, king) & all);
    if (screens == 0) sink.term(hollow_cannon, 1);
    if (screens == 2) sink.term(loaded_cannon, 1);
    if (screens > 2) sink.term(far_cannon, 1);
  }

  // The squares that horses step to, direction by direction.
  template <class Visit>
  QILIN_HD static void gallop(Bits horses, Bits empty, Visit&& visit) {
    constexpr int up = Rules::up;
    const Bits north = (horses << up) & empty, south = (horses >> up) & empty;
    const Bits east = (horses << 1) & empty, west = (horses >> 1) & empty;
    for (const Bits targets : {north << (up - 1), north << (up + 1), south >> (up - 1), south >> (up + 1),
                               east << (up + 1), east >> (up - 1), west << (up - 1), west >> (up + 1)}) {
      visit(targets & Rules::board);
    }
  }
};

}  // namespace qilin
