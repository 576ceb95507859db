#include "text/pairs.hpp"

#include <doctest/doctest.h>

#include "support/golden.hpp"
#include "tensor/error.hpp"
#include "text/vocabulary.hpp"

using namespace attn;
using namespace attn::text;

namespace {

std::string refusal(std::string_view text) {
  try {
    read_pairs(text, {});
  } catch (const DataError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("pairs: one a line, lower-cased and split") {
  const Pairs pairs = read_pairs("Go.\tVa !\nI lost.\tJ'ai perdu.\n", {});
  REQUIRE(pairs.pairs.size() == 2);
  CHECK(pairs.pairs[0].source == Tokens{"go", "."});
  CHECK(pairs.pairs[0].target == Tokens{"va", "!"});
  CHECK(pairs.pairs[1].target == Tokens{"j'ai", "perdu", "."});
  CHECK(pairs.bad_line_count == 0);
}

TEST_CASE("pairs: CRLF, a byte order mark, no-break spaces, empty lines and a third column are no obstacle") {
  const Pairs pairs = read_pairs("\xEF\xBB\xBFGo.\tVa\u202F!\tCC-BY 2.0\r\n\r\n\nRun!\tCours\u00A0!\r\n", {});
  REQUIRE(pairs.pairs.size() == 2);
  CHECK(pairs.pairs[0].source == Tokens{"go", "."});
  CHECK(pairs.pairs[1].target == Tokens{"cours", "!"});
}

TEST_CASE("pairs: a bad line is named with its number and reason, and the others are read") {
  static constexpr char kText[] = "one column\nGo.\tVa !\n\tSeul.\nSeul.\t\nB\xE9t\tx\nz\0z\tx\n";
  const Pairs pairs = read_pairs({kText, sizeof kText - 1}, {});
  CHECK(pairs.pairs.size() == 1);
  REQUIRE(pairs.bad_line_count == 5);
  CHECK(pairs.bad_lines[0].line == 1);
  CHECK(pairs.bad_lines[0].reason.find("one column") != std::string::npos);
  CHECK(pairs.bad_lines[1].reason == "no source sentence");
  CHECK(pairs.bad_lines[2].reason == "no target sentence");
  CHECK(pairs.bad_lines[3].reason == "not UTF-8");
  CHECK(pairs.bad_lines[4].line == 6);
}

TEST_CASE("pairs: of many bad lines the first hundred are listed and all are counted") {
  std::string text = "Go.\tVa !\n";
  for (int i = 0; i < 250; ++i) text += "bad\n";
  const Pairs pairs = read_pairs(text, {});
  CHECK(pairs.bad_lines.size() == 100);
  CHECK(pairs.bad_line_count == 250);
}

TEST_CASE("pairs: a sentence of 10,000 words is a bad line that says so") {
  std::string text = "Go.\tVa !\n";
  for (int i = 0; i < 10000; ++i) text += "word ";
  const Pairs pairs = read_pairs(text + "\tmot\n", {});
  REQUIRE(pairs.bad_line_count == 1);
  CHECK(pairs.bad_lines[0].reason == "10000 tokens; at most 1000 make a sentence");
  CHECK(pairs.bad_lines[0].why.code == "line.long");
  CHECK(pairs.bad_lines[0].why.values.at("tokens") == "10000");
}

TEST_CASE("pairs: empty, one-column, binary and 50 MB files are refused with the reason") {
  CHECK(refusal("") == "the file is empty");
  CHECK(refusal(" \r\n\n") == "the file is empty");
  CHECK(refusal("no tab\nno tab\n") ==
        "no line of the file is a pair; line 1: one column; a TAB separates source and target");
  CHECK(refusal(std::string("\x7F"
                            "ELF\0\1\2",
                            7))
            .find("line 1: a zero byte") != std::string::npos);
  CHECK(refusal(std::string(std::size_t{50} << 20, 'a')) == "the file has 50 MiB; at most 32 MiB are read");
}

TEST_CASE("pairs: as many as asked for; the book's reader takes one line more (B7) and leaves apostrophes (B31)") {
  const std::string text = "A.\ta\nB.\tb\nC.\tj’ai\nD.\td\n";
  CHECK(read_pairs(text, {.examples = 2}).pairs.size() == 2);
  const Pairs book = read_pairs(text, {.examples = 2, .book = true});
  REQUIRE(book.pairs.size() == 3);
  CHECK(book.pairs[2].target == Tokens{"j’ai"});
  CHECK(read_pairs(text, {}).pairs[2].target == Tokens{"j'ai"});
}

TEST_CASE("the corpus: every line is a pair, and a vocabulary is made of it") {
  const Pairs pairs = read_pairs(test::source_text("lessons/corpus/eng-fra.tsv"), {});
  CHECK(pairs.bad_line_count == 0);
  CHECK(pairs.pairs.size() >= 1500);
  std::vector<const Tokens*> source;
  for (const Pair& pair : pairs.pairs) source.push_back(&pair.source);
  CHECK(Vocabulary(source, 1).size() >= 900);
}
