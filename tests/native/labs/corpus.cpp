#include <doctest/doctest.h>

#include <numeric>

#include "labs/pairs_run.hpp"
#include "support/golden.hpp"
#include "text/vocabulary.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const std::string& our_pairs() {
  static const std::string text = source_text("lessons/corpus/eng-fra.tsv");
  return text;
}

}  // namespace

TEST_CASE("corpus: a small file, counted by hand") {
  const PairsRun run("corpus", "Go.\tVa !\nGo!\tVa , va !\nI go.\tJe vais .\n");
  CHECK(run.at("pairs") == 3.0);
  CHECK(run.row("length") == std::vector<double>{1, 2, 3, 4});
  CHECK(run.row("source.count") == std::vector<double>{0, 2, 1, 0});
  CHECK(run.row("target.count") == std::vector<double>{0, 1, 1, 1});
  CHECK(run.at("source.tokens") == 7.0);
  CHECK(run.row("min_frequency") == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const std::vector<double> sizes = run.row("source.vocabulary");  // go 3, . 2, ! 1, i 1
  CHECK(std::vector<double>(sizes.begin(), sizes.begin() + 4) == std::vector<double>{8, 6, 5, 4});
  CHECK(run.at("source.unknown", 1) == doctest::Approx(2.0 / 7));
  CHECK(run.at("source.unknown", 3) == 1.0);
  CHECK(run.step("source.count")["axes"][0]["labels"] == Json({"1", "2", "3", "4"}));
  CHECK(run.step("target.unknown")["axes"][0]["labels"][9] == "10");
}

TEST_CASE("corpus: of the first 600 pairs of ours: words known at each frequency, and what is lost") {
  const PairsRun run("corpus", our_pairs(), {{"examples", 600}});
  CHECK(run.at("pairs") == 600.0);
  CHECK(run.at("source.tokens") == 2186.0);
  CHECK(run.at("target.tokens") == 2394.0);
  CHECK(run.row("source.count") == std::vector<double>{0, 24, 235, 272, 69, 0, 0, 0});
  CHECK(run.row("target.count") == std::vector<double>{0, 26, 157, 250, 135, 29, 2, 1});
  CHECK(run.at("source.vocabulary", 0) == 429.0);
  CHECK(run.at("source.vocabulary", 1) == 230.0);
  CHECK(run.at("target.vocabulary", 0) == 552.0);
  CHECK(run.at("target.vocabulary", 1) == 260.0);
  CHECK(run.at("source.unknown", 0) == 0.0);
  CHECK(run.at("source.unknown", 1) == doctest::Approx(0.091034).epsilon(1e-5));
  CHECK(run.at("target.unknown", 9) == doctest::Approx(0.423141).epsilon(1e-5));
}

TEST_CASE("corpus: of all our pairs: 925 English and 1114 French words at the chapter's min_frequency 2") {
  const PairsRun run("corpus", our_pairs());
  CHECK(run.at("source.vocabulary", 1) == 925.0);
  CHECK(run.at("target.vocabulary", 1) == 1114.0);
  CHECK(run.at("source.vocabulary", 0) == 1077.0);
  CHECK(run.at("target.vocabulary", 0) == 1394.0);
}

TEST_CASE("corpus: its sizes are those of the vocabularies that a translator would make") {
  const text::Pairs pairs = text::read_pairs(our_pairs(), {.examples = 300});
  std::vector<const text::Tokens*> targets;
  for (const text::Pair& pair : pairs.pairs) targets.push_back(&pair.target);
  const PairsRun run("corpus", our_pairs(), {{"examples", 300}});
  for (std::size_t least = 1; least <= 10; ++least) {
    const text::Vocabulary vocabulary(targets, least);
    double unknown = 0, tokens = 0;
    for (const text::Tokens* sentence : targets)
      for (const std::string& word : *sentence) {
        unknown += vocabulary.id(word) == text::Vocabulary::kUnknown ? 1 : 0;
        ++tokens;
      }
    CHECK(run.at("target.vocabulary", least - 1) == static_cast<double>(vocabulary.size()));
    CHECK(run.at("target.unknown", least - 1) == doctest::Approx(unknown / tokens));
  }
}

TEST_CASE("corpus: words that spell a reserved token are unknown, and no words") {
  const PairsRun run("corpus", "<pad> go\tva\n");
  CHECK(run.at("source.vocabulary", 0) == 5.0);
  CHECK(run.at("source.unknown", 0) == 0.5);
}

TEST_CASE("corpus: the book's reader takes one line more (B7)") {
  const std::string three = "Go.\tVa !\nRun!\tCours !\nWait.\tAttends !\n";
  CHECK(PairsRun("corpus", three, {{"examples", 2}}).at("pairs") == 2.0);
  CHECK(PairsRun("corpus", three, {{"examples", 2}, {"book_text", true}}).at("pairs") == 3.0);
}
