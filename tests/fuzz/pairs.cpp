// A file of sentence pairs, and what becomes of it: vocabularies and ids.
#include "text/pairs.hpp"
#include "fuzz/target.hpp"
#include "tensor/error.hpp"
#include "text/utf8.hpp"
#include "text/vocabulary.hpp"

namespace attn::fuzz {
namespace {

void check_pairs(const text::Pairs& pairs, std::size_t examples) {
  require(!pairs.pairs.empty(), "a file that is read has a pair");
  require(examples == 0 || pairs.pairs.size() <= examples + 1, "no more pairs than asked for");
  require(pairs.bad_lines.size() == std::min(pairs.bad_line_count, text::Pairs::kShown), "bad lines are counted");
  for (const text::Pair& pair : pairs.pairs)
    for (const text::Tokens* tokens : {&pair.source, &pair.target}) {
      require(!tokens->empty() && tokens->size() <= text::kMaxTokens, "a sentence has words, and not too many");
      for (const std::string& token : *tokens) require(text::is_utf8(token), "words are UTF-8");
    }
}

void check_ids(const text::Pairs& pairs) {
  std::vector<const text::Tokens*> sentences;
  for (const text::Pair& pair : pairs.pairs) sentences.push_back(&pair.source);
  const text::Vocabulary vocabulary(sentences, 1);
  for (const text::Tokens* tokens : sentences)
    for (const bool book : {false, true}) {
      const text::Encoded encoded = text::encode(*tokens, vocabulary, 6, book);
      require(!encoded.ids.empty() && encoded.ids.size() <= 6, "ids fit the length");
      for (const int id : encoded.ids)
        require(id >= 0 && static_cast<std::size_t>(id) < vocabulary.size(), "an id is one of a word");
    }
}

std::string run(std::string_view bytes) {
  std::string refusal;
  for (const bool book : {false, true})
    for (const std::size_t examples : {0, 2}) try {
        const text::Pairs pairs = text::read_pairs(bytes, {examples, book});
        check_pairs(pairs, examples);
        check_ids(pairs);
      } catch (const DataError& e) {
        refusal = e.what();
      }
  return refusal;
}

std::vector<std::string> seeds() {
  return {"Go.\tVa !\nI lost.\tJ'ai perdu.\r\nI\xE2\x80\x99m home.\tJe suis chez moi\xC2\xA0!\tCC-BY 2.0 (France)\n",
          "\xEF\xBB\xBF"
          "Run!\tCours\xE2\x80\xAF!\n\nonly one column\n\t\nHi.\t \n",
          "<pad> <eos>\t<unk> <bos>\n  a   b \t c\td\te\n"};
}

}  // namespace

Target pairs_target() {
  return {"pairs",
          run,
          seeds,
          {"\t", "\n", "\r\n", std::string(1, '\0'), "\xEF\xBB\xBF", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99",
           "<eos>", "<pad>", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\xC0\x80", " !", ".", ",?"}};
}

}  // namespace attn::fuzz
