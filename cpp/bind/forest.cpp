// The forest, for Python: trees that grow with a network's evaluations, or with evaluators of our own.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/interrupt.hpp"
#include "bind/network.hpp"
#include "bind/searches.hpp"

using namespace nanobind::literals;

namespace qilin::bind {
namespace {

using forest::Kind;
using forest::Search;

// A move at the root of a tree, in words and numbers that need no game to be read.
struct TreeMove {
  int move;
  std::string text;
  u32 visits;
  float value;
  forest::Odds odds;
  float prior, improved, policy;
  std::optional<int> ends;   // plies to a proven end
  std::optional<int> proof;  // +1, 0, -1 for the player to move
};

std::optional<int> proven(forest::Proof proof, int player) {
  return proof.known() ? std::optional(proof.value(player)) : std::nullopt;
}

struct TreeReport {
  forest::Report report;
  std::vector<TreeMove> moves;
  std::vector<std::string> variation;
};

TreeReport in_words(const Position& root, forest::Report report) {
  TreeReport out{std::move(report), {}, {}};
  const Rules& rules = *root.rules;
  for (const forest::MoveReport& m : out.report.moves) {
    const std::string text = out.report.is_chance ? rules.outcome_names[m.move] : rules.move_text(root, m.move);
    const auto ends = m.proof.known() ? std::optional(m.proof.plies() + 1) : std::nullopt;
    out.moves.push_back({m.move, text, m.visits, m.value, m.odds, m.prior, m.improved, m.policy, ends,
                         proven(m.proof, out.report.to_move)});
  }
  for (const forest::Ply& ply : out.report.variation) out.variation.push_back(ply.text);
  return out;
}

class ForestOf {
 public:
  ForestOf(const Position& start, const Search& search, int trees, u64 seed, int threads) : rules_(*start.rules) {
    check_threads(threads);
    try {
      forest_ = table().make(start, search, trees, seed, threads, machine_memory());
    } catch (const std::bad_alloc&) {
      refuse("there is no memory for " + std::to_string(trees) + " trees of " + std::to_string(search.simulations) +
             " simulations");
    }
  }

  [[nodiscard]] int size() const { return table().size(forest_.get()); }
  [[nodiscard]] u64 bytes() const { return table().bytes(forest_.get()); }

  void reset(int tree, const Position& p) {
    if (p.rules != &rules_) refuse("this forest is of " + std::string(rules_.name));
    table().reset(forest_.get(), checked(tree), p);
  }
  void advance(int tree, int move) { table().advance(forest_.get(), checked(tree), static_cast<Move>(move)); }
  void begin(int tree, int simulations) { table().begin(forest_.get(), checked(tree), simulations); }

  [[nodiscard]] nb::ndarray<nb::numpy, float> leaves() {
    return rows_of_planes(rules_, table().most_rows(forest_.get()),
                          [&](float* planes) { return table().leaves(forest_.get(), planes); });
  }

  [[nodiscard]] nb::ndarray<nb::numpy, float> more() {
    return rows_of_planes(rules_, table().most_rows(forest_.get()),
                          [&](float* planes) { return table().more(forest_.get(), planes); });
  }

  void grow(const Floats& logits, const Floats& values, const std::string& form) {
    const std::span l(logits.data(), logits.size()), v(values.data(), values.size());
    const int rows = table().rows(forest_.get());
    check_batch(logits, rows, "the logits");
    check_batch(values, rows, "the values");
    nb::gil_scoped_release release;
    table().grow(forest_.get(), l, v, values_form(form));
  }

  void run(const std::string& evaluator) {
    std::atomic<bool> stop = false;  // a run can't be cut short; callers that may be interrupted begin short ones
    interruptible(stop, [&] { table().run(forest_.get(), evaluator); });
  }

  [[nodiscard]] bool is_done(int tree) const { return table().is_done(forest_.get(), checked(tree)); }
  [[nodiscard]] TreeReport report(int tree) const {
    return in_words(root(tree), table().report(forest_.get(), checked(tree)));
  }
  [[nodiscard]] std::optional<int> choose(int tree, float temperature) const {
    return table().choose(forest_.get(), checked(tree), temperature);
  }
  [[nodiscard]] std::string print(int tree, int depth, int visits, bool json) const {
    return table().print(forest_.get(), checked(tree), depth, visits, json);
  }
  [[nodiscard]] u64 seal(int tree) const { return table().seal(forest_.get(), checked(tree)); }
  [[nodiscard]] Position root(int tree) const { return table().root(forest_.get(), checked(tree)); }

 private:
  [[nodiscard]] const ForestTable& table() const { return searches(rules_).forest; }
  [[nodiscard]] int checked(int tree) const { return check_range(tree, size(), "the tree"); }

  const Rules& rules_;
  std::shared_ptr<void> forest_;
};

void bind_search(nb::module_& m) {
  nb::enum_<Kind>(m, "Kind").value("puct", Kind::puct).value("gumbel", Kind::gumbel);
  nb::class_<Search>(m, "Search", "How a forest searches. Values lie between -1 (a loss) and +1.")
      .def(nb::init<>())
      .def_rw("kind", &Search::kind)
      .def_rw("simulations", &Search::simulations, "Of one search.")
      .def_rw("leaves", &Search::leaves, "Of one tree, evaluated at a time; virtual losses keep them apart.")
      .def_rw("stop_early", &Search::stop_early, "Once no other move can get more visits than the leader.")
      .def_rw("c_puct", &Search::c_puct)
      .def_rw("c_growth", &Search::c_growth, "c = c_puct + c_growth * log(1 + visits / c_scale).")
      .def_rw("c_scale", &Search::c_scale)
      .def_rw("fpu_reduction", &Search::fpu_reduction, "How much less an untried move is thought to be worth.")
      .def_rw("root_fpu_reduction", &Search::root_fpu_reduction)
      .def_rw("root_temperature", &Search::root_temperature, "Softens the root's priors.")
      .def_rw("noise_weight", &Search::noise_weight, "Share of Dirichlet noise in the root's priors.")
      .def_rw("noise_alpha", &Search::noise_alpha, "Sum of the noise's alphas over all moves.")
      .def_rw("forced_playouts", &Search::forced_playouts, "Visits that the root's moves get in any case; 0: none.")
      .def_rw("considered", &Search::considered, "Gumbel: moves that are in the race at the root.")
      .def_rw("gumbel_noise", &Search::gumbel_noise, "0: the race is run by prior and value alone.")
      .def_rw("gumbel_visits", &Search::gumbel_visits)
      .def_rw("gumbel_scale", &Search::gumbel_scale);
}

void bind_reports(nb::module_& m) {
  nb::class_<TreeMove>(m, "TreeMove", "A move at a tree's root; at a chance node, an outcome.")
      .def_ro("move", &TreeMove::move)
      .def_ro("text", &TreeMove::text)
      .def_ro("visits", &TreeMove::visits)
      .def_ro("value", &TreeMove::value, "For the player to move.")
      .def_prop_ro("win", [](const TreeMove& t) { return t.odds.win; })
      .def_prop_ro("draw", [](const TreeMove& t) { return t.odds.draw; })
      .def_prop_ro("loss", [](const TreeMove& t) { return t.odds.loss; })
      .def_ro("prior", &TreeMove::prior)
      .def_ro("improved", &TreeMove::improved, "Gumbel's improved policy.")
      .def_ro("policy", &TreeMove::policy, "To learn from: shares of visits, or the improved policy.")
      .def_ro("ends", &TreeMove::ends, "Plies to a proven end.")
      .def_ro("proof", &TreeMove::proof, "+1, 0 or -1 for the player to move, where proven.");
  nb::class_<TreeReport>(m, "TreeReport", "What a search has found.")
      .def_prop_ro("to_move", [](const TreeReport& t) { return t.report.to_move; })
      .def_prop_ro("is_chance", [](const TreeReport& t) { return t.report.is_chance; })
      .def_prop_ro("visits", [](const TreeReport& t) { return t.report.visits; })
      .def_prop_ro("value", [](const TreeReport& t) { return t.report.value; })
      .def_prop_ro("win", [](const TreeReport& t) { return t.report.odds.win; })
      .def_prop_ro("draw", [](const TreeReport& t) { return t.report.odds.draw; })
      .def_prop_ro("loss", [](const TreeReport& t) { return t.report.odds.loss; })
      .def_prop_ro("proof", [](const TreeReport& t) { return proven(t.report.proof, t.report.to_move); })
      .def_prop_ro("best",
                   [](const TreeReport& t) { return t.report.best < 0 ? std::nullopt : std::optional(t.report.best); })
      .def_ro("moves", &TreeReport::moves, "Best first.")
      .def_ro("variation", &TreeReport::variation, "The principal variation; outcomes of chance included.")
      .def_prop_ro("simulations", [](const TreeReport& t) { return t.report.simulations; })
      .def_prop_ro("nodes", [](const TreeReport& t) { return t.report.nodes; })
      .def_prop_ro(
          "refused", [](const TreeReport& t) { return t.report.refused; },
          "Simulations that a full tree could not do.");
}

}  // namespace

void bind_forest(nb::module_& m) {
  bind_search(m);
  bind_reports(m);
  nb::class_<ForestOf>(m, "Forest", "Many trees that grow together.")
      .def(nb::init<const Position&, const Search&, int, u64, int>(), "start"_a, "search"_a, "trees"_a = 1,
           "seed"_a = 0, "threads"_a = 1)
      .def("__len__", &ForestOf::size)
      .def_prop_ro("bytes", &ForestOf::bytes)
      .def("reset", &ForestOf::reset, "tree"_a, "position"_a)
      .def("advance", &ForestOf::advance, "tree"_a, "move"_a)
      .def("begin", &ForestOf::begin, "tree"_a, "simulations"_a)
      .def("leaves", &ForestOf::leaves, nb::sig("def leaves(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("more", &ForestOf::more, nb::sig("def more(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("grow", &ForestOf::grow, "logits"_a.noconvert(), "values"_a.noconvert(), "form"_a,
           nb::sig("def grow(self, logits: numpy.typing.NDArray[numpy.float32], values: "
                   "numpy.typing.NDArray[numpy.float32], form: str) -> None"))
      .def("run", &ForestOf::run, "evaluator"_a)
      .def("is_done", &ForestOf::is_done, "tree"_a)
      .def("report", &ForestOf::report, "tree"_a)
      .def("choose", &ForestOf::choose, "tree"_a, "temperature"_a = 0.0F)
      .def("print", &ForestOf::print, "tree"_a, "depth"_a, "visits"_a, "json"_a)
      .def("root", &ForestOf::root, "tree"_a)
      .def("seal", &ForestOf::seal, "tree"_a);
}

}  // namespace qilin::bind
