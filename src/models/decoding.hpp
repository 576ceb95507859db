// Writing with a network: branch by branch for a search, or many sentences at once, each word the likeliest.
#pragma once

#include <map>

#include "models/translation_net.hpp"
#include "text/search.hpp"

namespace attn::models {

/// What a search asks of a network: each branch carries a state of its own.
class Branches final : public text::NextWord {
 public:
  /// `start` is the state before the first word; the graph records nothing.
  Branches(TranslationNet& net, Graph& graph, Decoding start) : net_(net), graph_(graph), start_(std::move(start)) {}
  std::vector<double> after(std::span<const int> prefix) override;
  void keep(std::span<const std::vector<int>> prefixes) override;

 private:
  TranslationNet& net_;
  Graph& graph_;
  Decoding start_;
  std::map<std::vector<int>, Decoding> states_;  // after each prefix
};

/// The word with the largest value in each row of [B, V].
std::vector<int> largest_of_rows(const Tensor& values);

/// Each word is the likeliest after those before it: what a network does without a teacher.
struct FreeRun {
  Vars logits;                        // of each step, [B, V]
  std::vector<std::vector<int>> ids;  // of each step, B words
};
/// `batch` sentences; ends after `steps` words, or once every sentence has ended if `until_end`.
FreeRun free_run(TranslationNet& net, Graph& graph, Decoding state, std::size_t batch, std::size_t steps,
                 bool until_end);

}  // namespace attn::models
