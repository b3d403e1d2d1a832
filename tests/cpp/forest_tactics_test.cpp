// Values belong to a player: what is free is taken, whoever moves, however deep in the tree, in the middle of a chain
// of plies by one player, and behind a flip. And chance is averaged by its odds: dark chess against exact expectimax.
#include "forest_fixture.hpp"
#include "games/ataxx.hpp"
#include "games/connect_four.hpp"
#include "games/dark_chess.hpp"
#include "games/liuzhou.hpp"
#include "games/popucom.hpp"
#include "games/xiangqi.hpp"

namespace {

using namespace qilin;
using namespace qilin::forest;
using contract::expect;
using contract::where;
using Names = std::vector<std::string>;

// Player 0's material minus player 1's, in units that decide a game.
template <Game G>
float lead(const typename G::State& s) {
  return static_cast<float>(G::margin(s)) / 10;
}
template <>
float lead<liuzhou::Rules>(const liuzhou::Rules::State& s) {
  return static_cast<float>(count(s.stones[0] & ~s.marked) - count(s.stones[1] & ~s.marked));
}
template <>
float lead<xiangqi::Rules>(const xiangqi::Rules::State& s) {
  const std::string text = xiangqi::Rules::text(s), letters = "RNCPABrncpab";
  const float worth[] = {9, 4, 4.5F, 1, 2, 2, -9, -4, -4.5F, -1, -2, -2};
  float sum = 0;
  for (const char c : text.substr(0, text.find(' '))) {
    const std::size_t letter = letters.find(c);
    if (letter != std::string::npos) sum += worth[letter];
  }
  return sum / 5;
}

// Material decides; the way that the test means to go is thought to be the only one.
struct Material {
  static constexpr bool has_priors = true;
  Names way;

  template <Game G>
  Opinion operator()(const Leaf<G>& leaf, float* logits) const {
    for (int i = 0; i < leaf.count; ++i) {
      const std::string text = G::move_text(leaf.state, leaf.moves[i]);
      logits[i] = std::count(way.begin(), way.end(), text) ? 12.0F : 0.0F;
    }
    const float x = lead<G>(leaf.state);
    return {(G::to_move(leaf.state) == 0 ? 1.0F : -1.0F) * x / (1 + std::abs(x)), 0};
  }
};

// The nodes at the end of a way from a node, every answer of chance followed.
template <Game G>
std::vector<u32> ends_of(const Tree<G>& tree, u32 node, const Names& way, std::size_t step = 0) {
  const Node& n = tree.nodes[node];
  if (!n.chance && step == way.size()) return {node};
  std::vector<u32> ends;
  for (u32 edge = n.first; edge < n.first + n.opened; ++edge) {
    if (!tree.child[edge] || (!n.chance && edge_text(tree, node, edge) != way[step])) continue;
    for (const u32 end : ends_of(tree, tree.child[edge], way, step + !n.chance)) ends.push_back(end);
  }
  return ends;
}

// Of the visits below a node, those of some moves.
template <Game G>
double share_of(const Tree<G>& tree, u32 node, const Names& moves) {
  const Node& n = tree.nodes[node];
  double all = 0, theirs = 0;
  for (u32 edge = n.first; edge < n.first + n.opened; ++edge) {
    all += tree.stats[edge].visits;
    const bool is_one = std::count(moves.begin(), moves.end(), edge_text(tree, node, edge)) > 0;
    if (is_one) theirs += tree.stats[edge].visits;
  }
  return all > 0 ? theirs / all : 0;
}

// At the end of the way, wherever chance may lead it, the moves get more than nine visits of ten.
template <Game G>
void takes(const std::string& position, const Names& way, const Names& moves) {
  Search search;
  search.simulations = static_cast<int>(1600 + way.size());
  Line<G> line(G::parse(position, defaults<G>()));
  Forest<G> forest(search, 1);
  forest.reset(0, line);
  forest.run(Material{way});
  where = std::string(G::name) + " " + position + "\n" + forest.text(0, {.depth = 2 + static_cast<int>(way.size())});
  const auto ends = ends_of(forest.tree(0), 0, way);
  expect(!ends.empty(), "the way was gone");
  for (const u32 end : ends) {
    const double share = share_of(forest.tree(0), end, moves);
    expect(share > 0.9, std::to_string(share) + " of the visits take what is free");
  }
}

void xiangqi_takes() {
  using G = xiangqi::Rules;
  takes<G>("2bakab2/9/9/4p4/r8/9/4P4/9/9/R1BAKAB2 w - - 0 1", {}, {"a0a5"});
  takes<G>("r1bakab2/9/9/4p4/9/R8/4P4/9/9/2BAKAB2 b - - 0 1", {}, {"a9a4"});
  takes<G>("2bakab2/9/9/4p4/1r7/9/4P4/9/9/R1BAKAB2 b - - 0 1", {"b5a5"}, {"a0a5"});
  takes<G>("r1bakab2/9/9/4p4/9/1R7/4P4/9/9/2BAKAB2 w - - 0 1", {"b4a4"}, {"a9a4"});
  takes<G>("2bakab2/9/9/4p4/1r7/9/4P4/9/9/R1BAKAB2 w - - 0 1", {"e3e4", "b5a5"}, {"a0a5"});
  takes<G>("r1bakab2/9/9/4p4/9/1R7/4P4/9/9/2BAKAB2 b - - 0 1", {"e6e5", "b4a4"}, {"a9a4"});
}

// A hole amid eight stones, in reach of one jump.
void ataxx_takes() {
  takes<ataxx::Rules>("x6/7/2ooo2/2o1ox1/2ooo2/7/o6 x 0 1", {}, {"f4d4"});
  takes<ataxx::Rules>("o6/7/2xxx2/2x1xo1/2xxx2/7/x6 o 0 1", {}, {"f4d4"});
  takes<ataxx::Rules>("x6/7/2ooo2/2o1ox1/2ooo2/7/o6 o 0 1", {"b1"}, {"f4d4"});
  takes<ataxx::Rules>("o6/7/2xxx2/2x1xo1/2xxx2/7/x6 x 0 1", {"b1"}, {"f4d4"});
}

// Placing: a line and its two marks. Moving: a square and its capture, before the enemy steps into the gap.
void liuzhou_takes() {
  using G = liuzhou::Rules;
  takes<G>("6/o5/6/6/xxxxx1/oo1oo1 x p 0 10 0", {}, {"f2"});
  takes<G>("6/x1x3/6/6/ooooo1/xx1xx1 o p 0 11 0", {}, {"f2"});
  takes<G>("6/o5/6/6/xxxxx1/oo2o1 o p 0 9 0", {"d1"}, {"f2"});
  takes<G>("4o1/5o/6/1o4/x1x3/xx3o x s 0 80 0", {}, {"c2b2"});
  takes<G>("4x1/5x/6/1x4/o1o3/oo3x o s 0 80 0", {}, {"c2b2"});
  takes<G>("4o1/5o/6/1o4/x1x3/xx2o1 o s 0 80 0", {"e1f1"}, {"c2b2"});
  // Amid a chain: of two captures both are good only if they take what threatens to close a square at once.
  const Names threats{"e5", "e6", "f6", "f4"};
  takes<G>("4oo/4o1/o4o/6/6/xxxxxx x c 1 80 0", {}, threats);
  takes<G>("4xx/4x1/x4x/6/6/oooooo o c 1 80 0", {}, threats);
  takes<G>("4oo/4o1/o4o/o5/6/xxxxxx x c 2 80 0", {"a4"}, threats);
  takes<G>("4oo/4o1/o4o/x5/1xxxxx/6 x s 0 80 0", {"a3a2", "a4"}, threats);
}

// A horse beside a chariot: now, after an enemy ply, and behind a flip, whatever it turns up.
void dark_chess_takes() {
  using G = dark_chess::Rules;
  takes<G>("k2b/4/n2B/R2K r - 48 48 0 40", {}, {"a1a2"});
  takes<G>("K2B/4/N2b/r2k b - 48 48 0 41", {}, {"a1a2"});
  takes<G>("k1b1/4/n2B/R2K b - 48 48 0 41", {"c4d4"}, {"a1a2"});
  takes<G>(
      "k?"
      "?b/4/n2B/R2K b Pp 44 44 0 41",
      {"c4"}, {"a1a2"});
  takes<G>(
      "K?"
      "?B/4/N2b/r2k r Pp 44 44 0 40",
      {"c4"}, {"a1a2"});
  takes<G>(
      "k?"
      "?b/4/n2B/R1K1 r Pp 44 44 0 40",
      {"c1d1", "c4"}, {"a1a2"});
}

using Dark = dark_chess::Rules;

// What player 0 may expect, exactly: +1 … -1. With `wrong` odds, each node's first outcome weighs so much more.
double expectimax(const Line<Dark>& line, int wrong = 0) {
  if (const Result r = line.result(); r.over()) return r.value(0);
  double sum = 0, best = -2;
  int weights = 0;
  if (is_chance<Dark>(line.state)) {
    Dark::outcomes(line.state, [&](int outcome, int weight) {
      if (weights == 0) weight += wrong;
      Line<Dark> next = line;
      next.resolve(outcome);
      sum += weight * expectimax(next, wrong);
      weights += weight;
    });
    return sum / weights;
  }
  const int sign = Dark::to_move(line.state) == 0 ? 1 : -1;
  for (const Move move : line.legal()) {
    Line<Dark> next = line;
    next.play(move);
    best = std::max(best, sign * expectimax(next, wrong));
  }
  return sign * best;
}

struct Case {
  Line<Dark> line;
  double exact;
};

// Positions two or three plies before the limit of 100, in which luck decides.
std::vector<Case> endings(std::size_t most) {
  std::vector<Case> found;
  for (u64 seed = 0; found.size() < most; ++seed) {
    Dark::State s = forest::test::some_line<Dark>(seed, 50).state;
    const int hidden = count(Dark::hidden(s));
    if (Dark::is_chance(s) || hidden < 2 || hidden > 3) continue;
    s.plies = static_cast<u8>(s.plies % 2 ? 97 : 98);
    const double exact = expectimax(Line<Dark>(s));
    if (std::abs(exact) > 0.05 && std::abs(exact) < 0.95) found.push_back({Line<Dark>(s), exact});
  }
  return found;
}

// Why a simulation is told something else than what its root is worth: plies on the way that were not the best, a leaf
// that was judged 0, and luck. The first two can be counted in the tree, in sums over all simulations, seen by player
// 0; luck averages out, and its variance is known.
struct Account {
  double due = 0, variance = 0;
  double slack = 0;  // whoever proves a node is told the proof, whatever ply he came by

  [[nodiscard]] double tolerance() const { return slack + 4.5 * std::sqrt(variance); }
};

void settle(const Tree<Dark>& tree, u32 parent, const Line<Dark>& line, int wrong, Account& account) {
  const Node& node = tree.nodes[tree.child[parent]];
  const double worth = expectimax(line, wrong);
  double most = 0;
  if (!node.chance) account.due -= worth;
  for (u32 edge = node.first; edge < node.first + node.opened; ++edge) {
    if (tree.stats[edge].visits == 0) continue;
    Line<Dark> next = line;
    node.chance ? next.resolve(tree.move[edge]) : next.play(tree.move[edge]);
    const double visits = tree.stats[edge].visits, difference = expectimax(next, wrong) - worth;
    if (node.chance) account.variance += visits * difference * difference;
    if (!node.chance) account.due += visits * difference;
    most = std::max(most, std::abs(difference));
    if (tree.child[edge]) settle(tree, edge, next, wrong, account);
  }
  if (!node.chance && tree.stats[parent].proof.known()) account.slack += most;
}

// Whether the mean at the root is what the account says, up to what luck may do.
bool balances(const Tree<Dark>& tree, const Line<Dark>& line, int wrong) {
  Account account;
  settle(tree, 0, line, wrong, account);
  const double n = tree.stats[0].visits, seen = static_cast<double>(tree.stats[0].value);
  const double rounding = 1e-4;
  return std::abs(seen - expectimax(line, wrong) - account.due / n) < account.tolerance() / n + rounding;
}

// The mean holds what exploring costs too, some hundredths; the account that leaves it out is good to sampling error,
// and does not balance with odds that are wrong.
void averages_over_chance(Kind kind, const std::vector<Case>& found) {
  std::size_t misjudged = 0;
  for (const auto& [line, exact_for_red] : found) {
    Search search;
    search.kind = kind;
    search.simulations = 30'000;
    search.considered = Dark::max_legal;
    Forest<Dark> forest(search, 1);
    forest.reset(0, line);
    forest.run(Uniform{});
    where = "dark chess " + Dark::text(line.state) + "\n" + forest.text(0, {.depth = 1});
    const int sign = Dark::to_move(line.state) == 0 ? 1 : -1;
    const double exact = sign * exact_for_red, seen = static_cast<double>(forest.report(0).value);
    expect(std::abs(seen - exact) < 0.08,
           "the value is " + std::to_string(seen) + ", exactly " + std::to_string(exact));
    expect(balances(forest.tree(0), line, 0), "luck averages out by its odds");
    misjudged += !balances(forest.tree(0), line, 1);
    Line<Dark> next = line;
    next.play(*forest.choose(0));
    const double chosen = sign * expectimax(next);
    expect(chosen > exact - 0.02, "the ply chosen is worth " + std::to_string(chosen) + " of " + std::to_string(exact));
  }
  std::printf("wrong odds are noticed in %zu of %zu endings\n", misjudged, found.size());
  expect(misjudged * 4 > found.size() * 3, "wrong odds are noticed");
}

// An outcome comes as often as it should: the visits below a flip are those of its odds.
void draws_by_the_odds() {
  Search search;
  search.simulations = 40'000;
  Forest<Dark> forest(search, 1);
  Line<Dark> line(Dark::start(defaults<Dark>()));
  line.play(0);
  forest.reset(0, line);
  forest.run(Uniform{});
  for (const MoveReport& m : forest.report(0).moves) {
    const double share = m.visits / 40'000.0, odds = static_cast<double>(m.prior);
    where = std::string("dark chess outcome ") + Dark::outcome_names[m.move];
    expect(std::abs(share - odds) < 0.01, std::to_string(share) + " of the visits at odds of " + std::to_string(odds));
  }
}

// A line of three, open at both ends: connect four's shortest proof.
void finds_mates() {
  using G = connect_four::Rules;
  for (const Kind kind : {Kind::puct, Kind::gumbel}) {
    Search search;
    search.kind = kind;
    search.simulations = 3000;
    Forest<G> forest(search, 1);
    forest.reset(0, Line<G>(G::parse("7/7/7/7/2oo3/2xx3 x", {})));
    forest.run(Uniform{});
    where = forest.text(0);
    const Report r = forest.report(0);
    expect(r.proof.value(0) == 1 && r.proof.plies() == 3 && r.value == 1, "a win in 3 is proven");
    expect(r.simulations < 3000, "and ends the search");
    expect(r.variation.size() == 3, "and is played out");
    forest.reset(0, Line<G>(G::parse("7/7/7/7/2oo3/1xxx3 o", {})));
    forest.run(Uniform{});
    const Report lost = forest.report(0);
    expect(lost.proof.value(1) == -1 && lost.proof.plies() == 2, "a loss in 2 is proven");
  }
}

void stops_early() {
  using G = xiangqi::Rules;
  Search search;
  search.stop_early = true;
  Forest<G> forest(search, 1);
  forest.reset(0, Line<G>(G::parse("4k4/9/9/9/r8/9/9/9/9/R2K5 w - - 0 1", defaults<G>())));
  forest.run(Material{});
  where = forest.text(0);
  expect(forest.report(0).simulations < 700 && forest.report(0).variation[0].text == "a0a5", "a clear case is short");
}

template <Game G>
Move move_named(const Line<G>& line, const std::string& text) {
  for (const Move move : line.legal()) {
    if (G::move_text(line.state, move) == text) return move;
  }
  expect(false, text + " is legal");
  return 0;
}

template <Game G>
u32 proven_draws(const Tree<G>& tree, u32 index = 0) {
  const Node& node = tree.nodes[index];
  u32 n = 0;
  for (u32 edge = node.first; edge < node.first + node.opened; ++edge) {
    n += tree.child[edge] ? proven_draws(tree, tree.child[edge]) : tree.stats[edge].proof.drawn();
  }
  return n;
}

// Two generals and nothing to do: the third occurrence is seen in the tree, and sooner where the game has begun it.
void sees_repetitions() {
  using G = xiangqi::Rules;
  const std::vector<std::string> shuffle{"f0f1", "d9d8", "f1f0", "d8d9"};
  Search search;
  search.simulations = 1500;
  Forest<G> forest(search, 1);
  Line<G> line(G::parse("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", defaults<G>()));
  const auto grow = [&] {
    forest.run(Uniform{});
    forest::test::check_tree(forest, 0, line);
    where = forest.text(0);
    return proven_draws(forest.tree(0));
  };
  forest.reset(0, line);
  const u32 fresh = grow();
  for (const std::string& text : shuffle) line.play(move_named(line, text));
  forest.reset(0, line);
  expect(grow() > fresh, "a game that has begun to repeat ends sooner");
  for (const std::string& text : {shuffle[0], shuffle[1], shuffle[2]}) {
    forest.advance(0, move_named(line, text));
    line.play(move_named(line, text));
  }
  grow();
  const Move back = move_named(line, shuffle[3]);
  for (const MoveReport& m : forest.report(0).moves) {
    expect(m.move != back || (m.proof.drawn() && m.proof.plies() == 0), "back to where it was twice: a draw");
  }
}

}  // namespace

int main() {
  xiangqi_takes();
  ataxx_takes();
  liuzhou_takes();
  dark_chess_takes();
  draws_by_the_odds();
  const std::vector<Case> found = endings(12);
  for (const Kind kind : {Kind::puct, Kind::gumbel}) averages_over_chance(kind, found);
  finds_mates();
  sees_repetitions();
  stops_early();
  std::printf("the forest takes what is free\n");
}
