// Counts what is asked of the system: the program's operator new is the one in allocations.cpp.
#pragma once

#include <cstddef>

namespace attn::test {

/// Calls of operator new of every kind since the start.
std::size_t allocations();

}  // namespace attn::test
