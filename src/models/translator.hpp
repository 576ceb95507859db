#pragma once

#include "models/architectures.hpp"
#include "models/model.hpp"
#include "models/translation_data.hpp"

namespace attn::models {

/// Inputs of a run.
struct TranslatorInputs {
  std::string sentence = "Go.";
  std::string target;
  std::string search = "greedy";
  int beam_size = 3;
  double alpha = 0.75;
  double temperature = 1.0;
  int top_k = 0;
  int sample_seed = 0;
  std::string heads_off;
  bool switches = false;
  bool both_ways = false;
  std::string evaluate = "nothing";
  std::string pairs;

  void fields(FieldVisitor& v);
};

/// A translator: a network with its vocabularies, its data and its recipe.
class Translator final : public Model, public train::Task {
 public:
  /// Needs pairs or vocabularies; with pairs alone the vocabularies are made from them.
  Translator(std::unique_ptr<Architecture> architecture, const TranslatorConfig& config, Opening opening);

  static Kind seq2seq();
  static Kind bahdanau();
  static Kind transformer();

  void visit(const nn::Visitor& f) override { net_->visit(f); }
  void config(FieldVisitor& v) override;
  void inputs(FieldVisitor& v) override;
  /// Translates inputs.sentence by inputs.search; or writes inputs.target whatever the model would say (teacher forcing);
  /// or, asked to evaluate, measures loss_per_token and bleu over pairs, outside training.
  /// Records: source.ids [batch, key], source.lengths [batch]; what the network records, each decoder step a turn along
  /// "time" (a Transformer with a target: one pass along "query"); decoder.previous, decoder.probabilities; with a target
  /// decoder.wanted, decoder.loss and loss [], in nats a token. A search's losing branches leave no steps.
  /// With both_ways (a Transformer with a target), the same words one by one, each from what was kept of those before:
  ///   word_by_word.logits, .probabilities [query, vocabulary], .difference [query]: √Σ (logits − those of the one pass)²,
  ///   .largest [].
  /// As a metric: multiply_adds, counted in the kernels: encoder and decoder once over the words written, without the branches
  ///   of a search (a Transformer that is recorded computes hidden scores, too); evaluated, over all pairs, with the right words given and without.
  /// Evaluated, as metrics: loss_per_token, book_loss, bleu, exact, pairs, tokens; right: the share of the words that it would
  ///   have written itself, those right before them being given; right.end of <eos>, right.punctuation, right.frequent of the
  ///   20 most frequent other words, right.other, each left out if there are none; of.… how many there are, of.unknown those
  ///   that are wanted as <unk>, which are in no share. As steps: evaluated.loss (a token), .bleu, .exact [].
  /// Throws DataError for a sentence without words, ConfigError for a head that is not there.
  Result run(Graph& graph) override;

  train::Task* task() override { return data_ ? this : nullptr; }
  std::unique_ptr<train::Optimizer> optimizer(train::Parameters parameters) override;
  train::Settings settings() const override;
  const Vocabularies* vocabularies() const override { return &vocabularies_; }
  const text::Pairs* pairs() const override { return data_ ? &data_->pairs() : nullptr; }
  Reading reading() const override { return data_ ? data_->reading() : Reading(); }
  std::vector<AttentionStep> attention() const override { return net_->attention(); }

  std::size_t batches() const override { return data_->batches(); }
  void begin_epoch(Rng& rng) override { data_->shuffle(rng); }
  std::vector<std::size_t> order() const override { return data_->order(); }
  void set_order(const std::vector<std::size_t>& order) override { data_->set_order(order); }
  Batch forward(Graph& graph, std::size_t batch) override;
  /// loss_per_token: cross-entropy in nats a target token; book_loss: the same divided by num_steps (fault B6).
  std::map<std::string, double> metrics(double loss, double items) const override;

  TranslationNet& net() { return *net_; }

 private:
  struct Sentence;
  class Switches;
  Sentence read(const std::string& text, const text::Vocabulary& vocabulary) const;
  Decoding encode_sentence(Graph& graph, const Sentence& sentence);
  Result translate(Graph& graph);
  Result evaluate(Graph& graph);
  std::vector<int> search(const Sentence& sentence, const Graph::Options& options, Translation& out);
  Vars write(Graph& graph, const std::vector<int>& ids, Decoding state, bool wanted, Translation& out);
  Vars write_at_once(Graph& graph, const std::vector<int>& ids, Decoding state, Translation& out, Var& logits);
  void write_both_ways(Graph& graph, const Sentence& sentence, const std::vector<int>& ids, const Var& logits);
  WrittenToken written(std::span<const float> probabilities, int id) const;
  std::vector<Labels> labels(const Translation& written, bool in_one_pass) const;
  TranslationData evaluated_data() const;
  Var logits(Graph& graph, const TranslationData::Batch& data, bool teacher) const;
  Var losses(Graph& graph, const TranslationData::Batch& data, bool teacher) const;

  TranslatorConfig config_;
  std::unique_ptr<Architecture> architecture_;
  std::optional<TranslationData> data_;
  Vocabularies vocabularies_;
  std::unique_ptr<TranslationNet> net_;
  TranslatorInputs inputs_;
};

}  // namespace attn::models
