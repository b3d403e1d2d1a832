// Popucom chess, corner by corner: what leaves, what is painted, how it ends, which texts are refused.
#include "games/popucom.hpp"
#include "contract.hpp"

namespace {

using namespace qilin;
using contract::expect;
using popucom::Rules;

Move move_of(const Rules::State& s, const std::string& text) {
  for (const Move move : legal_list<Rules>(s)) {
    if (Rules::move_text(s, move) == text) return move;
  }
  expect(false, text + " is legal");
  return 0;
}

void plays(const std::string& before, const std::string& move, const std::string& after) {
  contract::where = before;
  const Rules::State s = Rules::parse(before, {});
  const std::string got = Rules::text(Rules::play(s, move_of(s, move)));
  expect(got == after, move + " gives " + after + "; it gave " + got);
}

void refuses(const std::string& text, const std::string& why) {
  contract::where = text;
  try {
    (void)Rules::parse(text, {});
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    return expect(said.find(why) != std::string::npos, "the refusal says '" + why + "'; it said: " + said);
  }
  expect(false, "refused: " + why);
}

void ends(const std::string& text, End end, const std::string& reason) {
  contract::where = text;
  const Result result = Rules::result(Rules::parse(text, {}));
  expect(result.end == end, "the right side wins");
  expect(!result.over() || Rules::reasons[result.reason] == reason, "for the reason " + reason);
}

void matches() {
  // The header's own example: paint over w e7, under x e1, up to o e8 and the edges.
  plays("9/4o4/4w4/9/o1xx5/4x4/4x3w/8w/4x4 x 20", "e5", "9/4o4/4b4/4b4/obbbbbbbb/4b4/4b3w/4b3w/4X4 o 20");
  // Four axes at once; each line stops before an o on one side and at the edge or an o on the other.
  plays("4o4/1o7/4x1o2/4x4/1oxx4o/3x1x3/2x3x2/4o4/o7o x 17", "e5",
        "4o4/1o2b4/2b1b1o2/3bbb3/1obbbbbbo/3bbb3/2b1b1b2/1b2o2b1/o7o o 17");
  // A run of five, over the enemy's floor, up to the enemy's stone.
  plays("2o3w2/x5w2/6w2/o5w2/1xx1xxw1o/6w2/x1o3w2/6w2/x6xo x 17", "d5",
        "2o3w2/x5w2/6w2/o5w2/bbbbbbbbo/6w2/x1o3w2/6w2/x6xo o 17");
  // Own stones neither stop the paint nor leave, unless they are in the run; a5 and h5 are not.
  plays("1x6o/9/4x2o1/1o7/x2xx2x1/4x2o1/1o7/4x4/2o1o2o1 x 17", "f5",
        "1x6o/9/4x2o1/1o7/XbbbbbbXb/4x2o1/1o7/4x4/2o1o2o1 o 17");
  // From the corner; nothing wraps round the edge into the next rank.
  plays("o4x3/1x7/3o1x1o1/x8/8x/9/2o1x1x2/1o7/1oo2x3 o 18", "a1",
        "o4x2w/1x5w1/3o1xwo1/x4w3/4w3x/3w5/2w1x1x2/1w7/wwwwwx3 x 17");
  plays("1x2x2o1/o4o3/9/3o5/x6xx/9/7oo/x7o/1o2x3x x 17", "a6", "1x2x2o1/o4o3/9/x2o5/x6xx/9/7oo/x7o/1o2x3x o 17");
}

void floor_stays() {
  // Without a match a stone changes no floor: on its own floor it is X, on bare floor x. The enemy's floor is closed.
  const std::string s = "4X4/3xb4/3obx3/x3b1o2/2x1b2o1/4b1xx1/2o1b4/4b3o/wwwwbwOOw x 15";
  plays(s, "e1", "4X4/3xb4/3obx3/x3b1o2/2x1b2o1/4b1xx1/2o1b4/4b3o/wwwwXwOOw o 15");
  plays(s, "a9", "x3X4/3xb4/3obx3/x3b1o2/2x1b2o1/4b1xx1/2o1b4/4b3o/wwwwbwOOw o 15");
  for (const Move move : legal_list<Rules>(Rules::parse(s, {}))) {
    expect(Rules::move_text({}, move) != "a1", "the enemy's floor is closed");
  }
}

// WHITE helps BLACK to close the whole board with the last ply of its own.
void no_cell_is_left() {
  const std::string line =
      "d3 a2 e3 b2 c2 d2 c1 e2 g6 g2 h6 h2 f7 a5 f8 b5 g9 d5 h9 e5 i8 g5 i7 h5 g1 a8 h1 b8 f4 d8 g4 e8 c7 g8 d7 h8 e9 "
      "a7 c3 b7 f6 a4 i9 b4 e7 a1 h4 b1 i1";
  Rules::State s = Rules::start({});
  for (std::size_t at = 0; at < line.size(); at += 3) {
    contract::where = Rules::text(s);
    expect(!Rules::result(s).over(), "the game is open");
    s = Rules::play(s, move_of(s, line.substr(at, 2)));
  }
  const std::string closed =
      "bbbbXbbbb/oobooboob/oobbbbbbb/bbbbbbbbb/oobooboob/oobbbbbbb/bbbbbbbbb/oobooboob/oobbbbbbb";
  expect(Rules::text(s) == closed + " o 1", "the board is closed");
  ends(closed + " o 1", End::first_wins, "no_moves");
}

void endings() {
  const std::string rest = "/w1wbbobwx/w1wobbxwo/xwwwwwwww/bowbbb1Ob/bbwbbbbwb/1bw1bb1wb/wwwwwwwww/OwwwbbOww";
  ends("w1w1b1xwx" + rest + " o 1", End::open, "");
  ends("w1wob1xwx" + rest + " x 0", End::second_wins, "floor");
  // Tested first: BLACK has no cell here either, but all stones are out, and the floor decides.
  ends("xowwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww/wwwwwwwww x 0",
       End::second_wins, "floor");
  ends("bbb6/9/9/9/9/9/9/9/www6 x 0", End::draw, "floor");
}

void texts() {
  const std::string empty = "9/9/9/9/9/9/9/9/9";
  refuses("", "the board");
  refuses(empty, "ends before the side to move");
  refuses(empty + " x", "ends before the number of its stones left");
  refuses(empty + " x 26", "from 0 to 25");
  refuses(empty + " x 025", "from 0 to 25");
  refuses(empty + " o 0", "from 1 to 25");
  refuses(empty + " b 25", "one letter of 'xo'");
  refuses(empty + " x 25 ", "goes on");
  refuses("9/9/9/9/9/9/9/9/8q x 25", "'q' is none of 'xoXObw'");
  refuses(empty + "/9 x 25", "more ranks");
  refuses("x8/9/9/9/9/9/9/9/9 x 25", "x has more stones on the board than the 0 it put");
  refuses("x8/9/9/9/9/9/9/9/9 x 24", "o put 1 stones and has 0 on the board");
  refuses("xo7/o8/9/9/9/9/9/9/8x x 22", "x put 3 stones and has 2");
  refuses("xo7/ow7/9/9/9/9/9/9/8x x 23", "o has floor, but none of its stones has left");
  refuses("xxx6/o1o6/2o6/9/9/9/9/9/9 x 22", "three x stand in a line");
  refuses("x1o6/o1o6/9/9/9/9/9/9/8x x 22", "x put 3 stones and has 2 on the board");
  refuses("9/9/9/9/9/9/9/9/7bb x 20", "three painted cells");
}

}  // namespace

int main() {
  matches();
  floor_stays();
  no_cell_is_left();
  endings();
  texts();
  std::puts("popucom: all corners hold");
}
