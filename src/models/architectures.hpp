// The kinds of networks that translate, each with the fields that are its own.
#pragma once

#include "models/translation_net.hpp"

namespace attn::models {

/// Settings of every translator; the defaults are the chapter's.
struct TranslatorConfig {
  int hidden_size = 32;
  int layers = 2;
  double dropout = 0.1;
  int num_steps = 10;
  int batch_size = 64;
  std::string optimizer = "adam";
  double learning_rate = 0.005;
  int epochs = 250;
  double clip = 1.0;
  int seed = 0;
  int min_frequency = 2;
  int examples = 0;
  bool teacher_forcing = true;
  bool book_mask = false;
  bool book_padding = false;
  bool book_loss = false;
  bool book_text = false;

  void fields(FieldVisitor& v);
};

/// What the memory of a training step grows with.
struct StepSize {
  double positions;   // of the targets, padding included
  double keys;        // that each of them may look at
  double words;       // of which logits are made …
  double vocabulary;  // … one for each of these
};

/// One kind of network: its own fields, and the network that they make.
class Architecture {
 public:
  virtual ~Architecture() = default;
  virtual void fields(FieldVisitor& v) = 0;
  /// Throws ConfigError for sizes that do not fit each other.
  virtual std::unique_ptr<TranslationNet> make(const TranslatorConfig& config, std::size_t source_words,
                                               std::size_t target_words, Rng& rng) const = 0;
  /// About how many weights they make, before any is allocated.
  virtual double parameters(const TranslatorConfig& config, double source_words, double target_words) const = 0;
  /// About how many numbers a training step holds at once besides weights: values, gradients, and what waits for use. Fitted
  /// to what the pool of tensors took for seven to nine settings of each kind, with a tenth or two to spare.
  virtual double step_numbers(const TranslatorConfig& config, const StepSize& step) const = 0;
  /// The chapter's number of epochs for it.
  virtual int epochs() const = 0;
};

std::unique_ptr<Architecture> seq2seq_architecture();
std::unique_ptr<Architecture> bahdanau_architecture();
std::unique_ptr<Architecture> transformer_architecture();

}  // namespace attn::models
