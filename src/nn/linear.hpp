#pragma once

#include "nn/module.hpp"

namespace attn::nn {

/// y = x Wᵀ + b: [..., in] -> [..., out]. W is drawn xavier-uniform, b from U(±1/√in), as the chapter's recipe has it.
struct Linear {
  Parameter weight;  // [out, in]
  Parameter bias;    // [out], or empty

  Linear() = default;
  Linear(std::size_t in, std::size_t out, bool with_bias, Rng& rng);
  Var operator()(const Var& x);
  void visit(const std::string& path, const Visitor& f);
};

/// Several layers at once, none of which reads what another gives: their products go together (ops/matmul.hpp, linear_many).
struct LinearCall {
  Linear& layer;
  const Var& x;
};
Vars at_once(std::initializer_list<LinearCall> calls);

/// Rows of a table: ids [...] -> [..., size]. Drawn from N(0, 1), PyTorch's default.
struct Embedding {
  Parameter weight;  // [vocabulary, size]

  Embedding() = default;
  Embedding(std::size_t vocabulary, std::size_t size, Rng& rng);
  Var operator()(const Var& ids);
  void visit(const std::string& path, const Visitor& f);
};

}  // namespace attn::nn
