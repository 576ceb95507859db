#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace attn::text {

/// A function of named variables as a learner writes it, `exp(-u^2/2)` or `max(0, 1 - |u|)`, made into graph nodes: every
/// part of it explains itself and has a gradient, and nothing is computed anywhere else.
///   numbers 2  .5  1e-3; the variables; pi, e; + - * /; ^ (from the right; before a sign: -u^2 is -(u^2)); (x), |x|;
///   abs cos exp log relu sigmoid sin sqrt step tanh of one argument, max and min of two or more. log is the natural one,
///   step(x) is 1 where x > 0, else 0. Capitals and full-width signs (（，＋－×÷）) are read too.
class Formula {
 public:
  static constexpr std::size_t kMaxBytes = 400;
  static constexpr std::size_t kMaxDepth = 32;  // of brackets, signs and powers within each other

  /// Throws DataError that says the column (in characters, from 1), what was expected and what stands there.
  static Formula parse(std::string_view text, const std::vector<std::string>& variables);

  /// The same function in plain writing: brackets only where they are needed. Parsing it gives it back.
  std::string str() const { return str(parts_.size() - 1); }

  /// The nodes, from the variables on, broadcast against each other; the same part is made once. A formula without a
  /// variable gives one number, shape [].
  /// Throws ShapeError if the variables do not broadcast, ConfigError if one is missing.
  /// Records: each part that is neither the whole, a variable nor a number, under its own writing ("u^2"), with `axes`.
  Var operator()(const std::map<std::string, Var>& variables, const Axes& axes) const;

  /// A number, a variable, or what is done ("+", "neg", "exp" …) to the parts `of`, which stand before it.
  struct Part {
    std::string what;
    double number = 0.0;  // where `what` is "number"
    std::vector<std::size_t> of = {};
    bool variable = false;
  };

 private:
  friend class FormulaReader;
  std::string str(std::size_t part) const;
  std::string within(std::size_t part, int level) const;
  bool varies(std::size_t part) const;

  std::vector<Part> parts_;  // the whole is the last
};

}  // namespace attn::text
