// What a position tells, bound: counters, phase, sets of squares, why a ply is not legal.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/facts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace qilin::bind {

void bind_told(nb::module_& m, nb::class_<Rules>& rules, nb::class_<Position>& position);

namespace {

const Telling& of(const Position& p) { return telling(*p.rules); }

void bind_counter(nb::module_& m) {
  nb::class_<Counter>(m, "Counter", "Something that is counted, and may end the game.")
      .def_ro("name", &Counter::name, "Index into `Rules.counter_names`.")
      .def_prop_ro("player",
                   [](const Counter& c) { return c.player == nobody ? std::nullopt : std::optional(c.player); })
      .def_ro("value", &Counter::value)
      .def_prop_ro("limit", [](const Counter& c) { return c.limit ? std::optional(c.limit) : std::nullopt; });
  nb::class_<Reply>(m, "Reply", "A legal ply and the board behind it.")
      .def_ro("text", &Reply::text)
      .def_ro("cells", &Reply::cells)
      .def_ro("is_chance", &Reply::is_chance);
}

void bind_names(nb::class_<Rules>& rules) {
  rules.def_prop_ro("counter_names", [](const Rules& r) { return telling(r).counter_names; })
      .def_prop_ro("phase_names", [](const Rules& r) { return telling(r).phase_names; })
      .def_prop_ro("set_names", [](const Rules& r) { return telling(r).set_names; })
      .def_prop_ro("why_names", [](const Rules& r) { return telling(r).why_names; });
}

}  // namespace

void bind_told(nb::module_& m, nb::class_<Rules>& rules, nb::class_<Position>& position) {
  bind_counter(m);
  bind_names(rules);
  position.def("counters", [](const Position& p) { return of(p).counters(p); })
      .def(
          "phase",
          [](const Position& p) -> std::optional<std::pair<int, int>> {
            const std::optional<Phase> phase = of(p).phase(p);
            return phase ? std::optional(std::pair{phase->name, phase->left}) : std::nullopt;
          },
          "Index into `Rules.phase_names`, and the plies of it that are left, or 0.")
      .def("scores", [](const Position& p) { return of(p).scores(p); })
      .def(
          "sets", [](const Position& p) { return of(p).sets(p); },
          "Pairs: an index into `Rules.set_names`, and cells counted from the lowest rank's first file.")
      .def(
          "why_not", [](const Position& p, int from, int to) { return of(p).why_not(p, from, to); }, "start"_a,
          "target"_a, "An index into `Rules.why_names`, and the cells to blame. `start` is -1 for a ply of one square.")
      .def(
          "screens", [](const Position& p, int from, int to) { return of(p).screens(p, from, to); }, "start"_a,
          "target"_a, "The cells that a legal ply between two cells shoots over.")
      .def("replies", [](const Position& p) { return of(p).replies(p); })
      .def("banned", [](const Position& p) { return of(p).banned(p); })
      .def("pool", [](const Position& p) { return of(p).pool(p); });
}

}  // namespace qilin::bind
