#include "models/golden_net.hpp"

#include "models/recurrent.hpp"

#include <doctest/doctest.h>

#include <set>

#include "ops/arithmetic.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"

namespace attn::test {
namespace {

std::unique_ptr<models::TranslationNet> make(const std::string& name, const Json& sizes, bool book) {
  const auto size = [&sizes](const char* key) { return sizes.at(key).get<std::size_t>(); };
  const models::NetSizes s{size("source_words"), size("target_words"), size("embed"),
                           size("hidden"),       size("layers"),       0.0F};
  const models::BookFaults faults{book, book, book, book, book};
  Rng rng(1);
  if (name == "seq2seq") return std::make_unique<models::Seq2Seq>(s, faults, rng);
  return std::make_unique<models::Bahdanau>(s, faults, rng);
}

}  // namespace

train::Parameters load(const Visit& visit, const Json& weights) {
  train::Parameters out;
  std::set<std::string> seen;
  visit([&](const std::string& path, Parameter& parameter) {
    INFO("parameter ", path);
    REQUIRE(weights.contains(path));
    const Tensor value = tensor_of(weights.at(path));
    REQUIRE(parameter.value.shape() == value.shape());
    parameter.value = value;
    parameter.name = path;
    seen.insert(path);
    out.push_back(&parameter);
  });
  CHECK(seen.size() == weights.size());
  return out;
}

Batch::Batch(const Json& json)
    : source(tensor_of(json.at("source"))),
      source_lengths(tensor_of(json.at("source_lengths"))),
      target_in(tensor_of(json.at("target_in"))),
      target_out(tensor_of(json.at("target_out"))),
      mask(Tensor::zeros(target_out.shape())) {
  const Tensor lengths = tensor_of(json.at("target_lengths"));
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (std::size_t t = 0; t < static_cast<std::size_t>(lengths.values()[b]); ++t, ++words)
      mask.mutable_values()[b * mask.size(1) + t] = 1.0F;
}

GoldenNet::GoldenNet(const std::string& name, const std::string& mode)
    : golden(test::golden("models/" + name + ".json")),
      expected(golden.at(mode)),
      book(mode == "book"),
      batch(golden.at("batch")),
      net(make(name, golden.at("sizes"), book)),
      parameters(load([this](const nn::Visitor& f) { net->visit(f); }, golden.at("weights"))) {}

models::Decoding GoldenNet::start(Graph& graph) {
  const Var ids = graph.input("source.ids", {"batch", "key"}, batch.source);
  const Var lengths = graph.input("source.lengths", {"batch"}, batch.source_lengths);
  return net->start(net->encode(ids, lengths));
}

GoldenNet::Forward GoldenNet::forward(Graph& graph) {
  models::Decoding state = start(graph);
  Forward out;
  out.logits = net->teacher_forced(graph.constant(batch.target_in), state);
  const Var losses = cross_entropy(out.logits, graph.constant(batch.target_out)) * graph.constant(batch.mask);
  out.loss = scale(sum(losses), static_cast<float>(1.0 / (book ? static_cast<double>(steps()) : batch.words)));
  return out;
}

}  // namespace attn::test
