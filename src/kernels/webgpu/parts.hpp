// Products as a GPU takes them: within its limits, and grouped into submissions. No GPU is needed for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/matmul.hpp"

namespace attn::kernels::gpu {

struct Limits {
  std::size_t bytes;   // of one operand or result
  std::size_t groups;  // along one axis
  std::size_t tile;    // rows and columns of C that one group computes
};

/// A run of floats in memory; version as in MatmulArgs.
struct Operand {
  std::uint32_t address = 0, floats = 0, version_low = 0, version_high = 0;
};

/// One dispatch, as door.js reads it.
struct Job {
  Operand a, b, start;  // start: what the sums begin with, none if it has no floats
  std::uint32_t c, c_floats, c_row, unused = 0;
  struct Product {  // as the kernels read it
    std::uint32_t m, n, k, started;
    std::uint32_t a_batch, a_row, a_column;
    std::uint32_t b_batch, b_row, b_column;
    std::uint32_t start_batch, start_row;
  } product;
  std::uint32_t groups[3], unused_too = 0;
};
static_assert(sizeof(Job) == 32 * sizeof(std::uint32_t));

/// The bytes that a submission moves.
std::size_t bytes_of(const std::vector<Job>& jobs);

/// The products cut along batch, rows or columns into jobs within the limits, and these into submissions of at most `bytes` (or of
/// one job). Products without depth are left out. Empty when there is nothing to do, when something fits nowhere (a row of A or
/// a column of B is longer than a buffer), and when a product that adds to C would need several submissions, of which one may
/// fail after another has added.
std::vector<std::vector<Job>> submissions_of(std::span<const MatmulArgs> products, const Limits& limits,
                                             std::size_t bytes);

}  // namespace attn::kernels::gpu
