// What hostile text may do to a game: be refused. Used by tests/cpp/fuzz_test.cpp.in (mutations of good texts, in every
// test run) and by tests/long.sh (libFuzzer, in `make test-long`).
#pragma once

#include <stdexcept>

#include "contract.hpp"

namespace qilin::fuzz {

// A text is refused with its reason, or is a position that prints back, can be played on, and has moves that can be
// told apart.
template <Game G>
void try_text(std::string_view text, const Settings& settings) {
  typename G::State state{};
  try {
    state = G::parse(text, settings);
  } catch (const std::invalid_argument& refused) {
    contract::expect(std::string_view(refused.what()).size() > 10, "a refusal says why");
    return;
  }
  contract::where = std::string(G::name) + " '" + std::string(text) + "'";
  const std::string canonical = G::text(state);
  contract::expect(G::parse(canonical, settings) == state, "the text that is printed is read back as the same state");
  Line<G> line(state);
  contract::check_position(line, settings);
  Rng rng(text.size());
  const Move any = static_cast<Move>(rng.below(G::moves));
  contract::expect(!G::move_text(state, any).empty(), "a policy index has a text, legal here or not");
  for (int i = 0; i < 3 && !line.result().over(); ++i) contract::random_ply(line, rng);
  contract::check_position(line, settings);
}

// Every byte string is a text, under settings that its first byte chooses.
template <Game G>
void try_bytes(const u8* data, std::size_t size) {
  static const std::vector<Settings> all = contract::all_settings<G>();
  if (size == 0) return;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try_text<G>(text, all[data[0] % all.size()]);
}

// One to three small changes to a good text: most near misses that people and programs produce.
inline std::string mutate(std::string text, std::string_view letters, Rng& rng) {
  for (int changes = 1 + rng.below(3); changes > 0 && !text.empty(); --changes) {
    const auto at = static_cast<std::size_t>(rng.below(static_cast<int>(text.size())));
    const char letter = letters[static_cast<std::size_t>(rng.below(static_cast<int>(letters.size())))];
    switch (rng.below(5)) {
      case 0:
        text[at] = letter;
        break;
      case 1:
        text.insert(at, 1, letter);
        break;
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        std::swap(text[at], text[static_cast<std::size_t>(rng.below(static_cast<int>(text.size())))]);
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

template <Game G>
int run(int tries) {
  Rng rng(1);
  std::string letters = "/ -0123456789?";
  int read = 0;
  for (const Settings& settings : contract::all_settings<G>()) {
    Line<G> line(G::start(settings));
    for (int i = 0; i < tries; ++i) {
      if (line.result().over()) line = Line<G>(G::start(settings));
      contract::random_ply(line, rng);
      const std::string good = G::text(line.state);
      letters += good.substr(static_cast<std::size_t>(rng.below(static_cast<int>(good.size()))), 1);
      try_text<G>(mutate(good, letters, rng), settings);
      ++read;
    }
  }
  std::printf("%s: %d mutated texts were refused with a reason, or read and played on\n", std::string(G::name).c_str(),
              read);
  return 0;
}

}  // namespace qilin::fuzz
