#include "tensor/storage.hpp"

#include <bit>
#include <cstdint>
#include <new>
#include <vector>

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
  std::vector<std::vector<Storage::Block*>> free;
  std::size_t bytes = 0;

  Storage::Block* take(std::size_t floats) {
    const std::size_t c = class_of(floats);
    if (c >= free.size()) free.resize(c + 1);
    if (free[c].empty()) return fresh(c);
    Storage::Block* block = free[c].back();
    free[c].pop_back();
    block->references = 1;
    return block;
  }

  Storage::Block* fresh(std::size_t size_class) {
    const std::size_t size = sizeof(Storage::Block) + floats_in(size_class) * sizeof(float);
    void* memory = ::operator new (size, std::align_val_t{alignof(Storage::Block)});
    bytes += size;
    return new (memory) Storage::Block{1, size_class};
  }

  ~Pool() {
    for (auto& list : free)
      for (auto* block : list) ::operator delete (block, std::align_val_t{alignof(Storage::Block)});
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

void Storage::give_back(Block* block) { pool().free[block->size_class].push_back(block); }

std::size_t pool_bytes() { return pool().bytes; }

}  // namespace attn
