#include "models/transformer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/matmul.hpp"
#include "models/golden_net.hpp"
#include "ops/arithmetic.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// f(net, its name) for the chapter's form and every other one, all of them correct.
template <class F>
void for_each_form(F&& f) {
  GoldenNet chapter("transformer", "correct");
  f(chapter, "chapter");
  for (const std::string& form : transformer_forms()) {
    INFO("form ", form);
    GoldenNet net(form);
    f(net, form);
  }
}

/// The words that stand at one place of all targets.
Tensor words_at(const GoldenNet& net, std::size_t t) {
  Tensor words({net.batch.target_in.size(0)});
  for (std::size_t b = 0; b < words.size(); ++b) words.mutable_values()[b] = net.batch.target_in.at(Cell{b, t});
  return words;
}

/// A recorded pass of the decoder, all words at once or one after the other. The book's is masked in training only (B13).
struct Pass {
  Graph graph;

  Pass(GoldenNet& net, bool at_once) : graph({.training = net.book}) {
    models::Decoding state = net.start(graph);
    if (at_once) net.net->teacher_forced(graph.constant(net.batch.target_in), state);
    for (std::size_t t = 0; !at_once && t < net.steps(); ++t) {
      const auto turn = graph.turn("time", static_cast<int>(t));
      net.net->step(graph.constant(words_at(net, t)), state);
    }
  }
  const Node& step(const std::string& name) const {
    const auto found = std::ranges::find_if(graph.nodes(), [&](const NodePtr& node) { return node->name == name; });
    INFO("step ", name);
    REQUIRE(found != graph.nodes().end());
    return **found;
  }
};

/// The largest error between what stands at a word's own turn and what stands at its place in the pass over all words: the
/// axis "query" has one entry against as many as there are words; keys are those so far.
double error_of_turn(const Node& turn, const Node& whole) {
  double largest = 0.0;
  for (std::size_t i = 0; i < turn.value.size(); ++i) {
    const Cell cell = cell_at(turn.value.shape(), i);
    Cell place;
    for (std::size_t axis = 0, from = 0; axis < whole.axes.size(); ++axis) {
      const bool query = whole.axes[axis] == "query",
                 there = from < turn.axes.size() && turn.axes[from] == whole.axes[axis];
      place.push_back(query ? static_cast<std::size_t>(turn.turn) : cell.at(from));
      if (there) ++from;
    }
    largest = std::max(largest, error_of(turn.value.at(cell), whole.value.at(place)));
  }
  return largest;
}

/// The largest error of each decoder step, turn by turn, against the pass over all words.
std::map<int, double> errors_of_turns(GoldenNet& net) {
  const Pass whole(net, true), turns(net, false);
  std::map<int, double> errors;
  std::map<std::string, int> seen;
  for (const NodePtr& node : turns.graph.nodes()) {
    if (!node->name.starts_with("decoder.") || node->turn < 0 || node->parameter != nullptr) continue;
    double& error = errors[node->turn];
    error = std::max(error, error_of_turn(*node, whole.step(node->name)));
    ++seen[node->name];
  }
  for (const auto& [name, count] : seen) CHECK(count == static_cast<int>(net.steps()));
  for (const char* name : {"decoder.0.self.weights", "decoder.0.cross.context", "decoder.0.addnorm3", "decoder.logits"})
    CHECK(seen.contains(name));
  return errors;
}

}  // namespace

// Measured: logits 1.4e-6, loss 1.3e-7, gradients 9.9e-6 (norm before the sub-layer).
TEST_CASE("transformer: in every form, logits, loss and gradients are PyTorch's, recorded (composed) or not (fused)") {
  for_each_form([](GoldenNet& net, const std::string& form) {
    for (const Record record : {Record::nothing, Record::backward, Record::everything}) {
      Graph graph({.record = record, .training = true});
      const auto [logits, loss] = net.forward(graph);
      const double want = net.expected.at("loss").get<double>();
      check_error("transformer forms, logits", form, scaled_error(logits.value(), net.expected_logits(graph)), 5e-6);
      check_error("transformer forms, loss", form, std::abs(loss.value().item() - want) / want, 2e-6);
      if (record == Record::nothing) continue;
      graph.backward(loss);
      for (Parameter* p : net.parameters) {
        const Tensor got = record == Record::backward ? p->gradient : graph.parameter(*p).gradient();
        check_error("transformer forms, gradients", form + " " + p->name,
                    scaled_error(got, tensor_of(net.expected.at("gradients").at(p->name))), 3e-5);
        p->gradient = {};
      }
    }
  });
}

// Measured: 0, the same sums in the same order.
TEST_CASE(
    "transformer: word by word, with keys and values kept, every step in every block is that of the pass over all "
    "words "
    "(B1, B27)") {
  for_each_form([](GoldenNet& net, const std::string& form) {
    for (const auto& [turn, error] : errors_of_turns(net))
      check_error("transformer, word by word against all at once", form, error, 1e-5);
  });
}

TEST_CASE("transformer: each word stands at its own position (B1); the book's, word by word, all stand at the first") {
  for (const std::string mode : {"correct", "book"}) {
    GoldenNet net("transformer", mode);
    const Pass whole(net, true), turns(net, false);
    for (const NodePtr& node : turns.graph.nodes())
      if (node->name == "decoder.positions") {
        const double error = error_of_turn(*node, whole.step("decoder.positions"));
        CHECK((error == 0.0) == (mode == "correct" || node->turn == 0));
      }
    for (const auto& [turn, error] : errors_of_turns(net)) CHECK((error <= 1e-5) == (mode == "correct" || turn == 0));
  }
}

TEST_CASE(
    "transformer: no word looks at those behind it, in training or out of it (B13, B14); the book's do out of it") {
  for (const std::string mode : {"correct", "book"})
    for (const bool training : {true, false}) {
      GoldenNet net("transformer", mode);
      Graph graph({.training = training});
      models::Decoding state = net.start(graph);
      net.net->teacher_forced(graph.constant(net.batch.target_in), state);
      float ahead = 0.0F;
      for (const NodePtr& node : graph.nodes())
        if (node->name.ends_with(".self.weights"))
          for (std::size_t i = 0; i < node->value.size(); ++i) {
            const Cell cell = cell_at(node->value.shape(), i);
            if (cell[3] > cell[2]) ahead = std::max(ahead, node->value.values()[i]);
          }
      CHECK((ahead == 0.0F) == (mode == "correct" || training));
    }
}

TEST_CASE(
    "transformer: a pass over a hundred words outside training is causal: the last word changes no logit before it "
    "(B14)") {
  const models::NetSizes sizes{11, 13, 8, 8, 2, 0.0F};
  for (const bool book : {false, true}) {
    Rng rng(3);
    models::Transformer net(sizes, {.heads = 2, .ffn = 12}, {.causal = book}, rng);
    const auto logits = [&net](float last) {
      Graph graph({.record = Record::nothing});
      models::Decoding state =
          net.start(net.encode(graph.constant(Tensor::full({1, 4}, 5.0F)), graph.constant(Tensor::of({1}, {4}))));
      Tensor words = Tensor::full({1, 100}, 6.0F);
      words.mutable_values()[99] = last;
      return net.teacher_forced(graph.constant(words), state).value();
    };
    const Tensor a = logits(7.0F), b = logits(8.0F);
    const std::size_t before = 99 * 13;
    CHECK((largest_error(a.values().first(before), b.values().first(before)) == 0.0) == !book);
    CHECK(largest_error(a.values().subspan(before), b.values().subspan(before)) > 0.0);
  }
}

TEST_CASE(
    "transformer: keys and values are projected once: a word costs what the last did, and its look at one key more "
    "(B27)") {
  for (const Record record : {Record::everything, Record::nothing}) {
    GoldenNet net("transformer", "correct");
    Graph graph({.record = record});
    models::Decoding state = net.start(graph);
    std::vector<std::size_t> costs;
    for (std::size_t t = 0; t < net.steps(); ++t) {
      const std::size_t before = kernels::multiply_adds();
      net.net->step(graph.constant(words_at(net, t)), state);
      costs.push_back(kernels::multiply_adds() - before);
    }
    const auto size = [&net](const char* key) { return net.golden.at("sizes").at(key).get<std::size_t>(); };
    const std::size_t one_key = 2 * size("hidden");  // hidden for the scores of all heads, hidden for their values
    for (std::size_t t = 1; t < costs.size(); ++t)
      CHECK(costs[t] - costs[t - 1] == size("layers") * net.batch.source.size(0) * one_key);
  }
}

TEST_CASE("transformer: what a block keeps grows by one row a word, and a copy of the state is a branch of its own") {
  GoldenNet net("transformer", "correct");
  Graph graph({});
  models::Decoding state = net.start(graph);
  net.net->step(graph.constant(words_at(net, 0)), state);
  models::Decoding branch = state;
  const Tensor first = net.net->step(graph.constant(words_at(net, 1)), state).value();
  net.net->step(graph.constant(words_at(net, 3)), branch);
  net.net->step(graph.constant(words_at(net, 4)), branch);
  for (const auto& block : state.blocks) CHECK(block.self.keys.size(2) == 2);
  for (const auto& block : branch.blocks) CHECK(block.self.values.size(2) == 3);
  for (const auto& block : branch.blocks) CHECK(block.cross.keys.size(2) == net.batch.source.size(1));
  models::Decoding again = net.start(graph);
  net.net->step(graph.constant(words_at(net, 0)), again);
  CHECK(largest_error(net.net->step(graph.constant(words_at(net, 1)), again).value(), first) == 0.0);
}

TEST_CASE("transformer: heads that do not divide the features are refused in a sentence (B9)") {
  Rng rng(1);
  CHECK_THROWS_WITH_AS(models::Transformer({11, 13, 10, 10, 1, 0.0F}, {.heads = 3}, {}, rng),
                       "hidden_size 10 cannot be shared out among 3 heads: each head gets hidden_size / heads features",
                       ConfigError);
}

TEST_CASE("transformer: runs with an odd number of features (B10) and beyond a thousand words (B11)") {
  Rng rng(2);
  models::Transformer net({11, 13, 33, 33, 1, 0.0F}, {.heads = 3, .ffn = 8}, {}, rng);
  Graph graph({.record = Record::nothing});
  Tensor words = Tensor::full({1, 1001}, 5.0F);
  models::Decoding state = net.start(net.encode(graph.constant(words), graph.constant(Tensor::of({1}, {1001}))));
  const Tensor logits = net.teacher_forced(graph.constant(words), state).value();
  CHECK(logits.shape() == Shape{1, 1001, 13});
  CHECK(std::ranges::all_of(logits.values(), [](float x) { return std::isfinite(x); }));
}

TEST_CASE("transformer: in every form, every number of a whole run, forward and back, is explained") {
  for_each_form([](GoldenNet& net, const std::string& form) {
    Graph graph({});
    graph.backward(net.forward(graph).loss);
    check_values_explained(graph, 3, "net explanations of values", "transformer " + form);
    check_gradients_explained(graph, 3, "net explanations of gradients", "transformer " + form);
  });
}
