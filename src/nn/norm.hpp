#pragma once

#include "nn/module.hpp"

namespace attn::nn {

/// Layer normalisation of the last axis; γ begins at 1, β at 0. See ops/norm.hpp.
struct LayerNorm {
  Parameter weight;  // γ [C]
  Parameter bias;    // β [C]

  LayerNorm() = default;
  explicit LayerNorm(std::size_t size) : LayerNorm(Shape{size}) {}
  /// Over several axes, as the book's demo has it: [T, C] mixes positions (fault B20).
  explicit LayerNorm(const Shape& shape);
  Var operator()(const Var& x);
  void visit(const std::string& path, const Visitor& f);
};

/// Batch normalisation of each feature: in training by the batch's own statistics, which also move the running ones;
/// otherwise by the running ones.                                     (Ioffe and Szegedy 2015; momentum as in PyTorch)
struct BatchNorm {
  Parameter weight;  // γ [C]
  Parameter bias;    // β [C]
  Tensor running_mean, running_variance;
  float momentum = 0.1F;

  explicit BatchNorm(std::size_t size);
  /// [..., C] -> [..., C].
  Var operator()(const Var& x);

 private:
  void move_statistics(const Tensor& x);
};

/// Where the norm of a sub-layer stands: behind the sum (Vaswani et al. 2017, the book's), before the sub-layer
/// (Xiong et al. 2020), or nowhere.
enum class NormPlace { post, pre, none };

/// What joins a sub-layer to its input: residual connection, dropout, layer norm.   (Vaswani et al. 2017, section 3.1)
///   post: LN(x + dropout(f(x)))      pre: x + dropout(f(LN(x)))      none: x + dropout(f(x))
struct AddNorm {
  LayerNorm ln;
  float dropout = 0.0F;
  NormPlace place = NormPlace::post;
  bool residual = true;  // false: without the x, to see what it is good for

  AddNorm() = default;
  AddNorm(std::size_t size, float dropout, NormPlace place, bool residual);
  /// What the sub-layer reads. Records (pre): <name>.normed [B, T, C].
  Var before(const Var& x, const char* name);
  /// x and f(...) joined. Throws ShapeError if they differ. Records: <name>.sum (post), <name>, each [B, T, C].
  Var operator()(const Var& x, const Var& y, const char* name);
  void visit(const std::string& path, const Visitor& f);
};

}  // namespace attn::nn
