#include "support/evaluate.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

namespace attn::test {
namespace {

using Kind = Expr::Kind;

struct Evaluator {
  const Leaf& leaf;
  std::map<std::string, double> names = {};

  double named(const std::string& symbol) const {
    const auto known = names.find(symbol);
    if (known == names.end()) throw std::runtime_error("the part '" + symbol + "' is used before it is defined");
    return known->second;
  }

  double operand(const Expr& e, std::size_t i, std::size_t count, int consumer) const {
    if (e.of.size() != count)
      throw std::runtime_error(std::string(to_string(e.kind)) + " has " + std::to_string(e.of.size()) + " operands");
    return operator()(e.of[i], consumer);
  }

  double fold(const Expr& e, int consumer, double (*f)(double, double)) const {
    if (e.of.empty()) throw std::runtime_error(std::string(to_string(e.kind)) + " has no operands");
    double out = operator()(e.of[0], consumer);
    for (std::size_t i = 1; i < e.of.size(); ++i) out = f(out, operator()(e.of[i], consumer));
    return out;
  }

  double operator()(const Expr& e, int consumer) const {
    const auto x = [&] { return operand(e, 0, 1, consumer); };
    const auto left = [&] { return operand(e, 0, 2, consumer); };
    const auto right = [&] { return operand(e, 1, 2, consumer); };
    switch (e.kind) {
      case Kind::ref:
        return leaf(e, consumer);
      case Kind::constant:
        return e.value;
      case Kind::name:
        return named(e.symbol);
      case Kind::add:
        return fold(e, consumer, [](double a, double b) { return a + b; });
      case Kind::mul:
        return fold(e, consumer, [](double a, double b) { return a * b; });
      case Kind::max:
        return fold(e, consumer, [](double a, double b) { return a < b ? b : a; });
      case Kind::min:
        return fold(e, consumer, [](double a, double b) { return b < a ? b : a; });
      case Kind::sub:
        return left() - right();
      case Kind::div:
        return left() / right();
      case Kind::pow:
        return std::pow(left(), right());
      case Kind::neg:
        return -x();
      case Kind::exp:
        return std::exp(x());
      case Kind::log:
        return std::log(x());
      case Kind::tanh:
        return std::tanh(x());
      case Kind::sigmoid:
        return 1.0 / (1.0 + std::exp(-x()));
      case Kind::sqrt:
        return std::sqrt(x());
      case Kind::square:
        return std::pow(x(), 2.0);
      case Kind::relu:
        return x() > 0.0 ? x() : 0.0;
      case Kind::abs:
        return std::fabs(x());
      case Kind::sin:
        return std::sin(x());
      case Kind::cos:
        return std::cos(x());
      case Kind::step:
        return x() > 0.0 ? 1.0 : 0.0;
      case Kind::via:
        return operator()(e.of.at(0), e.node);
    }
    throw std::runtime_error("an expression of unknown kind");
  }
};

}  // namespace

double evaluate(const Explanation& explanation, const Leaf& leaf) {
  Evaluator evaluator{leaf};
  for (const Explanation::Part& part : explanation.where) {
    const double value = evaluator(part.expr, -1);
    if (!evaluator.names.emplace(part.name, value).second)
      throw std::runtime_error("the part '" + part.name + "' is defined twice");
  }
  return evaluator(explanation.expr, -1);
}

}  // namespace attn::test
