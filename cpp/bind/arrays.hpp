// Checks at the door, and arrays that leave through it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "core/text.hpp"

namespace qilin::bind {

namespace nb = nanobind;

// A new numpy array that owns its memory.
template <class T>
nb::ndarray<nb::numpy, T> new_array(std::vector<std::size_t> shape, T*& data) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  data = new T[size]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

inline std::size_t extent(int n) { return static_cast<std::size_t>(n); }

inline int check_range(int value, int end, const char* what) {
  if (value < 0 || value >= end) {
    refuse(std::string(what) + " is " + std::to_string(value) + ", expected 0 … " + std::to_string(end - 1));
  }
  return value;
}

}  // namespace qilin::bind
