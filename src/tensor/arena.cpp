#include "tensor/arena.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace attn {

/// Stands in front of what is handed out; fills a granule. Blocks of a piece lie one behind the other; the last one is a mark
/// of size 0 that is never free.
struct Arena::Block {
  std::size_t size;  // header included, in bytes; + 1 while it is free
  Block* before;     // its neighbour in memory, null for a piece's first

  bool free() const { return (size & 1U) != 0; }
  std::size_t bytes() const { return size & ~std::size_t{1}; }

  /// While it is free, its place in its list stands where data may stand later.
  struct Links {
    Block *next, *previous;
  };
  Links& links(std::size_t granule) {
    return *reinterpret_cast<Links*>(reinterpret_cast<unsigned char*>(this) + granule);
  }
};

Arena::Block* Arena::behind(Block* block) const {
  return reinterpret_cast<Block*>(reinterpret_cast<unsigned char*>(block) + block->bytes());
}

Arena::List Arena::list_of(std::size_t granules) {
  if (granules < kFine) return {0, granules};
  const auto log = static_cast<std::size_t>(std::bit_width(granules)) - 1;
  return {log - kFineBits + 1, (granules >> (log - kFineBits)) & (kFine - 1)};
}

/// A free block of at least this size, from the first list all of whose blocks are large enough; null if there is none.
Arena::Block* Arena::find(std::size_t bytes) {
  std::size_t granules = bytes / granule_;
  if (granules >= kFine) {  // up to where the next list begins
    const auto log = static_cast<std::size_t>(std::bit_width(granules)) - 1;
    granules += (std::size_t{1} << (log - kFineBits)) - 1;
  }
  const List at = list_of(granules);
  if (at.doubling >= kDoublings) return nullptr;
  if (const unsigned here = fine_[at.doubling] & (0xFFU << at.fine); here != 0)
    return lists_[at.doubling][static_cast<std::size_t>(std::countr_zero(here))];
  const std::uint64_t larger = at.doubling + 1 < 64 ? doublings_ & (~std::uint64_t{0} << (at.doubling + 1)) : 0;
  if (larger == 0) return nullptr;
  const auto doubling = static_cast<std::size_t>(std::countr_zero(larger));
  return lists_[doubling][static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(fine_[doubling])))];
}

void Arena::insert(Block* block) {
  const List at = list_of(block->bytes() / granule_);
  Block*& first = lists_[at.doubling][at.fine];
  block->size |= 1U;
  block->links(granule_) = {first, nullptr};
  if (first != nullptr) first->links(granule_).previous = block;
  first = block;
  fine_[at.doubling] = static_cast<std::uint8_t>(fine_[at.doubling] | (1U << at.fine));
  doublings_ |= std::uint64_t{1} << at.doubling;
}

void Arena::remove(Block* block) {
  const List at = list_of(block->bytes() / granule_);
  const Block::Links links = block->links(granule_);
  block->size = block->bytes();
  if (links.next != nullptr) links.next->links(granule_).previous = links.previous;
  if (links.previous != nullptr) {
    links.previous->links(granule_).next = links.next;
    return;
  }
  lists_[at.doubling][at.fine] = links.next;
  if (links.next != nullptr) return;
  fine_[at.doubling] = static_cast<std::uint8_t>(fine_[at.doubling] & ~(1U << at.fine));
  if (fine_[at.doubling] == 0) doublings_ &= ~(std::uint64_t{1} << at.doubling);
}

/// Leaves a block its first bytes; the rest becomes a free block, if it is large enough for one.
void Arena::cut(Block* block, std::size_t bytes) {
  const std::size_t rest = block->size - bytes;
  if (rest < 2 * granule_) return;
  block->size = bytes;
  auto* left = new (behind(block)) Block{rest, block};
  behind(left)->before = left;
  insert(left);
}

void Arena::join(Block* block, Block* after) {
  block->size += after->size;
  behind(block)->before = block;
}

/// Stands in front of a piece's blocks.
struct Arena::Piece {
  Piece* next;
};

Arena::~Arena() {
  while (pieces_ != nullptr) ::operator delete (std::exchange(pieces_, pieces_->next), std::align_val_t{granule_});
}

/// A free block of this size, and the mark behind it. False if the system has not as much.
bool Arena::add_piece(std::size_t bytes) {
  const std::size_t whole = bytes + 2 * granule_;
  void* memory = ::operator new (whole, std::align_val_t{granule_}, std::nothrow);
  if (memory == nullptr) return false;
  asked_ += whole;
  pieces_ = new (memory) Piece{pieces_};
  auto* block = new (static_cast<unsigned char*>(memory) + granule_) Block{bytes, nullptr};
  new (behind(block)) Block{0, block};
  insert(block);
  return true;
}

namespace {
std::size_t rounded(std::size_t bytes, std::size_t granule) { return (bytes + granule - 1) / granule * granule; }
}  // namespace

void* Arena::take(std::size_t bytes) {
  if (bytes > SIZE_MAX / 4) throw std::bad_alloc();
  const std::size_t size = granule_ + rounded(std::max(bytes, granule_), granule_);
  Block* block = find(size);
  if (block == nullptr) {
    constexpr std::size_t least = 64 * 1024;
    const std::size_t enough =
        size + size / kFine;  // find() looks in lists that hold nothing smaller than what it wants
    // Pieces grow with what there is, so that they stay few.
    if (!add_piece(rounded(std::max({enough, least, asked_ / 8}), granule_)) && !add_piece(rounded(enough, granule_)))
      throw std::bad_alloc();
    block = find(size);
  }
  remove(block);
  cut(block, size);
  used_ += block->size;
  most_ = std::max(most_, used_);
  return reinterpret_cast<unsigned char*>(block) + granule_;
}

void Arena::give_back(void* memory) noexcept {
  auto* block = reinterpret_cast<Block*>(static_cast<unsigned char*>(memory) - granule_);
  used_ -= block->size;
  if (Block* after = behind(block); after->free()) {
    remove(after);
    join(block, after);
  }
  if (Block* before = block->before; before != nullptr && before->free()) {
    remove(before);
    join(before, block);
    block = before;
  }
  insert(block);
}

void Arena::leave_room() {
  const std::size_t wanted = most_ + most_ / 3;
  if (wanted > asked_) add_piece(rounded(std::max(wanted - asked_, 2 * granule_), granule_));
}

// Never destroyed: what has static lifetime is given back later. Pieces are reached through it, so LeakSanitizer is content.
Arena& tensor_arena() {
  thread_local Arena* arena = new Arena(64);
  return *arena;
}
Arena& node_arena() {
  thread_local Arena* arena = new Arena(16);
  return *arena;
}

}  // namespace attn
