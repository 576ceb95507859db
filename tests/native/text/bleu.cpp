#include "text/bleu.hpp"

#include <doctest/doctest.h>

#include "text/preprocess.hpp"

using namespace attn::text;

namespace {
double score(const char* prediction, const char* label, std::size_t k = 2) {
  return bleu(split(prediction), split(label), k);
}
}  // namespace

TEST_CASE("bleu: the chapter's published and computed values") {
  const struct {
    const char *prediction, *label;
    std::size_t k;
    double expected;
  } rows[] = {
      {"il est riche .", "il est calme .", 2, .658037},
      {"je suis en retard ?", "je suis chez moi .", 2, .447214},
      {"il est bon ?", "il est calme .", 2, .537285},
      {"je suis chez moi <unk> .", "je suis chez moi .", 2, .803428},
      {"je suis chez moi !", "je suis chez moi .", 2, .832358},
      {"je perdu .", "j'ai perdu .", 2, .686589},
      {"j'ai perdu", "j'ai perdu .", 2, .606531},
      {"il est calme calme !", "il est calme .", 2, .651356},
      {"il court .", "il est calme .", 2, 0.0},
      {"calme .", "il est calme .", 2, .367879},
      {"A B", "A B C D E F", 2, .135335},
      {"A B B C D", "A B C D E F", 2, .681477},
      {"A B B C D", "A B C D E F", 3, .594034},
      {"A B B C D", "A B C D E F", 4, 0.0},
      {"A A A A", "A B", 1, .5},
      {"va !", "va !", 2, 1.0},
  };
  for (const auto& row : rows) {
    INFO(row.prediction, " | ", row.label, " | ", row.k);
    CHECK(score(row.prediction, row.label, row.k) == doctest::Approx(row.expected).epsilon(2e-6));
  }
}

TEST_CASE("bleu: a prediction shorter than k is no division by zero, an empty one scores 0 (B8)") {
  CHECK(score("va", "va !") == doctest::Approx(.367879).epsilon(2e-6));
  CHECK(score("", "va !") == 0.0);
  CHECK(score("va", "va") == 1.0);
}
