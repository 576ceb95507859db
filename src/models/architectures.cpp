#include "models/architectures.hpp"

#include "models/recurrent.hpp"
#include "models/transformer.hpp"

namespace attn::models {
namespace {

std::size_t size(int value) { return static_cast<std::size_t>(value); }

NetSizes sizes(const TranslatorConfig& c, int embed, std::size_t source_words, std::size_t target_words) {
  return {source_words, target_words, size(embed), size(c.hidden_size), size(c.layers), static_cast<float>(c.dropout)};
}

// ---- seq2seq and Bahdanau

double recurrent_parameters(const TranslatorConfig& c, int embed, double source_words, double target_words) {
  const double h = c.hidden_size, e = embed;
  return (source_words + target_words) * e + target_words * h + 3.0 * h * (2.0 * e + 3.0 * h) +
         12.0 * (c.layers - 1) * h * h + 3.0 * h * h;
}

double recurrent_numbers(const TranslatorConfig& c, const StepSize& s) {
  return s.positions * 64.0 * c.layers * c.hidden_size + 3.0 * s.words * s.vocabulary;
}

void embed_field(FieldVisitor& v, int& embed) {
  v.integer("embed_size", embed, 1, 1024, "numbers that stand for a word");
}

class Seq2SeqArchitecture final : public Architecture {
 public:
  void fields(FieldVisitor& v) override {
    embed_field(v, embed_);
    v.boolean("book_context", drifts_, "as the book: the context drifts while predicting");
  }
  std::unique_ptr<TranslationNet> make(const TranslatorConfig& c, std::size_t source, std::size_t target,
                                       Rng& rng) const override {
    const BookFaults book{.mask = c.book_mask, .context = drifts_, .padding = c.book_padding};
    return std::make_unique<Seq2Seq>(sizes(c, embed_, source, target), book, rng);
  }
  double parameters(const TranslatorConfig& c, double source, double target) const override {
    return recurrent_parameters(c, embed_, source, target);
  }
  double step_numbers(const TranslatorConfig& c, const StepSize& s) const override { return recurrent_numbers(c, s); }
  int epochs() const override { return 300; }

 private:
  int embed_ = 32;
  bool drifts_ = false;
};

class BahdanauArchitecture final : public Architecture {
 public:
  void fields(FieldVisitor& v) override {
    embed_field(v, embed_);
    v.choice("score", score_, {"additive", "dot"}, "how a query and a key are compared");
  }
  std::unique_ptr<TranslationNet> make(const TranslatorConfig& c, std::size_t source, std::size_t target,
                                       Rng& rng) const override {
    const BookFaults book{.mask = c.book_mask, .padding = c.book_padding};
    const auto scorer = score_ == "dot" ? Bahdanau::Scorer::dot : Bahdanau::Scorer::additive;
    return std::make_unique<Bahdanau>(sizes(c, embed_, source, target), book, rng, scorer);
  }
  double parameters(const TranslatorConfig& c, double source, double target) const override {
    return recurrent_parameters(c, embed_, source, target);
  }
  double step_numbers(const TranslatorConfig& c, const StepSize& s) const override {
    const double compared = score_ == "additive" ? 5.0 * c.hidden_size : 3.0;  // of a query and a key
    return recurrent_numbers(c, s) + s.positions * s.keys * compared;
  }
  int epochs() const override { return 250; }

 private:
  int embed_ = 32;
  std::string score_ = "additive";
};

// ---- Transformer

class TransformerArchitecture final : public Architecture {
 public:
  void fields(FieldVisitor& v) override {
    v.integer("heads", heads_, 1, 64, "heads of each attention; they share hidden_size among them");
    v.integer("ffn_size", ffn_, 1, 4096, "numbers in the hidden layer of the position-wise network");
    v.choice("norm", norm_, {"post", "pre", "none"},
             "where the layer norm stands: behind the sum, before the sub-layer");
    v.boolean("residual", residual_, "each sub-layer's input is added to its output");
    v.choice("positions", positions_, {"sinusoid", "learned", "relative", "bias", "none"},
             "how the model knows the order: added to the words (sinusoid, learned), or in the scores of "
             "self-attention (relative: a vector for each distance; bias: a number)");
    v.integer("reach", reach_, 1, 64, "relative positions: the largest distance told apart");
    v.boolean("join_positions", joined_, "positions are joined behind the words instead of added; twice the features");
    v.boolean("scale_embedding", scaled_, "embeddings are multiplied by √hidden_size");
    v.boolean("scale_scores", scaled_scores_, "scores are divided by √(hidden_size / heads)");
    v.choice("embedding_start", start_, {"normal", "small"}, "first embeddings: N(0, 1), or N(0, 1/hidden_size)");
    v.boolean("causal", causal_, "a word of the decoder sees none behind it");
    v.boolean("book_position", position_, "as the book: while predicting, each word stands at position 0");
    v.boolean("book_causal", ahead_, "as the book: outside training a whole target is not masked");
  }

  std::unique_ptr<TranslationNet> make(const TranslatorConfig& c, std::size_t source, std::size_t target,
                                       Rng& rng) const override {
    const BookFaults book{.mask = c.book_mask, .position = position_, .causal = ahead_};
    return std::make_unique<Transformer>(sizes(c, c.hidden_size, source, target), style(c), book, rng);
  }

  double parameters(const TranslatorConfig& c, double source, double target) const override {
    const double h = (joined_ ? 2.0 : 1.0) * c.hidden_size;
    return (source + target) * c.hidden_size + target * h + c.layers * (12.0 * h * h + 4.0 * h * ffn_);
  }
  double step_numbers(const TranslatorConfig& c, const StepSize& s) const override {
    const double h = (joined_ ? 2.0 : 1.0) * c.hidden_size;
    const double layer = 96.0 * h + 9.0 * ffn_ + 6.0 * heads_ * s.keys;
    return s.positions * c.layers * layer + 3.0 * s.words * s.vocabulary;
  }
  int epochs() const override { return 200; }

 private:
  TransformerStyle style(const TranslatorConfig& c) const {
    TransformerStyle s;
    s.heads = size(heads_);
    s.ffn = size(ffn_);
    s.norm = norm_ == "post" ? nn::NormPlace::post : norm_ == "pre" ? nn::NormPlace::pre : nn::NormPlace::none;
    s.residual = residual_;
    s.positions = positions_ == "sinusoid"  ? nn::PositionKind::sinusoid
                  : positions_ == "learned" ? nn::PositionKind::learned
                                            : nn::PositionKind::none;
    s.relative = positions_ == "relative" ? nn::RelativeKind::clipped
                 : positions_ == "bias"   ? nn::RelativeKind::bias
                                          : nn::RelativeKind::none;
    s.reach = size(reach_);
    s.joined = joined_;
    s.scaled = scaled_;
    s.scaled_scores = scaled_scores_;
    s.small_embedding = start_ == "small";
    s.causal = causal_;
    s.longest = size(c.num_steps);
    if (joined_ && s.positions == nn::PositionKind::none)
      throw ConfigError("join_positions: there is nothing to join with positions \"" + positions_ + "\"");
    return s;
  }

  int heads_ = 4, ffn_ = 64, reach_ = 4;
  std::string norm_ = "post", positions_ = "sinusoid", start_ = "normal";
  bool residual_ = true, joined_ = false, scaled_ = true, scaled_scores_ = true, causal_ = true, position_ = false,
       ahead_ = false;
};

}  // namespace

void TranslatorConfig::fields(FieldVisitor& v) {
  v.integer("hidden_size", hidden_size, 1, 1024, "numbers in a hidden state");
  v.integer("layers", layers, 1, 8, "layers of encoder and decoder");
  v.number("dropout", dropout, 0.0, 0.95, "share of numbers set to zero in training");
  v.integer("num_steps", num_steps, 2, 64, "longest sentence in words, <eos> included");
  v.integer("batch_size", batch_size, 1, 1024, "sentence pairs in a training step");
  v.choice("optimizer", optimizer, train::optimizers(), "how weights follow their gradients");
  v.number("learning_rate", learning_rate, 1e-6, 1.0, "of the optimiser");
  v.integer("epochs", epochs, 1, 10000, "passes over the pairs");
  v.number("clip", clip, 0.0, 1e6, "largest norm of all gradients together; 0: no limit");
  v.integer("seed", seed, 0, 1 << 30, "of first weights, order and dropout");
  v.integer("min_frequency", min_frequency, 1, 1000, "rarer words are read as <unk>");
  v.integer("examples", examples, 0, 1000000, "pairs to learn from; 0: all");
  v.boolean("teacher_forcing", teacher_forcing,
            "in training the decoder is given the right word before each; else the one it wrote itself");
  v.boolean("book_mask", book_mask, "as the book: hidden scores become -1e6");
  v.boolean("book_padding", book_padding,
            "as the book: batches are not trimmed, and a recurrent encoder reads padding");
  v.boolean("book_loss", book_loss, "as the book: the loss is a mean over num_steps, padding included");
  v.boolean("book_text", book_text,
            "as the book: one line more than asked for, apostrophes and spaces left as they are");
}

std::unique_ptr<Architecture> seq2seq_architecture() { return std::make_unique<Seq2SeqArchitecture>(); }
std::unique_ptr<Architecture> bahdanau_architecture() { return std::make_unique<BahdanauArchitecture>(); }
std::unique_ptr<Architecture> transformer_architecture() { return std::make_unique<TransformerArchitecture>(); }

}  // namespace attn::models
