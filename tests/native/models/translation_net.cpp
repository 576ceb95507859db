#include <doctest/doctest.h>

#include <algorithm>

#include "models/golden_net.hpp"
#include "models/recurrent.hpp"
#include "models/transformer.hpp"
#include "support/compare.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr double kAfterSteps = 2e-5;  // of losses, norms and weights along twenty Adam steps; measured: 7.0e-6

/// Words chosen greedily, one step at a time: ids [B, T] and the logits that chose them, as PyTorch's tensors lie.
struct Greedy {
  std::vector<float> ids, logits;
};

Greedy decode(GoldenNet& net, Graph& graph) {
  models::Decoding state = net.start(graph);
  const std::size_t batch = net.batch.source.size(0), steps = net.steps();
  const std::size_t vocabulary = net.golden.at("sizes").at("target_words").get<std::size_t>();
  Greedy out{std::vector<float>(batch * steps), std::vector<float>(batch * steps * vocabulary)};
  Tensor words = Tensor::full({batch}, 2.0F);  // <bos>
  for (std::size_t t = 0; t < steps; ++t) {
    const Tensor logits = net.net->step(graph.constant(words.copy()), state).value();
    for (std::size_t b = 0; b < batch; ++b) {
      const auto row = logits.values().subspan(b * vocabulary, vocabulary);
      words.mutable_values()[b] = static_cast<float>(std::ranges::max_element(row) - row.begin());
      out.ids[b * steps + t] = words.values()[b];
      std::ranges::copy(row, out.logits.begin() + static_cast<std::ptrdiff_t>((b * steps + t) * vocabulary));
    }
  }
  return out;
}

void check_losses(const std::string& where, const std::vector<double>& got, const Json& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double expected = want.at(i).get<double>();
    check_error("net losses of twenty Adam steps", where + " step " + std::to_string(i),
                std::abs(got[i] - expected) / expected, kAfterSteps);
  }
}

}  // namespace

// Measured: logits 2.2e-7, loss 4.6e-8.
TEST_CASE(
    "translation nets: logits and loss are PyTorch's, correct and as in the book, in training and out of it, recorded "
    "(composed) or not (fused)") {
  for_each_net([](const std::string& name, const std::string& mode) {
    for (const Record record : {Record::nothing, Record::backward, Record::everything})
      for (const bool training : {true, false}) {
        GoldenNet net(name, mode);
        Graph graph({.record = record, .training = training});
        const auto [logits, loss] = net.forward(graph);
        check_error("net logits", name + " " + mode, scaled_error(logits.value(), net.expected_logits(graph)), 5e-6);
        const double want = net.expected.at("loss").get<double>();
        if (training) check_error("net loss", name + " " + mode, std::abs(loss.value().item() - want) / want, 2e-6);
      }
  });
}

// Measured: 4.0e-6, of W_q.
TEST_CASE(
    "translation nets: the gradient of every parameter is PyTorch's, in a training graph and in one that records") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenNet net(name, mode);
    Graph training({.record = Record::backward, .training = true}), looking({.training = true});
    training.backward(net.forward(training).loss);
    looking.backward(net.forward(looking).loss);
    const Json& want = net.expected.at("gradients");
    CHECK(want.size() == net.parameters.size());
    for (Parameter* p : net.parameters) {
      const std::string where = name + " " + mode + " " + p->name;
      check_error("net gradients", where, scaled_error(p->gradient, tensor_of(want.at(p->name))), 1e-5);
      check_error("net gradients", where, scaled_error(looking.parameter(*p).gradient(), tensor_of(want.at(p->name))),
                  1e-5);
    }
  });
}

TEST_CASE("translation nets: greedy decoding step by step writes PyTorch's words with PyTorch's logits") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenNet net(name, mode);
    Graph graph({.record = Record::nothing});
    const Greedy got = decode(net, graph);
    const Json& want = net.expected.at("greedy");
    CHECK(got.ids == want.at("ids").at("values").get<std::vector<float>>());
    const Tensor logits = tensor_of(want.at("logits"));
    check_error("net logits of greedy decoding", name + " " + mode,
                scaled_error(Tensor::of(logits.shape(), got.logits), logits), 5e-6);
  });
}

TEST_CASE("translation nets: step by step with the right words gives the logits of the whole sequence at once") {
  for_each_net([](const std::string& name, const std::string& mode) {
    if (mode == "book" && name != "bahdanau") return;  // a context that drifts (B2), a position that stays (B1)
    GoldenNet net(name, mode);
    Graph graph({.record = Record::nothing});
    const Tensor whole = net.forward(graph).logits.value();
    models::Decoding state = net.start(graph);
    for (std::size_t t = 0; t < net.steps(); ++t) {
      Tensor words({3});
      for (std::size_t b = 0; b < 3; ++b) words.mutable_values()[b] = net.batch.target_in.at(Cell{b, t});
      const Tensor logits = net.net->step(graph.constant(words), state).value();
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t v = 0; v < logits.size(1); ++v)
          check_error("net steps against the whole", name + " " + mode,
                      error_of(logits.at(Cell{b, v}), whole.at(Cell{b, t, v})), 2e-6);
    }
  });
}

TEST_CASE("translation nets: the chapter's have 47,369, 49,449 and 60,937 parameters") {
  const models::NetSizes chapter{184, 201, 32, 32, 2, 0.1F};
  Rng rng(1);
  models::Seq2Seq seq2seq(chapter, {}, rng);
  models::Bahdanau bahdanau(chapter, {}, rng);
  models::Transformer transformer(chapter, {}, {}, rng);
  const auto count = [](models::TranslationNet& net) {
    std::size_t out = 0;
    net.visit([&out](const std::string&, Parameter& p) { out += p.value.size(); });
    return out;
  };
  CHECK(count(seq2seq) == 47369);
  CHECK(count(bahdanau) == 49449);
  CHECK(count(transformer) == 60937);
}

TEST_CASE("seq2seq: the context is the same array at every step (B2), and drifts in the book's mode") {
  for (const std::string mode : {"correct", "book"}) {
    GoldenNet net("seq2seq", mode);
    Graph graph({});
    decode(net, graph);
    std::vector<Tensor> contexts;
    for (const NodePtr& node : graph.nodes())
      if (node->name == "decoder.context") contexts.push_back(node->value);
    REQUIRE(contexts.size() == net.steps());
    for (std::size_t t = 1; t < contexts.size(); ++t)
      CHECK((largest_error(contexts[t], contexts[0]) == 0.0) == (mode == "correct"));
  }
}

/// What an encoder gives for the second sentence alone, and for it among longer ones: its two words, [2, H].
std::pair<Tensor, Tensor> alone_and_padded(GoldenNet& net, Tensor (*of)(const models::Encoded&)) {
  Graph graph({.record = Record::nothing});
  const Tensor one = Tensor::of({1, 2}, net.batch.source.values().subspan(6, 2));
  const models::Encoded alone = net.net->encode(graph.constant(one), graph.constant(Tensor::of({1}, {2})));
  const models::Encoded all =
      net.net->encode(graph.constant(net.batch.source), graph.constant(net.batch.source_lengths));
  return {of(alone), of(all)};
}

TEST_CASE("recurrent encoders: padding does not change the last state (B17), and does in the book's mode") {
  for_each_net(
      [](const std::string& name, const std::string& mode) {
        GoldenNet net(name, mode);
        const auto [alone, padded] =
            alone_and_padded(net, [](const models::Encoded& e) { return e.state.back().value(); });
        const double error = largest_error(padded.values().subspan(6, 6), alone.values());
        CHECK((error <= 1e-6) == (mode == "correct"));
      },
      {"seq2seq", "bahdanau"});
}

TEST_CASE("encoders: what stands for a sentence's words does not depend on the padding behind them") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenNet net(name, mode);
    const auto [alone, padded] = alone_and_padded(net, [](const models::Encoded& e) { return e.outputs.value(); });
    const std::size_t hidden = alone.size(2);
    // One sentence alone is multiplied in another order than three; measured, through a Transformer's norms: 2.3e-6.
    CHECK(largest_error(padded.values().subspan(6 * hidden, 2 * hidden), alone.values()) <= 6e-6);
  });
}

TEST_CASE("translation nets: every number of a whole run, forward and back, is explained") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenNet net(name, mode);
    Graph graph({.training = true});
    graph.backward(net.forward(graph).loss);
    check_values_explained(graph, 4, "net explanations of values", name + " " + mode);
    check_gradients_explained(graph, 4, "net explanations of gradients", name + " " + mode);
  });
}

TEST_CASE("translation nets: twenty Adam steps with clipping give PyTorch's losses, norms and weights") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenNet net(name, mode);
    train::Adam adam(net.parameters, net.golden.at("rate").get<float>());
    std::vector<double> losses;
    for (std::size_t step = 0; step < net.expected.at("losses").size(); ++step) {
      Graph graph({.record = Record::backward, .training = true});
      const Var loss = net.forward(graph).loss;
      losses.push_back(loss.value().item());
      graph.backward(loss);
      const double norm = train::clip_gradients(net.parameters, net.golden.at("clip").get<double>());
      const double want = net.expected.at("norms").at(step).get<double>();
      check_error("net gradient norms", name + " " + mode, std::abs(norm - want) / want, kAfterSteps);
      graph.clear();
      adam.step();
    }
    check_losses(name + " " + mode, losses, net.expected.at("losses"));
    for (const Parameter* p : net.parameters)
      check_error("net weights after twenty steps", name + " " + mode + " " + p->name,
                  scaled_error(p->value, tensor_of(net.expected.at("trained").at(p->name))), kAfterSteps);
  });
}
