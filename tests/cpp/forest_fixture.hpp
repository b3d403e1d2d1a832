// What the tests of the forest grow their trees with, and how they look at one. The properties: tests/cpp/forest.hpp.
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

}  // namespace qilin::forest::test
