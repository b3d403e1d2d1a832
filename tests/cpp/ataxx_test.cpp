// Ataxx, corner by corner: what turns, how it ends and for whom the empty cells count, repetition, refused texts.
#include "games/ataxx.hpp"
#include "contract.hpp"

namespace {

using namespace qilin;
using ataxx::Rules;
using contract::expect;

const Settings botzone = defaults<Rules>(Rules::botzone), uai = defaults<Rules>(Rules::uai);

Move move_of(const Line<Rules>& line, const std::string& text) {
  for (const Move move : line.legal()) {
    if (Rules::move_text(line.state, move) == text) return move;
  }
  return Rules::moves;  // none
}
bool may(const Line<Rules>& line, const std::string& text) { return move_of(line, text) != Rules::moves; }

void play(Line<Rules>& line, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    contract::where = Rules::text(line.state);
    expect(may(line, text), text + " is legal");
    line.play(move_of(line, text));
  }
}

void plays(const Settings& rules, const std::string& before, const std::string& move, const std::string& after) {
  Line<Rules> line(Rules::parse(before, rules));
  play(line, {move});
  expect(Rules::text(line.state) == after, move + " gives " + after + "; it gave " + Rules::text(line.state));
}

void ends(const Settings& rules, const std::string& text, End end, const std::string& reason, int margin) {
  contract::where = text;
  const Rules::State s = Rules::parse(text, rules);
  const Result result = Rules::result(s);
  expect(result.end == end, "the right side wins");
  expect(!result.over() || Rules::reasons[result.reason] == reason, "for the reason " + reason);
  expect(Rules::margin(s) == margin, "margin " + std::to_string(Rules::margin(s)) + " is " + std::to_string(margin));
}

void refuses(const Settings& rules, const std::string& text, const std::string& why) {
  contract::where = text;
  try {
    (void)Rules::parse(text, rules);
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    return expect(said.find(why) != std::string::npos, "the refusal says '" + why + "'; it said: " + said);
  }
  expect(false, "refused: " + why);
}

void plies() {
  plays(botzone, "7/7/3o1o1/7/1xo2o1/7/7 x 0 1", "b3d4", "7/7/3x1o1/3x3/2x2o1/7/7 o 1 1");
  plays(botzone, "7/7/3o1o1/3x3/1xo2o1/7/7 x 3 9", "e4", "7/7/3x1x1/3xx2/1xo2x1/7/7 o 0 9");  // a clone
  // Nothing wraps from file g into file a, neither jumps nor turning stones.
  plays(botzone, "7/o6/o5x/o6/o6/7/7 x 0 1", "g5g3", "7/o6/o6/o6/o5x/7/7 o 1 1");
  expect(!may(Line<Rules>(Rules::parse("7/o6/6x/7/7/7/7 x 0 1", botzone)), "g5a4"), "no jump around the edge");
  plays(uai, "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 4 9", "0000", "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 5 9");
}

void endings() {
  ends(botzone, "7/7/7/3x3/7/7/7 o 0 1", End::first_wins, "wiped_out", 49);
  ends(botzone, "7/7/7/3o3/7/7/7 x 0 2", End::second_wins, "wiped_out", -49);
  ends(uai, "7/7/7/3x3/7/7/7 o 100 60", End::first_wins, "wiped_out", 1);  // before the draw
  ends(botzone, "xxxxxxx/xxxxxxx/xxxxxxx/xxxxooo/ooooooo/ooooooo/ooooooo o 0 25", End::first_wins, "full", 1);
  ends(uai, "xxxxxxx/xxxxxxx/xxxxxxx/xxx-ooo/ooooooo/ooooooo/ooooooo o 0 25", End::draw, "full", 0);
  // One side is walled in: the other has the empty cells, or moves on while it passes.
  ends(botzone, "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 9", End::second_wins, "no_moves", 7 - 42);
  ends(botzone, "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 0 9", End::second_wins, "no_moves", 7 - 42);
  ends(uai, "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 9", End::open, "", -7);
  // Fewer stones, and the win all the same.
  ends(botzone, "oo5/-------/-------/-------/-------/-------/xxx---- x 0 9", End::second_wins, "no_moves", 3 - 7);
  ends(uai, "oo5/-------/-------/-------/-------/-------/xxx---- x 0 9", End::open, "", 1);
  // Both stuck: nobody has the empty cell.
  ends(botzone, "1------/-------/-------/-------/-------/-------/---xxoo x 0 9", End::draw, "no_moves", 0);
  ends(uai, "1------/-------/-------/-------/-------/-------/---xxxo x 0 9", End::first_wins, "no_moves", 2);
}

void limits() {
  ends(botzone, "x5o/7/7/7/7/7/o4xx x 100 201", End::open, "", 1);
  ends(botzone, "x5o/7/7/7/7/7/o4xx o 100 201", End::first_wins, "ply_limit", 1);
  ends(botzone, "x5o/7/7/7/7/7/o5x o 401 201", End::draw, "ply_limit", 0);
  ends(botzone, "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 0 201", End::second_wins, "no_moves", -35);  // after ply 401
  ends(uai, "x5o/7/7/7/7/7/o4xx x 99 201", End::open, "", 1);
  ends(uai, "x5o/7/7/7/7/7/o4xx x 100 201", End::draw, "no_progress", 1);
  ends(uai, "1------/-------/-------/-------/-------/-------/---xxxo x 100 60", End::first_wins, "no_moves", 2);
}

void transitions() {
  Line<Rules> line(Rules::parse("o5x/7/7/7/7/7/o5x x 0 1", botzone));
  const int all = line.legal().size();
  play(line, {"g1g3", "a1a3", "g3g1", "a3a1"});  // a ring
  contract::where = Rules::text(line.state);
  expect(!may(line, "g1g3"), "what has followed on this position already is banned");
  expect(line.legal().size() == all - 1 && !line.result().over(), "and nothing else is");
  expect(legal_list<Rules>(line.state).size() == all, "a position that doesn't know its past bans nothing");
  const auto planes = Rules::encode(line.state, line.past());
  expect(planes[6].squares == bit<u64>(Rules::Grid::at(0, 6)), "a plane shows where the banned jump begins");
  expect(planes[7].squares == bit<u64>(Rules::Grid::at(2, 6)), "and one where it ends");

  play(line, {"g1e1", "a1a3", "e1g1"});  // into the ring by another way: a new transition to an old position
  expect(!may(line, "a3a1"), "from there the next ply of the ring is banned, for the other side");
  expect(may(line, "a3c3") && may(line, "a7a5"), "but no other");
}

void clones_forget() {
  Line<Rules> line(Rules::parse("o5x/7/7/7/7/7/o5x x 0 1", botzone));
  play(line, {"g1g3", "a1a3", "g3g1", "a3a1"});
  expect(line.keys.size() == 4, "the keys of the ring are kept");
  play(line, {"f1"});
  expect(line.keys.empty() && line.state.half_moves == 0, "a clone clears them");
  play(line, {"a1a3", "g1g3", "a3a1", "g3g1"});
  expect(!may(line, "a1a3") && may(line, "a1c1"), "and a ring after it counts anew");
}

// Each side has one stone and two cells to jump between. BLACK comes first to where only a banned ply is left.
void loss_by_repetition() {
  const std::string text = "----1-o/-------/-------/-------/-------/-------/x-1---- x 0 1";
  const std::vector<std::string> ring{"a1c1", "g7e7", "c1a1", "e7g7"};
  Line<Rules> line(Rules::parse(text, botzone));
  play(line, ring);
  contract::where = Rules::text(line.state);
  expect(line.legal().empty(), "no ply is left");
  expect(line.result() == Result::win(1, Rules::repetition), "who has only banned plies loses");
  expect(!Rules::result(line.state).over() && Rules::count_legal(line.state) == 1, "mobility ignores the rule");

  Line<Rules> passing(Rules::parse(text, uai));
  for (int i = 0; i < 25; ++i) play(passing, ring);
  expect(passing.result() == Result::draw(Rules::no_progress), "uai has no such rule: 100 half-moves are a draw");
}

void texts() {
  // In botzone the plies without a clone may be more than the hundred that end a game of uai: found by fuzzing.
  contract::check_position(Line<Rules>(Rules::parse("x5o/7/7/7/7/7/o5x x 110 115", botzone)), botzone);
  refuses(botzone, "7/7/7/7/7/7/7 x 0 1", "neither side has a stone");
  refuses(botzone, "x5o/7/7/7/7/7/o5x x 3 2", "there were 2 plies");
  refuses(botzone, "x5o/7/7/7/7/7/o5x x 0 202", "from 1 to 201");
  refuses(uai, "x5o/7/7/7/7/7/o5x x 101 60", "from 0 to 100");
  refuses(uai, "x5o/7/7/7/7/7/o5x x 0 202", "would have ended");
  refuses(uai, "x5o/7/7/7/7/7/o5x b 0 1", "one letter of 'xo'");
  refuses(uai, "x5o/7/7/3z3/7/7/o5x x 0 1", "is none of 'xo-'");
  refuses(uai, "x5o/7/7/7/7/7/o5x x 0", "ends before the number of the move");
  refuses(uai, "x5o/7/7/7/7/7/o5x x 0 1 ", "goes on after its last field");
}

void moves_turn_one_to_one() {
  for (int symmetry = 0; symmetry < Rules::symmetries; ++symmetry) {
    std::set<Move> seen;
    for (int move = 0; move < Rules::moves; ++move)
      seen.insert(Rules::transform_move(static_cast<Move>(move), symmetry));
    expect(seen.size() == Rules::moves && *seen.rbegin() == Rules::pass, "a symmetry permutes the whole policy");
  }
}

}  // namespace

int main() {
  plies();
  endings();
  limits();
  transitions();
  clones_forget();
  loss_by_repetition();
  texts();
  moves_turn_one_to_one();
}
