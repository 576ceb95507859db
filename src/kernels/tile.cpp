#include "kernels/tile.hpp"

#include <algorithm>

namespace attn::kernels {
namespace {

/// The first W batches from p on, of the last one only `last` lanes.
template <std::size_t W>
inline void load_row(const float* p, std::size_t last, Batch (&row)[W]) {
  for (std::size_t j = 0; j + 1 < W; ++j) row[j] = load(p + j * kLanes);
  row[W - 1] = last == kLanes ? load(p + (W - 1) * kLanes) : load_partial(p + (W - 1) * kLanes, last);
}

template <std::size_t W>
inline void store_row(float* p, std::size_t last, const Batch (&row)[W]) {
  for (std::size_t j = 0; j + 1 < W; ++j) store(p + j * kLanes, row[j]);
  if (last == kLanes)
    store(p + (W - 1) * kLanes, row[W - 1]);
  else
    store_partial(p + (W - 1) * kLanes, row[W - 1], last);
}

/// What a tile does with one product of a batch.
struct Operands {
  const float *a, *b, *start;
  float* c;
};

/// R rows × W batches of C, `last` of the lanes of the last batch: its sums stay in registers for the whole depth.
/// kByRow: the rows of A are contiguous; otherwise its columns are.
template <std::size_t R, std::size_t W, bool kByRow>
inline void tile_of_one(const Operands& o, std::size_t stride, std::size_t b_row, std::size_t whole, bool rest,
                        std::size_t start_row, std::size_t c_row, std::size_t last) {
  Batch sum[R][W];
  for (std::size_t r = 0; r < R; ++r)
    if (o.start == nullptr)
      for (Batch& s : sum[r]) s = Batch(0.0F);
    else
      load_row(o.start + r * start_row, last, sum[r]);
  const std::size_t next = kByRow ? 1 : stride;
  const float *a = o.a, *row = o.b;
  // Written out here, and not unrolled: from a function, or from several steps, Clang gathers the loads for WebAssembly
  // in front of the multiply-adds, and what they brought waits in memory for lack of registers (half the speed).
#pragma GCC unroll 1
  for (std::size_t k = 0; k < whole; ++k, a += next, row += b_row) {
    Batch b[W];
    for (std::size_t j = 0; j < W; ++j) b[j] = load(row + j * kLanes);
    for (std::size_t r = 0; r < R; ++r) {
      const Batch value(kByRow ? a[r * stride] : a[r]);
      for (std::size_t j = 0; j < W; ++j) sum[r][j] = fma(value, b[j], sum[r][j]);
    }
  }
  if (rest) {  // behind the last row nothing may be read
    Batch b[W];
    load_row(row, last, b);
    for (std::size_t r = 0; r < R; ++r)
      for (std::size_t j = 0; j < W; ++j) sum[r][j] = fma(Batch(kByRow ? a[r * stride] : a[r]), b[j], sum[r][j]);
  }
  for (std::size_t r = 0; r < R; ++r) store_row(o.c + r * c_row, last, sum[r]);
}

/// The same tile of every product of the batch.
template <std::size_t R, std::size_t W, bool kByRow>
void tile(const Product& p, std::size_t last) {
  Operands o{p.a, p.b, p.start, p.c};
  const bool rest = last != kLanes && !p.padded;
  const std::size_t whole = rest ? p.depth - 1 : p.depth, stride = kByRow ? p.a_row : p.a_column;
  const std::size_t b_row = p.b_row, start_row = p.start_row, c_row = p.c_row;
  const std::size_t a_batch = p.a_batch, b_batch = p.b_batch, c_batch = p.c_batch, start_batch = p.start_batch;
  for (std::size_t left = p.batch; left > 0; --left) {
    tile_of_one<R, W, kByRow>(o, stride, b_row, whole, rest, start_row, c_row, last);
    o.a += a_batch;
    o.b += b_batch;
    o.c += c_batch;
    if (o.start != nullptr) o.start += start_batch;
  }
}

using Tile = void (*)(const Product& p, std::size_t last);

// Sums, a row of B and a number of A fit 15 registers (V8 keeps one of the 16 for itself), and 8 or more sums hide how long
// a multiply-add takes.
template <bool kByRow>
Tile tile_for(std::size_t rows, std::size_t batches) {
  static constexpr Tile kOne[] = {tile<1, 1, kByRow>, tile<2, 1, kByRow>,  tile<3, 1, kByRow>, tile<4, 1, kByRow>,
                                  tile<5, 1, kByRow>, tile<6, 1, kByRow>,  tile<7, 1, kByRow>, tile<8, 1, kByRow>,
                                  tile<9, 1, kByRow>, tile<10, 1, kByRow>, tile<11, 1, kByRow>};
  static constexpr Tile kTwo[] = {tile<1, 2, kByRow>, tile<2, 2, kByRow>, tile<3, 2, kByRow>,
                                  tile<4, 2, kByRow>, tile<5, 2, kByRow>, tile<6, 2, kByRow>};
  static constexpr Tile kThree[] = {tile<1, 3, kByRow>, tile<2, 3, kByRow>, tile<3, 3, kByRow>};
  switch (batches) {
    case 1:
      return kOne[rows - 1];
    case 2:
      return kTwo[rows - 1];
    case 3:
      return kThree[rows - 1];
    case 4:
      return rows == 1 ? tile<1, 4, kByRow> : tile<2, 4, kByRow>;
    default:
      return tile<1, 8, kByRow>;
  }
}

std::size_t most_rows(std::size_t batches) {
  constexpr std::size_t kMost[] = {0, 11, 6, 3, 2};
  return batches > 4 ? 1 : kMost[batches];
}

/// All rows of A against one panel of B, in tiles of nearly equal height.
template <bool kByRow>
void multiply_panel(Product p, std::size_t batches) {
  const std::size_t last = p.columns - (batches - 1) * kLanes, most = most_rows(batches);
  for (std::size_t tiles = (p.rows + most - 1) / most; tiles > 0; --tiles) {
    const std::size_t rows = (p.rows + tiles - 1) / tiles;
    tile_for<kByRow>(rows, batches)(p, last);
    p.a += rows * p.a_row;
    p.c += rows * p.c_row;
    if (p.start != nullptr) p.start += rows * p.start_row;
    p.rows -= rows;
  }
}

/// kLanes rows of Y against one x: their dot products, one in a lane.
Batch dots(const float* x, const float* const (&y)[kLanes], std::size_t depth) {
  Batch sum[kLanes];
  for (Batch& s : sum) s = Batch(0.0F);
  std::size_t k = 0;
  for (; k + kLanes <= depth; k += kLanes) {
    const Batch value = load(x + k);
    for (std::size_t i = 0; i < kLanes; ++i) sum[i] = fma(value, load(y[i] + k), sum[i]);
  }
  if (k < depth) {
    const Batch value = load_partial(x + k, depth - k);
    for (std::size_t i = 0; i < kLanes; ++i) sum[i] = fma(value, load_partial(y[i] + k, depth - k), sum[i]);
  }
  return xsimd::haddp(sum);
}

/// out[j · step] = x · row j of Y.
void dot_with_rows(const float* x, const float* y, std::size_t y_row, std::size_t rows, std::size_t depth, float* out,
                   std::size_t step) {
  for (std::size_t j = 0; j < rows; j += kLanes) {
    const std::size_t count = std::min(kLanes, rows - j);
    const float* row[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) row[i] = y + (j + std::min(i, count - 1)) * y_row;
    const Batch sums = dots(x, row, depth);
    if (step == 1 && count == kLanes) {
      store(out + j, sums);
      continue;
    }
    alignas(64) float lanes[kLanes];
    sums.store_aligned(lanes);
    for (std::size_t i = 0; i < count; ++i) out[(j + i) * step] = lanes[i];
  }
}

}  // namespace

std::size_t panel_columns(std::size_t left, std::size_t rows) {
  const std::size_t batches = whole_batches(left);
  std::size_t taken = batches == 3 && rows <= 3 ? 3 : kTileBatches;
  if (rows <= 2 && batches >= 4) taken = 4;
  if (rows == 1 && batches >= 8) taken = 8;
  return std::min(left, taken * kLanes);
}

void multiply_panel(const Product& p) {
  const std::size_t batches = whole_batches(p.columns);
  p.a_column == 1 ? multiply_panel<true>(p, batches) : multiply_panel<false>(p, batches);
}

void multiply(const Product& whole) {
  Product p = whole;
  for (std::size_t j = 0; j < whole.columns; j += p.columns) {
    p.columns = panel_columns(whole.columns - j, p.rows);
    p.b = whole.b + j;
    p.c = whole.c + j;
    p.start = whole.start == nullptr ? nullptr : whole.start + j;
    multiply_panel(p);
  }
}

void multiply_rows(const float* x, std::size_t x_row, std::size_t rows, const float* y, std::size_t y_row,
                   std::size_t columns, std::size_t depth, float* c, std::size_t c_row) {
  if (rows < columns)
    for (std::size_t i = 0; i < rows; ++i) dot_with_rows(x + i * x_row, y, y_row, columns, depth, c + i * c_row, 1);
  else
    for (std::size_t j = 0; j < columns; ++j) dot_with_rows(y + j * y_row, x, x_row, rows, depth, c + j, c_row);
}

}  // namespace attn::kernels
