// A learner's formula: read, written again, computed and differentiated.
#include "text/formula.hpp"

#include <cmath>

#include "fuzz/target.hpp"
#include "ops/reduce.hpp"

namespace attn::fuzz {
namespace {

const std::vector<std::string>& variables() {
  static const std::vector<std::string> names = {"u", "w"};
  return names;
}

/// As the page does: recorded, with gradients, and each number asked where it comes from.
void compute(const text::Formula& formula) {
  Graph graph({});
  const Var u = graph.input("u", {"query", "key"}, Tensor::of({2, 2}, {-1.5F, 0.0F, 0.5F, 3.0F}), true);
  const Var w = graph.input("w", {}, Tensor::scalar(0.7F), true);
  const Var y = formula({{"u", u}, {"w", w}}, {"query", "key"});
  require(y.shape() == Shape{} || y.shape() == u.shape(), "the value has the shape of what it depends on");
  graph.backward(sum(y));
  for (const NodePtr& node : graph.nodes())
    for (const bool gradient : {false, true}) {
      const Cell cell = cell_at(node->value.shape(), 0);
      const Explanation why = gradient ? graph.explain_gradient(*node, cell) : graph.explain(*node, cell);
      require(why.expr.magnitude() >= 0.0 || std::isnan(why.expr.magnitude()), "a magnitude is not negative");
    }
}

std::string run(std::string_view bytes) try {
  const text::Formula formula = text::Formula::parse(bytes, variables());
  const std::string plain = formula.str();
  if (plain.size() <= text::Formula::kMaxBytes)  // with its brackets it may have grown
    require(text::Formula::parse(plain, variables()).str() == plain, "what it writes is read as the same");
  compute(formula);
  return "";
} catch (const DataError& e) {
  return e.what();
}

std::vector<std::string> seeds() {
  return {"exp(-u^2/2)",       "max(0, 1 - |u|)",     "step(1-|u*w|)",
          "1/(1+exp(-(w*u)))", "sin(pi*u)^2 - .5e-1", "min(u, w, -3) ÷ （ｕ＋２）"};
}

}  // namespace

Target formula_target() {
  return {"formula",
          run,
          seeds,
          {"u",
           "w",
           "pi",
           "e",
           "(",
           ")",
           "|",
           "^",
           "+",
           "-",
           "*",
           "/",
           ",",
           "abs(",
           "cos(",
           "exp(",
           "log(",
           "relu(",
           "sigmoid(",
           "sin(",
           "sqrt(",
           "step(",
           "tanh(",
           "max(",
           "min(",
           "1e38",
           "0",
           ".5",
           "1e-3",
           "\xEF\xBC\x88",
           "\xEF\xBC\x89",
           "\xC3\x97",
           "\xC3\xB7",
           "\xE2\x88\x92",
           "\xC3",
           "--",
           "^-"}};
}

}  // namespace attn::fuzz
