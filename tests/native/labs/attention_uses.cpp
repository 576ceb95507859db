#include <doctest/doctest.h>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("attention-uses: of one layer, only where keys come from and what is seen differ (TR-1)") {
  const LabRun full("attention-uses"), causal("attention-uses", {{"mask", "causal"}}),
      cross("attention-uses", {{"mask", "cross"}});
  for (const LabRun* run : {&causal, &cross})
    for (const char* w : {"W_q", "W_k", "W_v", "words", "queries"}) CHECK(largest_error((*run)[w], full[w]) == 0.0);
  CHECK(full["weights"].shape() == Shape{5, 5});
  CHECK(cross["weights"].shape() == Shape{5, 4});
  CHECK(cross["output"].shape() == Shape{5, 8});
  for (std::size_t q = 0; q < 5; ++q)
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(full.at("mask", {q, k}) == 1.0);
      CHECK(causal.at("mask", {q, k}) == (k <= q ? 1.0 : 0.0));
      CHECK((causal.at("weights", {q, k}) == 0.0) == (k > q));
    }
}

TEST_CASE("attention-uses: another word is heard by all; under a causal mask by itself and those behind it") {
  const LabRun full("attention-uses", {{"changed", 3}}), causal("attention-uses", {{"changed", 3}, {"mask", "causal"}}),
      cross("attention-uses", {{"changed", 3}, {"mask", "cross"}}), last("attention-uses", {{"mask", "causal"}});
  for (std::size_t q = 0; q < 5; ++q) {
    CHECK(full.at("moved.change", {q}) > 1e-3);
    CHECK(cross.at("moved.change", {q}) > 1e-3);
    CHECK((causal.at("moved.change", {q}) == 0.0) == (q < 2));
    CHECK((last.at("moved.change", {q}) == 0.0) == (q < 4));
  }
  CHECK(full.at("reach") == 5.0);
  CHECK(causal.at("reach") == 3.0);
  CHECK(last.at("reach") == 1.0);
  CHECK(full.row("moved.given", {2}) == full.row("another"));
  CHECK(full.row("moved.given", {1}) == full.row("words", {1}));
  CHECK(cross.row("moved.queries", {1}) == cross.row("queries", {1}));
}

TEST_CASE("attention-uses: lengths can be edited, and a word that is not there is refused") {
  const LabRun run("attention-uses", {{"mask", "causal"}}, {{"lengths", {1, 2, 3, 4, 2}}});
  CHECK(run.at("mask", {4, 3}) == 0.0);
  CHECK(run.at("reach") == 1.0);  // nobody sees the last word any more, but another one asks in its place
  CHECK(refusal_of("attention-uses", {{"mask", "cross"}, {"changed", 5}}) ==
        "attention-uses: there is no word 5; the sentence has 4");
}
