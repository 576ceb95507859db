#include "labs/lab.hpp"

#include <algorithm>
#include <numeric>

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/reduce.hpp"

namespace attn::labs {

void PairsLab::config(FieldVisitor& v) {
  v.integer("examples", examples, 0, 1000000, "pairs to read; 0: all");
  v.boolean("book_text", book_text, "as the book: one line more than asked for, text left as it is");
}

void PairsLab::read(const char* name, const models::Opening& opening) {
  if (!opening.pairs) throw ConfigError(std::string("open: ") + name + " reads data.pairs");
  data = text::read_pairs(*opening.pairs, {count(examples), book_text});
}

Tensor normal(const Shape& shape, Rng& rng, float std) {
  Tensor out(shape);
  rng.fill_normal(out, std);
  return out;
}

Tensor counting(const Shape& shape) {
  Tensor out(shape);
  std::iota(out.data(), out.data() + out.size(), 0.0F);
  return out;
}

Tensor row_of(const std::vector<double>& numbers) { return rows_of({numbers}).reshaped({numbers.size()}); }

Tensor rows_of(const std::vector<std::vector<double>>& rows) {
  Tensor out({rows.size(), rows.empty() ? 0 : rows[0].size()});
  float* to = out.data();
  for (const std::vector<double>& row : rows)
    to = std::ranges::transform(row, to, [](double x) { return static_cast<float>(x); }).out;
  return out;
}

Var mask_of(const Var& lengths, std::size_t n) {
  const Var column = reshape(lengths, lengths.shape().inserted(lengths.shape().rank(), 1));
  return step(column - lengths.graph().constant(counting({n})));
}

Var difference(const Var& a, const Var& b, std::string_view name) {
  return a.graph().name(sqrt(sum(square(a - b))), name, {});
}

Var rms(const Var& x, std::string_view name) { return x.graph().name(sqrt(mean(square(x))), name, {}); }

Tensor value_of(const Graph& graph, std::string_view step) {
  const auto found = std::ranges::find_if(graph.nodes(), [step](const NodePtr& node) { return node->name == step; });
  if (found == graph.nodes().end()) throw ConfigError("there is no step \"" + std::string(step) + "\"");
  return (*found)->value;
}

Result labelled(const char* axis, const Tensor& numbers) {
  Result out;
  out.labels.push_back({"", axis, models::as_labels(numbers)});
  return out;
}

std::vector<std::string> numbered(std::size_t n, std::size_t first) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(std::to_string(first + i));
  return out;
}

}  // namespace attn::labs
