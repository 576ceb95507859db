#include <doctest/doctest.h>

#include <cmath>

#include "models/translator.hpp"
#include "support/open.hpp"

using namespace attn;
using namespace attn::test;
using engine::Json;

namespace {

// Every source has two translations that differ in their first word alone: -ln 1/2 once in three target words is the floor
// of what anyone can know, ln 2 / 3 nats a word.
const char* kAmbiguous = "Go.\tVa !\nGo.\tPars !\nWait.\tAttends !\nWait.\tPatiente !\n";
const double kFloor = std::log(2.0) / 3.0;

Json small(const std::string& name, Json more = Json::object()) {
  Json config = {{"hidden_size", 16}, {"layers", 1}, {"min_frequency", 1}, {"epochs", 150}, {"dropout", 0.0}};
  if (name == "transformer") config.update({{"heads", 2}, {"ffn_size", 16}});
  config.update(more);
  return config;
}

std::unique_ptr<models::Model> trained(const std::string& name, const Json& config,
                                       const std::string& pairs = kAmbiguous) {
  auto model = open_model(name, config, pairs);
  train::Trainer trainer(*model->task(), model->parameters(), model->optimizer(model->parameters()), model->settings());
  CHECK(trainer.advance(1e9).state == train::Progress::State::done);
  return model;
}

models::Result run(models::Model& model, const Json& inputs) {
  set_inputs(model, inputs);
  Graph graph({.record = Record::nothing});
  return model.run(graph);
}

double evaluated(models::Model& model, const char* metric = "loss_per_token") {
  return run(model, {{"evaluate", "training"}}).metrics.at(metric);
}

}  // namespace

TEST_CASE("translators: in evaluation the loss comes down to the corpus's floor, and never under it") {
  for (const std::string name : {"seq2seq", "bahdanau", "transformer"}) {
    INFO(name);
    const auto model = trained(name, small(name));
    const double loss = evaluated(*model);
    CHECK(loss >= kFloor);
    CHECK(loss < kFloor + 0.02);
  }
}

TEST_CASE("transformer: one that sees the words behind falls under the floor, for it is told the answer (MI-4)") {
  const auto model = trained("transformer", small("transformer", {{"causal", false}}));
  CHECK(evaluated(*model) < kFloor - 0.1);
}

TEST_CASE("transformer: outside training a whole target is masked too; in the book's mode it is not (B13, B14)") {
  for (const bool book : {false, true}) {
    const auto model = open_model("transformer", small("transformer", {{"book_causal", book}}), kAmbiguous);
    set_inputs(*model, {{"sentence", "Go."}, {"target", "Va !"}});
    Graph graph({});
    model->run(graph);
    for (const NodePtr& node : graph.nodes())
      if (node->name == "decoder.0.self.weights") {
        const float ahead = node->value.at(Cell{0, 0, 0, 2});
        CHECK((ahead > 0.0F) == book);
      }
  }
}

TEST_CASE("transformer: every form of it learns") {
  const std::vector<Json> forms = {{{"norm", "pre"}},
                                   {{"norm", "none"}},
                                   {{"residual", false}},
                                   {{"scale_scores", false}},
                                   {{"positions", "learned"}},
                                   {{"positions", "relative"}, {"reach", 2}},
                                   {{"positions", "bias"}},
                                   {{"positions", "none"}},
                                   {{"join_positions", true}},
                                   {{"scale_embedding", false}, {"embedding_start", "small"}},
                                   {{"dropout", 0.1}},
                                   {{"teacher_forcing", false}},
                                   {{"layers", 2}, {"heads", 4}}};
  for (const Json& form : forms) {
    INFO(form.dump());
    const auto first = open_model("transformer", small("transformer", form), kAmbiguous);
    const auto model = trained("transformer", small("transformer", form));
    CHECK(evaluated(*model) < 0.5 * evaluated(*first));
    CHECK(run(*model, {{"sentence", "Wait."}}).translation->ended);
  }
}

TEST_CASE("transformer: sizes that do not fit are refused with the reason") {
  const auto opened = [](const Json& config) { open_model("transformer", config, kAmbiguous); };
  CHECK_THROWS_WITH_AS(opened({{"heads", 3}}), doctest::Contains("32 cannot be shared out among 3 heads"), ConfigError);
  CHECK_THROWS_WITH_AS(opened({{"positions", "none"}, {"join_positions", true}}), doctest::Contains("nothing to join"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(opened({{"embed_size", 16}}), doctest::Contains("there is no field \"embed_size\""),
                       ConfigError);
}

TEST_CASE("translators: training that would not fit into memory is refused beforehand, with an estimate") {
  std::string pairs;
  for (int i = 0; i < 1024; ++i) pairs += "word" + std::to_string(i) + " .\tmot" + std::to_string(i) + " .\n";
  const Json large = {
      {"batch_size", 1024}, {"num_steps", 64}, {"book_padding", true}, {"hidden_size", 256}, {"layers", 4}};
  for (const std::string name : {"seq2seq", "bahdanau", "transformer"}) {
    INFO(name);
    CHECK_THROWS_WITH_AS(open_model(name, large, pairs), doctest::Contains("MiB of memory; there are 900"),
                         ConfigError);
    CHECK_NOTHROW(open_model(name, {{"batch_size", 1024}, {"hidden_size", 64}}, pairs));
  }
}

TEST_CASE("recurrent translators learn from their own words too, and Bahdanau from dot products") {
  for (const std::string name : {"seq2seq", "bahdanau"}) {
    const auto free = trained(name, small(name, {{"teacher_forcing", false}}));
    CHECK(evaluated(*free) < 1.0);
  }
  const auto dot = trained("bahdanau", small("bahdanau", {{"score", "dot"}}));
  CHECK(evaluated(*dot) < kFloor + 0.02);
  for (const Parameter* p : dot->parameters()) CHECK(p->name.find("attention") == std::string::npos);
}

TEST_CASE(
    "translators: greedy, beam and sampling write; the beam of one is greedy, the tree holds what was looked at") {
  const auto model = trained("transformer", small("transformer"));
  const auto greedy = *run(*model, {{"sentence", "Go."}}).translation;
  const auto one = *run(*model, {{"sentence", "Go."}, {"search", "beam"}, {"beam_size", 1}}).translation;
  CHECK(one.text == greedy.text);
  const auto beam =
      *run(*model, {{"sentence", "Go."}, {"search", "beam"}, {"beam_size", 2}, {"alpha", 0.0}}).translation;
  REQUIRE(beam.hypotheses.size() >= 2);
  CHECK(beam.hypotheses[0].text + beam.hypotheses[1].text != beam.hypotheses[0].text + beam.hypotheses[0].text);
  for (std::size_t i = 0; i < 2; ++i) {  // both translations, each with half of the probability
    CHECK((beam.hypotheses[i].text == "va !" || beam.hypotheses[i].text == "pars !"));
    CHECK(beam.hypotheses[i].log_p == doctest::Approx(std::log(0.5)).epsilon(0.1));
  }
  CHECK(beam.hypotheses[0].score >= beam.hypotheses[1].score);
  CHECK(beam.text == beam.hypotheses[0].text);
  REQUIRE(!beam.tree.empty());
  CHECK(beam.tree[0][0].text == beam.target[0].text);

  std::map<std::string, int> drawn;
  for (int seed = 0; seed < 40; ++seed)
    ++drawn[run(*model, {{"sentence", "Go."}, {"search", "sample"}, {"top_k", 2}, {"sample_seed", seed}})
                .translation->text];
  CHECK(drawn["va !"] > 8);  // 20 of 40 are to be expected, 8 or fewer with a chance of 1 in 9,000
  CHECK(drawn["pars !"] > 8);
}

TEST_CASE("translators: a written word's probability is that of the search that chose it") {
  const auto model = trained("bahdanau", small("bahdanau"));
  const auto t = *run(*model, {{"sentence", "Wait."}, {"search", "beam"}, {"beam_size", 3}}).translation;
  double log_p = 0.0;
  for (const auto& word : t.target) log_p += std::log(word.probability);
  CHECK(log_p == doctest::Approx(t.hypotheses[0].log_p).epsilon(1e-5));
}

TEST_CASE("evaluation: BLEU and exact hits over the training pairs or others; without pairs it is refused") {
  const auto model = trained("transformer", small("transformer"), "Go.\tVa !\nWait.\tAttends !\n");
  CHECK(evaluated(*model, "bleu") == 1.0);
  CHECK(evaluated(*model, "exact") == 1.0);
  const auto half = run(*model, {{"evaluate", "pairs"}, {"pairs", "Go.\tVa !\nWait.\tVa va va.\n"}}).metrics;
  CHECK(half.at("exact") == 0.5);
  CHECK(half.at("bleu") < 1.0);
  CHECK(half.at("pairs") == 2.0);
  CHECK_THROWS_AS(run(*model, {{"evaluate", "pairs"}}), DataError);
  models::Opening opening;
  opening.vocabularies = *model->vocabularies();
  engine::FieldReader reader(Json::object(), "config");
  const auto bare = models::Translator::transformer().open(reader, std::move(opening));
  CHECK_THROWS_WITH_AS(run(*bare, {{"evaluate", "training"}}), doctest::Contains("no training pairs"), ConfigError);
}

TEST_CASE(
    "heads: switched off for one run they change the answer, and the next run has them all; unknown ones are named") {
  const auto model = trained("transformer", small("transformer"));
  const double all = evaluated(*model);
  const double without = run(*model, {{"evaluate", "training"}, {"heads_off", "decoder.0.cross.0 decoder.0.cross.1"}})
                             .metrics.at("loss_per_token");
  CHECK(without > all + 0.1);
  CHECK(evaluated(*model) == all);
  for (const char* wrong : {"decoder.0.cross.2", "decoder.5.cross.0", "cross", "decoder.0.cross.", "decoder.0.cross.x"})
    CHECK_THROWS_WITH_AS(run(*model, {{"heads_off", wrong}}), doctest::Contains(wrong), ConfigError);
  CHECK(evaluated(*model) == all);
}

TEST_CASE("attention: each model says which steps hold its weights; plain seq2seq says none") {
  CHECK(open_model("seq2seq", Json::object(), kAmbiguous)->attention().empty());
  CHECK(open_model("bahdanau", Json::object(), kAmbiguous)->attention().size() == 1);
  for (const std::string name : {"bahdanau", "transformer"}) {
    const auto model = open_model(name, Json::object(), kAmbiguous);
    set_inputs(*model, {{"sentence", "Go."}});
    Graph graph({});
    model->run(graph);
    for (const auto& attention : model->attention()) {
      std::size_t found = 0;
      for (const NodePtr& node : graph.nodes()) {
        if (node->name != attention.step) continue;
        ++found;
        CHECK(node->axes.back() == "key");
        CHECK(node->axes[node->axes.size() - 2] == "query");
        for (std::size_t row = 0; row < node->value.size() / node->value.shape().back(); ++row) {
          double sum = 0.0;
          for (std::size_t key = 0; key < node->value.shape().back(); ++key)
            sum += node->value.values()[row * node->value.shape().back() + key];
          CHECK(std::abs(sum - 1.0) < 1e-6);
        }
      }
      CHECK_MESSAGE(found > 0, attention.step);
    }
  }
}

namespace {

/// A recorded run, and its steps by name.
struct Looked {
  Looked(models::Model& model, const Json& inputs, const Edits* edits = nullptr) : graph({.edits = edits}) {
    set_inputs(model, inputs);
    result = model.run(graph);
  }
  const Node* find(const std::string& name) const {
    for (const NodePtr& node : graph.nodes())
      if (node->name == name) return node.get();
    return nullptr;
  }
  const Tensor& operator[](const std::string& name) const {
    const Node* node = find(name);
    if (node == nullptr) throw std::runtime_error("no step " + name);
    return node->value;
  }

  Graph graph;
  models::Result result;
};

Edit all_of(std::vector<float> values) {
  Edit out;
  out.values = std::move(values);
  return out;
}

const Json kGiven = {{"sentence", "Go."}, {"target", "Va !"}};

}  // namespace

TEST_CASE("transformer: word by word gives what the one pass gives; standing always at position 0 it does not (B1)") {
  for (const bool book : {false, true}) {
    const auto model = open_model("transformer", small("transformer", {{"book_position", book}}), kAmbiguous);
    Json inputs = kGiven;
    inputs["both_ways"] = true;
    const Looked run(*model, inputs);
    CHECK(run["word_by_word.logits"].shape() == Shape{3, 9});
    CHECK(run["word_by_word.difference"].at(Cell{0}) < 1e-5F);
    CHECK((run["word_by_word.difference"].at(Cell{1}) > 1e-3F) == book);
    CHECK((run["word_by_word.largest"].item() > 1e-3F) == book);
    const Tensor &p = run["word_by_word.probabilities"], &once = run["decoder.probabilities"];
    for (std::size_t w = 0; w < 9; ++w) CHECK(p.at(Cell{0, w}) == doctest::Approx(once.at(Cell{0, 0, w})));
  }
}

TEST_CASE("transformer: what is changed in the source is changed in both ways, and word by word asks for a target") {
  const auto model = open_model("transformer", small("transformer"), kAmbiguous);
  Json inputs = kGiven;
  inputs["both_ways"] = true;
  const Looked plain(*model, inputs);
  const Edits edits = {{"encoder.0.addnorm2", all_of(std::vector<float>(3 * 16, 0.5F))}};
  const Looked edited(*model, inputs, &edits);
  CHECK(edited["word_by_word.largest"].item() < 1e-5F);
  CHECK(edited["word_by_word.logits"].at(Cell{1, 5}) != plain["word_by_word.logits"].at(Cell{1, 5}));
  CHECK_THROWS_WITH_AS(run(*model, {{"sentence", "Go."}, {"both_ways", true}}),
                       doctest::Contains("a Transformer is needed, and a target"), ConfigError);
  const auto other = open_model("bahdanau", small("bahdanau"), kAmbiguous);
  CHECK_THROWS_AS(run(*other, inputs), ConfigError);
}

TEST_CASE("transformer: how many words each word sees is a step, 1 2 3 …, that can be edited (TR-7, TR-11)") {
  const auto model = open_model("transformer", small("transformer"), kAmbiguous);
  const Looked run(*model, kGiven);
  const Tensor& seen = run["decoder.lengths"];
  CHECK(seen.shape() == Shape{1, 3});
  for (std::size_t t = 0; t < 3; ++t) CHECK(seen.at(Cell{0, t}) == static_cast<float>(t + 1));
  CHECK(run["decoder.0.self.weights"].at(Cell{0, 0, 0, 2}) == 0.0F);
  const Edits edits = {{"decoder.lengths", all_of({3, 3, 1})}};
  const Looked ahead(*model, kGiven, &edits);
  CHECK(ahead["decoder.0.self.weights"].at(Cell{0, 0, 0, 2}) > 0.0F);
  CHECK(ahead["decoder.0.self.weights"].at(Cell{0, 1, 2, 0}) == 1.0F);
}

TEST_CASE("transformer: scores without the 1/√d are √d times as large, recorded or not (TR-15)") {
  const auto scaled = open_model("transformer", small("transformer"), kAmbiguous),
             raw = open_model("transformer", small("transformer", {{"scale_scores", false}}), kAmbiguous);
  const Looked with(*scaled, kGiven), without(*raw, kGiven);
  const double root = std::sqrt(8.0);
  for (const char* scores : {"encoder.0.attention.scores", "decoder.0.self.scores"})
    CHECK(without[scores].at(Cell{0, 1, 2, 1}) == doctest::Approx(root * with[scores].at(Cell{0, 1, 2, 1})));
  set_inputs(*raw, kGiven);
  Graph quick({.record = Record::nothing});
  CHECK(raw->run(quick).loss->value().item() == doctest::Approx(without.result.loss->value().item()).epsilon(1e-5));
  CHECK(without.result.loss->value().item() != doctest::Approx(with.result.loss->value().item()).epsilon(1e-4));
}

TEST_CASE("transformer: switches of heads that are all on are ones, change nothing, and have a gradient") {
  const auto model = open_model("transformer", small("transformer"), kAmbiguous);
  Json inputs = kGiven;
  const Looked plain(*model, inputs);
  CHECK(plain.find("encoder.0.attention.switches") == nullptr);
  inputs["switches"] = true;
  Looked run(*model, inputs);
  CHECK(run.result.loss->value().item() == plain.result.loss->value().item());
  run.graph.backward(*run.result.loss);
  for (const char* layer : {"encoder.0.attention", "decoder.0.self", "decoder.0.cross"}) {
    const Node* switches = run.find(std::string(layer) + ".switches");
    REQUIRE(switches != nullptr);
    for (const float on : switches->value.values()) CHECK(on == 1.0F);
    CHECK(switches->gradient.at(Cell{1, 0, 0}) != 0.0F);
  }
  const Edits edits = {{"encoder.0.attention.switches", all_of({0, 1})}};
  const Looked edited(*model, inputs, &edits);
  inputs["heads_off"] = "encoder.0.attention.0";
  CHECK(edited.result.loss->value().item() == Looked(*model, inputs).result.loss->value().item());
  inputs = kGiven;
  CHECK(Looked(*model, inputs).find("encoder.0.attention.switches") == nullptr);  // it is as it was
}

TEST_CASE("evaluation: what is measured stands among the steps, and words are counted by their kind") {
  const auto model = trained("transformer", small("transformer"));
  const Looked run(*model, {{"evaluate", "training"}});
  const auto& m = run.result.metrics;
  CHECK(run["evaluated.loss"].item() == doctest::Approx(m.at("loss_per_token")));
  CHECK(run["evaluated.bleu"].item() == doctest::Approx(m.at("bleu")));
  CHECK(run["evaluated.exact"].item() == doctest::Approx(m.at("exact")));
  CHECK(m.at("of.end") == 4.0);
  CHECK(m.at("of.punctuation") == 4.0);
  CHECK(m.at("of.frequent") == 4.0);  // va, pars, attends, patiente
  CHECK(m.at("of.other") == 0.0);
  CHECK(m.at("of.unknown") == 0.0);
  CHECK(m.at("right.end") == 1.0);
  CHECK(m.at("right.punctuation") == 1.0);
  CHECK(m.at("right.frequent") == 0.5);  // of each two that stand behind one source
  CHECK(m.at("right") == doctest::Approx(10.0 / 12));
  CHECK_FALSE(m.contains("right.other"));
}

TEST_CASE("evaluation: a word that is wanted as <unk> is counted, and in no share") {
  const auto model = open_model("seq2seq", small("seq2seq"), kAmbiguous);
  const auto m = run(*model, {{"evaluate", "pairs"}, {"pairs", "Go.\tCours !\n"}}).metrics;
  CHECK(m.at("of.unknown") == 1.0);
  CHECK(m.at("of.end") + m.at("of.punctuation") == 2.0);
  CHECK_FALSE(m.contains("right.frequent"));
}

TEST_CASE("translators: a run tells its products; attention costs more than one context (BAH-9)") {
  std::map<std::string, double> products;
  for (const std::string name : {"seq2seq", "bahdanau", "transformer"}) {
    const auto model = open_model(name, small(name), kAmbiguous);
    products[name] = run(*model, kGiven).metrics.at("multiply_adds");
    if (name != "transformer")  // recorded, it computes the scores of hidden keys, too
      CHECK(Looked(*model, kGiven).result.metrics.at("multiply_adds") == products[name]);
    CHECK(run(*model, {{"sentence", "Go."}}).metrics.at("multiply_adds") > 0.0);
    CHECK(run(*model, {{"evaluate", "training"}}).metrics.at("multiply_adds") > 4 * products[name]);
  }
  CHECK(products["seq2seq"] < products["bahdanau"]);
}
