#include "nn/linear.hpp"

#include <cmath>

#include "ops/embedding.hpp"
#include "ops/matmul.hpp"

namespace attn::nn {

Linear::Linear(std::size_t in, std::size_t out, bool with_bias, Rng& rng) {
  weight.value = xavier_uniform(out, in, rng);
  if (with_bias) bias.value = uniform({out}, 1.0F / std::sqrt(static_cast<float>(in)), rng);
}

Var Linear::operator()(const Var& x) {
  Graph& graph = x.graph();
  return linear(x, graph.parameter(weight), bias.value ? graph.parameter(bias) : Var());
}

Vars at_once(std::initializer_list<LinearCall> calls) {
  List<LinearOperands> operands;
  for (const auto& [layer, x] : calls) {
    Graph& graph = x.graph();
    operands.push_back({x, graph.parameter(layer.weight), layer.bias.value ? graph.parameter(layer.bias) : Var()});
  }
  return linear_many(operands);
}

void Linear::visit(const std::string& path, const Visitor& f) {
  f(path + ".weight", weight);
  if (bias.value) f(path + ".bias", bias);
}

Embedding::Embedding(std::size_t vocabulary, std::size_t size, Rng& rng) {
  weight.value = Tensor({vocabulary, size});
  rng.fill_normal(weight.value);
}

Var Embedding::operator()(const Var& ids) { return embedding(ids, ids.graph().parameter(weight)); }

void Embedding::visit(const std::string& path, const Visitor& f) { f(path + ".weight", weight); }

}  // namespace attn::nn
