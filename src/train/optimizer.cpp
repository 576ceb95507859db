#include "train/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/reduce.hpp"

namespace attn::train {
namespace {

/// A parameter that another tensor shares (a kept copy, a graph's leaf) is written into a buffer of its own.
float* writable(Tensor& value) {
  if (!value.unique()) value = value.copy();
  return value.data();
}

}  // namespace

double gradient_norm(std::span<const Tensor> gradients) {
  double squares = 0.0;
  for (const Tensor& g : gradients) squares += kernels::sum_of_squares(g.data(), g.size());
  return std::sqrt(squares);
}

double clip_factor(double limit, double norm) { return limit / std::max(limit, norm); }

double clip_gradients(const Parameters& parameters, double limit) {
  List<Tensor> gradients;  // handles
  for (const Parameter* p : parameters)
    if (p->gradient) gradients.push_back(p->gradient);
  const double norm = gradient_norm(gradients);
  if (norm > limit && std::isfinite(norm))
    for (Tensor& g : gradients) kernels::scale(static_cast<float>(clip_factor(limit, norm)), g.data(), g.size());
  return norm;
}

void Sgd::step() {
  for (Parameter* p : parameters_) {
    if (p->gradient) kernels::add_scaled(-rate_, p->gradient.data(), writable(p->value), p->value.size());
    p->gradient = {};
  }
}

Adam::Adam(Parameters parameters, float rate) : Optimizer(std::move(parameters)), rate_(rate) {
  for (const Parameter* p : parameters_)
    moments_.push_back({Tensor::zeros(p->value.shape()), Tensor::zeros(p->value.shape())});
}

void Adam::step() {
  const kernels::AdamStep step = coming();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = *parameters_[i];
    if (p.gradient)
      kernels::adam(step, p.gradient.data(), moments_[i].m.data(), moments_[i].v.data(), writable(p.value),
                    p.value.size());
    p.gradient = {};
  }
  ++steps_;
}

const Adam::Moments& Adam::moments_of(const Parameter& parameter) const {
  const auto found = std::ranges::find(parameters_, &parameter);
  if (found == parameters_.end()) throw Error("adam: it does not learn " + parameter.name);
  return moments_[static_cast<std::size_t>(found - parameters_.begin())];
}

Optimizer::Memory Adam::memory() const {
  Memory out{steps_, {}};
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    out.tensors["m." + parameters_[i]->name] = moments_[i].m;
    out.tensors["v." + parameters_[i]->name] = moments_[i].v;
  }
  return out;
}

void Adam::restore(const Memory& memory) {
  steps_ = memory.steps;
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    moments_[i].m = memory.tensors.at("m." + parameters_[i]->name).copy();
    moments_[i].v = memory.tensors.at("v." + parameters_[i]->name).copy();
  }
}

void Adam::check(const Memory& memory) const {
  for (const auto& [name, tensor] : memory.tensors)
    if (name.starts_with("v.") && std::ranges::any_of(tensor.values(), [](float x) { return !(x >= 0.0F); }))
      throw DataError("its " + name + " holds a mean of squares under 0");
}

const std::vector<std::string>& optimizers() {
  static const std::vector<std::string> names = {"adam", "sgd"};
  return names;
}

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, Parameters parameters, float rate) {
  if (name == "adam") return std::make_unique<Adam>(std::move(parameters), rate);
  if (name == "sgd") return std::make_unique<Sgd>(std::move(parameters), rate);
  throw ConfigError("there is no optimiser \"" + name + "\"; there are adam and sgd");
}

}  // namespace attn::train
