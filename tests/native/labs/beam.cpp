#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<std::string> hypotheses(const LabRun& run) {
  std::vector<std::string> out;
  for (const models::Hypothesis& h : run.result.translation->hypotheses) out.push_back(h.text);
  return out;
}

/// Values of a step that is made once a candidate.
std::vector<double> of_candidates(const LabRun& run, const std::string& step) {
  std::vector<double> out;
  for (const NodePtr& node : run.graph->nodes())
    if (node->name == step) out.push_back(node->value.item());
  return out;
}

}  // namespace

TEST_CASE("beam: greedy search writes A B C with 0.048, a beam of two finds A C B with 0.054") {
  const LabRun run("beam");
  CHECK(run.at("greedy.product") == doctest::Approx(0.048));
  CHECK(run.row("greedy.probability") == std::vector<double>{0.5F, 0.4F, 0.4F, 0.6F});
  CHECK(run.result.translation->text == "A C B eos");
  CHECK(of_candidates(run, "candidate.product")[0] == doctest::Approx(0.054));
  CHECK(hypotheses(run) == std::vector<std::string>{"A C B eos", "A B C eos"});
}

TEST_CASE("beam: a beam of one is greedy search") {
  const LabRun run("beam", {{"beam", 1}});
  CHECK(hypotheses(run) == std::vector<std::string>{"A B C eos"});
  CHECK(of_candidates(run, "candidate.total")[0] == run.at("greedy.total"));
}

TEST_CASE("beam: of five words, two go on at each of three steps: six candidates") {
  const LabRun run("beam", {{"tables", "five-words"}, {"all_prefixes", true}});
  std::vector<std::string> found = hypotheses(run);
  std::ranges::sort(found);
  CHECK(found == std::vector<std::string>{"A", "A B", "A B D", "C", "C E", "C E D"});
  const LabRun whole("beam", {{"tables", "five-words"}});
  CHECK(whole.result.translation->text == "C E D");
  CHECK(whole.at("greedy.product") == doctest::Approx(0.4 * 0.5 * 0.5));
}

TEST_CASE("beam: a score is Σ log p over length^α, and a larger α favours the longer (B21)") {
  for (const double alpha : {0.0, 0.75, 1.0}) {
    const LabRun run("beam", {{"tables", "five-words"}, {"all_prefixes", true}, {"alpha", alpha}});
    const std::vector<double> scores = of_candidates(run, "candidate.score");
    for (std::size_t i = 0; i < 6; ++i) {
      const models::Hypothesis& h = run.result.translation->hypotheses[i];
      const double length = (static_cast<double>(h.text.size()) + 1.0) / 2.0;
      CHECK(scores[i] == doctest::Approx(h.score));
      CHECK(scores[i] == doctest::Approx(h.log_p / std::pow(length, alpha)));
      if (i > 0) CHECK(scores[i] <= scores[i - 1] + 1e-6);
    }
    CHECK(run.result.translation->text == (alpha < 1.0 ? "A" : "C E D"));
  }
}

TEST_CASE("beam: the tree shows every branch, and which went on") {
  const LabRun run("beam");
  const auto& tree = run.result.translation->tree;
  REQUIRE(tree.size() == 4);
  CHECK(tree[0].size() == 4);
  CHECK(tree[1].size() == 8);  // four words behind each of two branches
  for (const auto& step : tree)
    CHECK(std::ranges::count_if(step, [](const models::Branch& b) { return b.word.kept; }) == 2);
}

TEST_CASE("beam: other tables can be typed, and what is no probability is refused") {
  const std::vector<float> sure = {.1F, .7F, .1F, .1F, .1F, .7F, .1F, .1F, .1F, .7F, .1F, .1F, .1F, .1F, .1F, .7F};
  CHECK(LabRun("beam", Json::object(), {{"table_unless_C", sure}}).result.translation->text == "B B B eos");
  std::vector<float> bad = sure;
  bad[2] = 1.5F;
  CHECK_THROWS_WITH_AS(LabRun("beam", Json::object(), {{"table_unless_C", bad}}),
                       doctest::Contains("is no probability"), DataError);
}

TEST_CASE("length-penalty: dividing a negative logarithm by more makes it better: −1.19 against −1.06") {
  const LabRun run("length-penalty"), none("length-penalty", {{"alpha", 0.0}});
  CHECK(run.at("score", {0}) == doctest::Approx(-1.19).epsilon(0.01));
  CHECK(run.at("score", {1}) == doctest::Approx(-1.06).epsilon(0.01));
  CHECK(run.at("best") == 1.0);
  CHECK(none.at("best") == 0.0);
}

TEST_CASE("length-penalty: 10,000 words and ten steps: 10^40 sequences, 10^5 looks of greedy search") {
  const LabRun run("length-penalty");
  CHECK(run.at("cost.exhaustive") == 40.0);
  CHECK(run.at("cost.greedy") == 5.0);
  CHECK(run.at("cost.beam") == doctest::Approx(5.0 + std::log10(2.0)));
}

TEST_CASE("bleu: the reference values, n-gram by n-gram") {
  struct Example {
    const char *prediction, *label;
    int k;
    double want;
  };
  for (const Example& e : {Example{"il est riche .", "il est calme .", 2, .658037},
                           {"je suis en retard ?", "je suis chez moi .", 2, .447214},
                           {"je suis chez moi !", "je suis chez moi .", 2, .832358},
                           {"j'ai perdu", "j'ai perdu .", 2, .606531},
                           {"il est calme calme !", "il est calme .", 2, .651356},
                           {"il court .", "il est calme .", 2, 0.0},
                           {"A B", "A B C D E F", 2, .135335},
                           {"A B B C D", "A B C D E F", 3, .594034},
                           {"A B B C D", "A B C D E F", 4, 0.0},
                           {"A A A A", "A B", 1, .5},
                           {"va", "va !", 2, .367879},
                           {"va", "va", 2, 1.0},
                           {"", "va !", 2, 0.0}}) {
    INFO(std::string(e.prediction));
    const LabRun run("bleu", {{"prediction", e.prediction}, {"label", e.label}, {"k", e.k}});
    CHECK(std::abs(run.at("bleu") - e.want) < 1e-6);
  }
  const LabRun run("bleu", {{"prediction", "A B B C D"}, {"label", "A B C D E F"}, {"k", 4}});
  CHECK(run.row("matches.1") == std::vector<double>{1, 1, 0, 1, 1});  // the label has one B
  CHECK(run.at("precision.1") == doctest::Approx(4.0 / 5));
  CHECK(run.at("precision.2") == doctest::Approx(3.0 / 4));
  CHECK(run.at("precision.3") == doctest::Approx(1.0 / 3));
  CHECK(run.result.labels[1].words == std::vector<std::string>{"a b", "b b", "b c", "c d"});
}
