// Faults of the book's code that show in whole translators, each held to the right behaviour for all of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/engine.hpp"
#include "engine/model_file.hpp"
#include "engine/registry.hpp"

using namespace attn;
using engine::Engine;
using engine::Json;
using engine::Reply;

namespace {

constexpr const char* kPairs =
    "Go.\tVa !\nWe go home.\tNous rentrons.\nI am calm.\tJe suis calme.\nShe is calm.\tElle est calme.\n"
    "He is at home now.\tIl est chez lui maintenant.\nI am at home.\tJe suis chez moi.\n";

struct Translator {
  Engine engine{"test"};
  int session;

  Translator(const std::string& model, Json config) {
    config["min_frequency"] = 1;
    session = engine.call("open", {{"model", model}, {"config", config}, {"data", {{"pairs", kPairs}}}})
                  .head.at("session")
                  .get<int>();
  }
  Json train() { return engine.call("train", {{"session", session}, {"budget_ms", 0}}).head; }
  Reply run() {
    return engine.call("run", {{"session", session}, {"inputs", {{"sentence", "I am at home."}}}, {"want", {"*"}}});
  }
  engine::ModelFile file() { return engine::read_model_file(engine.call("save", {{"session", session}}).bytes); }
};

/// f(name) for every model that learns from pairs.
template <class F>
void for_each_translator(F&& f) {
  for (const models::Kind& kind : engine::kinds())
    if (kind.needs_pairs && !kind.is_lab) {
      INFO(kind.name);
      f(kind.name);
    }
}

double mean_square(const Tensor& x) {
  return std::inner_product(x.values().begin(), x.values().end(), x.values().begin(), 0.0) /
         static_cast<double>(x.size());
}

double largest(const Tensor& x) {
  float out = 0.0F;
  for (const float v : x.values()) out = std::max(out, std::abs(v));
  return out;
}

/// Looks drawn from U(±bound): nothing beyond it, and its variance.
void check_uniform(const Tensor& x, double bound) {
  const double spread = 6.0 / std::sqrt(static_cast<double>(x.size()));
  INFO("bound ", bound, ", shape ", x.shape().str());
  CHECK(largest(x) <= bound);
  CHECK(mean_square(x) == doctest::Approx(bound * bound / 3.0).epsilon(spread));
}

/// Whether the path belongs to the part of a layer called so: "….ln.weight" to "ln".
bool is_of(const std::string& path, const char* part) { return path.find(std::string(".") + part + ".") != path.npos; }

void check_first_values(const std::string& path, const Tensor& x, const engine::ModelFile& file) {
  const auto shape_of = [&file](const std::string& name) {
    return std::ranges::find(file.tensors, name, &std::pair<std::string, Tensor>::first)->second.shape();
  };
  if (is_of(path, "embedding")) {
    CHECK(mean_square(x) == doctest::Approx(1.0).epsilon(6.0 * std::sqrt(2.0 / static_cast<double>(x.size()))));
  } else if (is_of(path, "ln")) {
    CHECK(std::ranges::all_of(x.values(), [&](float v) { return v == (path.ends_with("weight") ? 1.0F : 0.0F); }));
  } else if (is_of(path, "rnn") && x.shape().rank() == 1) {
    check_uniform(x, 1.0 / std::sqrt(static_cast<double>(x.size()) / 3.0));
  } else if (x.shape().rank() == 1) {
    const std::string weight = path.substr(0, path.rfind('.')) + ".weight";
    check_uniform(x, 1.0 / std::sqrt(static_cast<double>(shape_of(weight)[1])));
  } else {
    check_uniform(x, std::sqrt(6.0 / static_cast<double>(x.size(0) + x.size(1))));
  }
}

}  // namespace

TEST_CASE(
    "translators: the loss is one of words, whatever num_steps is; the book's number halves when it doubles (B6)") {
  for_each_translator([](const char* name) {
    const auto losses = [name](int num_steps) {
      Translator t(name, {{"num_steps", num_steps}, {"dropout", 0.0}, {"epochs", 1}});
      return t.train().at("history").at(0);
    };
    const Json eight = losses(8), sixteen = losses(16);
    const auto number = [](const Json& json, const char* key) { return json.at(key).get<double>(); };
    CHECK(number(sixteen, "loss_per_token") == doctest::Approx(number(eight, "loss_per_token")).epsilon(1e-6));
    CHECK(number(sixteen, "book_loss") == doctest::Approx(number(eight, "book_loss") / 2.0).epsilon(1e-6));
    CHECK(number(eight, "book_loss") == doctest::Approx(number(eight, "loss_per_token") / 8.0).epsilon(1e-12));
  });
}

TEST_CASE("translators: dropout acts in training only, so a translation is the same each time (B12)") {
  for_each_translator([](const char* name) {
    Translator t(name, {{"dropout", 0.5}, {"epochs", 3}});
    const Reply before = t.run(), again = t.run();
    CHECK(before.data == again.data);
    t.train();
    CHECK(t.run().data != before.data);
    CHECK(t.run().data == t.run().data);
  });
}

TEST_CASE("translators: every weight of attention and output layers too begins as xavier says, measured (B26)") {
  for_each_translator([](const char* name) {
    Translator t(name, {{"hidden_size", 48}});
    const engine::ModelFile file = t.file();
    for (const auto& [path, tensor] : file.tensors) {
      INFO(path);
      check_first_values(path, tensor, file);
    }
  });
}
