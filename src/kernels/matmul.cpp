#include "kernels/matmul.hpp"

#include <algorithm>
#include <vector>

#include "kernels/simd.hpp"

namespace attn::kernels {
namespace {

thread_local std::size_t counted = 0;

// The register tile: 6 rows of A against 2 batches of B leaves room for the operands in 16 registers.
constexpr std::size_t kRows = 6;
constexpr std::size_t kColumns = 2 * kLanes;
// K is cut so that a packed panel of B (kDepth × kColumns) and the strip of A stay in the first cache.
constexpr std::size_t kDepth = 256;

struct Panel {  // one product of the batch, restricted to a range of k
  const float* a;
  const float* b;
  float* c;
  std::size_t m, n, k;
};

/// Packs k × columns of B as rows of kColumns floats, zero beyond `columns`.
void pack_b(const MatmulArgs& x, const float* b, std::size_t k, std::size_t columns, float* out) {
  for (std::size_t p = 0; p < k; ++p, b += x.b_row, out += kColumns) {
    if (x.b_column == 1 && columns == kColumns) {
      store(out, load(b));
      store(out + kLanes, load(b + kLanes));
      continue;
    }
    for (std::size_t j = 0; j < columns; ++j) out[j] = b[j * x.b_column];
    for (std::size_t j = columns; j < kColumns; ++j) out[j] = 0.0F;
  }
}

/// C tile of R rows × kColumns: the sums of k products, held in registers.
template <std::size_t R>
void tile(const float* a, std::size_t a_row, std::size_t a_column, const float* b, std::size_t k, Batch (&sum)[R][2]) {
  for (std::size_t r = 0; r < R; ++r) sum[r][0] = sum[r][1] = Batch(0.0F);
  for (std::size_t p = 0; p < k; ++p, b += kColumns) {
    const Batch b0 = load(b), b1 = load(b + kLanes);
    for (std::size_t r = 0; r < R; ++r) {
      const Batch value(a[r * a_row + p * a_column]);
      sum[r][0] = fma(value, b0, sum[r][0]);
      sum[r][1] = fma(value, b1, sum[r][1]);
    }
  }
}

void write(float* c, const Batch& value, std::size_t columns, bool add) {
  if (columns >= kLanes)
    store(c, add ? load(c) + value : value);
  else if (columns > 0)
    store_partial(c, add ? load_partial(c, columns) + value : value, columns);
}

template <std::size_t R>
void tile_rows(const MatmulArgs& x, const float* a, const float* b, std::size_t k, float* c, std::size_t columns,
               bool add) {
  Batch sum[R][2];
  tile<R>(a, x.a_row, x.a_column, b, k, sum);
  for (std::size_t r = 0; r < R; ++r) {
    write(c + r * x.n, sum[r][0], columns, add);
    write(c + r * x.n + kLanes, sum[r][1], columns > kLanes ? columns - kLanes : 0, add);
  }
}

/// All rows of A against one packed panel of B.
void multiply_panel(const MatmulArgs& x, const Panel& p, const float* packed, std::size_t columns, bool add) {
  std::size_t i = 0;
  for (; i + kRows <= p.m; i += kRows) tile_rows<kRows>(x, p.a + i * x.a_row, packed, p.k, p.c + i * x.n, columns, add);
  const float* a = p.a + i * x.a_row;
  float* c = p.c + i * x.n;
  switch (p.m - i) {
    case 1:
      return tile_rows<1>(x, a, packed, p.k, c, columns, add);
    case 2:
      return tile_rows<2>(x, a, packed, p.k, c, columns, add);
    case 3:
      return tile_rows<3>(x, a, packed, p.k, c, columns, add);
    case 4:
      return tile_rows<4>(x, a, packed, p.k, c, columns, add);
    case 5:
      return tile_rows<5>(x, a, packed, p.k, c, columns, add);
    default:
      return;
  }
}

void multiply_one(const MatmulArgs& x, std::size_t index, float* packed) {
  const float* a = x.a + index * x.a_batch;
  const float* b = x.b + index * x.b_batch;
  float* c = x.c + index * x.m * x.n;
  for (std::size_t from = 0; from < x.k; from += kDepth) {
    const std::size_t depth = std::min(kDepth, x.k - from);
    for (std::size_t j = 0; j < x.n; j += kColumns) {
      const std::size_t columns = std::min(kColumns, x.n - j);
      pack_b(x, b + from * x.b_row + j * x.b_column, depth, columns, packed);
      multiply_panel(x, {a + from * x.a_column, b, c + j, x.m, x.n, depth}, packed, columns, x.accumulate || from > 0);
    }
  }
}

}  // namespace

void matmul_reference(const MatmulArgs& x) {
  for (std::size_t i = 0; i < x.batch; ++i)
    for (std::size_t row = 0; row < x.m; ++row)
      for (std::size_t column = 0; column < x.n; ++column) {
        const float* a = x.a + i * x.a_batch + row * x.a_row;
        const float* b = x.b + i * x.b_batch + column * x.b_column;
        float sum = 0.0F;
        for (std::size_t p = 0; p < x.k; ++p) sum += a[p * x.a_column] * b[p * x.b_row];
        float& c = x.c[(i * x.m + row) * x.n + column];
        c = x.accumulate ? c + sum : sum;
      }
}

void matmul_simd(const MatmulArgs& x) {
  alignas(64) thread_local float packed[kDepth * kColumns];
  for (std::size_t i = 0; i < x.batch; ++i) multiply_one(x, i, packed);
}

void matmul(MatmulPath path, const MatmulArgs& x) {
  count_multiply_adds(x.batch * x.m * x.n * x.k);
  if (x.k == 0 && !x.accumulate) std::fill_n(x.c, x.batch * x.m * x.n, 0.0F);
  if (path == MatmulPath::reference)
    matmul_reference(x);
  else
    matmul_simd(x);
}

std::size_t multiply_adds() { return counted; }

void count_multiply_adds(std::size_t more) { counted += more; }

}  // namespace attn::kernels
