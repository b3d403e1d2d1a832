// An opinion about dark chess: who is ahead in the race to 60 points, and who strikes next.
//
//   race      points won, each worth more than the one before, and all less as a counter nears its end
//   grip      what each piece that is face up could still take of the enemy, face up or in the pool: a general grips
//             much, until the enemy has nothing but soldiers
//   strike    the dearest two pieces each side could take now: the side that moves next takes, the other threatens
//   darkness  what a cannon's shot at a face-down piece brings in the mean, its own side's pieces counted against it
//   room      steps to empty squares
//
// The numbers were fitted to the results of 2 750 games between searches two plies deep that erred now and then.
#pragma once

#include "core/evaluation.hpp"
#include "games/dark_chess.hpp"

namespace qilin {

template <>
struct Evaluation<dark_chess::Rules> {
  using Rules = dark_chess::Rules;
  using State = Rules::State;
  using Bits = Rules::Bits;

  static constexpr double scale = 80;

  QILIN_HD static constexpr int evaluate(const State& s) {
    const int me = Rules::to_move(s), next = Rules::is_chance(s) ? 1 - me : me;  // who moves after chance
    const Array<Side, 2> sides{{look(s, 0), look(s, 1)}};
    const int strikes = strike(s, next, sides[next], sides[1 - next]);
    return prospects(s, me, sides[me]) - prospects(s, 1 - me, sides[1 - me]) + (next == me ? strikes : -strikes);
  }

  // The dearest captures first, by the cheapest piece; then shots in the dark, if they promise something.
  QILIN_HD static constexpr int order(const State& s, Move move) {
    const int from = Rules::origin(move), to = Rules::target(move);
    if (noisy(s, move)) return 1000 + 10 * worth_at(s, to) - worth_at(s, from);
    const int gain = from != to && has(Rules::hidden(s), to) ? dark_points(s, Rules::to_move(s)) : 0;
    return gain > 0 ? 100 + gain : 0;
  }

  // Captures of what is face up: no chance is in them.
  QILIN_HD static constexpr bool noisy(const State& s, Move move) {
    return has(Rules::side(s, 1 - Rules::to_move(s)), Rules::target(move));
  }

  QILIN_HD static constexpr int plies_left(const State& s) {
    const int idle = Rules::max_idle - s.idle, plies = Rules::max_plies - s.plies;
    return idle < plies ? idle : plies;
  }

 private:
  // What a player could do now.
  struct Side {
    int best, second;  // worth of the dearest two pieces it could take
    int steps;         // to empty squares
    bool shoots;       // at a face-down piece
  };

  QILIN_HD static constexpr Side look(const State& s, int player) {
    Side side{};
    Bits attacked = 0;
    Rules::movers(s, player, [&](int, Bits targets) {
      side.steps += count(targets & ~Rules::taken(s));
      attacked |= targets;
    });
    side.shoots = (attacked & Rules::hidden(s)) != 0;
    for (int rank = 0; rank < dark_chess::ranks; ++rank) {
      for (int n = count(attacked & Rules::pieces(s, kind_of(1 - player, rank))); n > 0; --n) {
        side.second = side.best;
        side.best = Rules::worth(rank);
      }
    }
    return side;
  }

  QILIN_HD static constexpr int prospects(const State& s, int player, const Side& side) {
    const int points = s.scores[player];
    const int race = (points * 3 + points * points / 25) * (8 + plies_left(s)) / 32;
    return race + grip(s, player) / 6 + 4 * side.steps + pending(s, player);
  }

  // For the side that moves next: it takes the best it can, or saves the dearest of what the other side attacks.
  QILIN_HD static constexpr int strike(const State& s, int player, const Side& own, const Side& other) {
    const int captures = (9 * own.best + 5 * own.second - 6 * other.best - 5 * other.second) / 2;
    const int mine = own.shoots ? dark_points(s, player) : 0, theirs = other.shoots ? dark_points(s, 1 - player) : 0;
    const bool wins = s.scores[player] + own.best >= Rules::goal && !Rules::is_chance(s);
    const bool at_risk = s.scores[1 - player] + other.best >= Rules::goal;
    return captures + (mine - theirs) * 3 / 2 + 300 * wins - 40 * at_risk;
  }

  // Points that a face-down piece brings in the mean, if this player's cannon takes it.
  QILIN_HD static constexpr int dark_points(const State& s, int player) {
    int sum = 0;
    for (int kind = 0; kind < dark_chess::kinds; ++kind) {
      const bool pays = s.pays_capturer || kind / dark_chess::ranks != player;
      sum += Rules::in_pool(s, kind) * Rules::worth(kind % dark_chess::ranks) * (pays ? 1 : -1);
    }
    const int dark = count(Rules::hidden(s));
    return dark ? sum / dark : 0;
  }
  // The same for a shot that chance is just to answer.
  QILIN_HD static constexpr int pending(const State& s, int player) {
    const bool shot = Rules::is_chance(s) && Rules::origin(s.pending) != Rules::target(s.pending);
    return shot && player == Rules::to_move(s) ? 4 * dark_points(s, player) : 0;
  }

  QILIN_HD static constexpr int grip(const State& s, int player) {
    Array<int, dark_chess::ranks> prey{};  // worth of what is left of each rank
    for (int rank = 0; rank < dark_chess::ranks; ++rank) {
      const int kind = kind_of(1 - player, rank), left = count(Rules::pieces(s, kind)) + Rules::in_pool(s, kind);
      prey[rank] = left * Rules::worth(rank);
    }
    int sum = 0;
    for (int hunter = 0; hunter < dark_chess::ranks; ++hunter) {
      const int hunters = count(Rules::pieces(s, kind_of(player, hunter)));
      for (int rank = 0; rank < dark_chess::ranks && hunters > 0; ++rank) {
        if (hunter == dark_chess::cannon || Rules::takes(hunter, rank)) sum += hunters * prey[rank];
      }
    }
    return sum;
  }

  QILIN_HD static constexpr int kind_of(int player, int rank) { return dark_chess::ranks * player + rank; }
  QILIN_HD static constexpr int worth_at(const State& s, int at) {
    return Rules::worth((Rules::code_at(s, at) - 1) % dark_chess::ranks);
  }
};

}  // namespace qilin
