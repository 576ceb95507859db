#include "tensor/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace attn {

namespace {

// Four classes to each doubling: at most a quarter is wasted, and batches of nearly equal size share buffers.
constexpr std::size_t kSmallest = 16;  // floats, one cache line

std::size_t class_of(std::size_t floats) {
  if (floats <= kSmallest) return 0;
  const int log = std::bit_width(floats - 1) - 1;  // 2^log <= floats - 1
  const std::size_t quarter = ((floats - 1) >> (log - 2)) & 3;
  return static_cast<std::size_t>(log - 4) * 4 + quarter + 1;
}

std::size_t floats_in(std::size_t size_class) {
  if (size_class == 0) return kSmallest;
  const std::size_t log = (size_class - 1) / 4 + 4, quarter = (size_class - 1) % 4;
  return (std::size_t{1} << log) + ((quarter + 1) << (log - 2));
}

}  // namespace

struct Pool {
  static constexpr std::size_t kClasses = 4 * 60;
  std::array<Storage::Block*, kClasses> free{};
  std::size_t bytes = 0;

  Storage::Block* take(std::size_t floats) {
    const std::size_t c = class_of(floats);
    // A block up to four times as large will do: a batch that is smaller than those before it asks for nothing.
    for (std::size_t i = c; i < std::min(c + 8, kClasses); ++i)
      if (free[i] != nullptr) {
        Storage::Block* block = std::exchange(free[i], free[i]->next);
        block->references = 1;
        return block;
      }
    return fresh(c);
  }

  Storage::Block* fresh(std::size_t size_class) {
    const std::size_t size = sizeof(Storage::Block) + floats_in(size_class) * sizeof(float);
    void* memory = ::operator new (size, std::align_val_t{alignof(Storage::Block)});
    bytes += size;
    return new (memory) Storage::Block{1, size_class, nullptr};
  }
};

namespace {
// Tensors with static lifetime may outlive the pool at exit; it is therefore never destroyed, and LeakSanitizer
// still reaches its blocks through this pointer.
Pool& pool() {
  thread_local Pool* instance = new Pool;
  return *instance;
}
}  // namespace

Storage::Storage(std::size_t floats) : block_(pool().take(floats)) {}

void Storage::give_back(Block* block) { block->next = std::exchange(pool().free[block->size_class], block); }

std::size_t pool_bytes() { return pool().bytes; }

}  // namespace attn
