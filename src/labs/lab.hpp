// What labs share: small computations of a lesson that are no model.
#pragma once

#include <string_view>

#include "models/model.hpp"

namespace attn::labs {

using models::FieldVisitor;
using models::Result;

/// A lab has no config and keeps no weights: everything that can be turned is an input of a run, so that one session
/// serves every setting, and what its seed draws is drawn anew in each run. Matrices that a learner may type are named
/// inputs, which edits replace.
class Lab : public models::Model {
 public:
  void config(FieldVisitor&) override {}
};

/// The registry's entry of a lab.
template <class L>
models::Kind lab(const char* name, const char* help) {
  return {name,
          true,
          help,
          {},
          false,
          [] { return std::unique_ptr<models::Model>(new L()); },
          [](FieldVisitor&, models::Opening) { return std::unique_ptr<models::Model>(new L()); }};
}

/// A lab that looks at pairs, as many as its config says, read as the translators read them.
class PairsLab : public models::Model {
 public:
  void config(FieldVisitor& v) override;
  const text::Pairs* pairs() const override { return &data; }
  /// Throws ConfigError if there are none.
  void read(const char* name, const models::Opening& opening);

 protected:
  int examples = 0;
  bool book_text = false;
  text::Pairs data;
};

template <class L>
models::Kind pairs_lab(const char* help) {
  return {L::kName,
          true,
          help,
          {},
          true,
          [] { return std::unique_ptr<models::Model>(new L()); },
          [](FieldVisitor& assign, models::Opening opening) {
            auto lab = std::make_unique<L>();
            lab->config(assign);
            lab->read(L::kName, opening);
            return std::unique_ptr<models::Model>(std::move(lab));
          }};
}

inline std::size_t count(int field) { return static_cast<std::size_t>(field); }

/// Axes that many labs speak of.
inline const Axes kQueryKey = {"query", "key"};
inline const Axes kBatchQueryKey = {"batch", "query", "key"};

Tensor normal(const Shape& shape, Rng& rng, float std = 1.0F);
/// 0, 1, 2, …
Tensor counting(const Shape& shape);
/// Numbers as a tensor [n] or [rows, n].
Tensor row_of(const std::vector<double>& numbers);
Tensor rows_of(const std::vector<std::vector<double>>& rows);

/// 1 for an entry that stands before its length, 0 behind it: lengths [...] -> [..., n].
Var mask_of(const Var& lengths, std::size_t n);

/// √Σ(a − b)²: never less than the largest difference. A step of its own under `name`.
Var difference(const Var& a, const Var& b, std::string_view name);
/// Root mean square.
Var rms(const Var& x, std::string_view name);

/// The value of a step of a recorded graph. Throws ConfigError if there is none of that name.
Tensor value_of(const Graph& graph, std::string_view step);

/// A run whose axis carries these numbers as its words.
Result labelled(const char* axis, const Tensor& numbers);

/// "1", "2" … as words on an axis; from 0 on if `first` is 0.
std::vector<std::string> numbered(std::size_t n, std::size_t first = 1);

}  // namespace attn::labs
