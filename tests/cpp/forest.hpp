// What must hold of the forest in every game. Included by tests/cpp/forest_test.cpp.in, once for each game.
#pragma once

#include <bit>

#include "contract.hpp"
#include "search/forest.hpp"

namespace qilin::forest::test {

using contract::expect;
using contract::random_ply;
using contract::where;

// A network that is a hash: it sees what a network would see, and has an opinion about everything.
struct Hashed {
  static constexpr bool has_priors = true;

  [[nodiscard]] static u64 see(const std::vector<float>& planes) {
    u64 seen = 1;
    for (const float x : planes) seen = hash(seen, std::bit_cast<u32>(x));
    return seen;
  }
  [[nodiscard]] static float logit(u64 seen, Move move) { return 3 * Rng(seen, move).unit(); }
  [[nodiscard]] static float value(u64 seen) { return 2 * Rng(seen, 1 << 20).unit() - 1; }

  template <Game G>
  Opinion operator()(const Leaf<G>& leaf, float* logits) const {
    std::vector<float> planes(static_cast<std::size_t>(G::planes * plane_cells<G>));
    write_planes<G>(leaf.state, leaf.past, planes.data());
    const u64 seen = see(planes);
    for (int i = 0; i < leaf.count; ++i) logits[i] = logit(seen, leaf.moves[i]);
    return {value(seen), 0};
  }
};

inline Search small(Kind kind, int simulations = 150) {
  Search search;
  search.kind = kind;
  search.simulations = simulations;
  search.noise_weight = 0.25F;
  search.root_temperature = 1.1F;
  search.considered = 6;
  return search;
}

inline constexpr Excerpt everything{.depth = 1000, .visits = 0};

// A game's position some plies after its start.
template <Game G>
Line<G> some_line(u64 seed, int plies) {
  Line<G> line(G::start(defaults<G>()));
  Rng rng(seed, 77);
  for (int i = 0; i < plies && !line.result().over(); ++i) {
    const Line<G> before = line;
    random_ply(line, rng);
    if (line.result().over()) return before;
  }
  return line;
}

template <Game G>
std::vector<Line<G>> some_lines(int n) {
  std::vector<Line<G>> lines;
  for (int i = 0; i < n; ++i) lines.push_back(some_line<G>(static_cast<u64>(i), i * i * 3));
  return lines;
}

// Every node against the rules: its state, its moves or outcomes, who moves; nothing is left pending; visits add up.
template <Game G>
void check_node(const Tree<G>& tree, u32 index, u32 edge, const Line<G>& line) {
  const Node& node = tree.nodes[index];
  where = std::string(G::name) + " node " + std::to_string(index) + " " + G::text(line.state);
  expect(tree.states[index] == line.state, "a node's state is where its moves lead");
  expect(node.mover == G::to_move(line.state) && node.chance == is_chance<G>(line.state),
         "a node knows who is to move");
  std::set<int> edges, allowed;
  for (u32 i = 0; i < node.count; ++i) edges.insert(tree.move[node.first + i]);
  if constexpr (HasChance<G>) {
    if (node.chance) G::outcomes(line.state, [&](int outcome, int) { allowed.insert(outcome); });
  }
  for (const Move move : line.legal()) allowed.insert(move);
  expect(edges == allowed && edges.size() == node.count, "a node's edges are the legal moves of its line");
  u32 below = 0;
  float mass = 0;
  for (u32 i = 0; i < node.count; ++i) mass += tree.prior[node.first + i];
  expect(node.stage == Stage::waiting || node.chance || std::abs(mass - 1) < 1e-4F, "priors add up to 1");
  for (u32 i = 0; i < node.opened; ++i) {
    const u32 next = node.first + i;
    below += tree.stats[next].visits;
    expect(tree.stats[next].pending == 0, "nothing is pending");
    if (tree.stats[next].visits == 0) continue;  // opened for a race that was over before its turn
    expect(std::abs(tree.stats[next].value) <= 1.0001F, "values lie between -1 and 1");
    Line<G> after = line;
    bool resolved = false;
    if constexpr (HasChance<G>) {
      if (node.chance) after.resolve(tree.move[next]), resolved = true;
    }
    if (!resolved) after.play(tree.move[next]);
    if (tree.child[next]) {
      check_node(tree, tree.child[next], next, after);
    } else {
      expect(after.result().end == tree.stats[next].proof.end(), "an edge without a node ends the game");
    }
  }
  where = std::string(G::name) + " node " + std::to_string(index) + " " + G::text(line.state);
  const u32 visits = tree.stats[edge].visits;
  const bool evaluated = !node.chance && node.stage != Stage::waiting;
  const bool adds_up = visits == below + evaluated || tree.stats[edge].proof.known();
  expect(adds_up, std::to_string(visits) + " visits are its own and the " + std::to_string(below) + " below");
}

// Chance nodes below which nothing was cut off hold the mean of their outcomes; so does every other node, with its own
// evaluation among the rest.
template <Game G>
void check_means(const Tree<G>& tree, u32 index, u32 edge) {
  const Node& node = tree.nodes[index];
  if (tree.stats[edge].proof.known() || tree.stats[edge].visits == 0) return;
  double sum = node.chance ? 0 : static_cast<double>(node.value);
  bool any_proven = false;
  for (u32 next = node.first; next < node.first + node.opened; ++next) {
    sum += static_cast<double>(tree.stats[next].value) * tree.stats[next].visits;
    any_proven |= tree.stats[next].proof.known();
    if (tree.child[next]) check_means(tree, tree.child[next], next);
  }
  const double mean = sum / tree.stats[edge].visits;
  expect(any_proven || std::abs(mean - static_cast<double>(tree.stats[edge].value)) < 1e-4, "a value is the mean");
}

template <Game G>
void check_tree(const Forest<G>& forest, int index, const Line<G>& line) {
  const Tree<G> tree = forest.tree(index);
  if (line.result().over()) {
    expect(tree.stats[0].proof.end() == line.result().end, "a finished game is proven");
    return;
  }
  check_node(tree, 0, 0, line);
  check_means(tree, 0, 0);
}

template <Game G>
std::string all_trees(const Forest<G>& forest) {
  std::string all;
  for (int i = 0; i < forest.size(); ++i) all += forest.json(i, everything) + forest.text(i, everything) + '\n';
  return all;
}

template <Game G>
void plant_all(Forest<G>& forest, const std::vector<Line<G>>& lines) {
  for (int i = 0; i < forest.size(); ++i) forest.reset(i, lines[static_cast<std::size_t>(i)]);
}

template <Game G>
void grows_right(Kind kind, int leaves) {
  Search search = small(kind);
  search.leaves = leaves;
  const auto lines = some_lines<G>(6);
  Forest<G> forest(search, 6, 3);
  plant_all(forest, lines);
  forest.run(Hashed{});
  for (int i = 0; i < forest.size(); ++i) {
    where = std::string(G::name) + " tree " + std::to_string(i);
    check_tree(forest, i, lines[static_cast<std::size_t>(i)]);
    const Report r = forest.report(i);
    expect(r.simulations == 150 || r.proof.known(), "all simulations are done, or nothing is left to find");
    expect(r.refused == 0, "the usual room suffices");
    float policy = 0, improved = 0;
    for (const MoveReport& m : r.moves) policy += m.policy, improved += m.improved;
    expect(std::abs(policy - 1) < 1e-4F && (r.is_chance || r.proof.known() || std::abs(improved - 1) < 1e-4F),
           "policies add up to 1");
  }
}

template <Game G>
void threads_change_nothing(Kind kind, int leaves) {
  where = std::string(G::name) + " threads";
  Search search = small(kind);
  search.leaves = leaves;
  const auto lines = some_lines<G>(5);
  Forest<G> one(search, 5, 3, 1), three(search, 5, 3, 3), alone(search, 1, 3), other(search, 5, 4);
  for (Forest<G>* forest : {&one, &three, &other}) {
    plant_all(*forest, lines);
    forest->run(Hashed{});
  }
  expect(all_trees(one) == all_trees(three), "one thread and three grow the same trees");
  expect(all_trees(one) != all_trees(other), "another seed grows others");
  for (int i = 0; i < 1; ++i) alone.reset(0, lines[0]);
  alone.run(Hashed{});
  expect(alone.json(0, everything) == one.json(0, everything), "other trees change nothing");
}

// A network's answers to the planes of some leaves.
template <Game G>
struct Answers {
  std::vector<float> planes, logits, values;

  explicit Answers(const Forest<G>& forest)
      : planes(static_cast<std::size_t>(forest.most_rows() * G::planes * plane_cells<G>)) {}

  void look(int rows) {
    const auto size = static_cast<std::size_t>(G::planes * plane_cells<G>);
    logits.clear();
    values.clear();
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      const auto begin = planes.begin() + static_cast<std::ptrdiff_t>(row * size);
      const u64 seen = Hashed::see({begin, begin + static_cast<std::ptrdiff_t>(size)});
      for (int move = 0; move < G::moves; ++move) logits.push_back(Hashed::logit(seen, static_cast<Move>(move)));
      values.push_back(Hashed::value(seen));
    }
  }
};

template <Game G>
void batches_are_evaluators(Kind kind, int leaves) {
  where = std::string(G::name) + " batches";
  Search search = small(kind, 60);
  search.leaves = leaves;
  const auto lines = some_lines<G>(4);
  Forest<G> batched(search, 4, 3, 2), direct(search, 4, 3, 1);
  plant_all(batched, lines);
  plant_all(direct, lines);
  Answers<G> answers(batched);
  while (const int rows = batched.leaves(answers.planes.data())) {
    expect(rows <= batched.most_rows(), "no more leaves than there is room for");
    answers.look(rows);
    batched.grow(answers.logits, answers.values, Values::scalar);
  }
  direct.run(Hashed{});
  expect(all_trees(batched) == all_trees(direct), "planes in batches and an evaluator grow the same trees");
}

// One tree, searched by a group of so many lanes.
template <Game G, class Group>
std::vector<std::byte> by_lanes(const Search& search, const Line<G>& line) {
  const Shape shape = shape_for<G>(search, {});
  const u64 bytes = tree_bytes<G>(shape);
  std::vector<std::byte> memory(bytes + 64);
  std::byte* aligned = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
  const Tree<G> tree = tree_at<G>(aligned, bytes, shape, 0);
  *tree.head = {};
  std::copy(line.keys.begin(), line.keys.end(), tree.keys);
  tree.head->history = static_cast<u32>(line.keys.size());
  plant(tree, line.state);
  begin_search(search, tree, 5, 6, static_cast<u32>(search.simulations));
  Simulation<G, Group> simulation(search, tree);
  while (const u32 leaves = simulation.gather(shape.leaves)) {
    for (u32 leaf = 0; leaf < leaves; ++leaf) {
      const Past past = past_of<G, Group>(tree, tree.way(leaf), tree.depths[leaf], tree.keys);
      const u32 node = tree.leaf_node(leaf);
      const Node& n = tree.nodes[node];
      std::vector<float> logits(n.count);
      const Opinion opinion =
          Hashed{}(Leaf<G>{tree.states[node], past, tree.move + n.first, n.count, Rng(0)}, logits.data());
      set_priors<G, Group>(tree, node, [&](int i) { return logits[static_cast<std::size_t>(i)]; });
      simulation.grow_leaf(leaf, opinion);
    }
    simulation.forget_leaves();
  }
  Decision<G, Group>(search, tree).write_policy(tree.scratch);
  return {aligned, aligned + bytes};
}

template <Game G>
void lanes_change_nothing(Kind kind, int leaves) {
  where = std::string(G::name) + " lanes";
  Search search = small(kind);
  search.leaves = leaves;
  for (const Line<G>& line : some_lines<G>(4)) {
    const auto one = by_lanes<G, Lanes<1>>(search, line);
    expect(one == by_lanes<G, Lanes<32>>(search, line), "32 lanes grow the tree of one, bit for bit");
    expect(one == by_lanes<G, Lanes<5>>(search, line), "5 lanes grow the tree of one, bit for bit");
  }
}

template <Game G>
void keeps_subtrees(Kind kind) {
  Search search = small(kind, 120);
  Line<G> line(G::start(defaults<G>()));
  Forest<G> forest(search, 1, 9);
  forest.reset(0, line);
  for (int plies = 0; plies < 40 && !line.result().over(); ++plies) {
    where = std::string(G::name) + " after " + std::to_string(plies) + " plies, " + G::text(line.state);
    forest.run(Hashed{});
    check_tree(forest, 0, line);
    const Move move = *forest.choose(0, 1.0F);
    const Tree<G> tree = forest.tree(0);
    const int slot = find_edge(tree, move);
    const u32 edge = tree.nodes[0].first + static_cast<u32>(slot), nodes = tree.head->nodes;
    const bool chance = tree.nodes[0].chance, kept = slot < tree.nodes[0].opened && tree.child[edge] != 0;
    const Stats before = kept ? tree.stats[edge] : Stats{};
    std::string below;
    if (kept) below = Printer<G>(search, tree, everything).moves_below(tree.child[edge]);
    forest.advance(0, move);
    if constexpr (HasChance<G>) {
      if (chance) line.resolve(move);
    }
    if (!chance) line.play(move);
    expect(forest.state(0) == line.state, "a tree follows its game");
    expect(!kept || Printer<G>(search, tree, everything).moves_below(0) == below, "what was found below is kept");
    expect(!kept || tree.stats[0].visits == before.visits, "and its visits");
    expect(tree.head->nodes < nodes, "and nothing else");
    check_tree(forest, 0, line);
  }
}

template <Game G>
void stops_when_full() {
  where = std::string(G::name) + " full";
  const Search search = small(Kind::puct, 500);
  const auto lines = some_lines<G>(3);
  for (const Room& room : {Room{.nodes = 20, .edges = {}, .depth = {}}, Room{.nodes = {}, .edges = 300, .depth = {}},
                           Room{.nodes = {}, .edges = {}, .depth = 2}, Room{.nodes = 1, .edges = 0, .depth = 2}}) {
    Forest<G> forest(search, 3, 1, 1, room);
    plant_all(forest, lines);
    forest.run(Hashed{});
    forest.run(Hashed{});
    for (int i = 0; i < 3; ++i) {
      const Report r = forest.report(i);
      expect(r.refused > 0 && r.simulations == 500, "a full tree stops, and says how much was not done");
      expect(!room.nodes || r.nodes <= static_cast<u32>(*room.nodes), "no more nodes than there is room for");
      if (r.nodes > 1) expect(forest.choose(i).has_value(), "and has an answer");
    }
  }
}

template <class Act>
void refused(const char* what, Act&& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    expect(std::string(error.what()).size() > 10, "an error says what is wrong");
    return;
  }
  expect(false, std::string("refused: ") + what);
}

template <Game G>
void bad_answers_change_nothing() {
  where = std::string(G::name) + " bad answers";
  Search search = small(Kind::puct, 40);
  search.leaves = 2;
  Forest<G> forest(search, 3, 1, 2), good(search, 3, 1, 2);
  Answers<G> answers(forest);
  const float bad[] = {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  while (const int rows = forest.leaves(answers.planes.data())) {
    answers.look(rows);
    const std::string before = all_trees(forest);
    auto logits = answers.logits, values = answers.values;
    const auto grow = [&](Values form) { return [&, form] { forest.grow(logits, values, form); }; };
    logits.pop_back();
    refused("too few logits", grow(Values::scalar));
    logits = answers.logits;
    refused("values of another width", grow(Values::odds));
    values.push_back(0);
    refused("too many values", grow(Values::scalar));
    for (const float x : bad) {
      values = answers.values;
      values.back() = x;
      refused("a value that is no number", grow(Values::scalar));
      values = answers.values;
      for (int move = 1; move <= G::moves; ++move) logits[logits.size() - static_cast<std::size_t>(move)] = x;
      refused("logits that are no numbers", grow(Values::scalar));
      logits = answers.logits;
    }
    values.back() = 1.5F;
    refused("a value beyond a win", grow(Values::scalar));
    expect(all_trees(forest) == before, "a refused answer changes nothing");
    forest.grow(answers.logits, answers.values, Values::scalar);
    refused("answers that nobody asked for", [&] { forest.grow(answers.logits, answers.values, Values::scalar); });
  }
  good.run(Hashed{});
  expect(all_trees(good) == all_trees(forest), "and the search goes on as if nothing had been");
}

template <Game G>
void abandoned_leaves_come_again() {
  where = std::string(G::name) + " abandoned leaves";
  Search search = small(Kind::puct, 40);
  search.leaves = 4;
  Forest<G> forest(search, 2, 1);
  Answers<G> answers(forest);
  for (int i = 0; forest.leaves(answers.planes.data()) > 0; ++i) {
    if (i % 3 == 1) continue;
    answers.look(forest.rows());
    forest.grow(answers.logits, answers.values, Values::scalar);
  }
  forest.begin(0, 10);
  expect(forest.leaves(answers.planes.data()) > 0, "a search can be continued");
  forest.advance(0, *forest.choose(0));
  forest.run(Hashed{});
  Line<G> line(G::start(defaults<G>()));
  check_tree(forest, 1, line);
}

template <Game G>
void impossible_limits_are_refused() {
  where = std::string(G::name) + " limits";
  const auto with = [](auto change) {
    return [change] {
      Search search;
      change(search);
      Forest<G> forest(search, 1);
    };
  };
  refused("0 simulations", with([](Search& s) { s.simulations = 0; }));
  refused("no leaves", with([](Search& s) { s.leaves = 0; }));
  refused("a negative constant", with([](Search& s) { s.c_puct = -1; }));
  refused("a constant that is no number", with([](Search& s) { s.c_puct = std::nanf(""); }));
  refused("more noise than all", with([](Search& s) { s.noise_weight = 1.5F; }));
  refused("no trees", [] { Forest<G> forest({}, 0); });
  refused("no threads", [] { Forest<G> forest({}, 1, 0, 0); });
  refused("no room", [] { Forest<G> forest({}, 1, 0, 1, {.nodes = 0, .edges = {}, .depth = {}}); });
  Forest<G> forest(small(Kind::puct), 1);
  refused("0 more simulations", [&] { forest.begin(0, 0); });
  refused("a move that is none", [&] { forest.advance(0, G::moves); });
}

// How a game ends with best play, if that can be told within so many plies; what chance may answer must all agree.
template <Game G>
End solve(const Line<G>& line, int plies) {
  if (const Result r = line.result(); r.over()) return r.end;
  std::vector<End> ends;
  const bool chance = is_chance<G>(line.state);
  if constexpr (HasChance<G>) {
    if (chance) {
      G::outcomes(line.state, [&](int outcome, int) {
        Line<G> next = line;
        next.resolve(outcome);
        ends.push_back(solve(next, plies));
      });
      return std::count(ends.begin(), ends.end(), ends[0]) == std::ssize(ends) ? ends[0] : End::open;
    }
  }
  if (plies == 0) return End::open;
  const End win = G::to_move(line.state) == 0 ? End::first_wins : End::second_wins;
  for (const Move move : line.legal()) {
    Line<G> next = line;
    next.play(move);
    ends.push_back(solve(next, plies - 1));
    if (ends.back() == win) return win;
  }
  const auto is_any = [&](End end) { return std::count(ends.begin(), ends.end(), end) > 0; };
  return is_any(End::open) ? End::open : is_any(End::draw) ? End::draw : ends[0];
}

// Short before the end, the forest proves what plain minimax proves, and plays it.
template <Game G>
void proves_what_is_true(Kind kind) {
  int proven = 0;
  for (u64 seed = 0; seed < 40; ++seed) {
    std::vector<Line<G>> game{Line<G>(G::start(defaults<G>()))};
    Rng rng(seed, 5);
    while (!game.back().result().over()) {
      game.push_back(game.back());
      random_ply(game.back(), rng);
    }
    const Line<G>& line = game[game.size() - std::min<std::size_t>(game.size() - 1, 1 + seed % 4) - 1];
    where = std::string(G::name) + " " + G::text(line.state);
    Search search = small(kind, 3000);
    search.noise_weight = 0;
    search.considered = G::max_legal;
    Forest<G> forest(search, 1, seed);
    forest.reset(0, line);
    forest.run(Uniform{});
    check_tree(forest, 0, line);
    const Report r = forest.report(0);
    const End truth = solve(line, 2);
    expect(truth == End::open || !r.proof.known() || r.proof.end() == truth, "what is proven is true");
    if (truth == End::open || is_chance<G>(line.state)) continue;
    ++proven;
    const bool wins = Result{truth}.value(G::to_move(line.state)) > 0;
    expect(!wins || r.proof.end() == truth, "a win in two plies is found");
    if (!wins) continue;
    const int plies = r.proof.plies();
    forest.advance(0, *forest.choose(0));
    const Proof rest = forest.tree(0).stats[0].proof;
    expect(rest.end() == truth && rest.plies() == plies - 1, "and played, one ply nearer to the end");
  }
  expect(proven > 0, "some positions were decided");
}

template <Game G>
int run() {
  for (const Kind kind : {Kind::puct, Kind::gumbel}) {
    for (const int leaves : {1, 4}) {
      grows_right<G>(kind, leaves);
      threads_change_nothing<G>(kind, leaves);
      batches_are_evaluators<G>(kind, leaves);
      lanes_change_nothing<G>(kind, leaves);
    }
    keeps_subtrees<G>(kind);
    proves_what_is_true<G>(kind);
  }
  stops_when_full<G>();
  bad_answers_change_nothing<G>();
  abandoned_leaves_come_again<G>();
  impossible_limits_are_refused<G>();
  std::printf("%s: the forest holds\n", std::string(G::name).c_str());
  return 0;
}

}  // namespace qilin::forest::test
