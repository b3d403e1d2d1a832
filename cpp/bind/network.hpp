// What goes to a network from Python, and what comes back.
#pragma once

#include <memory>

#include "bind/arrays.hpp"
#include "bind/rules.hpp"
#include "search/answers.hpp"

namespace qilin::bind {

using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// The planes of at most so many rows, (rows, planes, rows, cols): `fill` writes them, and answers how many there are.
template <class Fill>
[[nodiscard]] nb::ndarray<nb::numpy, float> rows_of_planes(const Rules& rules, int most, Fill&& fill) {
  const std::size_t each = extent(rules.planes) * extent(rules.rows) * extent(rules.cols);
  auto planes = std::make_unique_for_overwrite<float[]>(extent(most) * each);
  int rows = 0;
  {
    nb::gil_scoped_release release;
    rows = fill(planes.get());
  }
  const std::size_t shape[] = {extent(rows), extent(rules.planes), extent(rules.rows), extent(rules.cols)};
  float* data = planes.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return nb::ndarray<nb::numpy, float>(data, 4, shape, owner);
}

inline void check_batch(const Floats& array, int rows, const char* what) {
  if (array.ndim() < 1 || array.shape(0) != extent(rows)) {
    refuse(std::string(what) + " are for " + std::to_string(array.ndim() ? array.shape(0) : 0) + " leaves, expected " +
           std::to_string(rows));
  }
}

[[nodiscard]] inline forest::Values values_form(const std::string& form) {
  if (form == "scalar") return forest::Values::scalar;
  if (form == "odds") return forest::Values::odds;
  if (form == "logits") return forest::Values::logits;
  refuse("the values' form is " + quoted(form) + ", expected 'scalar', 'odds' or 'logits'");
}

}  // namespace qilin::bind
