#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/pairs.hpp"

namespace attn::text {

/// Words and their ids: <unk> 0, <pad> 1, <bos> 2, <eos> 3, then words by falling frequency; words of equal frequency
/// stand in the order in which they were first seen.
class Vocabulary {
 public:
  static constexpr int kUnknown = 0, kPad = 1, kBegin = 2, kEnd = 3;

  Vocabulary() = default;
  /// Words seen at least min_frequency times. A word that looks like "<pad>" is not the padding: it is left out.
  Vocabulary(const std::vector<const Tokens*>& sentences, std::size_t min_frequency);
  /// From a list that begins with the four reserved tokens. Throws DataError if it does not, or names a word twice.
  explicit Vocabulary(std::vector<std::string> words);

  std::size_t size() const { return words_.size(); }
  const std::vector<std::string>& words() const { return words_; }
  const std::string& word(int id) const { return words_[static_cast<std::size_t>(id)]; }
  /// kUnknown for a word that is not there, and for text that spells a reserved token.
  int id(const std::string& word) const;

 private:
  void index();
  std::vector<std::string> words_;
  std::unordered_map<std::string, int> ids_;
};

/// Ids of a sentence with <eos>, at most num_steps: the words that do not fit are cut, <eos> is kept
/// (or, in the book's way, cut with them; fault B16).
struct Encoded {
  std::vector<int> ids;
  std::size_t cut = 0;  // words that did not fit
};
Encoded encode(const Tokens& tokens, const Vocabulary& vocabulary, std::size_t num_steps, bool book = false);

}  // namespace attn::text
