#include "nn/positions.hpp"

#include <algorithm>
#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/embedding.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"

namespace attn::nn {

// [anchor: sinusoids]
Tensor sinusoids(std::size_t first, std::size_t count, std::size_t width) {
  Tensor out({count, width});
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t column = 0; column < width; ++column) {
      const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(width);
      const double angle = static_cast<double>(first + i) / std::pow(10000.0, exponent);
      out.data()[i * width + column] = static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return out;
}
// [anchor end]

PositionalEncoding::PositionalEncoding(PositionKind k, bool join, std::size_t longest, std::size_t size, float p,
                                       Rng& rng)
    : kind(k),
      joined(join),
      dropout(p) {
  if (kind != PositionKind::learned) return;
  weight.value = Tensor({longest, size});
  rng.fill_normal(weight.value, std::sqrt(0.5F));  // as large as the sinusoids are on average
}

Var PositionalEncoding::positions(Graph& graph, std::size_t first, std::size_t count, std::size_t width) {
  if (kind == PositionKind::learned) {
    if (first + count > weight.value.size(0))
      throw ShapeError("positions: " + std::to_string(weight.value.size(0)) + " were learned, position " +
                       std::to_string(first + count - 1) + " is asked for");
    return slice(graph.parameter(weight), 0, first, count);
  }
  if (!table_ || table_.size(0) < first + count || table_.size(1) != width)
    table_ = sinusoids(0, std::max<std::size_t>(2 * (first + count), 32), width);
  Tensor rows({count, width});
  std::copy_n(table_.data() + first * width, count * width, rows.data());
  return graph.constant(std::move(rows));
}

Var PositionalEncoding::operator()(const Var& x, std::size_t first) {
  if (kind == PositionKind::none) return attn::dropout(x, dropout);
  Graph& graph = x.graph();
  const std::size_t batch = x.size(0), count = x.size(1), width = x.size(2);
  const Var p = graph.name(positions(graph, first, count, width), "positions", {"query", "feature"});
  if (!joined) return attn::dropout(x + p, dropout);
  const Var repeated = graph.constant(Tensor::zeros({batch, count, width})) + p;
  return attn::dropout(concat({x, repeated}, 2), dropout);
}

void PositionalEncoding::visit(const std::string& path, const Visitor& f) {
  if (kind == PositionKind::learned) f(path + ".weight", weight);
}

RelativePositions::RelativePositions(RelativeKind k, std::size_t r, std::size_t head_size, std::size_t heads, Rng& rng)
    : kind(k),
      reach(r) {
  if (kind == RelativeKind::none) return;
  weight.value = xavier_uniform(2 * reach + 1, kind == RelativeKind::clipped ? head_size : heads, rng);
}

namespace {

/// The row of the table for each query and key: [Tq, Tk].
Tensor distances(std::size_t first, std::size_t queries, std::size_t keys, std::size_t reach) {
  const auto limit = static_cast<std::ptrdiff_t>(reach);
  Tensor out({queries, keys});
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = 0; j < keys; ++j) {
      const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(first + i);
      out.data()[i * keys + j] = static_cast<float>(limit + std::clamp(distance, -limit, limit));
    }
  return out;
}

}  // namespace

Var RelativePositions::scores(const Var& queries, std::size_t first, std::size_t keys) {
  Graph& graph = queries.graph();
  const std::size_t batch = queries.size(0), heads = queries.size(1), count = queries.size(2), size = queries.size(3);
  const Var rows = embedding(graph.constant(distances(first, count, keys, reach)), graph.parameter(weight));
  if (kind == RelativeKind::bias) return transpose(rows, {2, 0, 1});
  // All heads and examples of one query meet the same vectors: [Tq, B H, D] x [Tq, Tk, D]ᵀ.
  const Var by_query = reshape(transpose(queries, {2, 0, 1, 3}), {count, batch * heads, size});
  const Var products = transpose(matmul_transposed(by_query, rows), {1, 0, 2});
  const Var by_head = reshape(products, {batch, heads, count, keys});
  return scaled ? scale(by_head, 1.0F / std::sqrt(static_cast<float>(size)), "1/√d") : by_head;
}

void RelativePositions::visit(const std::string& path, const Visitor& f) {
  if (kind != RelativeKind::none) f(path + ".weight", weight);
}

}  // namespace attn::nn
