// Settings from text, "name=value,name=value": the spelling of the perft tables. What is wrong is quoted.
#pragma once

#include <span>

#include "core/game.hpp"
#include "core/text.hpp"

namespace qilin::cuda {

using Options = std::span<const Option>;

// The value that `text` gives an option: a choice by its name, or a number.
[[nodiscard]] inline int option_value(const Option& option, std::string_view text) {
  std::string expected;
  for (int i = 0; i < option.choice_count(); ++i) {
    const char* name = option.choices[static_cast<std::size_t>(i)];
    if (text == name) return i;
    expected += (i ? " or " : "") + quoted(name);
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc{} && end == text.data() + text.size();
  if (expected.empty() && number && value >= option.least && value <= option.most) return value;
  if (expected.empty()) expected = std::to_string(option.least) + " to " + std::to_string(option.most);
  refuse("option " + std::string(option.name) + " is " + quoted(text) + ", expected " + expected);
}

// Which option "name=value" speaks of.
[[nodiscard]] inline std::size_t option_index(Options options, std::string_view pair) {
  const std::string_view name = pair.substr(0, pair.find('='));
  std::string known;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (name == options[i].name && name.size() < pair.size()) return i;
    known += std::string(i ? ", " : "") + options[i].name;
  }
  refuse(quoted(pair) + " is no setting, expected name=value with a name of: " + (known.empty() ? "none" : known));
}

// Calls visit(option, value) for every pair of the text.
template <class Visit>
void each_setting(Options options, std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(','));
    const std::size_t i = option_index(options, pair);
    visit(static_cast<int>(i), option_value(options[i], pair.substr(pair.find('=') + 1)));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
  }
}

template <Game G>
[[nodiscard]] Settings settings_of(std::string_view text) {
  int preset = 0;  // the first option, if it has choices: it decides what the others' defaults are
  each_setting(G::options, text, [&](int i, int value) {
    const Options options = G::options;
    if (i == 0 && options[0].choice_count() > 0) preset = value;
  });
  Settings settings = defaults<G>(preset);
  each_setting(G::options, text, [&](int i, int value) { settings[i] = value; });
  return settings;
}

}  // namespace qilin::cuda
