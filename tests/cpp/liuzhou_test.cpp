// Liuzhou's odd corners, by hand: marks that protect nothing, chains, removals, and who loses when.
#include "games/liuzhou.hpp"

#include "contract.hpp"

namespace {

using namespace qilin;
using Rules = liuzhou::Rules;
using State = Rules::State;
using contract::expect;

Settings settings(int preset = Rules::classic, bool additive = false) {
  Settings chosen = defaults<Rules>(preset);
  chosen[1] = additive;
  return chosen;
}

// The position after some moves, each given as text.
State play(State s, std::initializer_list<const char*> moves) {
  for (const std::string move : moves) {
    contract::where = Rules::text(s) + " before " + move;
    bool legal = false;
    for (const Move m : legal_list<Rules>(s)) {
      if (Rules::move_text(s, m) != move) continue;
      s = Rules::play(s, m);
      legal = true;
      break;
    }
    expect(legal, move + " is legal");
  }
  contract::where = Rules::text(s);
  return s;
}

State at(const char* text, const Settings& chosen = settings()) { return Rules::parse(text, chosen); }

std::string legal_text(const State& s) {
  std::string all;
  for (const Move move : legal_list<Rules>(s)) all += (all.empty() ? "" : " ") + Rules::move_text(s, move);
  return all;
}

void is(const State& s, const char* text) { expect(Rules::text(s) == text, std::string("this is ") + text); }

void ends(const State& s, Result result) {
  expect(Rules::result(s) == result, std::string("ends with ") + Rules::reasons[result.reason]);
  expect(legal_text(s).empty(), "no ply follows the last");
}

void marks() {
  const State square = play(Rules::start(settings()), {"a1", "f6", "b1", "e6", "a2", "f5", "b2"});
  is(square, "4oo/5o/6/6/xx4/xx4 x m 1 7 0");
  expect(legal_text(square) == "f5 e6 f6", "any normal stone may be marked");
  is(play(square, {"f6"}), "4oO/5o/6/6/xx4/xx4 o p 0 8 0");

  const State dead = play(square, {"f6", "e5"});
  is(dead, "4oO/4oo/6/6/xx4/xx4 x p 0 9 0");
  const State alive = play(square, {"e6", "e5", "c1", "d5", "c2"});
  expect(legal_text(alive) == "d5 e5 f5 f6", "a marked stone protects none");

  const State fallback = at("XXxxX1/XxooO1/1XooXx/oooo2/oooxxx/oooxxx x m 1 38 0");
  expect(count_legal<Rules>(fallback) == 14, "where all are in shapes, all may be marked");
  const State blocked = at("4oO/5o/6/6/xx4/xx4 o p 0 8 0");
  expect(legal_text(blocked).find("f6") == std::string::npos, "a marked stone blocks its point");
}

void several_shapes() {
  const char* two = "o1o3/ooo3/6/6/x1x3/xxx3 x p 0 10 0";
  const char* four = "3ooo/3o1o/3ooo/xxx3/x1x3/xxx3 x p 0 16 0";
  const char* line_and_square = "ooooo1/4oo/6/6/4xx/xxxxx1 x p 0 14 0";
  const char* rank_and_file = "o1o1ox/1o1o1x/o1o1ox/1o1o1x/5x/xxxxx1 x p 0 20 0";
  const auto targets = [](const char* text, const char* move, bool additive) {
    return play(at(text, settings(Rules::classic, additive)), {move}).targets;
  };
  expect(targets(two, "b2", false) == 1 && targets(two, "b2", true) == 2, "two squares: 1, added up 2");
  expect(targets(four, "b2", false) == 1 && targets(four, "b2", true) == 4, "four squares: 1, added up 4");
  expect(targets(line_and_square, "f1", false) == 2 && targets(line_and_square, "f1", true) == 3,
         "line and square: 2, added up 3");
  expect(targets(rank_and_file, "f1", false) == 2 && targets(rank_and_file, "f1", true) == 4,
         "rank and file: 2, added up 4");
}

void removal() {
  const State full = at("xxxOxx/xxooox/ooxxxO/xOxxxo/oooooo/xXxooo o m 2 40 0");
  const State moving = play(full, {"a1", "a3"});
  is(moving, "xxx1xx/xxooox/ooxxx1/2xxxo/oooooo/2xooo o s 0 43 0");

  const State forced = at("ooxxxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo o f 0 37 0");
  expect(count_legal<Rules>(forced) == 18, "no shape, no mark: every black stone is normal");
  is(play(forced, {"c6"}), "oo1xxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo x f 0 38 0");
  is(play(forced, {"c6", "a6"}), "1o1xxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo o s 0 39 0");
}

void captures() {
  const State line = at("2o1o1/xxoooo/xxxooo/xxx1o1/1xxxoo/2xxoo o c 2 51 0");
  const State once = play(line, {"a5"});
  expect(once.phase == Rules::capture && once.side == Rules::white && once.targets == 1, "the second is taken next");
  expect(legal_text(once).find("b5") != std::string::npos, "the first set its neighbour free");

  State shuttle = at("6/6/6/1oo1o1/x1x3/xxx3 x s 0 80 0");
  shuttle = play(shuttle, {"c2b2"});
  expect(shuttle.phase == Rules::capture, "a step makes a square");
  shuttle = play(shuttle, {"e3", "c3d3", "b2c2", "d3e3", "c2b2"});
  expect(shuttle.phase == Rules::capture, "and again, when it was left and is made anew");
}

void no_step() {
  const char* text = "6/6/6/oo4/xxo3/xxo3 x s 0 120 0";
  const State stuck = at(text);
  expect(legal_text(stuck) == "c1 c2 a3 b3", "a player without a step takes");
  const State counter = play(stuck, {"c1"});
  is(counter, "6/6/6/oo4/xxo3/xx4 o r 0 121 0");
  expect(legal_text(counter) == "a1 b1 a2 b2", "the other takes in turn, in a square if there is no other stone");
  is(play(counter, {"b1"}), "6/6/6/oo4/xxo3/x5 x s 0 122 0");

  const State modern = play(at(text, settings(Rules::modern)), {"c1"});
  ends(modern, Result::win(Rules::black, Rules::under_four));
}

void endings() {
  const State last = at("4x1/2xx2/3x2/xxox1x/1xxxxx/1xxx1x x c 1 199 0");
  ends(play(last, {"c3"}), Result::win(Rules::black, Rules::captured_all));
  ends(at("xxx1o1/xoo1ox/xxxxxx/6/x2x1o/xx2xx x s 0 200 0"), Result::draw(Rules::ply_limit));
  const Settings modern = settings(Rules::modern);
  ends(play(at("XXXXXX/OOOOOO/XXXXXX/OOOOOO/xxXxXO/ooOO1X o p 0 65 0", modern), {"e1"}),
       Result::win(Rules::white, Rules::under_four));
  ends(play(at("xooox1/2xx1o/ooox2/xox2x/xxxxx1/1o1oox x s 0 141 35", modern), {"f3f2"}), Result::draw(Rules::no_loss));
  const State nothing = at("3OOO/3O1O/3ooo/xxx3/xxx3/xxx3 x m 4 22 0", settings(Rules::classic, true));
  ends(play(nothing, {"d4", "e4", "f4"}), Result::win(Rules::white, Rules::no_moves));
}

void refused(const char* text, const char* why, const Settings& chosen = settings()) {
  contract::where = text;
  try {
    Rules::parse(text, chosen);
  } catch (const std::invalid_argument& error) {
    return expect(std::string(error.what()).find(why) != std::string::npos,
                  std::string("the reason names '") + why + "'; it is: " + error.what());
  }
  expect(false, "it is refused");
}

void impossible_positions() {
  refused("6/6/6/6/6/6 x p 0 0", "ends before");
  refused("6/6/6/6/6/6 x p 0 0 0 ", "goes on");
  refused("6/6/6/6/6/6 x z 0 0 0", "the phase");
  refused("7/6/6/6/6/6 x p 0 0 0", "too long");
  refused("6/6/6/6/6/5y x p 0 1 0", "'y'");
  refused("6/6/6/6/6/6 x p 0 00 0", "the plies");
  refused("6/6/6/6/6/6 x p 0 201 0", "from 0 to 200");
  refused("6/6/6/6/6/6 x s 0 90 1", "from 0 to 0");
  refused("xxxxxx/xxxxxx/xxxxxx/xoo3/6/6 x s 0 90 0", "x has more than 18");
  refused("6/6/6/6/6/x5 x p 0 1 0", "level");
  refused("6/6/6/6/6/xo4 x p 0 3 0", "one ply");
  refused("6/6/6/6/6/xO4 x p 0 3 0", "only a shape");
  refused("6/6/6/6/6/xo4 x p 1 2 0", "targets");
  refused("6/6/6/6/ooo3/xx1xx1 x m 1 7 0", "earned");
  refused("6/6/6/6/xxooo1/xx4 x m 2 7 0", "earned");
  refused("6/6/6/6/xxooo1/xx4 x m 0 7 0", "targets");
  refused("ooxxxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo x p 0 36 0", "no point");
  refused("ooxxxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo o s 0 37 0", "some point empty");
  refused("ooxxxo/xooxox/oxooxx/oxoxoo/xoxoxx/oxxxoo o f 0 36 0", "37 plies");
  refused("xxoooo/xxoxox/oxoxox/oxoxox/oxoxox/oxoxox o f 0 37 0", "marked");
  refused("6/6/6/oo4/xxO3/xxo3 x s 0 120 0", "marked stones leave");
  refused("6/6/6/oo4/xxo3/xxo3 x s 0 64 0", "more plies");
  refused("6/6/6/oo4/xxo3/xxo3 x s 0 65 0", "first to move");
  refused("6/6/6/oo4/xxo3/xx4 x r 0 121 0", "could have made a step");
  refused("6/6/6/oo4/xxo3/xx4 o r 0 121 4", "just taken", settings(Rules::modern));
}

}  // namespace

int main() {
  marks();
  several_shapes();
  removal();
  captures();
  no_step();
  endings();
  impossible_positions();
  std::puts("liuzhou: corner cases hold");
}
