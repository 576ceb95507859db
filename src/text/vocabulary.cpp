#include "text/vocabulary.hpp"

#include <algorithm>
#include <array>

#include "tensor/error.hpp"

namespace attn::text {
namespace {

constexpr std::array<const char*, 4> kReserved = {"<unk>", "<pad>", "<bos>", "<eos>"};

bool is_reserved(const std::string& word) { return std::ranges::find(kReserved, word) != kReserved.end(); }

}  // namespace

Vocabulary::Vocabulary(const std::vector<const Tokens*>& sentences, std::size_t min_frequency) {
  std::unordered_map<std::string, std::size_t> position;
  std::vector<std::pair<std::string, std::size_t>> counts;  // in the order of first sight
  for (const Tokens* sentence : sentences)
    for (const std::string& token : *sentence) {
      const auto [entry, fresh] = position.try_emplace(token, counts.size());
      if (fresh) counts.emplace_back(token, 0);
      ++counts[entry->second].second;
    }
  std::ranges::stable_sort(counts, std::greater<>(), [](const auto& entry) { return entry.second; });
  words_.assign(kReserved.begin(), kReserved.end());
  for (const auto& [word, count] : counts)
    if (count >= min_frequency && !is_reserved(word)) words_.push_back(word);
  index();
}

Vocabulary::Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {
  if (words_.size() < kReserved.size() || !std::equal(kReserved.begin(), kReserved.end(), words_.begin()))
    throw DataError("vocabulary: it begins with <unk> <pad> <bos> <eos>");
  index();
}

void Vocabulary::index() {
  for (std::size_t i = kReserved.size(); i < words_.size(); ++i)
    if (!ids_.emplace(words_[i], static_cast<int>(i)).second)
      throw DataError("vocabulary: \"" + words_[i] + "\" stands in it twice");
}

int Vocabulary::id(const std::string& word) const {
  const auto known = ids_.find(word);
  return known == ids_.end() ? kUnknown : known->second;
}

Encoded encode(const Tokens& tokens, const Vocabulary& vocabulary, std::size_t num_steps, bool book) {
  Encoded out;
  const std::size_t room = book ? num_steps : num_steps - 1;
  const std::size_t kept = std::min(tokens.size(), room);
  out.cut = tokens.size() - kept;
  for (std::size_t i = 0; i < kept; ++i) out.ids.push_back(vocabulary.id(tokens[i]));
  if (out.ids.size() < num_steps) out.ids.push_back(Vocabulary::kEnd);
  return out;
}

}  // namespace attn::text
