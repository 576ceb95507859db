#include "models/translation_data.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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
  const auto encoded = [&options](const text::Tokens& tokens, const Vocabulary& vocabulary) {
    return text::encode(tokens, vocabulary, options.num_steps, options.book_text);
  };
  double words[2] = {0, 0}, unknown[2] = {0, 0};  // of source and target
  for (const text::Pair& pair : pairs_.pairs) {
    text::Encoded both[2] = {encoded(pair.source, vocabularies_.source), encoded(pair.target, vocabularies_.target)};
    for (std::size_t side = 0; side < 2; ++side) {
      words[side] +=
          static_cast<double>(std::ranges::count_if(both[side].ids, [](int id) { return id != Vocabulary::kEnd; }));
      unknown[side] += static_cast<double>(std::ranges::count(both[side].ids, Vocabulary::kUnknown));
    }
    reading_.cut += both[0].cut > 0 || both[1].cut > 0 ? 1 : 0;
    examples_.push_back({std::move(both[0].ids), std::move(both[1].ids)});
  }
  reading_.unknown_source = unknown[0] / std::max(words[0], 1.0);
  reading_.unknown_target = unknown[1] / std::max(words[1], 1.0);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

std::size_t TranslationData::batches() const { return (order_.size() + options_.batch_size - 1) / options_.batch_size; }

namespace {

/// Places and words of what is no padding.
void list_words(TranslationData::Batch& batch) {
  batch.words = Tensor({static_cast<std::size_t>(batch.tokens)});
  batch.wanted = Tensor(batch.words.shape());
  float *place = batch.words.data(), *word = batch.wanted.data();
  for (std::size_t i = 0; i < batch.mask.size(); ++i)
    if (batch.mask.values()[i] != 0.0F) {
      *place++ = static_cast<float>(i);
      *word++ = batch.target_out.values()[i];
    }
}

}  // namespace

std::span<const std::size_t> TranslationData::examples_of(std::size_t batch) const {
  const std::size_t first = batch * options_.batch_size;
  return std::span(order_).subspan(first, std::min(options_.batch_size, order_.size() - first));
}

TranslationData::Batch TranslationData::batch(std::size_t index) const { return gather(examples_of(index)); }

TranslationData::Batch TranslationData::gather(std::span<const std::size_t> examples) const {
  const std::size_t size = examples.size();
  std::size_t source_steps = options_.trimmed ? 1 : options_.num_steps, target_steps = source_steps;
  for (const std::size_t i : examples) {
    source_steps = std::max(source_steps, examples_[i].source.size());
    target_steps = std::max(target_steps, examples_[i].target.size());
  }
  Batch out;
  out.source = Tensor::full({size, source_steps}, Vocabulary::kPad);
  out.source_lengths = Tensor({size});
  out.target_out = Tensor::full({size, target_steps}, Vocabulary::kPad);
  out.target_in = Tensor::full({size, target_steps}, Vocabulary::kPad);
  out.mask = Tensor::zeros({size, target_steps});
  for (std::size_t i = 0; i < size; ++i) {
    const auto& [source, target] = examples_[examples[i]];
    fill_row(out.source, i, source);
    fill_row(out.target_out, i, target);
    out.target_in.data()[i * target_steps] = Vocabulary::kBegin;
    std::copy_n(target.begin(), std::min(target.size(), target_steps - 1), out.target_in.data() + i * target_steps + 1);
    std::fill_n(out.mask.data() + i * target_steps, target.size(), 1.0F);
    out.source_lengths.data()[i] = static_cast<float>(source.size());
    out.tokens += static_cast<double>(target.size());
  }
  list_words(out);
  return out;
}

// ---- parts of about the same length

std::size_t TranslationData::steps(std::size_t example) const {
  return examples_[example].source.size() +
         2 * examples_[example].target.size();  // a decoder does about twice the work
}

namespace {

/// Where to cut a list of falling lengths so that the parts cost least, the longest sentence counting for all of its part;
/// a part costs as much as kOverhead sentences more. Returns the end of each part, the last one first.
List<std::size_t> cheapest_cuts(const List<std::size_t>& lengths) {
  constexpr std::size_t kOverhead = 12;
  const std::size_t n = lengths.size();
  List<std::size_t> cost(n + 1, 0), from(n + 1, 0);  // of the first n sentences, and where their last part begins
  for (std::size_t end = 1; end <= n; ++end) {
    cost[end] = std::numeric_limits<std::size_t>::max();
    for (std::size_t begin = 0; begin < end; ++begin) {
      const std::size_t all = cost[begin] + lengths[begin] * (end - begin + kOverhead);
      if (all < cost[end]) cost[end] = all, from[end] = begin;
    }
  }
  List<std::size_t> ends;
  for (std::size_t end = n; end > 0; end = from[end]) ends.push_back(end);
  return ends;
}

}  // namespace

List<TranslationData::Batch> TranslationData::parts(std::size_t index) const {
  const auto all = examples_of(index);
  List<Batch> out;
  if (!options_.trimmed) return out.push_back(gather(all)), out;
  List<std::size_t> sorted(all.begin(), all.end()), lengths;
  std::ranges::sort(sorted, [this](std::size_t a, std::size_t b) {
    return std::pair(steps(b), a) < std::pair(steps(a), b);  // falling; equal ones in an order that is told
  });
  for (const std::size_t i : sorted) lengths.push_back(steps(i));
  std::size_t begin = 0;
  const List<std::size_t> ends = cheapest_cuts(lengths);
  for (std::size_t part = ends.size(); part-- > 0; begin = ends[part])
    out.push_back(gather(std::span(sorted).subspan(begin, ends[part] - begin)));
  return out;
}

}  // namespace attn::models
