#include "text/formula.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/compare.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;
using text::Formula;

namespace {

const std::vector<std::string> kVariables = {"u", "w"};
constexpr float kW = 1.5F;

const Tensor& places() {
  static const Tensor u = Tensor::of({7}, {-2.5F, -1.0F, -0.25F, 0.0F, 0.5F, 1.0F, 3.0F});
  return u;
}

/// The formula at all places, computed by the graph.
Tensor at_places(const std::string& formula) {
  Graph graph({});
  const Var u = graph.input("u", {"key"}, places()), w = graph.input("w", {}, Tensor::scalar(kW));
  const Var y = Formula::parse(formula, kVariables)({{"u", u}, {"w", w}}, {"key"});
  Tensor out({places().size()});
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = y.value().values()[y.value().size() == 1 ? 0 : i];
  return out;
}

void check_formula(const std::string& formula, double (*want)(double u)) {
  const Tensor got = at_places(formula);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double u = places().values()[i];
    INFO(formula, " at ", u);
    CHECK(error_of(got.values()[i], want(u)) <= 2e-6);
  }
}

std::string refusal(const std::string& formula) {
  try {
    Formula::parse(formula, kVariables);
  } catch (const DataError& e) {
    return e.what();
  }
  return "";
}

/// A random formula with the same thing as an expression in double, which knows its own condition.
struct Sample {
  std::string text;
  Expr expr;
};

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : rng_(seed) {}

  Sample sample(int depth, double u) {
    const auto more = [&] { return sample(depth - 1, u); };
    const auto positive = [&] {
      Sample x = more();
      return Sample{"(0.5 + abs(" + x.text + "))",
                    expr::add({expr::constant(0.5), expr::apply(Expr::Kind::abs, x.expr)})};
    };
    switch (depth == 0 ? rng_.below(3) : rng_.below(14)) {
      case 0:
        return number();
      case 1:
        return {"u", expr::constant(u)};
      case 2:
        return {"w", expr::constant(kW)};
      case 3:
        return binary("+", more(), more(), [](Expr a, Expr b) { return expr::add({std::move(a), std::move(b)}); });
      case 4:
        return binary("-", more(), more(), expr::sub);
      case 5:
        return binary("*", more(), more(), [](Expr a, Expr b) { return expr::mul({std::move(a), std::move(b)}); });
      case 6:
        return binary("/", more(), positive(), expr::div);
      case 7:
        return binary("^", positive(), Sample{"(-1.25)", expr::constant(-1.25)}, expr::pow);
      case 8:
        return unary("-", "", Expr::Kind::neg, more());
      case 9:
        return unary("log(", ")", Expr::Kind::log, positive());
      case 10:
        return unary("|", "|", Expr::Kind::abs, more());
      case 11:
        return unary("tanh(", ")", Expr::Kind::tanh, more());
      case 12:
        return unary("cos(", ")", Expr::Kind::cos, more());
      default: {
        Sample a = more(), b = more();
        return {"max(" + a.text + ", " + b.text + ")", expr::max({a.expr, b.expr})};
      }
    }
  }

 private:
  Sample number() {
    const float x = static_cast<float>(rng_.below(64)) / 16.0F;
    return {std::to_string(x), expr::constant(x)};
  }
  Sample binary(const std::string& sign, const Sample& a, const Sample& b, Expr (*f)(Expr, Expr)) {
    return {"(" + a.text + ")" + sign + "(" + b.text + ")", f(a.expr, b.expr)};
  }
  Sample unary(const std::string& open, const std::string& close, Expr::Kind kind, const Sample& x) {
    return {open + "(" + x.text + ")" + close, expr::apply(kind, x.expr)};
  }
  Rng rng_;
};

}  // namespace

TEST_CASE("formula: is what it says, at every place") {
  check_formula("exp(-u^2/2)", [](double u) { return std::exp(-u * u / 2); });
  check_formula("max(0, 1-abs(u))", [](double u) { return std::max(0.0, 1 - std::abs(u)); });
  check_formula("step(1 - |u|)", [](double u) { return std::abs(u) < 1 ? 1.0 : 0.0; });
  check_formula("exp(-((u*w)^2)/2)", [](double u) { return std::exp(-u * u * kW * kW / 2); });
  check_formula("1/(1+u^2)^.5", [](double u) { return 1 / std::sqrt(1 + u * u); });
  check_formula("sin(pi*u)+cos(u)+tanh(u)",
                [](double u) { return std::sin(std::numbers::pi * u) + std::cos(u) + std::tanh(u); });
  check_formula("sqrt(u^2) + log(e^u)", [](double u) { return std::abs(u) + u; });
  check_formula("relu(u) - sigmoid(u) + min(u, 1, 2e-1)",
                [](double u) { return std::max(u, 0.0) - 1 / (1 + std::exp(-u)) + std::min(u, 0.2); });
  check_formula("7", [](double) { return 7.0; });
  check_formula("u", [](double u) { return u; });
}

TEST_CASE("formula: signs bind looser than powers, powers go from the right, - and / from the left") {
  check_formula("-u^2", [](double u) { return -u * u; });
  check_formula("(-u)^2", [](double u) { return u * u; });
  check_formula("2^3^2", [](double) { return 512.0; });
  check_formula("2^-1*4", [](double) { return 2.0; });
  check_formula("8 - 4 - 2", [](double) { return 2.0; });
  check_formula("8/4/2", [](double) { return 1.0; });
  check_formula("--u + +3*-2", [](double u) { return u - 6; });
  check_formula("||u| - 1|", [](double u) { return std::abs(std::abs(u) - 1); });
}

TEST_CASE("formula: full-width signs, capitals and printed signs are read") {
  const auto same = [](const char* text) { return Formula::parse(text, kVariables).str(); };
  CHECK(same("ＭＡＸ（０，１－｜ｕ｜）") == "max(0, 1 - abs(u))");
  CHECK(same("Exp(−u²÷2)×π") == "exp(-u^2/2)*pi");
}

TEST_CASE("formula: a refusal says the column, what was expected and what stands there") {
  CHECK(refusal("") == "formula, column 1: expected a number, u, w, pi, e, a function or \"(\", not the end");
  CHECK(refusal("exp(-u^2/)") == "formula, column 10: expected a number, u, w, pi, e, a function or \"(\", not \")\"");
  CHECK(refusal("2u") == "formula, column 2: expected an operator (+ - * / ^) or the end, not \"u\"");
  CHECK(refusal("（ｕ＋１") == "formula, column 5: expected an operator or \")\", not the end");
  CHECK(refusal("exp u") == "formula, column 5: expected \"(\" behind exp, not \"u\"");
  CHECK(refusal("1 + 距离") == "formula, column 5: expected a number, u, w, pi, e, a function or \"(\", not \"距\"");
  CHECK(refusal("max(u; 1)") == "formula, column 6: expected an operator, \",\" or \")\", not \";\"");
  CHECK(refusal("max(u)").starts_with("formula, column 1: max takes at least 2 numbers"));
  CHECK(refusal("exp(u, 2)").starts_with("formula, column 1: exp takes at most 1"));
  CHECK(refusal("1 + dist^2")
            .starts_with("formula, column 5: there is no \"dist\"; the variables are u, w, the functions abs, cos"));
  CHECK(refusal("1e40") == "formula, column 1: the number is too large");
  CHECK(refusal(".") == "formula, column 1: expected a digit beside the point");
}

TEST_CASE("formula: refuses what is too long, too deep or no text") {
  CHECK(refusal(std::string(Formula::kMaxBytes + 1, '1')).starts_with("formula: it is longer than"));
  CHECK(refusal("\xC3").starts_with("formula: it is no UTF-8"));
  const std::string deep(Formula::kMaxDepth, '(');
  CHECK(refusal(deep + "u" + std::string(Formula::kMaxDepth, ')')).find("too many brackets") != std::string::npos);
  CHECK(refusal(std::string(Formula::kMaxDepth, '-') + "u").find("too many brackets") != std::string::npos);
  std::string sum = "u";
  while (sum.size() + 2 <= Formula::kMaxBytes) sum += "+u";  // long, but nothing within each other
  CHECK(refusal(sum) == "");
}

// Measured: 4.6e-8 of the magnitude.
TEST_CASE("formula: random formulas agree with double arithmetic, and print as what is read as the same again") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (std::size_t place = 0; place < places().size(); ++place) {
      const Sample s = Sampler(seed).sample(4, places().values()[place]);
      if (s.text.size() > Formula::kMaxBytes || !std::isfinite(s.expr.magnitude()) || s.expr.magnitude() > 1e6)
        continue;
      INFO(s.text);
      const Formula formula = Formula::parse(s.text, kVariables);
      CHECK(Formula::parse(formula.str(), kVariables).str() == formula.str());
      const double error =
          std::abs(at_places(s.text).values()[place] - s.expr.value) / std::max(1.0, s.expr.magnitude());
      CHECK(error <= 1e-6);
      CHECK(std::abs(at_places(formula.str()).values()[place] - at_places(s.text).values()[place]) == 0.0F);
      measured("formula against double", error, s.text);
      ++compared;
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("formula: its parts are steps, each made once, and every number of them is explained, forward and back") {
  Graph graph({});
  const Var u = graph.input("u", {"key"}, places(), true), w = graph.input("w", {}, Tensor::scalar(kW), true);
  const Var y = Formula::parse("exp(-(u*w)^2/2) + max(0, 1 - |u|)*(u*w)^2", kVariables)({{"u", u}, {"w", w}}, {"key"});
  std::vector<std::string> names;
  for (const NodePtr& node : graph.nodes())
    if (!node->name.empty()) names.push_back(node->name);
  CHECK(names == std::vector<std::string>{"u", "w", "u*w", "(u*w)^2", "-(u*w)^2", "-(u*w)^2/2", "exp(-(u*w)^2/2)",
                                          "abs(u)", "1 - abs(u)", "max(0, 1 - abs(u))", "max(0, 1 - abs(u))*(u*w)^2"});
  graph.backward(y, 1.0F, {1});
  CHECK(w.gradient().item() ==
        doctest::Approx(1.5 * -std::exp(-1.125)));  // |u| = 1 gives the second term no slope in w
  check_values_explained(graph, 10, "formula explanations", "values");
  check_gradients_explained(graph, 10, "formula explanations", "gradients");
}
