// What has been searched already: positions by key, in bounded memory, shared by threads without a lock.
//
//   bucket = one cache line = 4 slots of 16 bytes:    | key ^ data | data |
//   data   = move 16 | score 16 | evaluation 16 | depth 8 | generation 6, bound 2
//
// Two threads may write one slot at once and leave the key of one beside the data of the other. The stored key is mixed
// with the data, so such a slot matches no position: a torn write loses an entry, and never invents one.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/rng.hpp"
#include "search/score.hpp"

namespace qilin::alphabeta {

inline constexpr Move no_move = 0xffff;

class Table {
 public:
  struct Entry {
    Move move = no_move;
    Score score = 0, evaluation = 0;
    int depth = 0;
    Bound bound = Bound::none;
  };

  // A table of 0 MiB remembers nothing.
  explicit Table(int mib) : size_(static_cast<std::size_t>(mib) * per_mib), buckets_(allocate(size_)) {
    assert(mib >= 0);
  }

  [[nodiscard]] std::optional<Entry> find(u64 key) const {
    if (size_ == 0) return std::nullopt;
    for (const Slot& slot : bucket(key).slots) {
      const u64 data = slot.data.load(std::memory_order_relaxed);
      if ((slot.key.load(std::memory_order_relaxed) ^ data) == key && data) return unpack(data);
    }
    return std::nullopt;
  }

  void keep(u64 key, const Entry& entry) {
    if (size_ == 0) return;
    Slot& slot = place(key);
    const u64 old = slot.data.load(std::memory_order_relaxed);
    const bool same = (slot.key.load(std::memory_order_relaxed) ^ old) == key;
    Entry kept = entry;
    if (same && kept.move == no_move) kept.move = unpack(old).move;  // a bound from above knows no move
    const u64 data = pack(kept) | generation_ << 58;
    slot.data.store(data, std::memory_order_relaxed);
    slot.key.store(key ^ data, std::memory_order_relaxed);
  }

  void prefetch(u64 key) const { __builtin_prefetch(&bucket(key)); }

  // Entries of earlier searches stay, and are the first to be replaced.
  void age() { generation_ = (generation_ + 1) % generations; }

  void clear() {
    for (u64 i = 0; i < size_; ++i) {
      for (Slot& slot : buckets_[i].slots) {
        slot.key.store(0, std::memory_order_relaxed);
        slot.data.store(0, std::memory_order_relaxed);
      }
    }
    generation_ = 0;
  }

  // In thousandths, how full of this generation's entries a sample of the table is.
  [[nodiscard]] int fullness() const {
    const u64 sample = std::min<u64>(size_, 250);
    int used = 0;
    for (u64 i = 0; i < sample; ++i) {
      for (const Slot& slot : buckets_[i].slots) {
        const u64 data = slot.data.load(std::memory_order_relaxed);
        used += data && data >> 58 == generation_;
      }
    }
    return sample ? used * 1000 / static_cast<int>(4 * sample) : 0;
  }

 private:
  static constexpr u64 generations = 64;
  static constexpr std::size_t per_mib = (1 << 20) / 64;

  struct Slot {
    std::atomic<u64> key{0}, data{0};
  };
  struct alignas(64) Bucket {
    Slot slots[4];
  };

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  // In huge pages where the system has them: a probe in 4 KiB pages waits for the page's address as well as for the
  // page.
  [[nodiscard]] static Bucket* allocate(std::size_t size) {
    constexpr std::size_t page = 2 << 20;
    const std::size_t bytes = (size * sizeof(Bucket) + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, bytes);
    if (!memory && bytes) throw std::bad_alloc();
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    std::uninitialized_value_construct_n(static_cast<Bucket*>(memory), size);
    return static_cast<Bucket*>(memory);
  }

  [[nodiscard]] Bucket& bucket(u64 key) const { return buckets_[scale(key, size_)]; }

  // The position's own slot, or else the one whose loss costs least: shallow, and from long ago.
  [[nodiscard]] Slot& place(u64 key) const {
    Slot* cheapest = nullptr;
    int least = 0;
    for (Slot& slot : bucket(key).slots) {
      const u64 data = slot.data.load(std::memory_order_relaxed);
      if (!data || (slot.key.load(std::memory_order_relaxed) ^ data) == key) return slot;
      const int worth = depth_of(data) - 4 * static_cast<int>((generation_ - (data >> 58)) % generations);
      if (cheapest && worth >= least) continue;
      cheapest = &slot;
      least = worth;
    }
    return *cheapest;
  }

  [[nodiscard]] static constexpr int depth_of(u64 data) { return static_cast<int>(data >> 48 & 0xff); }

  [[nodiscard]] static constexpr u64 pack(const Entry& e) {
    return static_cast<u64>(e.move) | static_cast<u64>(static_cast<u16>(e.score)) << 16 |
           static_cast<u64>(static_cast<u16>(e.evaluation)) << 32 | static_cast<u64>(e.depth) << 48 |
           static_cast<u64>(e.bound) << 56;
  }
  [[nodiscard]] static constexpr Entry unpack(u64 data) {
    return {static_cast<Move>(data), static_cast<std::int16_t>(data >> 16), static_cast<std::int16_t>(data >> 32),
            depth_of(data), static_cast<Bound>(data >> 56 & 3)};
  }

  std::size_t size_;
  std::unique_ptr<Bucket[], Free> buckets_;
  u64 generation_ = 0;
};

}  // namespace qilin::alphabeta
