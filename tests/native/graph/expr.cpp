#include "graph/expr.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "support/evaluate.hpp"

using namespace attn;
using Kind = Expr::Kind;

namespace {

Expr number(double value) { return expr::constant(value); }

const test::Leaf kNoLeaf = [](const Expr&, int) -> double { throw std::runtime_error("no leaf here"); };

struct Example {
  Kind kind;
  double x, value;
};

const Example kFunctions[] = {
    {Kind::neg, 3, -3},
    {Kind::exp, 1, std::exp(1.0)},
    {Kind::log, 2, std::log(2.0)},
    {Kind::tanh, 0.5, std::tanh(0.5)},
    {Kind::sigmoid, 0, 0.5},
    {Kind::sqrt, 9, 3},
    {Kind::square, -3, 9},
    {Kind::relu, -2, 0},
    {Kind::relu, 2, 2},
    {Kind::abs, -3, 3},
    {Kind::sin, 2, std::sin(2.0)},
    {Kind::cos, 2, std::cos(2.0)},
    {Kind::step, 0, 0},
    {Kind::step, 1e-30, 1},
    {Kind::sigmoid, -700, 1.0 / (1.0 + std::exp(700.0))},
};

}  // namespace

TEST_CASE("expr: each form has the value of its operands") {
  CHECK(expr::add({number(1), number(2), number(-5)}).value == -2.0);
  CHECK(expr::mul({number(2), number(3), number(-4)}).value == -24.0);
  CHECK(expr::sub(number(2), number(5)).value == -3.0);
  CHECK(expr::div(number(3), number(4)).value == 0.75);
  CHECK(expr::max({number(-3), number(-1), number(-2)}).value == -1.0);
  CHECK(expr::min({number(-3), number(-1), number(-2)}).value == -3.0);
  CHECK(expr::pow(number(-2), number(3)).value == -8.0);
  CHECK(expr::via(7, number(4)).value == 4.0);
  CHECK(expr::via(7, number(4)).node == 7);
  CHECK(expr::name("mean", number(4)).value == 4.0);
  for (const Example& e : kFunctions) {
    INFO(std::string(to_string(e.kind)));
    CHECK(expr::apply(e.kind, number(e.x)).value == doctest::Approx(e.value).epsilon(1e-14));
  }
}

TEST_CASE("expr: a sum of one term is that term") { CHECK(expr::add({number(4)}).kind == Kind::constant); }

TEST_CASE("expr: magnitude is the sum of |terms|, so that cancellation is seen") {
  CHECK(expr::add({number(5), number(-5)}).magnitude() == 10.0);
  CHECK(expr::sub(number(5), number(5)).magnitude() == 10.0);
  CHECK(expr::mul({number(-2), expr::sub(number(5), number(4))}).magnitude() == 18.0);
  CHECK(expr::max({number(-5), number(2)}).magnitude() == 7.0);
  CHECK(expr::min({number(-5), number(2)}).magnitude() == 7.0);
  CHECK(expr::via(1, expr::add({number(1), number(-1)})).magnitude() == 2.0);
}

TEST_CASE("expr: magnitude passes through a function by its derivative") {
  const Expr ten = expr::sub(number(6), number(4));  // 2, of magnitude 10
  const auto of = [&](Kind kind) { return expr::apply(kind, ten).magnitude(); };
  CHECK(of(Kind::neg) == doctest::Approx(2 + 10));
  CHECK(of(Kind::exp) == doctest::Approx(std::exp(2.0) * 11));
  CHECK(of(Kind::log) == doctest::Approx(std::log(2.0) + 5));
  CHECK(of(Kind::square) == doctest::Approx(4 + 4 * 10));
  CHECK(of(Kind::sqrt) == doctest::Approx(std::sqrt(2.0) + 10 / (2 * std::sqrt(2.0))));
  const double y = std::tanh(2.0), s = 1.0 / (1.0 + std::exp(-2.0));
  CHECK(of(Kind::tanh) == doctest::Approx(y + (1 - y * y) * 10));
  CHECK(of(Kind::sigmoid) == doctest::Approx(s + s * (1 - s) * 10));
  CHECK(of(Kind::abs) == doctest::Approx(2 + 10));
  CHECK(of(Kind::sin) == doctest::Approx(std::sin(2.0) + std::abs(std::cos(2.0)) * 10));
  CHECK(of(Kind::cos) == doctest::Approx(std::abs(std::cos(2.0)) + std::sin(2.0) * 10));
  CHECK(of(Kind::step) == 1.0);
  CHECK(expr::pow(ten, number(3)).magnitude() == doctest::Approx(8 + 3 * 4 * 10 + 8 * std::log(2.0) * 3));
  CHECK(expr::pow(number(3), ten).magnitude() == doctest::Approx(9 + 2 * 3 * 3 + 9 * std::log(3.0) * 10));
  CHECK(expr::div(ten, number(4)).magnitude() == doctest::Approx(10.0 / 4 + 0.5));
}

TEST_CASE("expr: every kind has a name of its own") {
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(Kind::via); ++kind) names.insert(to_string(static_cast<Kind>(kind)));
  CHECK(names.size() == static_cast<std::size_t>(Kind::via) + 1);
  CHECK(to_string(Kind::ref) == std::string("ref"));
  CHECK(to_string(Kind::via) == std::string("via"));
}

// The tests' own reader, which the explanations of all ops are held to.
TEST_CASE("evaluate: recomputes every form, whatever value the expression claims") {
  Expr wrong = expr::add({number(1), number(2)});
  wrong.value = 17.0;
  CHECK(test::evaluate(wrong, kNoLeaf) == 3.0);
  for (const Example& e : kFunctions)
    CHECK(test::evaluate(expr::apply(e.kind, number(e.x)), kNoLeaf) == doctest::Approx(e.value).epsilon(1e-14));
  CHECK(test::evaluate(expr::div(expr::mul({number(3), number(4)}), expr::sub(number(5), number(1))), kNoLeaf) == 3.0);
  CHECK(test::evaluate(expr::max({number(1), number(4), number(2)}), kNoLeaf) == 4.0);
  CHECK(test::evaluate(expr::min({number(3), number(1), number(2)}), kNoLeaf) == 1.0);
  CHECK(test::evaluate(expr::pow(number(2), number(-3)), kNoLeaf) == 0.125);
}

TEST_CASE("evaluate: a named part is defined before its use, and once") {
  Explanation good = expr::mul({expr::name("m", number(3)), number(2)});
  good.where.push_back({"m", number(3)});
  CHECK(test::evaluate(good, kNoLeaf) == 6.0);
  const Explanation undefined = expr::name("m", number(3));
  CHECK_THROWS_WITH(test::evaluate(undefined, kNoLeaf), "the part 'm' is used before it is defined");
  Explanation twice = good;
  twice.where.push_back({"m", number(3)});
  CHECK_THROWS_WITH(test::evaluate(twice, kNoLeaf), "the part 'm' is defined twice");
  Explanation order = expr::name("a", number(1));
  order.where = {{"a", expr::name("b", number(1))}, {"b", number(1)}};
  CHECK_THROWS(test::evaluate(order, kNoLeaf));
}

TEST_CASE("evaluate: a leaf is told whose share it belongs to") {
  Expr leaf;
  leaf.kind = Kind::ref;
  leaf.node = 5;
  int seen = -2;
  const test::Leaf remember = [&](const Expr& e, int consumer) { return seen = consumer, static_cast<double>(e.node); };
  CHECK(test::evaluate(expr::via(9, leaf), remember) == 5.0);
  CHECK(seen == 9);
  test::evaluate(leaf, remember);
  CHECK(seen == -1);
}
