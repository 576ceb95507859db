#pragma once

#include "models/model.hpp"

namespace attn::models {

/// Pairs as ids, in batches.
class TranslationData {
 public:
  struct Options {
    std::size_t batch_size, num_steps;
    std::size_t min_frequency = 1;
    bool trimmed = true;  // to the longest sentence of the batch; else padded to num_steps
    bool book_text = false;
  };
  /// With vocabularies of its own.
  TranslationData(const Options& options, text::Pairs pairs);
  /// With given ones.
  TranslationData(const Options& options, text::Pairs pairs, const Vocabularies& vocabularies);

  struct Batch {
    Tensor source, source_lengths;  // [B, Tk], [B]
    Tensor target_in, target_out;   // [B, T]: <bos> y_1 … and y_1 … <eos>
    Tensor mask;                    // [B, T]: 1 on words, 0 on padding
    double tokens;
  };
  std::size_t batches() const;
  void shuffle(Rng& rng) { rng.shuffle(std::span(order_)); }
  Batch batch(std::size_t index) const;
  /// The pair in a row of a batch.
  const text::Pair& pair(std::size_t batch, std::size_t row) const {
    return pairs_.pairs[order_[batch * options_.batch_size + row]];
  }
  /// The order in which batches take the pairs.
  const std::vector<std::size_t>& order() const { return order_; }
  void set_order(std::vector<std::size_t> order) { order_ = std::move(order); }
  const text::Pairs& pairs() const { return pairs_; }
  const Vocabularies& vocabularies() const { return vocabularies_; }

 private:
  struct Example {
    std::vector<int> source, target;
  };
  Options options_;
  text::Pairs pairs_;
  Vocabularies vocabularies_;
  std::vector<Example> examples_;
  std::vector<std::size_t> order_;
};

/// Writes the ids at the beginning of a row of [rows, columns].
void fill_row(Tensor& tensor, std::size_t row, std::span<const int> ids);

}  // namespace attn::models
