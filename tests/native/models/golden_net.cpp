#include "models/golden_net.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/recurrent.hpp"
#include "models/transformer.hpp"
#include "ops/arithmetic.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"

namespace attn::test {
namespace {

models::TransformerStyle style_of(const Json& sizes, const Json& form) {
  models::TransformerStyle style;
  style.heads = sizes.at("heads").get<std::size_t>();
  style.ffn = sizes.at("ffn").get<std::size_t>();
  const std::string norm = form.value("norm", "post"), positions = form.value("positions", "sinusoid");
  style.norm = norm == "post" ? nn::NormPlace::post : norm == "pre" ? nn::NormPlace::pre : nn::NormPlace::none;
  style.positions = positions == "sinusoid"  ? nn::PositionKind::sinusoid
                    : positions == "learned" ? nn::PositionKind::learned
                                             : nn::PositionKind::none;
  style.relative = positions == "relative" ? nn::RelativeKind::clipped
                   : positions == "bias"   ? nn::RelativeKind::bias
                                           : nn::RelativeKind::none;
  style.residual = form.value("residual", true);
  style.joined = form.value("join_positions", false);
  style.scaled = form.value("scale_embedding", true);
  style.reach = form.value("reach", style.reach);
  style.longest = form.value("max_len", style.longest);
  return style;
}

std::unique_ptr<models::TranslationNet> make(const std::string& name, const Json& golden, bool book) {
  const Json& sizes = golden.at("sizes");
  const auto size = [&sizes](const char* key) { return sizes.at(key).get<std::size_t>(); };
  const models::NetSizes s{size("source_words"), size("target_words"), sizes.value("embed", size("hidden")),
                           size("hidden"),       size("layers"),       0.0F};
  const models::BookFaults faults{book, book, book, book, book};
  Rng rng(1);
  if (name == "seq2seq") return std::make_unique<models::Seq2Seq>(s, faults, rng);
  if (name == "bahdanau") return std::make_unique<models::Bahdanau>(s, faults, rng);
  return std::make_unique<models::Transformer>(s, style_of(sizes, golden.value("form", Json::object())), faults, rng);
}

Json form_golden(const std::string& form) {
  const Json all = golden("models/transformer_forms.json"), &one = all.at("forms").at(form);
  return {{"sizes", one.at("sizes")},
          {"form", one.at("form")},
          {"weights", one.at("weights")},
          {"batch", all.at("batch")},
          {"correct", one}};
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

GoldenNet::GoldenNet(const std::string& kind, const std::string& mode, Json json)
    : name(kind),
      golden(std::move(json)),
      expected(golden.at(mode)),
      book(mode == "book"),
      batch(golden.at("batch")),
      net(make(name, golden, book)),
      parameters(load([this](const nn::Visitor& f) { net->visit(f); }, golden.at("weights"))) {}

GoldenNet::GoldenNet(const std::string& kind, const std::string& mode)
    : GoldenNet(kind, mode, test::golden("models/" + kind + ".json")) {}

GoldenNet::GoldenNet(const std::string& form) : GoldenNet("transformer", "correct", form_golden(form)) {}

Tensor GoldenNet::expected_logits(const Graph& graph) const {
  const bool ahead = !graph.options().training && expected.contains("evaluation_logits");
  return tensor_of(expected.at(ahead ? "evaluation_logits" : "logits"));
}

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

std::vector<std::string> transformer_forms() {
  const Json all = golden("models/transformer_forms.json");
  std::vector<std::string> names;
  for (const auto& form : all.at("forms").items()) names.push_back(form.key());
  return names;
}

double scaled_error(const Tensor& got, const Tensor& want) {
  if (got.shape() != want.shape()) return INFINITY;
  float scale = 0.0F;
  for (const float x : want.values()) scale = std::max(scale, std::abs(x));
  double largest = 0.0;
  for (std::size_t i = 0; i < want.size(); ++i)
    if (const double d = std::abs(static_cast<double>(got.values()[i]) - want.values()[i]); !(d <= largest))
      largest = d;
  return scale > 0.0F ? largest / scale : largest;
}

void check_error(const std::string& topic, const std::string& where, double error, double tolerance) {
  INFO(where, ", ", topic);
  CHECK(error <= tolerance);
  measured(topic, error, where);
}

}  // namespace attn::test
