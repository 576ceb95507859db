#include "kernels/matmul.hpp"

#include <algorithm>
#include <vector>

#include "kernels/tile.hpp"
#include "kernels/webgpu/device.hpp"

namespace attn::kernels {
namespace {

thread_local std::size_t counted = 0;

// Blocks of a large product. A panel of B (kDepth × two batches) stays in the first cache while all strips of A pass by;
// a block of A (kBlockRows × kDepth) stays in the second.
constexpr std::size_t kDepth = 256, kBlockRows = 20 * kTileRows, kBlockColumns = 512;
// Floats of A from which on copying it costs less than reading across its rows, or down its columns.
constexpr std::size_t kLarge = 128 * 1024, kLargeByColumn = 32 * 1024;
// Floats of B from which on a panel of it is copied before all rows of A pass by.
constexpr std::size_t kScattered = 8 * 1024;

/// Room for copies of operands, kept from one product to the next.
float* room(std::size_t which, std::size_t floats) {
  thread_local std::vector<float> rooms[2];
  if (rooms[which].size() < floats) rooms[which].resize(floats);
  return rooms[which].data();
}

/// Copies depth × columns of B, of any strides, to rows of whole batches, zero beyond the columns.
void pack_b(const MatmulArgs& x, const float* b, std::size_t depth, std::size_t columns, float* out) {
  const std::size_t width = whole_batches(columns) * kLanes;
  if (x.b_column != 1) return transpose(b, x.b_column, x.b_row, columns, depth, out, width);
  for (std::size_t p = 0; p < depth; ++p, b += x.b_row, out += width) {
    std::size_t j = 0;
    for (; j + kLanes <= columns; j += kLanes) store(out + j, load(b + j));
    if (j < columns) store(out + j, load_partial(b + j, columns - j));
  }
}

/// The numbers that C starts from: nothing, itself, or the bias.
void start_from(Product& p, const MatmulArgs& x, bool first, std::size_t column) {
  if (x.accumulate || !first) {
    p.start = p.c;
    p.start_row = p.c_row;
    p.start_batch = p.c_batch;
  } else if (x.bias != nullptr) {
    p.start = x.bias + column;
  }
}

// ---- small products: A is read where it lies, and B too if its rows are contiguous and near each other

bool packs_b(const MatmulArgs& x) {
  const bool readable = x.b_column == 1 && (x.b_row >= kLanes || x.n % kLanes == 0 || x.k == 1);
  return !readable || (x.k * x.b_row > kScattered && x.m > 4 * kTileRows);
}

/// Copies a panel of B for each product of the batch, and lets p read the copies.
void pack_panel(const MatmulArgs& x, Product& p) {
  const float* b = p.b;
  p.b_row = whole_batches(p.columns) * kLanes;
  p.b_batch = p.depth * p.b_row;
  float* panel = room(0, p.batch * p.b_batch);
  p.b = panel;
  for (std::size_t i = 0; i < p.batch; ++i) pack_b(x, b + i * x.b_batch, p.depth, p.columns, panel + i * p.b_batch);
}

void multiply_small(const MatmulArgs& x, const float* a, const float* b, float* c, std::size_t batch) {
  const bool packs = packs_b(x);
  // What of a column-wise A is used together stays in the first cache.
  const std::size_t depth = x.a_column == 1 ? kDepth : std::clamp<std::size_t>(kScattered / (x.m + x.n), 32, kDepth);
  for (std::size_t from = 0; from < x.k; from += depth) {
    Product p{};
    p.a = a + from * x.a_column;
    p.a_row = x.a_row;
    p.a_column = x.a_column;
    p.c_row = x.n;
    p.rows = x.m;
    p.depth = std::min(depth, x.k - from);
    p.padded = packs;
    p.batch = batch;
    p.a_batch = x.a_batch;
    p.c_batch = x.m * x.n;
    for (std::size_t j = 0; j < x.n; j += p.columns) {
      p.columns = panel_columns(x.n - j, x.m);
      p.b = b + from * x.b_row + j * x.b_column;
      p.b_row = x.b_row;
      p.b_batch = x.b_batch;
      p.c = c + j;
      if (packs) pack_panel(x, p);
      start_from(p, x, from == 0, j);
      multiply_panel(p);
    }
  }
}

/// A batch in parts that stay in the first cache while the tiles pass over them, one after the other.
void multiply_batch(const MatmulArgs& x) {
  const std::size_t floats = x.m * x.k + x.k * x.n + x.m * x.n;
  const std::size_t part = std::clamp<std::size_t>(kScattered / std::max<std::size_t>(floats, 1), 1, x.batch);
  for (std::size_t i = 0; i < x.batch; i += part)
    multiply_small(x, x.a + i * x.a_batch, x.b + i * x.b_batch, x.c + i * x.m * x.n, std::min(part, x.batch - i));
}

// ---- large products: both operands are copied block by block, to the order in which the tiles read them

/// Strips of kTileRows rows (the last one may have fewer), each column by column.
void pack_a(const MatmulArgs& x, const float* a, std::size_t rows, std::size_t depth, float* out) {
  for (std::size_t i = 0; i < rows; i += kTileRows) {
    const std::size_t height = std::min(kTileRows, rows - i);
    transpose(a + i * x.a_row, x.a_row, x.a_column, height, depth, out, height);
    out += height * depth;
  }
}

/// Rows of C from `first` on, against all packed panels of B.
void multiply_block(const MatmulArgs& x, Product p, const float* a, std::size_t first, std::size_t rows) {
  float* strips = room(1, kBlockRows * kDepth);
  pack_a(x, a + first * x.a_row, rows, p.depth, strips);
  p.a_row = 1;
  const Product all = p;
  for (std::size_t j = 0; j < all.columns; j += p.columns) {
    p.columns = std::min(kTileBatches * kLanes, all.columns - j);
    p.b_row = whole_batches(p.columns) * kLanes;
    for (std::size_t i = 0; i < rows; i += p.rows) {
      p.rows = std::min(kTileRows, rows - i);
      p.a = strips + i * p.depth;
      p.a_column = p.rows;
      p.c = all.c + (first + i) * p.c_row + j;
      p.start = all.start == nullptr ? nullptr : all.start + (first + i) * all.start_row + j;
      multiply_panel(p);
    }
    p.b += p.b_row * p.depth;
  }
}

/// All panels of depth × columns of B, one behind the other.
const float* pack_panels(const MatmulArgs& x, const float* b, std::size_t depth, std::size_t columns) {
  float* panels = room(0, kDepth * (kBlockColumns + kLanes));
  float* panel = panels;
  for (std::size_t at = 0; at < columns; at += kTileBatches * kLanes) {
    const std::size_t width = std::min(kTileBatches * kLanes, columns - at);
    pack_b(x, b + at * x.b_column, depth, width, panel);
    panel += depth * whole_batches(width) * kLanes;
  }
  return panels;
}

void multiply_large(const MatmulArgs& x, const float* a, const float* b, float* c) {
  for (std::size_t j = 0; j < x.n; j += kBlockColumns)
    for (std::size_t from = 0; from < x.k; from += kDepth) {
      const std::size_t columns = std::min(kBlockColumns, x.n - j), depth = std::min(kDepth, x.k - from);
      Product p{};
      p.b = pack_panels(x, b + from * x.b_row + j * x.b_column, depth, columns);
      p.c = c + j;
      p.c_row = x.n;
      p.columns = columns;
      p.depth = depth;
      p.padded = true;
      start_from(p, x, from == 0, j);
      for (std::size_t row = 0; row < x.m; row += kBlockRows)
        multiply_block(x, p, a + from * x.a_column, row, std::min(kBlockRows, x.m - row));
    }
}

// ---- which way

bool is_large(const MatmulArgs& x) {
  const bool strided = x.a_row != 1 && x.a_column != 1;
  return strided || (x.m * x.k > (x.a_column == 1 ? kLarge : kLargeByColumn) && x.n >= 2 * kTileBatches * kLanes);
}

/// Rows against rows, where one side has so few that B is better not turned.
bool is_thin(const MatmulArgs& x) {
  const bool contiguous = (x.a_column == 1 || x.k == 1) && (x.b_row == 1 || x.k == 1);
  return contiguous && std::min(x.m, x.n) <= 2 && x.k >= kLanes && !x.accumulate && x.bias == nullptr;
}

}  // namespace

void matmul_reference(const MatmulArgs& x) {
  for (std::size_t i = 0; i < x.batch; ++i)
    for (std::size_t row = 0; row < x.m; ++row)
      for (std::size_t column = 0; column < x.n; ++column) {
        const float* a = x.a + i * x.a_batch + row * x.a_row;
        const float* b = x.b + i * x.b_batch + column * x.b_column;
        float& c = x.c[(i * x.m + row) * x.n + column];
        float sum = x.accumulate ? c : x.bias != nullptr ? x.bias[column] : 0.0F;
        for (std::size_t p = 0; p < x.k; ++p) sum += a[p * x.a_column] * b[p * x.b_row];
        c = sum;
      }
}

void matmul_simd(const MatmulArgs& x) {
  if (x.k == 0 || x.batch == 0) return;
  const bool thin = is_thin(x);
  if (!thin && !is_large(x)) return multiply_batch(x);
  for (std::size_t i = 0; i < x.batch; ++i) {
    const float *a = x.a + i * x.a_batch, *b = x.b + i * x.b_batch;
    float* c = x.c + i * x.m * x.n;
    if (thin)
      multiply_rows(a, x.a_row, x.m, b, x.b_column, x.n, x.k, c, x.n);
    else
      multiply_large(x, a, b, c);
  }
}

void matmul(MatmulPath path, const MatmulArgs& x) { matmul_many(path, {&x, 1}); }

void matmul_many(MatmulPath path, std::span<const MatmulArgs> products) {
  for (const MatmulArgs& x : products) count_multiply_adds(x.batch * x.m * x.n * x.k);
  const bool all = path == MatmulPath::webgpu;
  if ((all || path == MatmulPath::fastest) && gpu::multiply(products, all)) return;
  for (const MatmulArgs& x : products)
    if (path == MatmulPath::reference || (x.k == 0 && !x.accumulate))
      matmul_reference(x);
    else
      matmul_simd(x);
}

std::size_t multiply_adds() { return counted; }

void count_multiply_adds(std::size_t more) { counted += more; }

}  // namespace attn::kernels
