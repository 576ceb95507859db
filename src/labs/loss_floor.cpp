#include "labs/loss_floor.hpp"

#include <map>
#include <set>

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/reduce.hpp"
#include "text/vocabulary.hpp"

namespace attn::labs {
namespace {

using Ids = std::vector<int>;

void number(Graph& graph, const char* name, double value) {
  graph.input(name, {}, Tensor::scalar(static_cast<float>(value)));
}

struct LossFloor final : PairsLab {
  static constexpr const char* kName = "loss-floor";
  int min_frequency = 2, num_steps = 10;

  void config(FieldVisitor& v) override {
    PairsLab::config(v);
    v.integer("min_frequency", min_frequency, 1, 1000, "rarer words are read as <unk>");
    v.integer("num_steps", num_steps, 2, 64, "longest sentence in words, <eos> included");
  }
  void inputs(FieldVisitor&) override {}

  struct Example {
    Ids source, target;
  };
  std::vector<Example> encoded() const {
    std::vector<const text::Tokens*> sources, targets;
    for (const text::Pair& pair : data.pairs) {
      sources.push_back(&pair.source);
      targets.push_back(&pair.target);
    }
    const text::Vocabulary source(sources, count(min_frequency)), target(targets, count(min_frequency));
    std::vector<Example> out;
    for (const text::Pair& pair : data.pairs)
      out.push_back({text::encode(pair.source, source, count(num_steps), book_text).ids,
                     text::encode(pair.target, target, count(num_steps), book_text).ids});
    return out;
  }

  /// How often each prefix stands behind each source; the whole target is the longest prefix.
  static std::map<std::pair<Ids, Ids>, int> prefixes_of(const std::vector<Example>& examples) {
    std::map<std::pair<Ids, Ids>, int> out;
    for (const Example& e : examples)
      for (std::size_t t = 0; t <= e.target.size(); ++t)
        ++out[{e.source, Ids(e.target.begin(), e.target.begin() + static_cast<std::ptrdiff_t>(t))}];
    return out;
  }

  Result run(Graph& graph) override {
    const std::vector<Example> all = encoded();
    const auto seen = prefixes_of(all);
    std::vector<double> times, of;
    for (const Example& e : all) {
      Ids prefix;
      for (const int id : e.target) {
        of.push_back(seen.at({e.source, prefix}));
        prefix.push_back(id);
        times.push_back(seen.at({e.source, prefix}));
      }
    }
    const Axes axes = {"token"};
    const Var often = graph.input("times", axes, row_of(times)), whole = graph.input("of", axes, row_of(of));
    const Var probability = graph.name(often / whole, "probability", axes);
    const Var loss = graph.name(neg(log(probability)), "loss", axes);
    const Var floor = graph.name(mean(loss), "floor", {});
    graph.name(scale(floor, 1.0F / static_cast<float>(num_steps), "1/num_steps"), "book_floor", {});
    describe(graph, all);
    return {};
  }

  static void describe(Graph& graph, const std::vector<Example>& all) {
    std::map<Ids, std::set<Ids>> answers;
    double words[2] = {0, 0}, unknown[2] = {0, 0};
    for (const Example& e : all) {
      answers[e.source].insert(e.target);
      for (const bool is_target : {false, true})
        for (const int id : is_target ? e.target : e.source) {
          words[is_target] += id != text::Vocabulary::kEnd ? 1 : 0;
          unknown[is_target] += id == text::Vocabulary::kUnknown ? 1 : 0;
        }
    }
    double several = 0;
    for (const auto& [source, targets] : answers) several += targets.size() > 1 ? 1 : 0;
    number(graph, "distinct_sources", static_cast<double>(answers.size()));
    number(graph, "several", several);
    number(graph, "unknown.source", unknown[0] / words[0]);
    number(graph, "unknown.target", unknown[1] / words[1]);
  }
};

}  // namespace

models::Kind loss_floor() {
  return pairs_lab<LossFloor>("the lowest loss that any translator can reach on these pairs");
}

}  // namespace attn::labs
