#include "nn/norm.hpp"

#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/norm.hpp"

namespace attn::nn {

LayerNorm::LayerNorm(const Shape& shape) {
  weight.value = Tensor::full(shape, 1.0F);
  bias.value = Tensor::zeros(shape);
}

Var LayerNorm::operator()(const Var& x) {
  return layer_norm(x, x.graph().parameter(weight), x.graph().parameter(bias));
}

void LayerNorm::visit(const std::string& path, const Visitor& f) {
  f(path + ".weight", weight);
  f(path + ".bias", bias);
}

BatchNorm::BatchNorm(std::size_t size)
    : running_mean(Tensor::zeros({size})),
      running_variance(Tensor::full({size}, 1.0F)) {
  weight.value = Tensor::full({size}, 1.0F);
  bias.value = Tensor::zeros({size});
}

Var BatchNorm::operator()(const Var& x) {
  Graph& graph = x.graph();
  const Var gamma = graph.parameter(weight), beta = graph.parameter(bias);
  if (graph.options().training) {
    const Var y = batch_norm(x, gamma, beta);
    move_statistics(x.value());
    return y;
  }
  Tensor scales(running_variance.shape());
  for (std::size_t i = 0; i < scales.size(); ++i)
    scales.data()[i] = 1.0F / std::sqrt(running_variance.data()[i] + kNormEpsilon);
  return (x - graph.constant(running_mean)) * graph.constant(scales) * gamma + beta;
}

void BatchNorm::move_statistics(const Tensor& x) {
  const std::size_t features = running_mean.size(), rows = x.size() / features;
  for (std::size_t f = 0; f < features; ++f) {
    double mean = 0.0, squares = 0.0;
    for (std::size_t r = 0; r < rows; ++r) mean += x.data()[r * features + f];
    mean /= static_cast<double>(rows);
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(x.data()[r * features + f] - mean, 2);
    // As in PyTorch, the running variance is the unbiased one.
    const double variance = rows > 1 ? squares / static_cast<double>(rows - 1) : 0.0;
    const auto move = [this](float& running, double now) { running += momentum * (static_cast<float>(now) - running); };
    move(running_mean.data()[f], mean);
    move(running_variance.data()[f], variance);
  }
}

AddNorm::AddNorm(std::size_t size, float p, NormPlace where, bool with_residual)
    : dropout(p),
      place(where),
      residual(with_residual) {
  if (place != NormPlace::none) ln = LayerNorm(size);
}

namespace {

/// A part of a named step. Its name is only put together for those who look.
Var named_part(const Var& x, const char* name, const char* part) {
  if (!x.graph().naming()) return x;
  return x.graph().name(x, std::string(name) + part, {"batch", "query", "feature"});
}

}  // namespace

Var AddNorm::before(const Var& x, const char* name) {
  return place == NormPlace::pre ? named_part(ln(x), name, ".normed") : x;
}

// [anchor: add_norm]
Var AddNorm::operator()(const Var& x, const Var& y, const char* name) {
  Graph& graph = x.graph();
  const Axes axes = {"batch", "query", "feature"};
  const Var dropped = attn::dropout(y, dropout);
  const Var sum = residual ? x + dropped : dropped;
  if (place != NormPlace::post) return graph.name(sum, name, axes);
  return graph.name(ln(named_part(sum, name, ".sum")), name, axes);
}
// [anchor end]

void AddNorm::visit(const std::string& path, const Visitor& f) {
  if (place != NormPlace::none) ln.visit(path + ".ln", f);
}

}  // namespace attn::nn
