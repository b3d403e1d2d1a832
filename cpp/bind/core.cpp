// The Python module `qilin._core`: checks at the door, the GIL released for long work, no algorithms. People use the
// classes of `qilin`, which wrap these.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace qilin::bind {

void bind_batch(nb::module_& m);                                                           // batch.cpp
void bind_engines(nb::module_& m);                                                         // engines.cpp
void bind_forest(nb::module_& m);                                                          // forest.cpp
void bind_selfplay(nb::module_& m);                                                        // selfplay.cpp
void bind_told(nb::module_& m, nb::class_<Rules>& rules, nb::class_<Position>& position);  // told.cpp

namespace {

Settings settings_of(const Rules& rules, const std::vector<int>& values) {
  if (values.size() != rules.options.size()) {
    refuse(std::string(rules.name) + " has " + std::to_string(rules.options.size()) + " options, got " +
           std::to_string(values.size()) + " values");
  }
  Settings settings{};
  for (std::size_t i = 0; i < values.size(); ++i) settings[static_cast<int>(i)] = values[i];
  return settings;
}

nb::ndarray<nb::numpy, float> planes(const Position& p) {
  const Rules& r = *p.rules;
  float* data = nullptr;
  auto array = new_array<float>({extent(r.planes), extent(r.rows), extent(r.cols)}, data);
  r.encode(p, data);
  return array;
}

nb::ndarray<nb::numpy, float> ownership(const Position& p) {
  const Rules& r = *p.rules;
  float* data = nullptr;
  auto array = new_array<float>({2, extent(r.rows), extent(r.cols)}, data);
  r.ownership(p, data);
  return array;
}

void bind_options(nb::module_& m) {
  nb::class_<Option>(m, "Option", "A setting of a game: named choices, or a whole number.")
      .def_prop_ro("name", [](const Option& o) { return std::string(o.name); })
      .def_prop_ro("help", [](const Option& o) { return std::string(o.help); })
      .def_prop_ro("choices",
                   [](const Option& o) {
                     return std::vector<std::string>(o.choices.begin(), o.choices.begin() + o.choice_count());
                   })
      .def_ro("least", &Option::least)
      .def_ro("most", &Option::most);
}

nb::class_<Rules> bind_rules(nb::module_& m) {
  nb::class_<Rules> table(m, "Rules", "A game's rules and constants, as its C++ header has them.");
  table.def_prop_ro("name", [](const Rules& r) { return std::string(r.name); })
      .def_ro("rows", &Rules::rows)
      .def_ro("cols", &Rules::cols)
      .def_ro("first_rank", &Rules::first_rank)
      .def_ro("planes", &Rules::planes)
      .def_ro("moves", &Rules::moves)
      .def_ro("symmetries", &Rules::symmetries)
      .def_ro("max_legal", &Rules::max_legal)
      .def_ro("max_plies", &Rules::max_plies)
      .def_ro("state_bytes", &Rules::state_bytes)
      .def_ro("plane_names", &Rules::plane_names)
      .def_ro("reasons", &Rules::reasons)
      .def_ro("outcome_names", &Rules::outcome_names)
      .def_ro("options", &Rules::options)
      .def_ro("has_chance", &Rules::has_chance)
      .def_ro("has_past", &Rules::has_past)
      .def_ro("has_margin", &Rules::has_margin)
      .def_ro("has_ownership", &Rules::has_ownership)
      .def(
          "defaults",
          [](const Rules& r, int preset) {
            const Settings all = r.defaults(preset);
            return std::vector<int>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(r.options.size()));
          },
          "preset"_a = 0, "The value of every option under a preset, in the order of `options`.")
      .def(
          "start", [](const Rules& r, const std::vector<int>& values) { return r.start(settings_of(r, values)); },
          "settings"_a)
      .def(
          "parse",
          [](const Rules& r, std::string_view text, const std::vector<int>& values) {
            return r.parse(text, settings_of(r, values));
          },
          "text"_a, "settings"_a)
      .def(
          "transform_move",
          [](const Rules& r, int move, int symmetry) {
            return r.transform_move(static_cast<Move>(check_range(move, r.moves, "the move")),
                                    check_range(symmetry, r.symmetries, "the symmetry"));
          },
          "move"_a, "symmetry"_a);
  m.def(
      "all_rules",
      [] {
        nb::list all;
        for (const Rules* rules : all_rules()) all.append(nb::cast(rules, nb::rv_policy::reference));
        return all;
      },
      nb::sig("def all_rules() -> list[Rules]"), "Every game's rules, by name.");
  return table;
}

// What a position is.
void bind_standing(nb::class_<Position>& position) {
  position.def_prop_ro("text", [](const Position& p) { return p.rules->text(p); })
      .def_prop_ro("to_move", [](const Position& p) { return p.rules->to_move(p); })
      .def_prop_ro("is_chance", [](const Position& p) { return p.rules->is_chance(p); })
      .def_prop_ro("is_over", [](const Position& p) { return p.rules->result(p).over(); })
      .def_prop_ro("winner",
                   [](const Position& p) -> std::optional<int> {
                     const int value = p.rules->result(p).value(0);
                     return value == 0 ? std::nullopt : std::optional(value > 0 ? 0 : 1);
                   })
      .def_prop_ro("reason",
                   [](const Position& p) -> std::optional<std::string> {
                     const Result r = p.rules->result(p);
                     return r.over() ? std::optional(p.rules->reasons[r.reason]) : std::nullopt;
                   })
      .def_prop_ro(
          "margin",
          [](const Position& p) { return p.rules->has_margin ? std::optional(p.rules->margin(p)) : std::nullopt; })
      .def_prop_ro(
          "evaluation", [](const Position& p) { return p.rules->evaluate(p); },
          "The hand-written opinion, for the player to move.")
      .def_prop_ro(
          "win_probability", [](const Position& p) { return p.rules->win_probability(p); },
          "The same as a probability; exact at the end.")
      .def_prop_ro("key", [](const Position& p) { return p.rules->key(p); })
      .def_prop_ro("keys", [](const Position& p) { return p.keys; }, "Keys since the last irreversible ply.");
}

// What can be done with it.
void bind_play(nb::class_<Position>& position) {
  position.def("legal", [](const Position& p) { return p.rules->legal(p); })
      .def(
          "outcomes", [](const Position& p) { return p.rules->outcomes(p); }, "Pairs (outcome, weight).")
      .def(
          "move_text",
          [](const Position& p, int move) {
            return p.rules->move_text(p, static_cast<Move>(check_range(move, p.rules->moves, "the move")));
          },
          "move"_a)
      .def("legal_text",
           [](const Position& p) {
             std::vector<std::string> texts;
             for (const Move move : p.rules->legal(p)) texts.push_back(p.rules->move_text(p, move));
             return texts;
           })
      .def(
          "play",
          [](const Position& p, int move) {
            for (const Move legal : p.rules->legal(p)) {
              if (legal == move) return p.rules->play(p, legal);
            }
            refuse("index " + std::to_string(move) + " is not legal");
          },
          "move"_a)
      .def(
          "resolve",
          [](const Position& p, int outcome) {
            for (const auto& [possible, weight] : p.rules->outcomes(p)) {
              if (possible == outcome) return p.rules->resolve(p, outcome);
            }
            refuse("outcome " + std::to_string(outcome) + " is not possible");
          },
          "outcome"_a);
}

// What else can be made of it.
void bind_views(nb::class_<Position>& position) {
  position
      .def(
          "transform",
          [](const Position& p, int symmetry) {
            return p.rules->transform(p, check_range(symmetry, p.rules->symmetries, "the symmetry"));
          },
          "symmetry"_a, "The position turned or mirrored; its past is left behind.")
      .def("planes", &planes, nb::sig("def planes(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("ownership", &ownership, nb::sig("def ownership(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def(
          "perft",
          [](const Position& p, int depth) {
            if (depth < 0) refuse("the depth is " + std::to_string(depth) + ", expected 0 or more");
            std::atomic<bool> stop = false;
            u64 nodes = 0;
            interruptible(stop, [&] { nodes = p.rules->perft(p, depth, stop); });
            return nodes;
          },
          "depth"_a)
      .def(
          "same_as", [](const Position& a, const Position& b) { return a.rules == b.rules && a.rules->equal(a, b); },
          "other"_a, "The same state with the same past.");
}

nb::class_<Position> bind_position(nb::module_& m) {
  nb::class_<Position> position(m, "Position",
                                "A position with the past that repetition rules look back at. Never changes.");
  bind_standing(position);
  bind_play(position);
  bind_views(position);
  return position;
}

}  // namespace

// A Fault is a ValueError that knows its sentence and values, too.
void raise_fault(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Fault& fault) {
    nb::object error = nb::borrow(PyExc_ValueError)(fault.what());
    error.attr("fault") = nb::make_tuple(fault.sentence(), fault.values());
    PyErr_SetObject(PyExc_ValueError, error.ptr());
  }
}

NB_MODULE(_core, m) {
  m.doc() = "Qilin's rules and searches, compiled. Use the classes of `qilin`, which wrap these.";
  nb::register_exception_translator(&raise_fault);
  bind_options(m);
  nb::class_<Rules> rules = bind_rules(m);
  nb::class_<Position> position = bind_position(m);
  bind_told(m, rules, position);
  bind_batch(m);
  bind_engines(m);
  bind_forest(m);
  bind_selfplay(m);
}

}  // namespace qilin::bind
