#include "models/translation_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/compare.hpp"
#include "support/open.hpp"

using namespace attn;
using namespace attn::test;
using models::TranslationData;

namespace {

/// `count` pairs, mostly short, of up to nine words.
std::string pairs_text(std::size_t count) {
  static constexpr const char* kWords[] = {"a", "b", "c", "d", "e", "f"};
  Rng rng(21);
  const auto sentence = [&] {
    std::string out = kWords[rng.below(6)];
    for (std::uint32_t i = rng.below(3) == 0 ? rng.below(9) : rng.below(3); i > 0; --i)
      out.append(" ").append(kWords[rng.below(6)]);
    return out;
  };
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out.append(sentence()).append("\t").append(sentence()).append("\n");
  return out;
}

TranslationData data_of(std::size_t pairs, std::size_t batch, bool trimmed) {
  return {{.batch_size = batch, .num_steps = 10, .trimmed = trimmed}, text::read_pairs(pairs_text(pairs), {})};
}

/// Each example of a batch as its words, source then target, with how often it is there.
std::map<std::vector<float>, int> examples_of(const TranslationData::Batch& batch) {
  std::map<std::vector<float>, int> out;
  const std::size_t source = batch.source.size(1), target = batch.target_out.size(1);
  for (std::size_t b = 0; b < batch.source.size(0); ++b) {
    const auto words =
        batch.source.values().subspan(b * source, static_cast<std::size_t>(batch.source_lengths.values()[b]));
    std::vector<float> example(words.begin(), words.end());
    for (std::size_t t = 0; t < target && batch.mask.values()[b * target + t] != 0.0F; ++t)
      example.push_back(batch.target_out.values()[b * target + t]);
    ++out[example];
  }
  return out;
}

}  // namespace

TEST_CASE("translation data: the parts of a batch hold its examples, each once, and less padding") {
  const TranslationData data = data_of(64, 64, true);
  const TranslationData::Batch whole = data.batch(0);
  std::map<std::vector<float>, int> found;
  double tokens = 0.0;
  std::size_t cells = 0;
  const auto parts = data.parts(0);
  CHECK(parts.size() > 1);
  for (const TranslationData::Batch& part : parts) {
    for (const auto& [example, count] : examples_of(part)) found[example] += count;
    tokens += part.tokens;
    cells += part.target_in.size() + part.source.size();
  }
  CHECK(found == examples_of(whole));
  CHECK(tokens == whole.tokens);
  CHECK(static_cast<double>(cells) < 0.8 * static_cast<double>(whole.target_in.size() + whole.source.size()));
}

TEST_CASE("translation data: sentences of one length are one part, and so is a batch that is not trimmed") {
  const TranslationData even({.batch_size = 8, .num_steps = 10},
                             text::read_pairs("a b\tc d\nb a\td c\na a\tc c\n", {}));
  CHECK(even.parts(0).size() == 1);
  CHECK(data_of(64, 64, false).parts(0).size() == 1);
}

TEST_CASE("translation data: the words of a batch are listed with their places, padding left out") {
  const TranslationData::Batch batch = data_of(20, 20, true).batch(0);
  CHECK(static_cast<double>(batch.words.size()) == batch.tokens);
  for (std::size_t i = 0; i < batch.words.size(); ++i) {
    const auto place = static_cast<std::size_t>(batch.words.values()[i]);
    CHECK(batch.mask.values()[place] == 1.0F);
    CHECK(batch.target_out.values()[place] == batch.wanted.values()[i]);
  }
}

// Measured: 2.0e-7.
TEST_CASE(
    "translators: a training step, which computes no padding, has loss and gradients of the step that is looked at") {
  for (const char* name : {"seq2seq", "bahdanau", "transformer"}) {
    const auto model = open_model(name, {{"hidden_size", 8}, {"dropout", 0.0}, {"min_frequency", 1}}, pairs_text(64));
    const auto gradients = [&](Record record) {
      Graph graph({.record = record, .training = true});
      const train::Task::Batch batch = model->task()->forward(graph, 0);
      graph.backward(batch.objective);
      std::vector<Tensor> out = {Tensor::scalar(static_cast<float>(batch.loss / batch.tokens))};
      for (Parameter* p : model->parameters()) {
        out.push_back(record == Record::everything ? graph.parameter(*p).gradient() : p->gradient);
        p->gradient = {};
      }
      return out;
    };
    const auto looked_at = gradients(Record::everything), trained = gradients(Record::backward);
    REQUIRE(looked_at.size() == trained.size());
    for (std::size_t i = 0; i < trained.size(); ++i) {
      INFO(std::string(name), ", ", i);
      CHECK(largest_error(trained[i], looked_at[i]) <= 2e-6);
      measured("translators, without padding against with it", largest_error(trained[i], looked_at[i]), name);
    }
  }
}
