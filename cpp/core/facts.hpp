// What the rules can tell a person beyond moves and results: what a board shows beside the pieces, and why a ply is not
// legal. A game's facts stand in cpp/games/facts/<game>.hpp, as a specialisation; a game without them has none, and is
// played all the same. Words for the names are in the game's descriptor.
//
// A specialisation may offer, found with `requires`:
//   counter_names, counters(state, past, visit)   visit(Counter): what is counted, and where it ends the game
//   phase_names, phase(state)                     the part of a turn that the player is in
//   scores(state)                                 what each player has now
//   set_names, sets(state, visit)                 visit(name, squares): sets of squares worth showing
//   captured(before, after)                       pieces that a ply, or chance, has taken or turned
//   screens(state, from, to)                      what a legal ply between two squares shoots over
//   why_names, why_not(state, past, from, to)     why a ply is not legal; `from` is nowhere for a ply of one square
#pragma once

#include "core/game.hpp"

namespace qilin {

template <Game G>
struct Facts {};

inline constexpr int nobody = -1, nowhere = -1;

struct Counter {
  int name;    // of `counter_names`
  int player;  // whose it is, or nobody's
  int value;
  int limit;  // at which something ends; 0: none
};

struct Phase {
  int name;  // of `phase_names`
  int left;  // plies of this phase that the player still has; 0: it is not counted
};

template <class Bits>
struct Why {
  int name = nowhere;  // of `why_names`; nowhere: nothing is known against the ply
  Bits squares = 0;    // that are to blame
};

}  // namespace qilin
