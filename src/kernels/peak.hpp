#pragma once

#include <cstddef>

namespace attn::kernels {

/// Does multiply-adds on numbers that never leave the registers, as fast as this machine can: what a product could reach
/// if it had nothing to load. Returns how many were done; their results go where no compiler may drop them.
std::size_t multiply_in_registers(std::size_t rounds);

}  // namespace attn::kernels
