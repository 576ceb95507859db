#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> counted{0};

/// Null if there is none.
void* counted_memory(std::size_t bytes, std::size_t alignment) {
  ++counted;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;  // as aligned_alloc wants it
  // WebAssembly's malloc aligns to 8 bytes.
  return alignment <= 8 ? std::malloc(bytes == 0 ? 1 : bytes)
                        : std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

void* counted_new(std::size_t bytes, std::size_t alignment) {
  void* memory = counted_memory(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted_new(bytes, 1); }
void* operator new[](std::size_t bytes) { return counted_new(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted_new(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return counted_new(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted_memory(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted_memory(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace attn::test {

std::size_t allocations() { return counted; }

}  // namespace attn::test
