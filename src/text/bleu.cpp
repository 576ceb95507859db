#include "text/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace attn::text {
namespace {

std::map<Tokens, std::size_t> ngrams(const Tokens& tokens, std::size_t n) {
  std::map<Tokens, std::size_t> counts;
  for (std::size_t i = 0; i + n <= tokens.size(); ++i)
    ++counts[Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                    tokens.begin() + static_cast<std::ptrdiff_t>(i + n))];
  return counts;
}

double precision(const Tokens& prediction, const Tokens& label, std::size_t n) {
  const auto wanted = ngrams(label, n);
  std::size_t matches = 0;
  for (const auto& [ngram, count] : ngrams(prediction, n))
    if (const auto found = wanted.find(ngram); found != wanted.end()) matches += std::min(count, found->second);
  return static_cast<double>(matches) / static_cast<double>(prediction.size() - n + 1);
}

}  // namespace

double bleu(const Tokens& prediction, const Tokens& label, std::size_t k) {
  if (prediction.empty()) return 0.0;
  const double ratio = static_cast<double>(label.size()) / static_cast<double>(prediction.size());
  double score = std::exp(std::min(0.0, 1.0 - ratio));
  for (std::size_t n = 1; n <= std::min(k, prediction.size()); ++n)
    score *= std::pow(precision(prediction, label, n), std::pow(0.5, n));
  return score;
}

}  // namespace attn::text
