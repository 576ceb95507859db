#include "text/vocabulary.hpp"

#include <doctest/doctest.h>

#include "tensor/error.hpp"

using namespace attn;
using namespace attn::text;

namespace {
const Tokens kFirst = {"b", "a", "c", "a", "<eos>"}, kSecond = {"c", "d", "a"};
}

TEST_CASE("vocabulary: reserved tokens, then words by falling frequency, ties in the order of first sight") {
  const Vocabulary v({&kFirst, &kSecond}, 1);
  CHECK(v.words() == std::vector<std::string>{"<unk>", "<pad>", "<bos>", "<eos>", "a", "c", "b", "d"});
  CHECK(v.id("a") == 4);
  CHECK(v.id("zzz") == Vocabulary::kUnknown);
}

TEST_CASE("vocabulary: rarer words are left out") {
  CHECK(Vocabulary({&kFirst, &kSecond}, 2).words() ==
        std::vector<std::string>{"<unk>", "<pad>", "<bos>", "<eos>", "a", "c"});
}

TEST_CASE("vocabulary: text that spells a reserved token is an unknown word, never the token") {
  const Vocabulary v({&kFirst, &kSecond}, 1);
  CHECK(v.id("<eos>") == Vocabulary::kUnknown);
  CHECK(v.id("<pad>") == Vocabulary::kUnknown);
}

TEST_CASE("vocabulary: a list from a file must begin with the reserved tokens and name no word twice") {
  CHECK(Vocabulary({"<unk>", "<pad>", "<bos>", "<eos>", "a"}).id("a") == 4);
  CHECK_THROWS_AS(Vocabulary(std::vector<std::string>{"a", "b"}), DataError);
  CHECK_THROWS_AS(Vocabulary({"<unk>", "<pad>", "<bos>", "<eos>", "a", "a"}), DataError);
}

TEST_CASE("encode: <eos> is kept when words are cut; the book cuts it with them (B16)") {
  const Vocabulary v({&kFirst, &kSecond}, 1);
  CHECK(encode({"a", "b"}, v, 5).ids == std::vector<int>{4, 6, Vocabulary::kEnd});
  const Encoded cut = encode({"a", "a", "a", "a", "a"}, v, 4);
  CHECK(cut.ids == std::vector<int>{4, 4, 4, Vocabulary::kEnd});
  CHECK(cut.cut == 2);
  CHECK(encode({"a", "a", "a", "a", "a"}, v, 4, true).ids == std::vector<int>{4, 4, 4, 4});
}
