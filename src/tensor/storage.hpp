#pragma once

#include <cstddef>
#include <cstdint>
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

  /// A number that no other contents of this thread's storages have had: copies that are kept elsewhere (on a GPU) are
  /// told from it to be stale. 0 for a storage without floats.
  std::uint64_t version() const { return block_ ? block_->version : 0; }
  /// To be called before the floats are written.
  void change() {
    if (block_) block_->version = next_version();
  }

 private:
  struct alignas(64) Block {  // the floats follow it
    std::size_t references;
    std::uint64_t version;
  };
  static std::uint64_t next_version() {
    thread_local constinit std::uint64_t last = 0;
    return ++last;
  }
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
