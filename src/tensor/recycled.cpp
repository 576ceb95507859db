#include "tensor/recycled.hpp"

#include "tensor/arena.hpp"

namespace attn {

void* recycled(std::size_t bytes) { return node_arena().take(bytes); }

void recycle(void* memory) noexcept {
  if (memory != nullptr) node_arena().give_back(memory);
}

std::size_t recycled_bytes() { return node_arena().asked(); }

}  // namespace attn
