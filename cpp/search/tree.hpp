// A tree of positions in flat memory, which may lie on the host or on a card: plain pointers, nothing is ever
// allocated.
//
//    nodes   0        1        2        3  …              a position that was reached; 0 is the root
//            │        └──────────┐
//    edges   0 │ 1  2  3 │ 4  5  6  7 │ 8  9  …           its moves, side by side (edge 0 leads to the root itself)
//              └─opened─┘└─opened─┘
//                node 0      node 1
//
// A node's edges are its legal moves, or at a chance node its outcomes. Those that were tried, the opened ones, come
// first: they have statistics and most of them a child. Of the others only the move and the prior are ever written, and
// the most promising of them stands first when somebody asks for it. So a choice reads the opened edges and one more,
// however many moves there are.
//
// Values belong to player 0: +1 he wins, -1 he loses, whoever is to move and whoever was before. Nothing is negated on
// the way up; only the choice at a node asks whose choice it is.
#pragma once

#include "core/lanes.hpp"
#include "search/playout.hpp"

namespace qilin::forest {

// How a game ends if both play their best from here, and after how many plies at most. Open: not known.
class Proof {
 public:
  Proof() = default;
  QILIN_HD constexpr Proof(End end, int plies)
      : code_(static_cast<u16>((plies < most_plies ? plies : most_plies) << 2 | static_cast<int>(end))) {}

  [[nodiscard]] QILIN_HD constexpr End end() const { return static_cast<End>(code_ & 3); }
  [[nodiscard]] QILIN_HD constexpr int plies() const { return code_ >> 2; }
  [[nodiscard]] QILIN_HD constexpr bool known() const { return end() != End::open; }
  [[nodiscard]] QILIN_HD constexpr bool drawn() const { return end() == End::draw; }
  [[nodiscard]] QILIN_HD constexpr int value(int player) const { return Result{end()}.value(player); }

 private:
  static constexpr int most_plies = (1 << 14) - 1;
  u16 code_ = 0;
};

// What has come of an edge that was tried: one load of a card.
struct alignas(16) Stats {
  float value = 0;  // mean, for player 0
  float draws = 0;  // mean share of draws
  u32 visits = 0;
  Proof proof;
  u16 pending = 0;  // descents under way that wait for their evaluation, where a tree has several at a time
};

enum class Stage : u8 {
  waiting,   // for its evaluation: the edges have no priors
  expanded,  // evaluated
  ordered,   // and the most promising edge that is not opened stands first among those
};

// A position that was reached: one memory sector of a card.
struct alignas(32) Node {
  u64 key = 0;    // G::key, in games with a past
  u32 first = 0;  // its edges are first … first + count - 1
  u32 moved = 0;  // its next number, while a tree is being compacted; 0 at all other times
  u16 count = 0, opened = 0;
  float mass = 0;   // prior of the opened edges together; at a chance node, weight of all outcomes
  float value = 0;  // as it was evaluated, for player 0
  u8 mover = 0;
  Stage stage = Stage::waiting;
  bool chance = false;
  bool fresh = false;  // the ply that led here is irreversible: nothing before can come again
};
static_assert(sizeof(Stats) == 16 && sizeof(Node) == 32);

// One step of a way down: the edge taken, and the node it leads to (0: it leads to none, the game is over there).
struct Step {
  u32 edge, node;
};

// Sequential halving at the root: every candidate still in the race gets its visits, then the worse half drops out.
struct Halving {
  u32 candidates = 0;  // still in the race
  u32 level = 0;       // visits each of them has had, or is getting
  u32 left = 0;        // that still wait for their visit at this level
  u32 rounds = 0;      // levels until the next half drops out
};

// What a tree knows of itself.
struct Head {
  u64 key = 0;               // of this search's random numbers
  u32 searches = 0;          // begun so far; each has random numbers of its own
  u32 nodes = 0, edges = 0;  // in use
  u32 simulations = 0;       // of this search, done or under way
  u32 evaluated = 0;         // leaves of this search
  u32 budget = 0;            // simulations this search may have
  u32 refused = 0;           // simulations, of all searches, that did not happen because the tree was full
  u32 history = 0;           // keys before the root's
  u32 leaves = 0;            // that wait for their evaluation
  bool prepared = false;     // the root has its noise
  bool plain = false;        // this search does without it
  Halving halving;
};

// How much a tree can hold.
struct Shape {
  u32 nodes, edges;
  u32 depth;   // steps of one way down
  u32 leaves;  // that may wait at a time
};

inline constexpr u32 not_considered = 0xffffffff;

// Edges that one node may need.
template <class G>
inline constexpr u32 most_edges = static_cast<u32>(G::max_legal);
template <HasChance G>
inline constexpr u32 most_edges<G> = static_cast<u32>(G::max_legal > static_cast<int>(G::outcome_names.size())
                                                          ? G::max_legal
                                                          : static_cast<int>(G::outcome_names.size()));

template <Game G>
struct Tree {
  Shape shape;
  Head* head;
  Node* nodes;
  typename G::State* states;  // by node
  Stats* stats;               // by edge, as the next three
  float* prior;               // at a chance node the outcome's weight
  u32* child;                 // 0: none yet
  Move* move;                 // or outcome
  float* scratch;             // most_edges<G>
  // By edge of the root:
  float* clean;  // prior before noise and temperature
  float* lead;   // Gumbel: the draw plus the prior's logit
  u32* before;   // Gumbel: visits before this search; not_considered: not in the race
  // By leaf that waits:
  u32* depths;  // steps on the way
  Step* steps;  // shape.depth for each leaf
  u64* keys;    // of the root's past, then of the way down

  [[nodiscard]] QILIN_HD Step* way(u32 leaf) const { return steps + static_cast<u64>(leaf) * shape.depth; }
  [[nodiscard]] QILIN_HD u32 leaf_node(u32 leaf) const { return way(leaf)[depths[leaf] - 1].node; }
  [[nodiscard]] QILIN_HD bool has_room() const {
    return head->nodes < shape.nodes && head->edges + most_edges<G> <= shape.edges;
  }
};

// Deals out a tree's memory, array by array.
class Dealer {
 public:
  QILIN_HD explicit Dealer(std::byte* memory) : memory_(memory) {}

  template <class T>
  [[nodiscard]] QILIN_HD T* deal(u64 n) {
    const u64 begin = (used_ + line - 1) / line * line;
    used_ = begin + n * sizeof(T);
    return memory_ ? reinterpret_cast<T*>(memory_ + begin) : nullptr;
  }
  [[nodiscard]] QILIN_HD u64 used() const { return (used_ + line - 1) / line * line; }

 private:
  static constexpr u64 line = 64;  // no array shares a cache line with another
  std::byte* memory_;
  u64 used_ = 0;
};

template <Game G>
[[nodiscard]] QILIN_HD Tree<G> deal_tree(Dealer& dealer, const Shape& shape) {
  Tree<G> tree{};
  tree.shape = shape;
  tree.head = dealer.deal<Head>(1);
  tree.nodes = dealer.deal<Node>(shape.nodes);
  tree.states = dealer.deal<typename G::State>(shape.nodes);
  tree.stats = dealer.deal<Stats>(shape.edges);
  tree.prior = dealer.deal<float>(shape.edges);
  tree.child = dealer.deal<u32>(shape.edges);
  tree.move = dealer.deal<Move>(shape.edges);
  tree.scratch = dealer.deal<float>(most_edges<G>);
  tree.clean = dealer.deal<float>(most_edges<G>);
  tree.lead = dealer.deal<float>(most_edges<G>);
  tree.before = dealer.deal<u32>(most_edges<G>);
  tree.depths = dealer.deal<u32>(shape.leaves);
  tree.steps = dealer.deal<Step>(static_cast<u64>(shape.leaves) * shape.depth);
  tree.keys = dealer.deal<u64>(past_room<G> > 0 ? past_room<G> + shape.depth : 0);
  return tree;
}

template <Game G>
[[nodiscard]] QILIN_HD u64 tree_bytes(const Shape& shape) {
  Dealer dealer(nullptr);
  (void)deal_tree<G>(dealer, shape);
  return dealer.used();
}

// The tree with this number in memory where they lie one after the other.
template <Game G>
[[nodiscard]] QILIN_HD Tree<G> tree_at(std::byte* memory, u64 bytes, const Shape& shape, u64 index) {
  Dealer dealer(memory + bytes * index);
  return deal_tree<G>(dealer, shape);
}

// The past of the position at the end of a way, whose last step leads there. It is written behind the root's own, to
// `keys`: the tree's, or memory that begins with a copy of them.
template <Game G, class Group>
[[nodiscard]] QILIN_HD Past past_of(const Tree<G>& tree, const Step* way, u32 depth, u64* keys) {
  if constexpr (!HasPast<G>) {
    return {};
  } else {
    const u32 history = tree.head->history;
    u32 begin = depth - 1;  // the first step whose position may come again
    if (tree.nodes[way[begin].node].fresh) return {};
    while (begin > 0 && !tree.nodes[way[begin].node].fresh) --begin;
    Group::each(static_cast<int>(depth - 1 - begin), [&](int i) {
      const u32 at = begin + static_cast<u32>(i);
      keys[history + at] = tree.nodes[way[at].node].key;
    });
    Group::sync();
    const u32 from = begin == 0 ? 0 : history + begin;
    return {keys + from, static_cast<int>(history + depth - 1 - from)};
  }
}

}  // namespace qilin::forest
