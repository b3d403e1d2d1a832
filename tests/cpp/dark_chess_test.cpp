// Dark chess, corner by corner: who takes what, what a cannon hits and whom it pays, how it ends, which texts are
// refused.
#include "games/dark_chess.hpp"
#include "contract.hpp"

namespace {

using namespace qilin;
using contract::expect;
using dark_chess::Rules;
using State = Rules::State;

constexpr Settings enemy_paid{}, capturer_paid{{1}};

State position(const std::string& text, const Settings& settings = enemy_paid) {
  contract::where = text;
  return Rules::parse(text, settings);
}

bool is_legal(const State& s, const std::string& text) {
  for (const Move move : legal_list<Rules>(s)) {
    if (Rules::move_text(s, move) == text) return true;
  }
  return false;
}

Move move_named(const State& s, const std::string& text) {
  for (const Move move : legal_list<Rules>(s)) {
    if (Rules::move_text(s, move) == text) return move;
  }
  expect(false, text + " is legal");
  return 0;
}

// After a ply, and the piece that chance answered with, if any.
State after(const State& s, const std::string& move, const std::string& answer = "") {
  State next = Rules::play(s, move_named(s, move));
  expect(Rules::is_chance(next) == !answer.empty(), move + " is answered by chance or not");
  for (std::size_t kind = 0; kind < Rules::outcome_names.size() && !answer.empty(); ++kind) {
    if (Rules::outcome_names[kind] == answer) return Rules::resolve(next, static_cast<int>(kind));
  }
  return next;
}

void becomes(const State& got, const std::string& text) {
  expect(Rules::text(got) == text, "expected " + text + "; it is " + Rules::text(got));
}

void ends(const State& s, End end, const std::string& reason) {
  const Result result = Rules::result(s);
  expect(result.end == end, "the right side wins in " + Rules::text(s));
  expect(Rules::reasons[result.reason] == reason, "the reason is " + reason);
  expect(legal_list<Rules>(s).empty() && Rules::count_legal(s) == 0, "nothing is legal after the end");
}

void refuses(const std::string& text, const std::string& why, const Settings& settings = enemy_paid) {
  contract::where = text;
  try {
    (void)Rules::parse(text, settings);
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    return expect(said.find(why) != std::string::npos, "the refusal says '" + why + "'; it said: " + said);
  }
  expect(false, "refused: " + why);
}

// 16 flips, 48 steps and 48 shots; from and to name a move, and every symmetry permutes them.
void moves_have_numbers() {
  int flips = 0, steps = 0, shots = 0;
  for (Move move = 0; move < Rules::moves; ++move) {
    const int from = Rules::origin(move), to = Rules::target(move);
    const int rows = std::abs(from / 4 - to / 4), cols = std::abs(from % 4 - to % 4);
    expect(Rules::move_of(from, to) == move, "from and to name move " + std::to_string(move));
    expect(rows == 0 || cols == 0, "a move keeps to a line");
    (rows + cols == 0 ? flips : rows + cols == 1 ? steps : shots) += 1;
  }
  expect(flips == 16 && steps == 48 && shots == 48, "16 flips, 48 steps, 48 shots");
}

// The rules page as a table: a row for every piece that steps, a column for what it meets, from soldier to general.
void ranks_take_ranks() {
  const std::array<std::string, dark_chess::ranks> page{"x.....x", ".......", "xxx....", "xxxx...",
                                                        "xxxxx..", "xxxxxx.", ".xxxxxx"};
  for (std::size_t hunter = 0; hunter < page.size(); ++hunter) {
    for (std::size_t prey = 0; prey < page.size(); ++prey) {
      expect(Rules::takes(static_cast<int>(hunter), static_cast<int>(prey)) == (page[hunter][prey] == 'x'),
             std::to_string(hunter) + " takes " + std::to_string(prey) + " as the page says");
    }
  }
}

void captures() {
  const State s = position("2kP/2pP/1Kp1/a1Rn r - 30 50 0 22");
  becomes(after(s, "d4c4"), "2P1/2pP/1Kp1/a1Rn b - 60 50 0 23");  // a soldier takes the general
  ends(after(s, "d4c4"), End::first_wins, "points");
  becomes(after(s, "d3c3"), "2kP/2P1/1Kp1/a1Rn b - 34 50 0 23");
  becomes(after(s, "d3d2"), "2kP/2p1/1KpP/a1Rn b - 30 50 1 23");
  expect(!is_legal(s, "b2c2"), "a general takes no soldier");
  expect(is_legal(s, "c1d1") && is_legal(s, "c1c2"), "a chariot takes a horse and a soldier");
  const State theirs = position("2kP/2pP/1Kp1/a1Rn b - 30 50 0 23");
  expect(!is_legal(theirs, "c4d4"), "nor does the other general");
  expect(!is_legal(theirs, "d1c1"), "a horse takes no chariot");
  expect(!is_legal(position("P?p?/?nA?/NpR?/?B?? r PCKcrbak 0 0 0 8"), "c3d3"), "nobody steps onto a face-down piece");
  expect(!is_legal(position("2aK/4/PC2/2bk r - 38 54 0 30"), "b2c2"), "a cannon does not step");
}

void shots() {
  const State own_screen = position("a2K/p3/R3/CPnk r - 34 44 1 24");
  becomes(after(own_screen, "a1a3"), "a2K/C3/R3/1Pnk b - 38 44 0 25");
  becomes(after(own_screen, "a1c1"), "a2K/p3/R3/1PCk b - 44 44 0 25");
  expect(!is_legal(own_screen, "a1d1") && !is_legal(own_screen, "a1a4"), "not the piece after the target");
  expect(!is_legal(position("K2n/p3/4/CaPk r - 34 54 0 24"), "a1c1"), "not an own piece that is face up");
  expect(is_legal(position("k2a/?3/2?1/C?P? r RKrb 28 44 0 18"), "a1a4"), "a target may be far behind its screen");
}

void hidden_targets() {
  const std::string text = "3k/4/1n2/C??1 r AK 58 38 0 24";
  const State mine = position(text);
  becomes(after(mine, "c1", "A"), "3k/4/1n2/C?A1 b K 58 38 0 25");
  becomes(after(mine, "a1c1", "A"), "3k/4/1n2/1?C1 b K 58 58 0 25");  // the enemy is paid for red's advisor
  ends(after(mine, "a1c1", "K"), End::second_wins, "points");
  ends(after(position(text, capturer_paid), "a1c1", "A"), End::first_wins, "points");
  const State theirs = position("??c?/2P1/?1C?/1?k1 b PRKpna 24 40 0 15", capturer_paid);
  becomes(after(theirs, "c4a4", "K"), "c?1?/2P1/?1C?/1?k1 r PRpna 24 70 0 16");
  becomes(after(theirs, "c4a4", "a"), "c?1?/2P1/?1C?/1?k1 r PRKpn 24 60 0 16");
}

// Chance answers for the player whose ply it was; until then nothing has changed but what is pending.
void pending() {
  const State s = position("3k/4/1n2/C??1 r AK 58 38 0 24 a1c1");
  expect(Rules::is_chance(s) && Rules::to_move(s) == 0, "chance answers red's shot");
  expect(!Rules::result(s).over() && Rules::count_legal(s) == 0, "open, and nobody may move");
  const auto planes = Rules::encode(s, {});
  expect(planes[Rules::planes - 1].squares == bit<u64>(2) && planes[Rules::planes - 2].squares == 0, "a shot at c1");
  const auto flip = Rules::encode(position("3k/4/1n2/C??1 r AK 58 38 0 24 c1"), {});
  expect(flip[Rules::planes - 2].squares == bit<u64>(2) && flip[Rules::planes - 1].squares == 0, "a flip of c1");
}

void how_it_ends() {
  // The shot gives black 80 points and leaves it without a ply: points are looked at first.
  ends(after(position("2Pk/3P/4/Cc?1 r K 58 50 0 24"), "a1c1", "K"), End::second_wins, "points");
  // Black can't move: no_moves, though 24 plies have passed without progress.
  const State last_but_one = position("2Pk/4/N2P/Kc2 r - 58 50 23 48");
  ends(after(last_but_one, "d2d3"), End::first_wins, "no_moves");
  ends(after(last_but_one, "d2c2"), End::draw, "no_progress");
  ends(position("BRkN/APra/CKPn/cpbp r - 0 0 0 16"), End::second_wins, "no_moves");
  expect(!Rules::result(after(position("A1r1/3?/1P2/C?1k r Kn 48 34 23 44"), "b1", "K")).over(), "a flip is progress");
  ends(after(position("R2n/1A2/?1a1/1c1K b p 54 38 3 99"), "d4d3"), End::draw, "ply_limit");
  ends(after(position("R2n/1A2/?1a1/1c1K b p 54 38 23 99"), "d4d3"), End::draw, "no_progress");
  ends(after(position("K3/1Ap1/1n2/1P1k r - 54 44 23 98"), "b3b2"), End::first_wins, "points");
  becomes(after(position("K3/1Ap1/1n2/1P1k r - 54 44 23 98"), "b3c3"), "K3/2A1/1n2/1P1k b - 58 44 0 99");
}

void bad_texts() {
  const std::string rank = "????", full = rank + '/' + rank + '/' + rank + '/' + rank + ' ';
  refuses("", "expected 4 ranks");
  refuses(full + "x PPCNRBAKppcnrbak 0 0 0 0", "the side to move");
  refuses(full + "b PPCNRBAKppcnrbak 0 0 0 0", "it is r's turn after an even number");
  refuses(full + "r PPCNRBAKppcnrba 0 0 0 0", "as many pieces as are face down");
  refuses(full + "r PPPNRBAKppcnrbak 0 0 0 0", "the pool is");
  refuses(full + "r PPCNRBAKpcpnrbak 0 0 0 0", "in this order");
  refuses(full + "r PPCNRBAK?pcnrbak 0 0 0 0", "the pool is");
  refuses(full + "r  0 0 0 0", "the pool is ''");
  refuses("BRkN/APra/CKPn/cpbp r  0 0 0 16", "the pool is ''");
  refuses("KK2/4/4/4 r - 58 38 0 30", "too many K");
  refuses(full + "r PPCNRBAKppcnrbak 4 0 0 0", "make 0 and 0 points");
  refuses(full + "r PPCNRBAKppcnrbak 0 0 0 2", "don't fit");
  refuses("3k/4/1n2/C??1 r AK 38 58 0 24", "make 58 and 38 points");
  refuses("3k/4/1n2/C??1 r AK 57 39 0 24", "make 58 and 38 points", capturer_paid);
  refuses("3k/4/1n2/C??1 r AK 58 38 0 12", "don't fit");
  refuses("3k/4/1n2/C??1 r AK 58 38 12 24", "don't fit");
  refuses("P?p?/?nA?/NpR?/?B?? r PCKcrbak 0 0 2 10", "don't fit");
  refuses("2P1/2pP/1Kp1/a1Rn b - 60 50 1 23", "ends when a side has 60");
  refuses("4/4/1P2/2p1 r - 94 94 0 60", "0 to 89");
  refuses("4/4/1A2/2a1 r - 78 78 0 60", "ends when a side has 60");
  refuses("3k/4/1n2/C??1 r AK 58 38 25 60", "0 to 24");
  refuses("3k/4/1n2/C??1 r AK 58 38 0 102", "0 to 100");
  refuses("3k/4/1n2/C??1 r AK 58 38 0 24 a1d1", "the pending ply is 'a1d1'");
  refuses("3k/4/1n2/C??1 r AK 58 38 0 24 b2", "the pending ply is 'b2'");
  refuses("3k/4/1n2/C??1 r AK 58 38 0 24 ", "the pending ply is ''");
  refuses("3k/4/1n2/C??1 r AK 58 38 24 48 c1", "the pending ply is 'c1'");
  refuses("3k/4/1n2/C??1 r AK 58 38 0 24 c1 c1", "goes on after its last field");
}

}  // namespace

int main() {
  moves_have_numbers();
  ranks_take_ranks();
  captures();
  shots();
  hidden_targets();
  pending();
  how_it_ends();
  bad_texts();
  std::puts("dark_chess: every corner holds");
}
