#include "models/translator.hpp"

#include <algorithm>
#include <numeric>

#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "text/preprocess.hpp"

namespace attn::models {

using text::Vocabulary;

void TranslatorConfig::fields(FieldVisitor& v) {
  v.integer("embed_size", embed_size, 1, 1024, "numbers that stand for a word");
  v.integer("hidden_size", hidden_size, 1, 1024, "numbers in a hidden state");
  v.integer("layers", layers, 1, 8, "layers of encoder and decoder");
  v.number("dropout", dropout, 0.0, 0.95, "share of numbers set to zero in training");
  v.integer("num_steps", num_steps, 2, 64, "longest sentence in words, <eos> included");
  v.integer("batch_size", batch_size, 1, 1024, "sentence pairs in a training step");
  v.number("learning_rate", learning_rate, 1e-6, 1.0, "of Adam");
  v.integer("epochs", epochs, 1, 10000, "passes over the pairs");
  v.number("clip", clip, 0.0, 1e6, "largest norm of all gradients together; 0: no limit");
  v.integer("seed", seed, 0, 1 << 30, "of first weights, order and dropout");
  v.integer("min_frequency", min_frequency, 1, 1000, "rarer words are read as <unk>");
  v.integer("examples", examples, 0, 1000000, "pairs to learn from; 0: all");
  v.boolean("book_mask", book_mask, "as the book: hidden scores become -1e6");
  v.boolean("book_context", book_context, "as the book: seq2seq's context drifts while predicting");
  v.boolean("book_padding", book_padding, "as the book: the encoder reads padding; batches are not trimmed");
  v.boolean("book_loss", book_loss, "as the book: the loss is a mean over num_steps, padding included");
  v.boolean("book_text", book_text,
            "as the book: one line more than asked for, apostrophes and spaces left as they are");
}

void TranslatorInputs::fields(FieldVisitor& v) {
  v.text("sentence", sentence, "what to translate");
  v.text("target", target, "words to write, whatever the model would say (teacher forcing); empty: its own");
}

// ---- data

namespace {

Vocabularies vocabularies_of(const text::Pairs& pairs, std::size_t min_frequency) {
  std::vector<const text::Tokens*> source, target;
  for (const text::Pair& pair : pairs.pairs) {
    source.push_back(&pair.source);
    target.push_back(&pair.target);
  }
  return {Vocabulary(source, min_frequency), Vocabulary(target, min_frequency)};
}

void fill_row(Tensor& tensor, std::size_t row, std::span<const int> ids) {
  std::ranges::copy(ids, tensor.data() + row * tensor.size(1));
}

}  // namespace

TranslationData::TranslationData(const TranslatorConfig& config, text::Pairs pairs)
    : batch_size_(static_cast<std::size_t>(config.batch_size)),
      num_steps_(static_cast<std::size_t>(config.num_steps)),
      trimmed_(!config.book_padding),
      pairs_(std::move(pairs)),
      vocabularies_(vocabularies_of(pairs_, static_cast<std::size_t>(config.min_frequency))),
      order_(pairs_.pairs.size()) {
  for (const text::Pair& pair : pairs_.pairs)
    examples_.push_back({text::encode(pair.source, vocabularies_.source, num_steps_, config.book_text).ids,
                         text::encode(pair.target, vocabularies_.target, num_steps_, config.book_text).ids});
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

std::size_t TranslationData::batches() const { return (order_.size() + batch_size_ - 1) / batch_size_; }

TranslationData::Batch TranslationData::batch(std::size_t index) const {
  const std::size_t first = index * batch_size_, size = std::min(batch_size_, order_.size() - first);
  std::size_t source_steps = trimmed_ ? 1 : num_steps_, target_steps = source_steps;
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

// ---- the model

namespace {

BookFaults faults(const TranslatorConfig& c) { return {c.book_mask, c.book_context, c.book_padding}; }

std::optional<TranslationData> data_of(const TranslatorConfig& config, const Opening& opening) {
  if (!opening.pairs) return std::nullopt;
  text::Pairs pairs = text::read_pairs(*opening.pairs, {static_cast<std::size_t>(config.examples), config.book_text});
  return TranslationData(config, std::move(pairs));
}

/// Refused before anything is allocated: a request that this machine could not hold.
void check_size(const TranslatorConfig& c, const Vocabularies& v) {
  const double words = static_cast<double>(v.source.size() + 2 * v.target.size());
  const double parameters =
      words * std::max(c.embed_size, c.hidden_size) + 12.0 * c.layers * c.hidden_size * c.hidden_size;
  if (parameters > 2e7)
    throw ConfigError("hidden_size " + std::to_string(c.hidden_size) + " and embed_size " +
                      std::to_string(c.embed_size) + " with these vocabularies make about " +
                      std::to_string(static_cast<long long>(parameters / 1e6)) +
                      " million parameters; at most 20 million are trained here");
}

template <class Net>
Kind translator_kind(const char* name, const char* help) {
  static constexpr auto kMake = [](const NetSizes& sizes, const BookFaults& book,
                                   Rng& rng) -> std::unique_ptr<TranslationNet> {
    return std::make_unique<Net>(sizes, book, rng);
  };
  return {name,
          false,
          help,
          {"loss_per_token", "book_loss"},
          true,
          [] {
            return std::unique_ptr<Model>(
                new Translator(kMake, TranslatorConfig(), {{}, Vocabularies{Vocabulary({}, 1), Vocabulary({}, 1)}}));
          },
          [](FieldVisitor& assign, Opening opening) {
            TranslatorConfig config;
            config.fields(assign);
            return std::unique_ptr<Model>(new Translator(kMake, config, std::move(opening)));
          }};
}

}  // namespace

Kind Translator::seq2seq() { return translator_kind<Seq2Seq>("seq2seq", "encoder and decoder with one fixed context"); }
Kind Translator::bahdanau() { return translator_kind<Bahdanau>("bahdanau", "seq2seq with additive attention"); }

Translator::Translator(MakeNet make, const TranslatorConfig& config, Opening opening)
    : config_(config),
      data_(data_of(config, opening)) {
  if (!opening.vocabularies && !data_)
    throw ConfigError("a translator needs pairs to learn from, or a file of weights that brings its vocabularies");
  vocabularies_ = opening.vocabularies ? std::move(*opening.vocabularies) : data_->vocabularies();
  check_size(config_, vocabularies_);
  Rng rng(static_cast<std::uint64_t>(config_.seed));
  net_ = make({vocabularies_.source.size(), vocabularies_.target.size(), static_cast<std::size_t>(config_.embed_size),
               static_cast<std::size_t>(config_.hidden_size), static_cast<std::size_t>(config_.layers),
               static_cast<float>(config_.dropout)},
              faults(config_), rng);
}

void Translator::inputs(FieldVisitor& v) {
  inputs_ = {};
  inputs_.fields(v);
}

std::unique_ptr<train::Optimizer> Translator::optimizer(train::Parameters parameters) {
  return std::make_unique<train::Adam>(std::move(parameters), static_cast<float>(config_.learning_rate));
}

train::Settings Translator::settings() const {
  return {.epochs = config_.epochs, .clip = config_.clip, .seed = static_cast<std::uint64_t>(config_.seed) + 1};
}

train::Task::Batch Translator::forward(Graph& graph, std::size_t index) {
  const TranslationData::Batch data = data_->batch(index);
  Decoding state = net_->start(net_->encode(graph.constant(data.source), graph.constant(data.source_lengths)));
  const Var logits = net_->teacher_forced(graph.constant(data.target_in), state);
  const Var losses = cross_entropy(logits, graph.constant(data.target_out)) * graph.constant(data.mask);
  const Var total = sum(losses);
  const double divisor = config_.book_loss ? config_.num_steps : data.tokens;
  Batch batch;
  batch.objective = scale(total, static_cast<float>(1.0 / divisor));
  batch.loss = total.value().item();
  batch.items = batch.tokens = data.tokens;
  return batch;
}

std::map<std::string, double> Translator::metrics(double loss, double items) const {
  return {{"loss_per_token", loss / items}, {"book_loss", loss / items / config_.num_steps}};
}

// ---- translating

struct Translator::Sentence {
  text::Tokens tokens;
  text::Encoded encoded;
};

Translator::Sentence Translator::read(const std::string& typed, const Vocabulary& vocabulary) const {
  Sentence out;
  out.tokens = text::split(text::preprocess_typed(typed));
  if (out.tokens.empty()) throw DataError("the sentence has no words");
  out.encoded = text::encode(out.tokens, vocabulary, static_cast<std::size_t>(config_.num_steps));
  return out;
}

namespace {

std::vector<ReadToken> read_tokens(const text::Tokens& tokens, const std::vector<int>& ids) {
  std::vector<ReadToken> out;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) out.push_back({tokens[i], ids[i], ids[i] != Vocabulary::kUnknown});
  out.push_back({"<eos>", Vocabulary::kEnd, true});
  return out;
}

std::vector<std::string> texts(const auto& tokens) {
  std::vector<std::string> out;
  for (const auto& token : tokens) out.push_back(token.text);
  return out;
}

int most_probable(std::span<const float> values) {
  return static_cast<int>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

Var Translator::encode_sentence(Graph& graph, const Sentence& sentence, Decoding& state) {
  const auto& ids = sentence.encoded.ids;
  const std::size_t steps = config_.book_padding ? static_cast<std::size_t>(config_.num_steps) : ids.size();
  Tensor source = Tensor::full({1, steps}, Vocabulary::kPad);
  fill_row(source, 0, ids);
  const Var words = graph.input("source.ids", {"batch", "key"}, source);
  const Var lengths = graph.input("source.lengths", {"batch"}, Tensor::of({1}, {static_cast<float>(ids.size())}));
  state = net_->start(net_->encode(words, lengths));
  return words;
}

WrittenToken Translator::written(const Tensor& probabilities, int id) const {
  constexpr std::size_t kBest = 5;
  const auto p = probabilities.values();
  std::vector<int> ids(p.size());
  std::iota(ids.begin(), ids.end(), 0);
  const std::size_t count = std::min(kBest, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                    [&](int a, int b) { return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)]; });
  WrittenToken out{vocabularies_.target.word(id), p[static_cast<std::size_t>(id)], {}};
  for (std::size_t i = 0; i < count; ++i)
    out.best.push_back({vocabularies_.target.word(ids[i]), p[static_cast<std::size_t>(ids[i])]});
  return out;
}

Result Translator::run(Graph& graph) {
  const Sentence sentence = read(inputs_.sentence, vocabularies_.source);
  const std::vector<int> given =
      inputs_.target.empty() ? std::vector<int>() : read(inputs_.target, vocabularies_.target).encoded.ids;
  Translation out;
  out.source = read_tokens(sentence.tokens, sentence.encoded.ids);
  out.cut = sentence.encoded.cut;
  Decoding state;
  encode_sentence(graph, sentence, state);
  int previous = Vocabulary::kBegin;
  std::vector<Var> losses;
  const std::size_t steps = given.empty() ? static_cast<std::size_t>(config_.num_steps) : given.size();
  for (std::size_t t = 0; t < steps && !out.ended; ++t) {
    const auto turn = graph.turn("time", static_cast<int>(t));
    const Var word = graph.input("decoder.previous", {"batch"}, Tensor::of({1}, {static_cast<float>(previous)}));
    const Var logits = net_->step(word, state);
    const Var probabilities = graph.name(softmax(logits), "decoder.probabilities", {"batch", "vocabulary"});
    previous = given.empty() ? most_probable(probabilities.value().values()) : given[t];
    if (!given.empty()) {
      const Var wanted = graph.input("decoder.wanted", {"batch"}, Tensor::of({1}, {static_cast<float>(previous)}));
      losses.push_back(graph.name(cross_entropy(logits, wanted), "decoder.loss", {"batch"}));
    }
    out.target.push_back(written(probabilities.value(), previous));
    out.ended = previous == Vocabulary::kEnd;
    if (!out.ended) out.text += (out.text.empty() ? "" : " ") + out.target.back().text;
  }
  Result result;
  if (!losses.empty()) result.loss = graph.name(mean(stack(losses, 0)), "loss", {});
  result.labels = {{"", "key", texts(out.source)},
                   {"", "time", texts(out.target)},
                   {"", "vocabulary", vocabularies_.target.words()}};
  result.translation = std::move(out);
  return result;
}

}  // namespace attn::models
