#include "nn/gru.hpp"

#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/functions.hpp"
#include "ops/gru.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"

namespace attn::nn {
namespace {

/// The step in elementary ops, each with its name.
Var composed_step(const Var& projected, const Var& from_hidden, const Var& hidden) {
  Graph& graph = hidden.graph();
  const std::size_t size = hidden.size(1);
  const auto gate = [size](const Var& gates, std::size_t k) { return slice(gates, 1, k * size, size); };
  const auto named = [&graph](const Var& x, const char* name) { return graph.name(x, name, {"batch", "hidden"}); };
  const Var reset = named(sigmoid(gate(projected, 0) + gate(from_hidden, 0)), "reset");
  const Var update = named(sigmoid(gate(projected, 1) + gate(from_hidden, 1)), "update");
  const Var candidate = named(tanh(gate(projected, 2) + reset * gate(from_hidden, 2)), "candidate");
  return named(candidate + update * (hidden - candidate), "state");  // (1 - z) n + z h
}

}  // namespace

GRULayer::GRULayer(std::size_t in, std::size_t hidden, Rng& rng) {
  const float bound = 1.0F / std::sqrt(static_cast<float>(hidden));
  weight_ih.value = xavier_uniform(3 * hidden, in, rng);
  weight_hh.value = xavier_uniform(3 * hidden, hidden, rng);
  bias_ih.value = uniform({3 * hidden}, bound, rng);
  bias_hh.value = uniform({3 * hidden}, bound, rng);
}

Var GRULayer::project(const Var& x) {
  Graph& graph = x.graph();
  return linear(x, graph.parameter(weight_ih), graph.parameter(bias_ih));
}

Var GRULayer::step(const Var& projected, const Var& hidden) {
  Graph& graph = hidden.graph();
  const Var from_hidden = linear(hidden, graph.parameter(weight_hh), graph.parameter(bias_hh));
  return graph.naming() ? composed_step(projected, from_hidden, hidden) : gru_gates(projected, from_hidden, hidden);
}

GRU::GRU(std::size_t in, std::size_t hidden, std::size_t count, float p, Rng& rng) : dropout(p) {
  for (std::size_t i = 0; i < count; ++i) layers.emplace_back(i == 0 ? in : hidden, hidden, rng);
}

GRU::State GRU::zero_state(Graph& graph, std::size_t batch) const {
  State state;
  for (const GRULayer& layer : layers) state.push_back(graph.constant(Tensor::zeros({batch, layer.hidden_size()})));
  return state;
}

Var GRU::step(const Var& x, State& state) {
  Var top = x;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto scope = x.graph().scope(std::to_string(i));
    if (i > 0) top = attn::dropout(top, dropout);
    top = state[i] = layers[i].step(layers[i].project(top), state[i]);
  }
  return top;
}

Vars GRU::sequence(const Var& x, State& state, const char* axis) {
  Graph& graph = x.graph();
  Vars outputs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto scope = graph.scope(std::to_string(i));
    const Var projected = layers[i].project(i == 0 ? x : attn::dropout(outputs.back(), dropout));
    Vars steps;
    for (std::size_t t = 0; t < x.size(1); ++t) {
      const auto turn = graph.turn(axis, static_cast<int>(t));
      steps.push_back(state[i] = layers[i].step(select(projected, 1, t), state[i]));
    }
    outputs.push_back(graph.name(stack(steps, 1), "hidden", {"batch", axis, "hidden"}));
  }
  return outputs;
}

void GRU::visit(const std::string& path, const Visitor& f) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string layer = "_l" + std::to_string(i);
    f(path + ".weight_ih" + layer, layers[i].weight_ih);
    f(path + ".weight_hh" + layer, layers[i].weight_hh);
    f(path + ".bias_ih" + layer, layers[i].bias_ih);
    f(path + ".bias_hh" + layer, layers[i].bias_hh);
  }
}

}  // namespace attn::nn
