#include "labs/corpus.hpp"

#include <algorithm>

#include "text/vocabulary.hpp"

namespace attn::labs {
namespace {

constexpr std::size_t kFrequencies = 10;  // of a word, from 1 on
constexpr std::size_t kReserved = text::Vocabulary::kEnd + 1;

using Sentences = std::vector<const text::Tokens*>;

/// How often each word of a vocabulary stands in the text; at kUnknown: what can be no word ("<pad>").
std::vector<double> frequencies(const Sentences& sentences, const text::Vocabulary& words) {
  std::vector<double> out(words.size());
  for (const text::Tokens* sentence : sentences)
    for (const std::string& token : *sentence) ++out[static_cast<std::size_t>(words.id(token))];
  return out;
}

struct Corpus final : PairsLab {
  static constexpr const char* kName = "corpus";

  void inputs(FieldVisitor&) override {}

  Result run(Graph& graph) override {
    Sentences sources, targets;
    std::size_t longest = 0;
    for (const text::Pair& pair : data.pairs) {
      sources.push_back(&pair.source);
      targets.push_back(&pair.target);
      longest = std::max({longest, pair.source.size(), pair.target.size()});
    }
    graph.input("pairs", {}, Tensor::scalar(static_cast<float>(data.pairs.size())));
    const Tensor length = counting_from_1(longest), least = counting_from_1(kFrequencies);
    graph.input("length", {"length"}, length);
    graph.input("min_frequency", {"frequency"}, least);
    describe(graph, "source", sources, longest);
    describe(graph, "target", targets, longest);
    Result out = labelled("length", length);
    out.labels.push_back({"", "frequency", models::as_labels(least)});
    return out;
  }

  static Tensor counting_from_1(std::size_t n) {
    Tensor out = counting({n});
    for (float& x : out.mutable_values()) x += 1.0F;
    return out;
  }

  static void describe(Graph& graph, const char* language, const Sentences& sentences, std::size_t longest) {
    const auto scope = graph.scope(language);
    std::vector<double> lengths(longest);
    double tokens = 0.0;
    for (const text::Tokens* sentence : sentences) {
      ++lengths[sentence->size() - 1];
      tokens += static_cast<double>(sentence->size());
    }
    graph.input("count", {"length"}, row_of(lengths));
    graph.input("tokens", {}, Tensor::scalar(static_cast<float>(tokens)));
    const std::vector<double> often = frequencies(sentences, text::Vocabulary(sentences, 1));
    std::vector<double> sizes, unknown;
    for (std::size_t least = 1; least <= kFrequencies; ++least) {
      double words = kReserved, rare = often[text::Vocabulary::kUnknown];
      for (std::size_t id = kReserved; id < often.size(); ++id) {
        const bool kept = often[id] >= static_cast<double>(least);
        words += kept ? 1.0 : 0.0;
        rare += kept ? 0.0 : often[id];
      }
      sizes.push_back(words);
      unknown.push_back(rare / tokens);
    }
    graph.input("vocabulary", {"frequency"}, row_of(sizes));
    graph.input("unknown", {"frequency"}, row_of(unknown));
  }
};

}  // namespace

models::Kind corpus() {
  return pairs_lab<Corpus>("a file of pairs: lengths of its sentences, sizes of its vocabularies");
}

}  // namespace attn::labs
