// Self-play, for Python: games that go on with a network's evaluations, and their samples as a network learns them.
#include "bind/selfplay.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/interrupt.hpp"
#include "bind/network.hpp"
#include "bind/parallel.hpp"
#include "bind/searches.hpp"

using namespace nanobind::literals;

namespace qilin::bind {
namespace {

using selfplay::Play;
using ByteArray = nb::ndarray<nb::numpy, u8>;
using GivenBytes = nb::ndarray<const u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ByteArray to_numpy(const Bytes& bytes) {
  u8* data = nullptr;
  auto array = new_array<u8>({bytes.size()}, data);
  if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
  return array;
}

class SelfPlayOf {
 public:
  SelfPlayOf(const Position& start, const forest::Search& search, const Play& play, int games, u64 seed, int threads)
      : start_(start) {
    check_threads(threads);
    if (games < 1) refuse(std::to_string(games) + " games, expected at least one");
    forest::check(search);
    selfplay::check(play);
    const u64 needed = table().bytes(search) * static_cast<u64>(games);
    if (needed > machine_memory()) {
      refuse(std::to_string(games) + " games of " + std::to_string(search.simulations) + " simulations need " +
             std::to_string(needed >> 20) + " MiB, this machine has " + std::to_string(machine_memory() >> 20));
    }
    games_ = table().make(search, play, start, games, seed, threads);
  }

  [[nodiscard]] ByteArray take_samples() { return to_numpy(table().take_samples(games_.get())); }
  [[nodiscard]] std::vector<GameTold> take_games() { return table().take_games(games_.get(), start_); }
  [[nodiscard]] std::size_t ready() const { return table().ready(games_.get()); }

  [[nodiscard]] nb::ndarray<nb::numpy, float> leaves() {
    return rows_of_planes(*start_.rules, table().most_rows(games_.get()),
                          [&](float* planes) { return table().leaves(games_.get(), planes); });
  }
  void grow(const Floats& logits, const Floats& values, const std::string& form) {
    const int rows = table().rows(games_.get());
    check_batch(logits, rows, "the logits");
    check_batch(values, rows, "the values");
    const std::span l(logits.data(), logits.size()), v(values.data(), values.size());
    nb::gil_scoped_release release;
    table().grow(games_.get(), l, v, values_form(form));
  }

  void forget(const std::vector<float>& boosts) {
    Array<float, forest::most_tiers> all{};
    if (boosts.size() > forest::most_tiers) {
      refuse(std::to_string(boosts.size()) + " boosts, expected at most " + std::to_string(forest::most_tiers));
    }
    for (std::size_t i = 0; i < boosts.size(); ++i) all[static_cast<int>(i)] = boosts[i];
    table().forget(games_.get(), !boosts.empty(), all);
  }

  [[nodiscard]] ByteArray saved() const { return to_numpy(table().saved(games_.get())); }
  void load(const GivenBytes& from) {
    table().load(games_.get(), {reinterpret_cast<const std::byte*>(from.data()), from.size()});
  }

 private:
  [[nodiscard]] const SelfPlayTable& table() const { return selfplay_of(*start_.rules); }

  Position start_;
  std::shared_ptr<void> games_;
};

// Everything that a batch of samples teaches, as arrays.
class ExampleArrays {
 public:
  ExampleArrays(const Rules& rules, std::size_t rows) : rules_(rules), slots_(extent(rules.max_legal)) {
    const std::size_t r = extent(rules.rows), c = extent(rules.cols);
    to_.slots = rules.max_legal;
    add("planes", {rows, extent(rules.planes), r, c}, planes_);
    add("moves", {rows, slots_}, to_.moves);
    add("legal", {rows, slots_}, to_.legal);
    add("shares", {rows, slots_}, to_.shares);
    add("odds", {rows, 3}, to_.odds);
    add("reply", {rows}, to_.reply);
    add("has_reply", {rows}, to_.has_reply);
    add("margin", {rows}, to_.margin);
    add("owner", {rows, r, c}, to_.owner);
    add("plies_left", {rows}, to_.plies_left);
    add("was_finished", {rows}, to_.was_finished);
  }

  [[nodiscard]] const selfplay::Examples& to() const { return to_; }
  [[nodiscard]] float* planes() const { return planes_; }
  [[nodiscard]] nb::dict arrays() const { return arrays_; }

 private:
  template <class T>
  void add(const char* name, std::vector<std::size_t> shape, T*& data) {
    arrays_[name] = new_array<T>(std::move(shape), data);
  }

  const Rules& rules_;
  std::size_t slots_;
  selfplay::Examples to_{};
  float* planes_ = nullptr;
  nb::dict arrays_;
};

nb::dict examples(const Rules& rules, const GivenBytes& samples, const std::optional<GivenBytes>& symmetries,
                  const selfplay::Mixture& mix, int threads) {
  const SelfPlayTable& table = selfplay_of(rules);
  if (samples.size() % table.sample_bytes) {
    refuse(std::to_string(samples.size()) + " bytes are no samples of " + std::string(rules.name) + ", which have " +
           std::to_string(table.sample_bytes) + " each");
  }
  const std::size_t rows = samples.size() / table.sample_bytes;
  if (symmetries && symmetries->size() != rows) {
    refuse(std::to_string(symmetries->size()) + " symmetries for " + std::to_string(rows) + " samples");
  }
  const ExampleArrays out(rules, rows);
  const u8* turned = symmetries ? symmetries->data() : nullptr;
  {
    nb::gil_scoped_release release;
    parallel_ranges(static_cast<int>(rows), threads, [&](int begin, int end) {
      table.examples(reinterpret_cast<const std::byte*>(samples.data()), turned, mix, out.planes(), out.to(), begin,
                     end);
    });
  }
  return out.arrays();
}

// Games as a card leaves them, in words.
std::vector<GameTold> told_games(const Position& start, const GivenBytes& records) {
  const SelfPlayTable& table = selfplay_of(*start.rules);
  if (records.size() % table.record_bytes) {
    refuse(std::to_string(records.size()) + " bytes are no games of " + std::string(start.rules->name) +
           ", which have " + std::to_string(table.record_bytes) + " each");
  }
  std::vector<GameTold> told;
  const auto* bytes = reinterpret_cast<const std::byte*>(records.data());
  for (std::size_t at = 0; at < records.size(); at += table.record_bytes) {
    told.push_back(table.tell(bytes + at, start));
  }
  return told;
}

void bind_play(nb::module_& m) {
  nb::class_<Play>(m, "Play", "How games of self-play are made.")
      .def(nb::init<>())
      .def_rw("temperature", &Play::temperature, "Of the choice of moves, at the first ply.")
      .def_rw("temperature_end", &Play::temperature_end, "That it falls to.")
      .def_rw("temperature_plies", &Play::temperature_plies, "In which the distance to the end halves.")
      .def_rw("opening_plies", &Play::opening_plies, "At most so many random plies before a game counts.")
      .def_rw("first_plies", &Play::first_plies, "The same for the first games, so that they do not all end together.")
      .def_rw("full_share", &Play::full_share, "Of the plies that are searched in full and learned from.")
      .def_rw("fast_simulations", &Play::fast_simulations, "Of the others.")
      .def_rw("resign_below", &Play::resign_below, "Value of the player to move; below -1: nobody resigns.")
      .def_rw("resign_check", &Play::resign_check, "Share of games that go on all the same.")
      .def_rw("reuse", &Play::reuse, "Keep the subtree of the move played.");
  nb::class_<selfplay::Mixture>(m, "Mixture", "What the value learns besides the outcome.")
      .def(nb::init<>())
      .def_rw("search_share", &selfplay::Mixture::search_share)
      .def_rw("soft_share", &selfplay::Mixture::soft_share)
      .def_rw("soft_scale", &selfplay::Mixture::soft_scale)
      .def_rw("margin_scale", &selfplay::Mixture::margin_scale);
}

void bind_told_game(nb::module_& m) {
  nb::class_<GameTold>(m, "GameTold", "A game of self-play that has ended.")
      .def_ro("number", &GameTold::number)
      .def_ro("start", &GameTold::start)
      .def_ro("moves", &GameTold::moves, "Outcomes of chance among them.")
      .def_ro("values", &GameTold::values, "Before each move, for player 0; none where nothing was searched.")
      .def_ro("fast", &GameTold::fast, "Whether a move came from a fast search.")
      .def_ro("winner", &GameTold::winner)
      .def_ro("reason", &GameTold::reason)
      .def_ro("plies", &GameTold::plies)
      .def_ro("opening", &GameTold::opening, "Plies at random.")
      .def_ro("left_out", &GameTold::left_out, "Samples for which there was no room.")
      .def_ro("captures", &GameTold::captures, "None in games without captures.")
      .def_ro("is_checked", &GameTold::is_checked, "Nobody resigned in this one.")
      .def_ro("resigner", &GameTold::resigner, "Who resigned, or would have.");
}

}  // namespace

void bind_selfplay(nb::module_& m) {
  bind_play(m);
  bind_told_game(m);
  nb::class_<SelfPlayOf>(m, "SelfPlay", "Games that trees play against themselves.")
      .def(nb::init<const Position&, const forest::Search&, const Play&, int, u64, int>(), "start"_a, "search"_a,
           "play"_a, "games"_a, "seed"_a, "threads"_a)
      .def("leaves", &SelfPlayOf::leaves, nb::sig("def leaves(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("grow", &SelfPlayOf::grow, "logits"_a.noconvert(), "values"_a.noconvert(), "form"_a,
           nb::sig("def grow(self, logits: numpy.typing.NDArray[numpy.float32], values: "
                   "numpy.typing.NDArray[numpy.float32], form: str) -> None"))
      .def("forget", &SelfPlayOf::forget, "boosts"_a, "The network is new: every tree begins anew. No boosts: off.")
      .def_prop_ro("ready", &SelfPlayOf::ready, "Samples of games that have ended and were not taken.")
      .def("take_samples", &SelfPlayOf::take_samples,
           nb::sig("def take_samples(self) -> numpy.typing.NDArray[numpy.uint8]"))
      .def("take_games", &SelfPlayOf::take_games)
      .def("saved", &SelfPlayOf::saved, nb::sig("def saved(self) -> numpy.typing.NDArray[numpy.uint8]"),
           "All that is needed to go on after `forget`.")
      .def("load", &SelfPlayOf::load, "saved"_a.noconvert(),
           nb::sig("def load(self, saved: numpy.typing.NDArray[numpy.uint8]) -> None"));
  m.def("examples", &examples, "rules"_a, "samples"_a.noconvert(), "symmetries"_a.noconvert().none(), "mixture"_a,
        "threads"_a,
        nb::sig("def examples(rules: Rules, samples: numpy.typing.NDArray[numpy.uint8], symmetries: "
                "numpy.typing.NDArray[numpy.uint8] | None, mixture: Mixture, threads: int) -> dict[str, "
                "numpy.typing.NDArray[typing.Any]]"),
        "What samples teach, turned by symmetries.");
  m.def("told_games", &told_games, "start"_a, "records"_a.noconvert(),
        nb::sig("def told_games(start: Position, records: numpy.typing.NDArray[numpy.uint8]) -> list[GameTold]"),
        "Games of self-play on a card, played once more by the rules.");
  m.def(
      "sample_fields",
      [](const Rules& rules) {
        std::vector<std::tuple<std::string, std::string, std::size_t>> fields;
        for (const SampleField& field : selfplay_of(rules).sample_fields) {
          fields.emplace_back(field.name, field.format, field.offset);
        }
        return std::make_tuple(selfplay_of(rules).sample_bytes, fields);
      },
      "rules"_a, "Bytes of a sample, and its fields: name, format, offset.");
  m.def(
      "selfplay_bytes", [](const Rules& rules, const forest::Search& s) { return selfplay_of(rules).bytes(s); },
      "rules"_a, "search"_a, "Memory of one game of self-play.");
}

}  // namespace qilin::bind
