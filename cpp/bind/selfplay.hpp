// Self-play of a game as a table of functions, beside its searches (searches.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bind/rules.hpp"
#include "search/garden.hpp"

namespace qilin::bind {

using Bytes = std::vector<std::byte>;

// A field of a sample, as numpy names it.
struct SampleField {
  std::string name, format;
  std::size_t offset;
};

// A game that has ended, in words.
struct GameTold {
  u64 number = 0;
  std::string start;
  std::vector<std::string> moves;            // outcomes of chance among them
  std::vector<std::optional<float>> values;  // before each, for player 0; none where nothing was searched
  std::vector<bool> fast;                    // whether a move came from a fast search
  std::optional<int> winner;
  std::string reason;
  int plies = 0, opening = 0, left_out = 0;
  std::optional<int> captures;
  bool is_checked = false;
  std::optional<int> resigner;
};

struct SelfPlayTable {
  u64 (*bytes)(const forest::Search&);  // of one game
  std::shared_ptr<void> (*make)(const forest::Search&, const selfplay::Play&, const Position& start, int games,
                                u64 seed, int threads);
  int (*most_rows)(const void*);
  int (*rows)(const void*);
  int (*leaves)(void*, float* planes);
  void (*grow)(void*, std::span<const float> logits, std::span<const float> values, forest::Values);
  void (*forget)(void*, bool boosted, const Array<float, forest::most_tiers>& boosts);
  std::size_t (*ready)(const void*);
  Bytes (*take_samples)(void*);
  std::vector<GameTold> (*take_games)(void*, const Position& start);
  Bytes (*saved)(const void*);
  void (*load)(void*, std::span<const std::byte>);

  std::size_t sample_bytes;
  std::vector<SampleField> sample_fields;
  // Of samples first … last - 1; the planes are float32.
  void (*examples)(const std::byte* samples, const u8* symmetries, const selfplay::Mixture&, float* planes,
                   const selfplay::Examples&, int first, int last);
  // Games as they lie in memory, played once more by the rules; throws where those see another end.
  std::size_t record_bytes;
  GameTold (*tell)(const std::byte* record, const Position& start);
};

[[nodiscard]] const SelfPlayTable& selfplay_of(const Rules& rules);

}  // namespace qilin::bind
