#pragma once

#include <memory>
#include <vector>

#include "graph/graph.hpp"

namespace attn::train {

using Parameters = std::vector<Parameter*>;

/// √Σ g² over all gradients; where it exceeds `limit`, all gradients are scaled by limit / norm.   (Pascanu et al. 2013)
/// Returns the norm before clipping; not finite if a gradient is not.
double clip_gradients(const Parameters& parameters, double limit);

/// Changes parameters by their gradients, and takes the gradients away.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void step() = 0;
};

/// w -= rate · g.
class Sgd final : public Optimizer {
 public:
  Sgd(Parameters parameters, float rate) : parameters_(std::move(parameters)), rate_(rate) {}
  void step() override;

 private:
  Parameters parameters_;
  float rate_;
};

/// Adam with PyTorch's defaults β = (0.9, 0.999), ε = 1e-8, no weight decay.   (Kingma and Ba 2015, algorithm 1)
class Adam final : public Optimizer {
 public:
  Adam(Parameters parameters, float rate);
  void step() override;

 private:
  struct Moments {
    Tensor m, v;
  };
  Parameters parameters_;
  std::vector<Moments> moments_;
  float rate_;
  int steps_ = 0;
};

}  // namespace attn::train
