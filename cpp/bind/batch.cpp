// Many games side by side, for numpy.
#include <nanobind/stl/optional.h>

#include "bind/arrays.hpp"
#include "bind/parallel.hpp"
#include "bind/rules.hpp"

using namespace nanobind::literals;

namespace qilin::bind {
namespace {

using Moves = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Which = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Batch {
 public:
  Batch(const Position& start, int size, u64 seed, int threads)
      : size_(size), threads_(threads), block_{start.rules, {}, {}, {}, start} {
    if (size < 1) refuse("a batch holds " + std::to_string(size) + " positions, expected 1 or more");
    if (threads < 1) refuse("the number of threads is " + std::to_string(threads) + ", expected 1 or more");
    block_.states.reset(new std::byte[extent(size) * extent(start.rules->state_bytes)]);
    if (start.rules->has_past) block_.keys.resize(extent(size));
    for (int i = 0; i < size; ++i) block_.chance.emplace_back(seed, static_cast<u64>(i));
    start.rules->block_reset(block_, 0, size, nullptr);
  }

  [[nodiscard]] int size() const { return size_; }

  void reset(std::optional<Which> which) {
    if (which) check_length(which->shape(0), "the mask");
    const bool* mask = which ? which->data() : nullptr;
    nb::gil_scoped_release release;
    split([&](int begin, int end) { rules().block_reset(block_, begin, end, mask); });
  }

  void play(const Moves& moves) {
    check_length(moves.shape(0), "the array of moves");
    const std::int32_t* chosen = moves.data();
    nb::gil_scoped_release release;
    check_legal(chosen);
    split([&](int begin, int end) { rules().block_play(block_, begin, end, chosen); });
  }

  [[nodiscard]] nb::ndarray<nb::numpy, bool> legal() const {
    bool* mask = nullptr;
    auto array = new_array<bool>({extent(size_), extent(rules().moves)}, mask);
    nb::gil_scoped_release release;
    split([&](int begin, int end) { rules().block_legal(block_, begin, end, mask); });
    return array;
  }

  [[nodiscard]] nb::ndarray<nb::numpy, float> planes() const {
    float* out = nullptr;
    auto array =
        new_array<float>({extent(size_), extent(rules().planes), extent(rules().rows), extent(rules().cols)}, out);
    nb::gil_scoped_release release;
    split([&](int begin, int end) { rules().block_encode(block_, begin, end, out); });
    return array;
  }

  [[nodiscard]] nb::tuple status() const {
    Status s{};
    auto to_move = new_array<i8>({extent(size_)}, s.to_move);
    auto over = new_array<bool>({extent(size_)}, s.over);
    auto winner = new_array<i8>({extent(size_)}, s.winner);
    auto reason = new_array<u8>({extent(size_)}, s.reason);
    auto margin = new_array<std::int32_t>({extent(size_)}, s.margin);
    {
      nb::gil_scoped_release release;
      split([&](int begin, int end) { rules().block_status(block_, begin, end, s); });
    }
    return nb::make_tuple(to_move, over, winner, reason, margin);
  }

  [[nodiscard]] Position at(int index) const {
    return rules().block_at(block_, check_range(index, size_, "the index"));
  }

 private:
  [[nodiscard]] const Rules& rules() const { return *block_.rules; }

  template <class Work>
  void split(Work&& work) const {
    parallel_ranges(size_, threads_, work);
  }

  void check_length(std::size_t length, const char* what) const {
    if (length != extent(size_)) {
      refuse(std::string(what) + " has " + std::to_string(length) + " entries, expected " + std::to_string(size_));
    }
  }

  // All moves are looked at before any is played: a batch is never left half moved.
  void check_legal(const std::int32_t* moves) const {
    std::vector<int> wrong(extent(size_), size_);
    split([&](int begin, int end) {
      const int found = rules().block_illegal(block_, begin, end, moves);
      if (found < end) wrong[extent(begin)] = found;
    });
    const int first = *std::min_element(wrong.begin(), wrong.end());
    if (first < size_) {
      refuse("move " + std::to_string(moves[first]) + " of position " + std::to_string(first) + ", " +
             quoted(rules().text(rules().block_at(block_, first))) + ", is not legal; nothing was played");
    }
  }

  int size_, threads_;
  Block block_;
};

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Batch>(m, "Batch", "Many games of one kind, side by side in memory.")
      .def(nb::init<const Position&, int, u64, int>(), "start"_a, "size"_a, "seed"_a, "threads"_a)
      .def("__len__", &Batch::size)
      .def("reset", &Batch::reset, "which"_a.none() = nb::none(),
           nb::sig("def reset(self, which: numpy.typing.NDArray[numpy.bool_] | None = None) -> None"))
      .def("play", &Batch::play, "moves"_a.noconvert(),
           nb::sig("def play(self, moves: numpy.typing.NDArray[numpy.int32]) -> None"))
      .def("legal", &Batch::legal, nb::sig("def legal(self) -> numpy.typing.NDArray[numpy.bool_]"))
      .def("planes", &Batch::planes, nb::sig("def planes(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("status", &Batch::status,
           nb::sig("def status(self) -> tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.bool_], "
                   "numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.uint8], "
                   "numpy.typing.NDArray[numpy.int32]]"),
           "to_move, over, winner, reason, margin; -1 where there is none.")
      .def("at", &Batch::at, "index"_a);
}

}  // namespace qilin::bind
