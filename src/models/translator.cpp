#include "models/translator.hpp"

#include "models/decoding.hpp"
#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"
#include "train/moments.hpp"

namespace attn::models {

namespace {

TranslationData::Options data_options(const TranslatorConfig& c) {
  return {static_cast<std::size_t>(c.batch_size), static_cast<std::size_t>(c.num_steps),
          static_cast<std::size_t>(c.min_frequency), !c.book_padding, c.book_text};
}

std::optional<TranslationData> data_of(const TranslatorConfig& config, const Opening& opening) {
  if (!opening.pairs) return std::nullopt;
  text::Pairs pairs = text::read_pairs(*opening.pairs, {static_cast<std::size_t>(config.examples), config.book_text});
  if (opening.vocabularies) return TranslationData(data_options(config), std::move(pairs), *opening.vocabularies);
  return TranslationData(data_options(config), std::move(pairs));
}

/// Refused before anything is allocated: a request that this machine could not hold.
void check_size(const Architecture& architecture, const TranslatorConfig& c, const Vocabularies& v) {
  const double parameters =
      architecture.parameters(c, static_cast<double>(v.source.size()), static_cast<double>(v.target.size()));
  if (parameters > 2e7)
    throw refused<ConfigError>("model.large",
                               "hidden_size {hidden} with these vocabularies makes about {millions} million "
                               "parameters; at most 20 million are trained here",
                               {{"hidden", std::to_string(c.hidden_size)},
                                {"millions", std::to_string(static_cast<long long>(parameters / 1e6))}});
}

StepSize step_size(const TranslatorConfig& c, const TranslationData& data) {
  const std::vector<text::Pair>& pairs = data.pairs().pairs;
  double source = 0.0, target = 0.0;  // words, <eos> included
  for (const text::Pair& pair : pairs) {
    source += std::min<double>(static_cast<double>(pair.source.size()) + 1.0, c.num_steps);
    target += std::min<double>(static_cast<double>(pair.target.size()) + 1.0, c.num_steps);
  }
  const double all = static_cast<double>(pairs.size()), batch = std::min<double>(c.batch_size, all);
  const double words = target / all, longer = std::max(source, target) / all;
  const double length = c.book_padding ? c.num_steps : longer;
  return {batch * length, length, batch * words, static_cast<double>(data.vocabularies().target.size())};
}

/// Refused before anything is allocated: training that the memory of a tab (1 GiB) could not hold.
void check_memory(const Architecture& architecture, const TranslatorConfig& c, const TranslationData& data) {
  constexpr double kMib = 1024.0 * 1024.0, kMost = 900.0;
  const Vocabularies& v = data.vocabularies();
  const double parameters =
      architecture.parameters(c, static_cast<double>(v.source.size()), static_cast<double>(v.target.size()));
  // Weights, gradients and the two moments of Adam; the copies that are kept along the way; what a step holds.
  const double copies = 4.0 + static_cast<double>(train::Moments::most(static_cast<std::size_t>(parameters)));
  const double mib = sizeof(float) * (parameters * copies + architecture.step_numbers(c, step_size(c, data))) / kMib;
  if (mib > kMost)
    throw refused<ConfigError>("model.memory",
                               "training in batches of {batch} would take about {mib} MiB of memory; there are {most}",
                               {{"batch", std::to_string(c.batch_size)},
                                {"mib", std::to_string(static_cast<long long>(mib))},
                                {"most", std::to_string(static_cast<long long>(kMost))}});
}

template <auto Make>
Kind translator_kind(const char* name, const char* help) {
  static constexpr auto kDefaults = [](const Architecture& architecture) {
    TranslatorConfig config;
    config.epochs = architecture.epochs();
    return config;
  };
  return {name,
          false,
          help,
          {"loss_per_token", "book_loss"},
          true,
          [] {
            auto architecture = Make();
            const TranslatorConfig config = kDefaults(*architecture);
            return std::unique_ptr<Model>(new Translator(
                std::move(architecture), config, {{}, Vocabularies{text::Vocabulary({}, 1), text::Vocabulary({}, 1)}}));
          },
          [](FieldVisitor& assign, Opening opening) {
            auto architecture = Make();
            TranslatorConfig config = kDefaults(*architecture);
            config.fields(assign);
            architecture->fields(assign);
            return std::unique_ptr<Model>(new Translator(std::move(architecture), config, std::move(opening)));
          }};
}

}  // namespace

Kind Translator::seq2seq() {
  return translator_kind<seq2seq_architecture>("seq2seq", "encoder and decoder with one fixed context");
}
Kind Translator::bahdanau() { return translator_kind<bahdanau_architecture>("bahdanau", "seq2seq with attention"); }
Kind Translator::transformer() {
  return translator_kind<transformer_architecture>("transformer", "attention and position-wise layers alone");
}

Translator::Translator(std::unique_ptr<Architecture> architecture, const TranslatorConfig& config, Opening opening)
    : config_(config),
      architecture_(std::move(architecture)),
      data_(data_of(config, opening)) {
  if (!opening.vocabularies && !data_)
    throw ConfigError("a translator needs pairs to learn from, or a file of weights that brings its vocabularies");
  vocabularies_ = opening.vocabularies ? std::move(*opening.vocabularies) : data_->vocabularies();
  check_size(*architecture_, config_, vocabularies_);
  if (data_) check_memory(*architecture_, config_, *data_);
  Rng rng(static_cast<std::uint64_t>(config_.seed));
  net_ = architecture_->make(config_, vocabularies_.source.size(), vocabularies_.target.size(), rng);
}

void Translator::config(FieldVisitor& v) {
  config_.fields(v);
  architecture_->fields(v);
}

void Translator::inputs(FieldVisitor& v) {
  inputs_ = {};
  inputs_.fields(v);
}

std::unique_ptr<train::Optimizer> Translator::optimizer(train::Parameters parameters) {
  return train::make_optimizer(config_.optimizer, std::move(parameters), static_cast<float>(config_.learning_rate));
}

train::Settings Translator::settings() const {
  return {.epochs = config_.epochs, .clip = config_.clip, .seed = static_cast<std::uint64_t>(config_.seed) + 1};
}

/// Of each word of a batch: [B, T, V] where steps are looked at, otherwise [N, V], without padding.
Var Translator::logits(Graph& graph, const TranslationData::Batch& data, bool teacher) const {
  Decoding state = net_->start(net_->encode(graph.constant(data.source), graph.constant(data.source_lengths)));
  const std::size_t batch = data.target_in.size(0), steps = data.target_in.size(1);
  const Var rows = graph.naming() ? Var() : graph.constant(data.words);
  if (teacher) return net_->teacher_forced(graph.constant(data.target_in), state, rows);
  return wanted_rows(stack(free_run(*net_, graph, std::move(state), batch, steps, false).logits, 1), rows);
}

/// [B, T] with 0 on padding, or [N].
Var Translator::losses(Graph& graph, const TranslationData::Batch& data, bool teacher) const {
  const Var found = logits(graph, data, teacher);
  if (!graph.naming()) return cross_entropy(found, graph.constant(data.wanted));
  return cross_entropy(found, graph.constant(data.target_out)) * graph.constant(data.mask);
}

train::Task::Batch Translator::forward(Graph& graph, std::size_t index) {
  List<TranslationData::Batch> parts;  // steps that are looked at are those of the whole batch
  if (graph.naming())
    parts.push_back(data_->batch(index));
  else
    parts = data_->parts(index);
  Var total;
  Batch batch;
  for (const TranslationData::Batch& part : parts) {
    const Var loss = sum(losses(graph, part, config_.teacher_forcing));
    total = total ? total + loss : loss;
    batch.tokens += part.tokens;
  }
  const double divisor = config_.book_loss ? config_.num_steps : batch.tokens;
  batch.objective = scale(total, static_cast<float>(1.0 / divisor));
  batch.loss = total.value().item();
  batch.items = batch.tokens;
  return batch;
}

std::map<std::string, double> Translator::metrics(double loss, double items) const {
  return {{"loss_per_token", loss / items}, {"book_loss", loss / items / config_.num_steps}};
}

}  // namespace attn::models
