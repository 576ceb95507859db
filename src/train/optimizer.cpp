#include "train/optimizer.hpp"

#include <cmath>

#include "kernels/adam.hpp"
#include "kernels/reduce.hpp"

namespace attn::train {
namespace {

/// A parameter that another tensor shares (a kept copy, a graph's leaf) is written into a buffer of its own.
float* writable(Tensor& value) {
  if (!value.unique()) value = value.copy();
  return value.data();
}

}  // namespace

double clip_gradients(const Parameters& parameters, double limit) {
  double squares = 0.0;
  for (const Parameter* p : parameters)
    if (p->gradient) squares += kernels::sum_of_squares(p->gradient.data(), p->gradient.size());
  const double norm = std::sqrt(squares);
  if (norm > limit && std::isfinite(norm))
    for (Parameter* p : parameters)
      if (p->gradient) kernels::scale(static_cast<float>(limit / norm), p->gradient.data(), p->gradient.size());
  return norm;
}

void Sgd::step() {
  for (Parameter* p : parameters_) {
    if (p->gradient) kernels::add_scaled(-rate_, p->gradient.data(), writable(p->value), p->value.size());
    p->gradient = {};
  }
}

Adam::Adam(Parameters parameters, float rate) : parameters_(std::move(parameters)), rate_(rate) {
  for (const Parameter* p : parameters_)
    moments_.push_back({Tensor::zeros(p->value.shape()), Tensor::zeros(p->value.shape())});
}

void Adam::step() {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
  ++steps_;
  const kernels::AdamStep step{rate_,
                               static_cast<float>(kBeta1),
                               static_cast<float>(kBeta2),
                               1e-8F,
                               static_cast<float>(1.0 - std::pow(kBeta1, steps_)),
                               static_cast<float>(1.0 - std::pow(kBeta2, steps_))};
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = *parameters_[i];
    if (p.gradient)
      kernels::adam(step, p.gradient.data(), moments_[i].m.data(), moments_[i].v.data(), writable(p.value),
                    p.value.size());
    p.gradient = {};
  }
}

}  // namespace attn::train
