#pragma once

#include "models/model.hpp"
#include "models/translation_net.hpp"

namespace attn::models {

/// Settings of a translator; the defaults are the chapter's.
struct TranslatorConfig {
  int embed_size = 32;
  int hidden_size = 32;
  int layers = 2;
  double dropout = 0.1;
  int num_steps = 10;
  int batch_size = 64;
  double learning_rate = 0.005;
  int epochs = 250;
  double clip = 1.0;
  int seed = 0;
  int min_frequency = 2;
  int examples = 0;
  bool book_mask = false;
  bool book_context = false;
  bool book_padding = false;
  bool book_loss = false;
  bool book_text = false;

  void fields(FieldVisitor& v);
};

struct TranslatorInputs {
  std::string sentence = "Go.";
  std::string target;

  void fields(FieldVisitor& v);
};

/// Pairs as ids, in batches.
class TranslationData {
 public:
  TranslationData(const TranslatorConfig& config, text::Pairs pairs);

  struct Batch {
    Tensor source, source_lengths;  // [B, Tk], [B]
    Tensor target_in, target_out;   // [B, T]: <bos> y_1 … and y_1 … <eos>
    Tensor mask;                    // [B, T]: 1 on words, 0 on padding
    double tokens;
  };
  std::size_t batches() const;
  void shuffle(Rng& rng) { rng.shuffle(std::span(order_)); }
  Batch batch(std::size_t index) const;
  const text::Pairs& pairs() const { return pairs_; }
  const Vocabularies& vocabularies() const { return vocabularies_; }

 private:
  struct Example {
    std::vector<int> source, target;
  };
  std::size_t batch_size_, num_steps_;
  bool trimmed_;  // to the longest sentence of the batch; else padded to num_steps
  text::Pairs pairs_;
  Vocabularies vocabularies_;
  std::vector<Example> examples_;
  std::vector<std::size_t> order_;
};

/// A translator: a network with its vocabularies, its data and its recipe.
class Translator final : public Model, public train::Task {
 public:
  using MakeNet = std::unique_ptr<TranslationNet> (*)(const NetSizes&, const BookFaults&, Rng&);

  /// Needs pairs or vocabularies; with pairs alone the vocabularies are made from them.
  Translator(MakeNet make, const TranslatorConfig& config, Opening opening);

  static Kind seq2seq();
  static Kind bahdanau();

  void visit(const nn::Visitor& f) override { net_->visit(f); }
  void config(FieldVisitor& v) override { config_.fields(v); }
  void inputs(FieldVisitor& v) override;
  /// Translates inputs.sentence, greedily, or writes inputs.target whatever the model would say (teacher forcing).
  /// Records: source.ids [batch, key], source.lengths [batch]; what the network records, each decoder step a turn along
  /// "time"; decoder.probabilities [batch, vocabulary]; with a target decoder.loss [batch] and loss [], in nats a token.
  /// Throws DataError for a sentence without words.
  Result run(Graph& graph) override;

  train::Task* task() override { return data_ ? this : nullptr; }
  std::unique_ptr<train::Optimizer> optimizer(train::Parameters parameters) override;
  train::Settings settings() const override;
  const Vocabularies* vocabularies() const override { return &vocabularies_; }
  const text::Pairs* pairs() const override { return data_ ? &data_->pairs() : nullptr; }

  std::size_t batches() const override { return data_->batches(); }
  void begin_epoch(Rng& rng) override { data_->shuffle(rng); }
  Batch forward(Graph& graph, std::size_t batch) override;
  /// loss_per_token: cross-entropy in nats a target token; book_loss: the same divided by num_steps (fault B6).
  std::map<std::string, double> metrics(double loss, double items) const override;

 private:
  struct Sentence;
  Sentence read(const std::string& text, const text::Vocabulary& vocabulary) const;
  Var encode_sentence(Graph& graph, const Sentence& sentence, Decoding& state);
  WrittenToken written(const Tensor& probabilities, int id) const;

  TranslatorConfig config_;
  std::optional<TranslationData> data_;
  Vocabularies vocabularies_;
  std::unique_ptr<TranslationNet> net_;
  TranslatorInputs inputs_;
};

}  // namespace attn::models
