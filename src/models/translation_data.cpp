#include "models/translation_data.hpp"

#include <algorithm>
#include <numeric>

namespace attn::models {

using text::Vocabulary;

namespace {

Vocabularies vocabularies_of(const text::Pairs& pairs, std::size_t min_frequency) {
  std::vector<const text::Tokens*> source, target;
  for (const text::Pair& pair : pairs.pairs) {
    source.push_back(&pair.source);
    target.push_back(&pair.target);
  }
  return {Vocabulary(source, min_frequency), Vocabulary(target, min_frequency)};
}

}  // namespace

void fill_row(Tensor& tensor, std::size_t row, std::span<const int> ids) {
  std::ranges::copy(ids, tensor.data() + row * tensor.size(1));
}

TranslationData::TranslationData(const Options& options, text::Pairs pairs)
    : TranslationData(options, pairs, vocabularies_of(pairs, options.min_frequency)) {}

TranslationData::TranslationData(const Options& options, text::Pairs pairs, const Vocabularies& vocabularies)
    : options_(options),
      pairs_(std::move(pairs)),
      vocabularies_(vocabularies),
      order_(pairs_.pairs.size()) {
  const auto ids = [&options](const text::Tokens& tokens, const Vocabulary& vocabulary) {
    return text::encode(tokens, vocabulary, options.num_steps, options.book_text).ids;
  };
  for (const text::Pair& pair : pairs_.pairs)
    examples_.push_back({ids(pair.source, vocabularies_.source), ids(pair.target, vocabularies_.target)});
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

std::size_t TranslationData::batches() const { return (order_.size() + options_.batch_size - 1) / options_.batch_size; }

TranslationData::Batch TranslationData::batch(std::size_t index) const {
  const std::size_t first = index * options_.batch_size, size = std::min(options_.batch_size, order_.size() - first);
  std::size_t source_steps = options_.trimmed ? 1 : options_.num_steps, target_steps = source_steps;
  for (std::size_t i = 0; i < size; ++i) {
    source_steps = std::max(source_steps, examples_[order_[first + i]].source.size());
    target_steps = std::max(target_steps, examples_[order_[first + i]].target.size());
  }
  Batch out{Tensor::full({size, source_steps}, Vocabulary::kPad),
            Tensor({size}),
            Tensor::full({size, target_steps}, Vocabulary::kPad),
            Tensor::full({size, target_steps}, Vocabulary::kPad),
            Tensor::zeros({size, target_steps}),
            0.0};
  for (std::size_t i = 0; i < size; ++i) {
    const auto& [source, target] = examples_[order_[first + i]];
    fill_row(out.source, i, source);
    fill_row(out.target_out, i, target);
    std::vector<int> shifted = {Vocabulary::kBegin};
    shifted.insert(shifted.end(), target.begin(), target.end());
    shifted.resize(std::min(shifted.size(), target_steps));
    fill_row(out.target_in, i, shifted);
    std::fill_n(out.mask.data() + i * target_steps, target.size(), 1.0F);
    out.source_lengths.data()[i] = static_cast<float>(source.size());
    out.tokens += static_cast<double>(target.size());
  }
  return out;
}

}  // namespace attn::models
