#include "tensor/recycled.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

namespace attn {
namespace {

// Sizes by steps of 16 bytes up to kFine, by four to each doubling beyond it.
constexpr std::size_t kStep = 16, kFine = 512, kFineClasses = kFine / kStep, kClasses = kFineClasses + 4 * 64;
// How many classes further a larger block is looked for, before the system is asked.
constexpr std::size_t kNear = 8;

/// Stands in front of what is given out.
struct alignas(16) Header {
  std::size_t size_class;
  Header* next;  // while it waits
};

struct Lists {
  std::array<Header*, kClasses> first;
  std::size_t bytes;
};
// Without a destructor: what outlives the thread's end may still be given back.
thread_local constinit Lists lists{};

struct Class {
  std::size_t index, bytes;
};

Class class_of(std::size_t bytes) {
  if (bytes <= kFine) {
    const std::size_t steps = bytes == 0 ? 1 : (bytes + kStep - 1) / kStep;
    return {steps - 1, steps * kStep};
  }
  const auto log = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^log <= bytes - 1
  const std::size_t quarter = ((bytes - 1) >> (log - 2)) & 3;
  return {kFineClasses + 4 * log + quarter, (std::size_t{1} << log) + ((quarter + 1) << (log - 2))};
}

}  // namespace

void* recycled(std::size_t bytes) {
  const Class c = class_of(bytes);
  for (std::size_t i = c.index; i < std::min(c.index + kNear, kClasses); ++i)
    if (lists.first[i] != nullptr) return std::exchange(lists.first[i], lists.first[i]->next) + 1;
  lists.bytes += sizeof(Header) + c.bytes;
  // Asked for by name: WebAssembly's plain operator new aligns to 8 bytes.
  void* memory = ::operator new (sizeof(Header) + c.bytes, std::align_val_t{alignof(Header)});
  return new (memory) Header{c.index, nullptr} + 1;
}

void recycle(void* memory) noexcept {
  if (memory == nullptr) return;
  Header* header = static_cast<Header*>(memory) - 1;
  header->next = std::exchange(lists.first[header->size_class], header);
}

std::size_t recycled_bytes() { return lists.bytes; }

}  // namespace attn
