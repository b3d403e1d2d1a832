// What must hold of the forest in every game. Included by tests/cpp/forest_test.cpp.in, once for each game.
#pragma once

#include "forest_fixture.hpp"
#include "forest_refusals.hpp"

namespace qilin::forest::test {

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
