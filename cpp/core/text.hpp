// Reading and writing positions. Text comes from people: whatever is wrong is quoted, with what was expected.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bits.hpp"

namespace qilin {

[[noreturn]] inline void refuse(std::string message) { throw std::invalid_argument(std::move(message)); }

// An error is for reading. A hostile text may be megabytes, end a C string with a zero byte, or break a character.
[[nodiscard]] inline std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte <= '~';
    out += plain ? std::string{c} : std::string{'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return out + (text.size() > longest ? "…'" : "'");
}
// Found before std::quoted, which newer libraries bring along.
[[nodiscard]] inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
[[nodiscard]] inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

[[nodiscard]] inline std::string square_name(int row, int col, int first_rank = 1) {
  return static_cast<char>('a' + col) + std::to_string(row + first_rank);
}

// What is wrong with a position: a sentence with {} where its values stand, so that it can be told in other languages
// too.
class Fault : public std::invalid_argument {
 public:
  Fault(const std::string& about, std::string sentence, std::vector<std::string> values)
      : std::invalid_argument(about + filled(sentence, values)),
        sentence_(std::move(sentence)),
        values_(std::move(values)) {}

  [[nodiscard]] const std::string& sentence() const { return sentence_; }
  [[nodiscard]] const std::vector<std::string>& values() const { return values_; }

 private:
  static std::string filled(const std::string& sentence, const std::vector<std::string>& values) {
    std::string out;
    std::size_t from = 0;
    for (const std::string& value : values) {
      const std::size_t at = sentence.find("{}", from);
      out += sentence.substr(from, at - from) + value;
      from = at + 2;
    }
    return out + sentence.substr(from);
  }

  std::string sentence_;
  std::vector<std::string> values_;
};

// The fields of a position's text, split at single spaces, read one after the other.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text), rest_(text) {}

  [[nodiscard]] bool done() const { return done_; }

  [[nodiscard]] std::string_view next(const char* what) {
    if (done_) fault(": ", "it ends before {}", what);
    const std::size_t space = rest_.find(' ');
    const std::string_view field = rest_.substr(0, space);
    done_ = space == std::string_view::npos;
    rest_ = done_ ? std::string_view{} : rest_.substr(space + 1);
    return field;
  }

  // One of the letters of `choices`; the answer is its position among them.
  [[nodiscard]] int letter(const char* what, std::string_view choices) {
    const std::string_view field = next(what);
    const std::size_t found = field.size() == 1 ? choices.find(field[0]) : std::string_view::npos;
    if (found == std::string_view::npos) {
      bad(field, what, "one letter of {}", quoted(choices));
    }
    return static_cast<int>(found);
  }

  [[nodiscard]] int number(const char* what, int least, int most) {
    const std::string_view field = next(what);
    int value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    const bool plain = field == std::to_string(value);  // no sign, no leading zero: what parses prints back
    if (error != std::errc{} || end != field.data() + field.size() || !plain || value < least || value > most) {
      bad(field, what, "a number from {} to {}", least, most);
    }
    return value;
  }

  void end() const {
    if (!done_) fault(": ", "it goes on after its last field, with {}", quoted(rest_));
  }

  // `expected` has a {} for each of the values.
  template <class... Values>
  [[noreturn]] void bad(std::string_view field, const char* what, const std::string& expected,
                        const Values&... values) const {
    fault(": ", "{} is {}, expected " + expected, what, quoted(field), values...);
  }
  // A position that reads well and cannot be.
  template <class... Values>
  [[noreturn]] void impossible(const char* why, const Values&... values) const {
    fault(" is impossible: ", why, values...);
  }

 private:
  template <class... Values>
  [[noreturn]] void fault(const char* how, std::string sentence, const Values&... values) const {
    throw Fault("position " + quoted(text_) + how, std::move(sentence), {shown(values)...});
  }
  static std::string shown(int value) { return std::to_string(value); }
  static std::string shown(std::string_view value) { return std::string(value); }

  std::string_view text_, rest_;
  bool done_ = false;
};

// Reads ranks from the top, split by '/', runs of empty squares as digits. `put(letter, square)` answers whether it
// knows the letter; `letters` are those it knows, for the error.
template <class Grid, class Put>
void parse_board(const Fields& fields, std::string_view field, std::string_view letters, Put&& put) {
  int row = Grid::rows - 1, col = 0;
  const auto fail = [&](const std::string& why, const auto&... values) {
    fields.bad(field, "the board", "{} ranks of {} squares, top rank first (" + why + ")", Grid::rows, Grid::cols,
               values...);
  };
  for (const char c : field) {
    if (c == '/') {
      if (col != Grid::cols) fail("rank {} from the bottom has {}", row + 1, col);
      if (row == 0) fail("there are more ranks");
      --row;
      col = 0;
    } else if (c >= '1' && c <= '9') {
      col += c - '0';
    } else if (col >= Grid::cols || !put(c, Grid::at(row, col))) {
      if (col >= Grid::cols) fail("rank {} from the bottom is too long", row + 1);
      fail("{} is none of {}", quoted(std::string_view(&c, 1)), quoted(letters));
    } else {
      ++col;
    }
    if (col > Grid::cols) fail("rank {} from the bottom is too long", row + 1);
  }
  if (row != 0 || col != Grid::cols) fail("it ends early");
}

// Writes what parse_board reads. `letter(square)` answers 0 for an empty square.
template <class Grid, class Letter>
[[nodiscard]] std::string board_text(Letter&& letter) {
  std::string out;
  for (int row = Grid::rows - 1; row >= 0; --row) {
    int empty = 0;
    for (int col = 0; col <= Grid::cols; ++col) {
      const char c = col < Grid::cols ? letter(Grid::at(row, col)) : '/';
      if (c == 0) {
        ++empty;
        continue;
      }
      if (empty) out += std::to_string(empty);
      empty = 0;
      if (col < Grid::cols || row > 0) out += c;
    }
  }
  return out;
}

}  // namespace qilin
