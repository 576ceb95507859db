#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace attn {

/// Memory that is asked of the system in large pieces, and handed out and taken back in small ones. Blocks that lie free beside
/// each other become one, so that what is needed in other sizes at each step fits in where something else was before.
/// Taking and giving back cost a few instructions whatever the number of blocks: free ones wait in lists by size, two bit maps
/// say which lists are not empty.                                (TLSF: Masmano, Ripoll, Crespo, Real 2004)
/// Nothing is given back to the system before the arena's end.
class Arena {
 public:
  /// What it hands out is aligned to `granule`, a power of two from 16 on.
  explicit constexpr Arena(std::size_t granule) : granule_(granule) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  void* take(std::size_t bytes);  // throws std::bad_alloc
  void give_back(void* memory) noexcept;

  /// Sees to it that a third more is there than was ever in use at one time.
  void leave_room();

  std::size_t asked() const { return asked_; }  // of the system so far, in bytes
  std::size_t used() const { return used_; }    // of it handed out now

 private:
  struct Block;
  struct Piece;
  static constexpr std::size_t kFine = 8, kFineBits = 3;  // lists to each doubling
  static constexpr std::size_t kDoublings = 8 * sizeof(std::size_t);

  struct List {
    std::size_t doubling, fine;
  };
  static List list_of(std::size_t granules);
  Block* find(std::size_t bytes);
  bool add_piece(std::size_t bytes);
  void insert(Block* block);
  void remove(Block* block);
  void cut(Block* block, std::size_t bytes);
  void join(Block* block, Block* after);
  Block* behind(Block* block) const;

  Piece* pieces_ = nullptr;
  std::size_t granule_, asked_ = 0, used_ = 0, most_ = 0;
  std::uint64_t doublings_ = 0;  // which have a list that is not empty
  std::array<std::uint8_t, kDoublings> fine_{};
  std::array<std::array<Block*, kFine>, kDoublings> lists_{};
};

/// The two of this thread: for numbers, 64-byte aligned, and for the small things of a graph. What is taken from one is given
/// back in the same thread (each worker has a module of its own).
Arena& tensor_arena();
Arena& node_arena();

}  // namespace attn
