// An opinion about Ataxx: stones, what can be done to them at once, and who is to move: he lands where he turns most.
//
//    3  . . . . .      Threatened: b2 and c2, by o's jump to c1 or c3. Exposed: c2, beside d1, d2 and d3, to which o
//    2  . x x . o      can even clone: there a turned stone costs nothing. Loose: all four stones, for each has two
//    1  . . . . o      empty cells around it or more. At most x turns two, by a clone to d1 or d2.
//       a b c d e
#pragma once

#include "core/evaluation.hpp"
#include "games/ataxx.hpp"

namespace qilin {

template <>
struct Evaluation<ataxx::Rules> {
  using Rules = ataxx::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 300;
  static constexpr Trust trust{.late = 2, .slowness = 1.2F, .order = 64, .margin = 0.25};

  QILIN_HD static int evaluate(const State& s) {
    const Bits open = Rules::empty(s);
    const Side mine = side(s.mine, open), theirs = side(s.theirs, open);
    const Weights& w = weights(count(open));
    const auto more = [](Bits a, Bits b) { return count(a) - count(b); };
    const Bits threatened = s.mine & Rules::around(theirs.jumps), in_return = s.theirs & Rules::around(mine.jumps);
    const Bits exposed = s.mine & Rules::around(theirs.clones), exposes = s.theirs & Rules::around(mine.clones);
    const Digits enemies = neighbours(s.theirs), gaps = neighbours(open);
    return w[tempo] + w[stone] * more(s.mine, s.theirs) + w[corner] * more(s.mine & corners, s.theirs & corners) +
           w[edge] * more(s.mine & edges, s.theirs & edges) + w[threat] * more(threatened, in_return) +
           w[exposure] * more(exposed, exposes) + w[rim_exposure] * more(exposed & rim, exposes & rim) +
           w[rim_room] * more(mine.jumps & rim, theirs.jumps & rim) +
           w[loose] * count((s.mine | s.theirs) & (gaps[1] | gaps[2] | gaps[3])) +
           w[any_turns + most(enemies, mine.jumps)] + w[clone_turns + most(enemies, mine.clones)];
  }

  // What is gained at once. A clone adds a stone; a jump leaves a hole beside the stones that stay behind.
  QILIN_HD static int order(const State& s, Move move) {
    if (move == Rules::pass) return 0;
    const Rules::Ends ends = Rules::ends_of(move);
    const int turned = count(near(ends.to) & s.theirs);
    if (Rules::is_clone(move)) return 8 * turned + 20;
    return 8 * turned + 16 - count(near(ends.from) & s.mine);
  }

  // Clones, and jumps that land beside an enemy stone; none where a ply may be banned.
  template <class Visit>
  QILIN_HD static void promising(const State& s, Past past, Visit&& visit) {
    if (Rules::recurs(s, past)) return;
    const Bits open = Rules::empty(s);
    Rules::each_ply(s.mine, open, open & Rules::around(s.theirs), visit);
  }

  QILIN_HD static constexpr int plies_left(const State& s) {
    return s.rules == Rules::uai ? Rules::patience - s.half_moves : Rules::last_ply - s.plies;
  }

 private:
  static constexpr Bits board = Rules::board;
  static constexpr Bits sides = board & ~((board << 1) & (board >> 1));  // files a and g
  static constexpr Bits ends = board & ~((board << Rules::Grid::stride) & (board >> Rules::Grid::stride));
  static constexpr Bits corners = sides & ends, edges = sides ^ ends, rim = sides | ends;

  // Where one side can go: by a clone, and by any ply.
  struct Side {
    Bits clones, jumps;
  };
  QILIN_HD static constexpr Side side(Bits own, Bits open) {
    return {Rules::around(own) & open, Rules::around_twice(own) & open};
  }

  // How many of a set lie around each cell, itself included: a number of four binary digits for each, the ones first.
  using Digits = Array<Bits, 4>;
  QILIN_HD static constexpr Digits neighbours(Bits set) {
    constexpr int up = Rules::Grid::stride;
    const auto odd = [](Bits a, Bits b, Bits c) { return a ^ b ^ c; };
    const auto carry = [](Bits a, Bits b, Bits c) { return (a & b) | (c & (a | b)); };
    const Bits ones = odd(set, set << 1, set >> 1), twos = carry(set, set << 1, set >> 1);  // of three in a rank
    const Bits more = carry(ones, ones << up, ones >> up), same = odd(twos, twos << up, twos >> up);
    const Bits fours = carry(twos, twos << up, twos >> up);
    return {{odd(ones, ones << up, ones >> up), more ^ same, fours ^ (more & same), fours & more & same}};
  }
  // The greatest of those numbers, of the cells of a set.
  QILIN_HD static constexpr int most(const Digits& numbers, Bits set) {
    int number = 0;
    for (int digit = 3; digit >= 0; --digit) {
      const Bits those = set & numbers[digit];
      number |= those ? 1 << digit : 0;
      set = those ? those : set;
    }
    return number;
  }

  QILIN_HD static constexpr Array<Bits, 64> all_near() {
    Array<Bits, 64> all{};
    for (int at = 0; at < 64; ++at) all[at] = Rules::around(bit<Bits>(at));
    return all;
  }
  QILIN_HD static Bits near(int at) {
    static constexpr auto all = all_near();
    return all[at];
  }

  // What is weighed. Of what a side gains or has more of than the other; but `loose` counts both sides' stones, and the
  // turns are those of the player to move: a weight for every number of stones he can turn, by any ply and by a clone.
  enum Term { tempo, stone, corner, edge, threat, exposure, rim_room, rim_exposure, loose, any_turns };
  static constexpr int clone_turns = any_turns + 9, terms = clone_turns + 9;
  using Weights = Array<int, terms>;

  // 400 are a logit: a regression on 700,000 positions of quick games of the search with earlier opinions of this kind,
  // on what a search of 3,000 or 4,000 nodes said of each, and a quarter on how the game ended.
  QILIN_HD static constexpr Array<Weights, Rules::cells + 1> all_weights() {
    constexpr int columns = 6, left[columns] = {1, 4, 10, 20, 34, 45};  // empty cells; in proportion in between
    constexpr int fitted[terms][columns] = {
        {161, 358, 207, 69, 44, 377},   // tempo
        {249, 143, 67, 26, 22, 162},    // stone
        {21, 27, 35, 43, 24, -13},      // corner
        {26, 52, 39, 20, 5, -38},       // edge
        {-76, -44, -31, -16, -8, -16},  // threat
        {-1, -21, -1, 2, -4, -41},      // exposure
        {275, 113, 16, 4, 2, 6},        // rim_room
        {-68, -35, -29, -17, -6, 39},   // rim_exposure
        {-266, -38, -14, -2, -3, -37},  // loose
        {0, 0, 0, 0, 0, 0},             // turned by any ply: none,
        {165, -10, -51, -5, 23, -18},   // one, and so on
        {213, -13, -14, -15, 38, 9},
        {215, 23, 3, -16, 50, 248},
        {582, 135, 39, -5, 72, 382},
        {635, 316, 117, 13, 98, 405},
        {1360, 454, 166, 24, 129, 102},
        {1581, 589, 219, 53, 147, 14},
        {1527, 949, 358, 124, 107, 0},
        {0, 0, 0, 0, 0, 0},          // by a clone: none,
        {375, 67, 32, 28, 11, 197},  // one, and so on
        {597, 136, 68, 27, -1, 223},
        {830, 234, 115, 41, -4, 157},
        {781, 298, 154, 53, -5, 143},
        {1169, 258, 157, 57, -5, 117},
        {876, 251, 209, 69, 11, 44},
        {1138, 413, 325, 104, 33, 7},
        {0, 0, 0, 0, 0, 0},
    };
    Array<Weights, Rules::cells + 1> all{};
    for (int n = left[0]; n <= Rules::cells; ++n) {
      int k = 0;
      while (k + 2 < columns && n > left[k + 1]) ++k;
      const int from = n - left[k], to = left[k + 1] - n;
      for (int i = 0; i < terms; ++i) all[n][i] = (fitted[i][k] * to + fitted[i][k + 1] * from) / (from + to);
    }
    return all;
  }
  QILIN_HD static const Weights& weights(int empty_cells) {
    static constexpr auto all = all_weights();
    return all[empty_cells];
  }
};

}  // namespace qilin
