// Xiangqi, corner by corner: how games end and in which order that is tested, both policies, which texts are refused.
#include "games/xiangqi.hpp"

#include "contract.hpp"

namespace {

using namespace qilin;
using contract::expect;
using xiangqi::Rules;
using State = Rules::State;

const Settings standard = defaults<Rules>(0), selfplay = defaults<Rules>(1);

State position(const std::string& text, const Settings& settings = standard) {
  contract::where = text;
  return Rules::parse(text, settings);
}

Line<Rules> play(Line<Rules> line, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    contract::where = Rules::text(line.state);
    expect(!line.result().over(), "the game goes on before " + text);
    bool found = false;
    for (const Move move : line.legal()) {
      if (found || Rules::move_text(line.state, move) != text) continue;
      line.play(move);
      found = true;
    }
    expect(found, text + " is legal");
  }
  contract::where = Rules::text(line.state);
  return line;
}

void ends(const Line<Rules>& line, End end, const std::string& reason) {
  const Result result = line.result();
  expect(result.end == end && Rules::reasons[result.reason] == reason,
         "it ends by " + reason + ", not " + Rules::reasons[result.reason]);
  expect(line.legal().empty(), "nothing is legal after the end");
}

const std::vector<std::string> chariot_checks{"a8a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"};

void repetition() {
  const Line<Rules> chase(position("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1"));
  ends(play(chase, chariot_checks), End::second_wins, "perpetual_check");
  const Line<Rules> trained(position("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", selfplay));
  ends(play(trained, chariot_checks), End::draw, "repetition");

  const Line<Rules> start(Rules::start(standard));
  ends(play(start, {"b0c2", "b9c7", "c2b0", "c7b9", "b0c2", "b9c7", "c2b0", "c7b9"}), End::draw, "repetition");

  // One quiet move among the checks, and it is a draw.
  const Line<Rules> pause(position("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1"));
  ends(play(pause, {"a8a9", "d9d8", "a9a8", "d8d9", "a8a7", "d9d8", "a7a8", "d8d9"}), End::draw, "repetition");
}

// Each move answers a check and gives one: RED's cannon and BLACK's chariot keep changing files, before their own
// chariot and cannon.
void both_sides_check() {
  const Line<Rules> line(position("4c4/3k5/5r3/9/9/4r1n2/9/3C5/4K4/3R5 w - - 0 1"));
  const std::vector<std::string> round{"d2e2", "e4d4", "e2d2", "d4e4"};
  const Line<Rules> twice = play(line, round);
  for (const u64 key : twice.keys) expect(key & 1, "every position is in check");
  ends(play(twice, round), End::draw, "repetition");
}

void what_is_irreversible() {
  const auto forgets = [](const std::string& text, const std::string& move) {
    return play(Line<Rules>(position(text)), {move}).keys.empty();
  };
  const std::string text = "4k4/9/9/4P4/9/9/4r4/9/9/R2K5 w - - 0 1";
  expect(forgets(text, "e6e7"), "a soldier never steps back");
  expect(!forgets(text, "e6d6") && !forgets(text, "a0a1"), "other moves can be taken back");
  expect(forgets("4k4/9/9/9/r8/9/9/9/9/R2K5 w - - 0 1", "a0a5"), "a captured piece stays away");
}

void mate_comes_first() {
  Settings brief = standard;
  brief[1] = 10;
  brief[2] = 21;
  const Line<Rules> mate(position("3k5/1R7/9/8p/9/9/9/9/R8/4K4 w - - 9 11", brief));
  ends(play(mate, {"a1a9"}), End::first_wins, "checkmate");
  ends(play(mate, {"a1a2"}), End::draw, "no_capture");
  const Line<Rules> late(position("3k5/1R7/9/8p/9/9/9/9/R8/4K4 w - - 0 11", brief));
  ends(play(late, {"a1a9"}), End::first_wins, "checkmate");
  ends(play(late, {"a1a2"}), End::draw, "ply_limit");
  ends(Line<Rules>(position("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1")), End::first_wins, "stalemate");
}

// Both policies name a move by where its player sees it: RED's h2e2 is BLACK's h7e7.
void policies() {
  const State red = Rules::start(standard), black = Rules::play(red, 25 * 90 + 22);
  expect(Rules::move_text(red, 25 * 90 + 22) == "h2e2" && Rules::move_text(black, 25 * 90 + 22) == "h7e7",
         "a move's index is seen by its player");
  expect(Rules::plane_index(red, 25 * 90 + 22) == (36 + 2 * 9 + 2) * 90 + 25, "a cannon slides three to the left");
  expect(Rules::plane_index(black, 25 * 90 + 88) == 72 * 90 + 25, "a cannon captures forward");
  expect(Rules::plane_index(red, 1 * 90 + 20) == (76 + 2) * 90 + 1, "a horse goes forward, to the right");

  std::array<int, Rules::policy_planes> mirrored{};
  for (u64 seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    for (Line<Rules> line(red); !line.result().over(); contract::random_ply(line, rng)) {
      contract::where = Rules::text(line.state);
      std::set<int> seen;
      for (const Move move : line.legal()) {
        const int index = Rules::plane_index(line.state, move);
        expect(index >= 0 && index < Rules::policy_planes * 90 && seen.insert(index).second,
               "a move has its own place");
        const int turned = Rules::plane_index(Rules::transform(line.state, 1), Rules::transform_move(move, 1));
        int& plane = mirrored[static_cast<std::size_t>(index / 90)];
        expect(plane == 0 || plane == turned / 90 + 1, "a plane turns into one plane");
        plane = turned / 90 + 1;
      }
    }
  }
}

void refuses(const std::string& text, const std::string& why) {
  contract::where = text;
  try {
    (void)Rules::parse(text, standard);
  } catch (const std::invalid_argument& error) {
    expect(std::string(error.what()).find(why) != std::string::npos,
           "the reason is '" + why + "', not: " + error.what());
    return;
  }
  expect(false, "it is refused: " + why);
}

void texts() {
  const std::string start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
  expect(position(start) == Rules::start(standard), "the start has its text");
  expect(position("rheakaehr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RHEAKAEHR r - - 0 1") == Rules::start(standard),
         "the other letters are read");
  expect(Rules::text(position("3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 12")) == "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 12",
         "the counters come back");
  refuses("3k5/9/9/9/9/9/9/9/9/9 w - - 0 1", "RED's K is missing");
  refuses("3kk4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "BLACK's K stands on 2 squares");
  refuses("3k5/9/9/9/9/9/9/9/9/6K2 w - - 0 1", "RED's K stands on g0");
  refuses("3k5/9/9/9/9/9/9/9/3A5/4K4 w - - 0 1", "RED's A stands on d1");
  refuses("3k5/9/9/9/2B6/9/9/9/9/4K4 w - - 0 1", "RED's B stands on c5");
  refuses("3k5/9/9/9/9/9/1P7/9/9/4K4 w - - 0 1", "RED's P stands on b3");
  refuses("3k5/9/9/p8/p8/9/9/9/9/4K4 w - - 0 1", "two BLACK's P share a file at home");
  refuses("3k5/9/9/9/9/9/9/R8/R8/R3K4 w - - 0 1", "RED's R stands on 3 squares");
  refuses("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "left its general to be taken");
  refuses("R2k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "left its general to be taken");
  refuses("3k5/9/9/9/9/9/9/9/9/4K4 w - - 3 2", "more half-moves without capture");
  refuses("3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 257", "at most 512 half-moves");
  refuses("3k5/9/9/9/9/9/9/9/9/4K4 w - - 121 90", "a number from 0 to 120");
  refuses("3k5/9/9/9/9/9/9/9/9/4X4 w - - 0 1", "'X' is none of");
  refuses("3k5/9/9/9/9/9/9/9/9/4K4 x - - 0 1", "the side to move");
  refuses("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0", "ends before the number of the move");
}

}  // namespace

int main() {
  repetition();
  both_sides_check();
  what_is_irreversible();
  mate_comes_first();
  policies();
  texts();
  std::puts("xiangqi: every corner holds");
}
