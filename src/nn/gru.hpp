#pragma once

#include <vector>

#include "nn/module.hpp"

namespace attn::nn {

/// One layer of gated recurrent units, PyTorch's equations with two biases, gates stacked r, z, n (Cho et al. 2014):
///   r = σ(W_ir x + b_ir + W_hr h + b_hr)        z = σ(W_iz x + b_iz + W_hz h + b_hz)
///   n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))        h' = (1 − z) ⊙ n + z ⊙ h
struct GRULayer {
  Parameter weight_ih;  // [3H, in]
  Parameter weight_hh;  // [3H, H]
  Parameter bias_ih;    // [3H]
  Parameter bias_hh;    // [3H]

  GRULayer() = default;
  GRULayer(std::size_t in, std::size_t hidden, Rng& rng);
  std::size_t hidden_size() const { return weight_hh.value.size(1); }

  /// W_i x + b_i: [..., in] -> [..., 3H], for all steps at once where they are known.
  Var project(const Var& x);
  /// One step: projected [B, 3H], hidden [B, H] -> [B, H].
  /// Records (composed form): reset, update, candidate, state, each [B, H].
  Var step(const Var& projected, const Var& hidden);
};

/// A stack of layers; dropout acts between layers, not behind the last.
struct GRU {
  std::vector<GRULayer> layers;
  float dropout = 0.0F;

  /// The hidden state of each layer, [B, H].
  using State = Vars;

  GRU() = default;
  GRU(std::size_t in, std::size_t hidden, std::size_t layers, float dropout, Rng& rng);

  State zero_state(Graph& graph, std::size_t batch) const;
  /// One step through all layers: x [B, in] -> top hidden state [B, H]; the state is replaced.
  /// Records under "<layer>": what GRULayer::step records.
  Var step(const Var& x, State& state);
  /// All steps of a sequence: x [B, T, in] -> hidden states of each layer, [B, T, H], the top one last; the state becomes
  /// that after the last step. Steps are turns of a loop along `axis`.
  /// Records under "<layer>": what GRULayer::step records, and hidden [B, T, H].
  Vars sequence(const Var& x, State& state, const char* axis);
  void visit(const std::string& path, const Visitor& f);
};

}  // namespace attn::nn
