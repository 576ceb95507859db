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
    Tensor words, wanted;           // [N], of every word that is no padding: its place among the B · T, and itself
    double tokens = 0.0;
  };
  std::size_t batches() const;
  void shuffle(Rng& rng) { rng.shuffle(std::span(order_)); }
  Batch batch(std::size_t index) const;
  /// A batch in parts of sentences of about the same length: the same words with less padding, where that pays.
  List<Batch> parts(std::size_t index) const;
  /// The pair in a row of a batch.
  const text::Pair& pair(std::size_t batch, std::size_t row) const {
    return pairs_.pairs[order_[batch * options_.batch_size + row]];
  }
  /// The order in which batches take the pairs.
  const std::vector<std::size_t>& order() const { return order_; }
  void set_order(std::vector<std::size_t> order) { order_ = std::move(order); }
  const text::Pairs& pairs() const { return pairs_; }
  const Vocabularies& vocabularies() const { return vocabularies_; }
  const Reading& reading() const { return reading_; }

 private:
  struct Example {
    std::vector<int> source, target;
  };
  Batch gather(std::span<const std::size_t> examples) const;
  std::span<const std::size_t> examples_of(std::size_t batch) const;
  /// Steps of the nets for a part that ends with this example, when they are in order of it.
  std::size_t steps(std::size_t example) const;
  Options options_;
  text::Pairs pairs_;
  Vocabularies vocabularies_;
  std::vector<Example> examples_;
  std::vector<std::size_t> order_;
  Reading reading_;
};

/// Writes the ids at the beginning of a row of [rows, columns].
void fill_row(Tensor& tensor, std::size_t row, std::span<const int> ids);

}  // namespace attn::models
