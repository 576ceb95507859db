#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "kernels/adam.hpp"

namespace attn::train {

using Parameters = std::vector<Parameter*>;

/// √Σ g² over all gradients, in double; not finite if a gradient is not.
double gradient_norm(std::span<const Tensor> gradients);

/// What all gradients are multiplied by, so that their norm is at most `limit`: limit / max(limit, norm).
///                                                                                        (Pascanu et al. 2013)
double clip_factor(double limit, double norm);

/// Clips the gradients of parameters to the limit. Returns the norm before; gradients that are not finite are left alone.
double clip_gradients(const Parameters& parameters, double limit);

/// A parameter in a recorded graph: its value, and the gradient to learn from, both nodes.
struct Change {
  const Parameter* parameter;
  Var weight, gradient;
};

/// Changes parameters by their gradients, and takes the gradients away.
class Optimizer {
 public:
  explicit Optimizer(Parameters parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  virtual void step() = 0;
  /// The coming step as nodes of a recorded graph, each of which explains itself; nothing is changed.
  /// Records, in the scope of each parameter's path: value, and what leads to it.
  virtual void record(Graph& graph, const std::vector<Change>& changes) const = 0;

  /// Whether a step depends on the steps before it.
  virtual bool remembers() const { return false; }
  /// What it remembers, for checkpoints.
  struct Memory {
    int steps = 0;
    std::map<std::string, Tensor> tensors;  // by name; handles: copy what is to last
  };
  virtual Memory memory() const { return {}; }
  /// Copies it back. The tensors must be those that memory() gives, by name and shape.
  virtual void restore(const Memory&) {}
  /// Throws DataError for values that it could not have come to.
  virtual void check(const Memory&) const {}

 protected:
  Parameters parameters_;
};

/// w -= rate · g. It remembers nothing.
class Sgd final : public Optimizer {
 public:
  Sgd(Parameters parameters, float rate) : Optimizer(std::move(parameters)), rate_(rate) {}
  void step() override;
  void record(Graph& graph, const std::vector<Change>& changes) const override;

 private:
  float rate_;
};

/// Adam with PyTorch's defaults, no weight decay.   (Kingma and Ba 2015, algorithm 1)
class Adam final : public Optimizer {
 public:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

  Adam(Parameters parameters, float rate);
  void step() override;
  /// Records besides: t [], correction1 [] and correction2 [] (1 − βᵗ) of all; of each parameter m_before, v_before, m, v,
  /// m_hat and v_hat, all shaped as it.
  void record(Graph& graph, const std::vector<Change>& changes) const override;
  bool remembers() const override { return true; }
  /// "m.<path>" and "v.<path>" of every parameter.
  Memory memory() const override;
  void restore(const Memory& memory) override;
  void check(const Memory& memory) const override;

 private:
  struct Moments {
    Tensor m, v;
  };
  kernels::AdamStep coming() const { return {rate_, kBeta1, kBeta2, kEpsilon, steps_ + 1}; }
  const Moments& moments_of(const Parameter& parameter) const;

  std::vector<Moments> moments_;
  float rate_;
  int steps_ = 0;
};

/// "adam" or "sgd". Throws ConfigError for another name.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, Parameters parameters, float rate);
const std::vector<std::string>& optimizers();

}  // namespace attn::train
