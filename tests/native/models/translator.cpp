#include "models/translator.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/golden_net.hpp"
#include "support/compare.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;
using models::Translator;
using models::TranslatorConfig;

namespace {

constexpr double kAfterSteps = 2e-5;  // along twenty Adam steps; measured: 3.2e-6

template <class Net>
std::unique_ptr<models::TranslationNet> make(const models::NetSizes& sizes, const models::BookFaults& book, Rng& rng) {
  return std::make_unique<Net>(sizes, book, rng);
}

TranslatorConfig config_of(const Json& json, bool book) {
  TranslatorConfig c;
  const auto set = [&json](const char* key, auto& field) { json.at(key).get_to(field); };
  set("embed_size", c.embed_size), set("hidden_size", c.hidden_size), set("layers", c.layers),
      set("num_steps", c.num_steps);
  set("min_frequency", c.min_frequency), set("learning_rate", c.learning_rate), set("clip", c.clip),
      set("epochs", c.epochs);
  c.dropout = 0.0;
  c.book_mask = c.book_context = c.book_padding = c.book_loss = c.book_text = book;
  return c;
}

/// A translator on the golden's pairs, with the golden's weights.
struct GoldenTranslator {
  Json golden;
  const Json& expected;
  std::unique_ptr<Translator> model;

  GoldenTranslator(const std::string& name, const std::string& mode)
      : golden(test::golden("models/" + name + "_training.json")),
        expected(golden.at(mode)) {
    const auto net = name == "seq2seq" ? make<models::Seq2Seq> : make<models::Bahdanau>;
    models::Opening opening;
    opening.pairs = golden.at("pairs").get<std::string>();
    model = std::make_unique<Translator>(net, config_of(golden.at("config"), mode == "book"), std::move(opening));
    load([this](const nn::Visitor& f) { model->visit(f); }, golden.at("weights"));
  }

  train::Trainer trainer() {
    const train::Parameters parameters = model->parameters();
    return {*model->task(), parameters, model->optimizer(parameters), model->settings()};
  }
};

void check_close(const std::string& topic, const std::string& where, double got, double want, double tolerance) {
  INFO(where, ", ", topic, ": ", got, ", expected ", want);
  CHECK(std::abs(got - want) <= tolerance * std::abs(want));
  measured(topic, std::abs(got - want) / std::abs(want), where);
}

}  // namespace

TEST_CASE("translator: the vocabularies of a file of pairs are those of the book's rules") {
  for_each_net([](const std::string& name, const std::string& mode) {
    const GoldenTranslator t(name, mode);
    CHECK(t.model->vocabularies()->source.words() == t.golden.at("source_words").get<std::vector<std::string>>());
    CHECK(t.model->vocabularies()->target.words() == t.golden.at("target_words").get<std::vector<std::string>>());
  });
}

TEST_CASE("translator: trained on a file of pairs, it reports PyTorch's losses and gradient norms for twenty epochs") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenTranslator t(name, mode);
    train::Trainer trainer = t.trainer();
    const std::size_t epochs = t.expected.at("norms").size();
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      const train::Progress& progress = trainer.advance(0.0);  // one batch, which holds all pairs
      const std::string where = name + " " + mode + " epoch " + std::to_string(epoch);
      REQUIRE(progress.history.size() == epoch + 1);
      for (const std::string metric : {"loss_per_token", "book_loss"})
        check_close("translator losses of twenty epochs", where, progress.history.back().at(metric),
                    t.expected.at(metric).at(epoch).get<double>(), kAfterSteps);
      check_close("translator gradient norms", where, progress.gradient_norm,
                  t.expected.at("norms").at(epoch).get<double>(), kAfterSteps);
    }
    CHECK(trainer.progress().state == train::Progress::State::done);
  });
}

TEST_CASE("translator: every number of a recorded translation is explained, and so is its loss with a given target") {
  struct Given final : models::FieldVisitor {
    void integer(const char*, int&, int, int, const char*) override {}
    void number(const char*, double&, double, double, const char*) override {}
    void boolean(const char*, bool&, const char*) override {}
    void choice(const char*, std::string&, const std::vector<std::string>&, const char*) override {}
    void text(const char* name, std::string& value, const char*) override {
      value = name == std::string("sentence") ? "I am at home." : "Je suis chez moi.";
    }
  };
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenTranslator t(name, mode);
    Given given;
    t.model->inputs(given);
    Graph graph({});
    const models::Result result = t.model->run(graph);
    REQUIRE(result.loss);
    graph.backward(*result.loss);
    check_values_explained(graph, 3, "net explanations of values", name + " " + mode + " translator");
    check_gradients_explained(graph, 3, "net explanations of gradients", name + " " + mode + " translator");
  });
}
