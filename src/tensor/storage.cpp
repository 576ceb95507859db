#include "tensor/storage.hpp"

#include <new>

#include "tensor/arena.hpp"

namespace attn {

Storage::Storage(std::size_t floats)
    : block_(new (tensor_arena().take(sizeof(Block) + floats * sizeof(float))) Block{1, next_version()}) {}

void Storage::give_back(Block* block) { tensor_arena().give_back(block); }

std::size_t pool_bytes() { return tensor_arena().asked(); }

}  // namespace attn
