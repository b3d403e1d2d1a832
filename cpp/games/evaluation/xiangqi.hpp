// An opinion about xiangqi: what stands on the board and where, how far it sees, and how safe the palaces are.
//
//    9  . . . a k a . . .      c attacks nothing as yet, but nothing may step between it and the general: a hollow
//    8  . . . . . . . . .      cannon. Two pieces between them: a screen too many, which may leave with tempo.
//    7  . . . . . . . . .      Every square of the palace that an enemy sees counts, and counts more when advisors are
//    6  . . . . C . . . .      missing; chariots and horses like a palace without advisors, cannons one without
//       a b c d e f g h i      elephants.
//
// A piece is worth a number, one more for its rank and one for its file, counted from the edge: both as its player sees
// the board. All weights are 1 / scale of a logit: a regression of results on the terms over positions from games of
// the search with an earlier opinion of this kind.
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
    Sum sum;
    sum.sign = 1;
    look(s, 0, sum);
    sum.sign = -1;
    look(s, 1, sum);
    const int force = strength(s), ahead = (sum.early * force + sum.late * (full_strength - force)) / full_strength;
    return (Rules::to_move(s) == 0 ? ahead : -ahead) + tempo;
  }

  // Captures by what they win; other moves by what the piece is worth where it goes.
  QILIN_HD static int order(const State& s, Move move) {
    const int side = Rules::to_move(s), kind = kind_of(s, move / 90, side), prey = kind_of(s, move % 90, side);
    if (prey) return 1000 + 2 * worth(prey) - worth(kind) / 8;
    const int gain = places()[kind][move % 90] - places()[kind][move / 90];
    return gain < -100 ? 0 : 100 + gain;
  }

  // Captures, unless the piece that takes is worth more than what it takes and would be taken at once.
  QILIN_HD static bool noisy(const State& s, Move move) {
    const int side = Rules::to_move(s), prey = kind_of(s, move % 90, side);
    return prey && pays(s, move, prey);
  }
  template <class Visit>
  QILIN_HD static void noisy_moves(const State& s, Visit&& visit) {
    const int side = Rules::to_move(s);
    Rules::visit_moves(s, Rules::army(s, 1 - side), [&](Move move) {
      if (pays(s, move, kind_of(s, move % 90, side))) visit(move);
    });
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
    chariot_steps,
    horse_steps,
    cannon_steps,
    hollow_cannon,
    loaded_cannon,
    far_cannon,
    palace_seen,
    palace_seen_bare,
    chariots_at_advisors,
    horses_at_advisors,
    cannons_at_elephants,
    soldiers_in_pairs,
    terms
  };

  // Tells `sink` of every piece of a side, `piece(kind, cell)`, and of every term, `term(which, number)`.
  template <class Sink>
  QILIN_HD static void look(const State& s, int side, Sink& sink) {
    const Bits own = Rules::army(s, side), theirs = Rules::army(s, 1 - side), all = own | theirs,
               open = Rules::board & ~own;
    const auto of = [&](int kind) { return Rules::pieces(s, own, kind); };
    for (int kind = Rules::general; kind <= Rules::soldier; ++kind) {
      each(of(kind), [&](int at) { sink.piece(kind, Rules::cell(at, side)); });
    }
    const int king = lowest(Rules::pieces(s, theirs, Rules::general));
    const Bits palace = Rules::palace & (side == 0 ? ~Rules::red_half : Rules::red_half);
    const int advisors = 2 - count(Rules::pieces(s, theirs, Rules::advisor));
    const int elephants = 2 - count(Rules::pieces(s, theirs, Rules::elephant));
    int steps = 0, seen = 0;
    each(of(Rules::chariot), [&](int at) {
      const Bits reach = Lines::reach(at, all);
      steps += count(reach & open);
      seen += count(reach & palace);
    });
    sink.term(chariot_steps, steps);
    steps = 0;
    each(of(Rules::cannon), [&](int at) {
      const Bits shots = Lines::shots(at, all);
      steps += count(shots & open);
      aim(at, king, all, sink);
    });
    sink.term(cannon_steps, steps);
    const Bits horses = of(Rules::horse);
    steps = 0;
    gallop(horses, ~all, [&](Bits targets) {
      steps += count(targets & open);
      seen += count(targets & palace);
    });
    sink.term(horse_steps, steps);
    const Bits soldiers = of(Rules::soldier);
    seen += count((soldiers << 1 | soldiers >> 1) & palace & (side == 0 ? ~Rules::red_half : Rules::red_half));
    sink.term(palace_seen, seen);
    sink.term(palace_seen_bare, seen * advisors);
    sink.term(chariots_at_advisors, count(of(Rules::chariot)) * advisors);
    sink.term(horses_at_advisors, count(horses) * advisors);
    sink.term(cannons_at_elephants, count(of(Rules::cannon)) * elephants);
    sink.term(soldiers_in_pairs, count(soldiers & (soldiers << 1)));
  }

 private:
  struct Weight {
    int early, late;
  };
  struct Sum {
    int early = 0, late = 0, sign = 1;
    QILIN_HD void piece(int kind, int cell) {
      early += sign * (worths[kind].early + places()[kind][cell]);
      late += sign * (worths[kind].late + places()[kind][cell]);
    }
    QILIN_HD void term(Term which, int number) {
      early += sign * number * weights[which].early;
      late += sign * number * weights[which].late;
    }
  };

  static constexpr int tempo = 20, full_strength = 16;
  static constexpr Weight worths[]{{0, 0},     {0, 0},     {120, 140}, {120, 140},
                                   {400, 450}, {900, 950}, {450, 430}, {80, 120}};
  static constexpr Weight weights[]{{6, 6}, {10, 10}, {3, 3},   {80, 60}, {20, 20}, {5, 5},
                                    {8, 8}, {4, 4},   {25, 25}, {10, 10}, {15, 15}, {10, 10}};

  // By kind: for each rank, for each file from the edge to the middle.
  static constexpr int ranks[8][10]{{},
                                    {20, -10, -30},
                                    {0, 10, 0},
                                    {0, 0, 5, 0, 5},
                                    {-30, -10, 0, 5, 10, 20, 25, 25, 15, -10},
                                    {-20, 0, 0, 5, 10, 15, 15, 15, 10, 5},
                                    {-5, 0, 5, 0, 5, 5, 5, 10, 5, 10},
                                    {0, 0, 0, -20, 0, 60, 90, 100, 80, -10}};
  static constexpr int files[8][5]{{},
                                   {0, 0, 0, 0, 10},
                                   {0, 0, 0, 0, 5},
                                   {0, 0, 0, 0, 10},
                                   {-15, -5, 5, 5, 5},
                                   {-5, 0, 0, 10, 10},
                                   {0, 0, 0, 5, 20},
                                   {-10, 0, 0, 10, 15}};

  using Places = Array<Array<int, 90>, 8>;
  QILIN_HD static constexpr Places all_places() {
    Places all{};
    for (int kind = Rules::general; kind <= Rules::soldier; ++kind) {
      for (int cell = 0; cell < 90; ++cell) {
        const int col = cell % 9;
        all[kind][cell] = ranks[kind][cell / 9] + files[kind][col < 5 ? col : 8 - col];
      }
    }
    return all;
  }
  QILIN_HD static const Places& places() {
    static constexpr Places all = all_places();
    return all;
  }

  QILIN_HD static int worth(int kind) { return worths[kind].early; }
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
