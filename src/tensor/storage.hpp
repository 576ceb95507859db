#pragma once

#include <cstddef>
#include <utility>

namespace attn {

/// A shared, 64-byte aligned run of floats. Buffers come from this thread's arena and go back to it, so a training step
/// reuses what the step before it released: after the first steps nothing is asked of the system.
/// A Storage stays in the thread that made it (each worker has a module of its own).
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::size_t floats);  // contents undefined
  Storage(const Storage& other) : block_(other.block_) { retain(); }
  Storage(Storage&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Storage& operator=(Storage other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Storage() { release(); }

  float* data() const { return block_ ? reinterpret_cast<float*>(block_ + 1) : nullptr; }
  /// Whether no other handle sees these floats.
  bool unique() const { return block_ && block_->references == 1; }

 private:
  struct alignas(64) Block {  // the floats follow it
    std::size_t references;
  };
  void retain() {
    if (block_) ++block_->references;
  }
  void release() {
    if (block_ && --block_->references == 0) give_back(block_);
  }
  static void give_back(Block* block);
  Block* block_ = nullptr;
};

/// What the pool has asked of the system so far, in bytes. Flat once training has settled (bench row memory.flat).
std::size_t pool_bytes();

}  // namespace attn
