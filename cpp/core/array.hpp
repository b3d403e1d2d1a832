// Fixed arrays that kernels can use (`std::array` cannot: its members are host functions), and a list with a bound.
#pragma once

#include <cassert>

#include "core/bits.hpp"

namespace qilin {

template <class T, int size_>
struct Array {
  T items[size_];

  [[nodiscard]] QILIN_HD static constexpr int size() { return size_; }
  [[nodiscard]] QILIN_HD constexpr T& operator[](int i) { return at(items, i); }
  [[nodiscard]] QILIN_HD constexpr const T& operator[](int i) const { return at(items, i); }
  [[nodiscard]] QILIN_HD constexpr T* begin() { return items; }
  [[nodiscard]] QILIN_HD constexpr T* end() { return items + size_; }
  [[nodiscard]] QILIN_HD constexpr const T* begin() const { return items; }
  [[nodiscard]] QILIN_HD constexpr const T* end() const { return items + size_; }
  constexpr bool operator==(const Array&) const = default;

 private:
  // A kernel keeps an array in registers if it knows which item is meant: of two it may choose.
  template <class Item>
  [[nodiscard]] QILIN_HD static constexpr Item& at(Item* items, int i) {
#ifdef __CUDA_ARCH__
    if constexpr (size_ == 2) return i ? items[1] : items[0];
#endif
    return items[i];
  }
};

template <class T, int capacity>
struct List {
  T items[capacity];
  int length = 0;

  QILIN_HD constexpr void push(T item) {
    assert(length < capacity);
    items[length++] = item;
  }
  [[nodiscard]] QILIN_HD constexpr int size() const { return length; }
  [[nodiscard]] QILIN_HD constexpr bool empty() const { return length == 0; }
  [[nodiscard]] QILIN_HD constexpr T& operator[](int i) { return items[i]; }
  [[nodiscard]] QILIN_HD constexpr const T& operator[](int i) const { return items[i]; }
  [[nodiscard]] QILIN_HD constexpr T* begin() { return items; }
  [[nodiscard]] QILIN_HD constexpr T* end() { return items + length; }
  [[nodiscard]] QILIN_HD constexpr const T* begin() const { return items; }
  [[nodiscard]] QILIN_HD constexpr const T* end() const { return items + length; }
};

}  // namespace qilin
