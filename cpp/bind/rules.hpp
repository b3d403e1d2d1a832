// A game as a table of functions, so that Python sees one Game, one Position and one Batch for every header of
// cpp/games/.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace qilin::bind {

struct Rules;

// A position and what its game remembers of the way to it. Never changed once made: Python shares it freely.
struct Position {
  const Rules* rules;
  alignas(16) std::byte state[128];
  std::vector<u64> keys;  // Line<G>::keys
};

// Many positions of one game side by side.
struct Block {
  const Rules* rules;
  std::unique_ptr<std::byte[]> states;  // size * rules->state_bytes, aligned by new
  std::vector<std::vector<u64>> keys;   // empty for a game without a past
  std::vector<Rng> chance;              // one stream a position, that answers its flips
  Position start;                       // what `reset` puts back
};

// What a loop over a batch may want to know of every position.
struct Status {
  i8* to_move;  // 0, 1; -1 at the end: arrays have no None
  bool* over;
  i8* winner;  // 0, 1; -1: open, or a draw
  u8* reason;
  std::int32_t* margin;  // 0 in games without one
};

struct Rules {
  std::string_view name;
  int rows, cols, first_rank, planes, moves, symmetries, max_legal, max_plies, state_bytes;
  std::vector<std::string> plane_names, reasons, outcome_names;
  std::vector<Option> options;
  bool has_chance, has_past, has_margin, has_ownership;

  Settings (*defaults)(int preset);
  Position (*start)(const Settings&);
  Position (*parse)(std::string_view, const Settings&);
  Position (*play)(const Position&, Move);
  Position (*resolve)(const Position&, int outcome);
  Position (*transform)(const Position&, int symmetry);
  Move (*transform_move)(Move, int symmetry);
  std::string (*text)(const Position&);
  std::string (*move_text)(const Position&, Move);
  std::vector<Move> (*legal)(const Position&);  // in policy order
  std::vector<std::pair<int, int>> (*outcomes)(const Position&);
  int (*to_move)(const Position&);
  bool (*is_chance)(const Position&);
  Result (*result)(const Position&);
  int (*margin)(const Position&);
  u64 (*key)(const Position&);
  bool (*equal)(const Position&, const Position&);
  void (*encode)(const Position&, float* planes);        // (planes, rows, cols)
  void (*ownership)(const Position&, float* ownership);  // (2, rows, cols)
  u64 (*perft)(const Position&, int depth, const std::atomic<bool>& stop);
  int (*evaluate)(const Position&);            // the hand-written opinion, for the player to move
  double (*win_probability)(const Position&);  // the same as a probability; exact at the end

  // Over positions begin … end-1 of a block; one thread each part.
  void (*block_reset)(Block&, int begin, int end, const bool* which);
  void (*block_legal)(const Block&, int begin, int end, bool* mask);
  // The first position whose move is not legal, or end. Finished games are passed over.
  int (*block_illegal)(const Block&, int begin, int end, const std::int32_t* moves);
  void (*block_play)(Block&, int begin, int end, const std::int32_t* moves);
  void (*block_encode)(const Block&, int begin, int end, float* planes);
  void (*block_status)(const Block&, int begin, int end, const Status&);
  Position (*block_at)(const Block&, int index);
};

// Every game, by name; written out by CMake from the headers it found.
[[nodiscard]] std::span<const Rules* const> all_rules();

}  // namespace qilin::bind
