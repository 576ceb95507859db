#include "models/decoding.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/softmax.hpp"
#include "text/vocabulary.hpp"

namespace attn::models {

using text::Vocabulary;

std::vector<double> Branches::after(std::span<const int> prefix) {
  const std::vector<int> written(prefix.begin(), prefix.end());
  const int last = written.empty() ? Vocabulary::kBegin : written.back();
  Decoding state = written.empty() ? start_ : states_.at(std::vector<int>(written.begin(), written.end() - 1));
  const auto turn = graph_.turn("time", static_cast<int>(written.size()));
  const Var word = graph_.input("decoder.previous", {"batch"}, Tensor::of({1}, {static_cast<float>(last)}));
  const Tensor logits = net_.step(word, state).value();
  states_[written] = std::move(state);
  const double total = kernels::log_sum_exp(logits.data(), logits.size());
  std::vector<double> log_p;
  for (const float logit : logits.values()) log_p.push_back(std::min(0.0, logit - total));
  return log_p;
}

void Branches::keep(std::span<const std::vector<int>> prefixes) {
  std::map<std::vector<int>, Decoding> needed;  // a prefix goes on from the state after all its words but the last
  for (const std::vector<int>& prefix : prefixes) {
    const auto found = states_.find({prefix.begin(), prefix.end() - (prefix.empty() ? 0 : 1)});
    if (found != states_.end()) needed.insert(*found);
  }
  states_ = std::move(needed);
}

std::vector<int> largest_of_rows(const Tensor& values) {
  const std::size_t width = values.shape().back();
  std::vector<int> out;
  for (std::size_t at = 0; at < values.size(); at += width) {
    const float* row = values.data() + at;
    out.push_back(static_cast<int>(std::max_element(row, row + width) - row));
  }
  return out;
}

FreeRun free_run(TranslationNet& net, Graph& graph, Decoding state, std::size_t batch, std::size_t steps,
                 bool until_end) {
  FreeRun out;
  std::vector<bool> ended(batch);
  Tensor words = Tensor::full({batch}, Vocabulary::kBegin);
  for (std::size_t t = 0; t < steps && !(until_end && std::ranges::count(ended, false) == 0); ++t) {
    const auto turn = graph.turn("time", static_cast<int>(t));
    out.logits.push_back(net.step(graph.constant(words), state));
    out.ids.push_back(largest_of_rows(out.logits.back().value()));
    words = Tensor({batch});
    for (std::size_t b = 0; b < batch; ++b) {
      words.data()[b] = static_cast<float>(out.ids.back()[b]);
      ended[b] = ended[b] || out.ids.back()[b] == Vocabulary::kEnd;
    }
  }
  return out;
}

}  // namespace attn::models
