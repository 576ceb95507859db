#include "text/preprocess.hpp"

#include <doctest/doctest.h>

#include "text/utf8.hpp"

using namespace attn::text;

TEST_CASE("preprocess: small letters, and a space before each of ,.!? that has none") {
  CHECK(preprocess("Go.") == "go .");
  CHECK(preprocess("Va !") == "va !");
  CHECK(preprocess("Oh, no!") == "oh , no !");
  CHECK(preprocess("Wait...") == "wait . . .");
  CHECK(preprocess("!") == "!");
  CHECK(preprocess("Ça alors\u202F!") == "ça alors !");
  CHECK(preprocess("À\u00A0l'aide !") == "à l'aide !");
}

TEST_CASE("preprocess: apostrophes, hyphens and other marks stay where they are") {
  CHECK(preprocess("Arrête-toi; j’ai: $5") == "arrête-toi; j’ai: $5");
}

TEST_CASE("typed text: curly apostrophes become straight, white space is tidied (B15, B31)") {
  CHECK(preprocess_typed("  J’ai \t perdu. \n") == "j'ai perdu .");
  CHECK(preprocess_typed("GO  .") == "go .");
  CHECK(preprocess_typed("Go.") == "go .");
  CHECK(preprocess_typed("\u3000I'm\u00A0home.") == "i'm home .");
  CHECK(preprocess_typed(" \t ").empty());
}

TEST_CASE("split: at single spaces, and nothing of nothing") {
  CHECK(split("go .") == std::vector<std::string>{"go", "."});
  CHECK(split("a  b") == std::vector<std::string>{"a", "", "b"});
  CHECK(split("").empty());
}

TEST_CASE("lower: the letters of French, Greek and Cyrillic") {
  CHECK(lower("ÀÂÇÉÈÊËÎÏÔÙÛÜŸŒÆ") == "àâçéèêëîïôùûüÿœæ");
  CHECK(lower("ΑΩ ЖЯЁ ŽŁ") == "αω жяё žł");
  CHECK(lower("straße × 😀 注意力") == "straße × 😀 注意力");
}

TEST_CASE("utf-8: overlong forms, surrogates, stray and missing bytes are refused") {
  CHECK(is_utf8("a é 注 😀"));
  CHECK(!is_utf8("\xC0\xAF"));
  CHECK(!is_utf8("\xED\xA0\x80"));
  CHECK(!is_utf8("\xE9"));
  CHECK(!is_utf8("\x80"));
  CHECK(!is_utf8("\xF4\x90\x80\x80"));
  CHECK(!is_utf8("\xF0\x80\x80\x80"));
}
