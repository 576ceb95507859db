// The register tile that all products are made of. For kernels/*.cpp only.
#pragma once

#include <cstddef>

#include "kernels/simd.hpp"

namespace attn::kernels {

/// A batch of products C [rows, columns] = start + A [rows, depth] B [depth, columns]. A is read through its strides, of
/// which one is 1; rows of B and C are contiguous. Every sum runs over the depth from first to last, however a product is
/// cut into tiles.
struct Product {
  const float* a;
  std::size_t a_row, a_column;
  const float* b;
  std::size_t b_row;
  float* c;
  std::size_t c_row;
  std::size_t rows, columns, depth;
  /// What the sums start from: null for zero, C itself, or a row for all rows of C (stride 0).
  const float* start = nullptr;
  std::size_t start_row = 0, start_batch = 0;
  /// A row of B is followed by enough floats to fill its last batch; otherwise that holds for all rows but the last.
  bool padded = false;
  std::size_t batch = 1, a_batch = 0, b_batch = 0, c_batch = 0;  // how many, and how far apart
};

/// The rows and batches of columns of a tile whose sums fill the registers.
inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileBatches = 2;

inline std::size_t whole_batches(std::size_t columns) { return (columns + kLanes - 1) / kLanes; }

/// How many columns the next panel takes when `left` are left: two batches, the last three together, more for few rows.
std::size_t panel_columns(std::size_t left, std::size_t rows);

/// A product whose columns are one panel. Needs depth > 0; and b_row >= kLanes unless B is padded, its columns fill
/// batches or it has one row.
void multiply_panel(const Product& p);

/// A product of any width, panel by panel.
void multiply(const Product& p);

/// C[i, j] = row i of X · row j of Y, both contiguous, `depth` long: a product with a transposed B of which one side is a
/// row or two, so that turning it would cost more than the product. Lane by lane, then across.
void multiply_rows(const float* x, std::size_t x_row, std::size_t rows, const float* y, std::size_t y_row,
                   std::size_t columns, std::size_t depth, float* c, std::size_t c_row);

}  // namespace attn::kernels
