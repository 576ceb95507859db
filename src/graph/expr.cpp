#include "graph/expr.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

double apply_function(Expr::Kind kind, double x) {
  switch (kind) {
    case Expr::Kind::neg:
      return -x;
    case Expr::Kind::exp:
      return std::exp(x);
    case Expr::Kind::log:
      return std::log(x);
    case Expr::Kind::tanh:
      return std::tanh(x);
    case Expr::Kind::sigmoid:
      return 1.0 / (1.0 + std::exp(-x));
    case Expr::Kind::sqrt:
      return std::sqrt(x);
    case Expr::Kind::square:
      return x * x;
    case Expr::Kind::relu:
      return std::max(x, 0.0);
    case Expr::Kind::abs:
      return std::abs(x);
    case Expr::Kind::sin:
      return std::sin(x);
    case Expr::Kind::cos:
      return std::cos(x);
    case Expr::Kind::step:
      return x > 0.0 ? 1.0 : 0.0;
    default:
      return x;
  }
}

double derivative(Expr::Kind kind, double x, double y) {
  switch (kind) {
    case Expr::Kind::exp:
      return y;
    case Expr::Kind::log:
      return 1.0 / x;
    case Expr::Kind::tanh:
      return 1.0 - y * y;
    case Expr::Kind::sigmoid:
      return y * (1.0 - y);
    case Expr::Kind::sqrt:
      return y > 0.0 ? 0.5 / y : 0.0;
    case Expr::Kind::square:
      return 2.0 * x;
    case Expr::Kind::sin:
      return std::cos(x);
    case Expr::Kind::cos:
      return std::sin(x);
    case Expr::Kind::step:
      return 0.0;
    default:
      return 1.0;
  }
}

Expr make(Expr::Kind kind, std::vector<Expr> of, double value) {
  Expr e;
  e.kind = kind;
  e.of = std::move(of);
  e.value = value;
  return e;
}

/// |a^b|, and what errors of a and of b add to it.
double magnitude_of_power(const Expr& power) {
  const Expr &base = power.of[0], &exponent = power.of[1];
  const double by_base = exponent.value == 0.0 ? 0.0 : exponent.value * std::pow(base.value, exponent.value - 1.0);
  const double by_exponent = base.value > 0.0 ? power.value * std::log(base.value) : 0.0;
  return std::abs(power.value) + std::abs(by_base) * base.magnitude() + std::abs(by_exponent) * exponent.magnitude();
}

double sum_of_magnitudes(const std::vector<Expr>& of) {
  double out = 0.0;
  for (const Expr& e : of) out += e.magnitude();
  return out;
}

}  // namespace

double Expr::magnitude() const {
  switch (kind) {
    case Kind::ref:
    case Kind::constant:
    case Kind::name:
      return std::abs(value);
    case Kind::add:
    case Kind::sub:
    case Kind::max:
    case Kind::min:
      return sum_of_magnitudes(of);
    case Kind::pow:
      return magnitude_of_power(*this);
    case Kind::mul: {
      double out = 1.0;
      for (const Expr& e : of) out *= e.magnitude();
      return out;
    }
    case Kind::div:
      return of[0].magnitude() / std::abs(of[1].value) + std::abs(value) * of[1].magnitude() / std::abs(of[1].value);
    case Kind::via:
      return of[0].magnitude();
    default:  // a function keeps a rounding error of its own and passes on that of its argument
      return std::abs(value) + std::abs(derivative(kind, of[0].value, value)) * of[0].magnitude();
  }
}

namespace expr {

Expr constant(double value, std::string symbol) {
  Expr e = make(Expr::Kind::constant, {}, value);
  e.symbol = std::move(symbol);
  return e;
}

Expr name(const std::string& symbol, const Expr& definition) {
  Expr e = make(Expr::Kind::name, {}, definition.value);
  e.symbol = symbol;
  return e;
}

Expr add(std::vector<Expr> terms) {
  if (terms.size() == 1) return std::move(terms[0]);
  double value = 0.0;
  for (const Expr& e : terms) value += e.value;
  return make(Expr::Kind::add, std::move(terms), value);
}

Expr mul(std::vector<Expr> factors) {
  double value = 1.0;
  for (const Expr& e : factors) value *= e.value;
  return make(Expr::Kind::mul, std::move(factors), value);
}

Expr sub(Expr a, Expr b) {
  const double value = a.value - b.value;
  return make(Expr::Kind::sub, {std::move(a), std::move(b)}, value);
}

Expr div(Expr a, Expr b) {
  const double value = a.value / b.value;
  return make(Expr::Kind::div, {std::move(a), std::move(b)}, value);
}

Expr max(std::vector<Expr> of) {
  double value = of[0].value;
  for (const Expr& e : of) value = std::max(value, e.value);
  return make(Expr::Kind::max, std::move(of), value);
}

Expr min(std::vector<Expr> of) {
  double value = of[0].value;
  for (const Expr& e : of) value = std::min(value, e.value);
  return make(Expr::Kind::min, std::move(of), value);
}

Expr pow(Expr base, Expr exponent) {
  const double value = std::pow(base.value, exponent.value);
  return make(Expr::Kind::pow, {std::move(base), std::move(exponent)}, value);
}

Expr apply(Expr::Kind function, Expr x) {
  const double value = apply_function(function, x.value);
  return make(function, {std::move(x)}, value);
}

Expr via(int node, Expr share) {
  const double value = share.value;
  Expr e = make(Expr::Kind::via, {std::move(share)}, value);
  e.node = node;
  return e;
}

}  // namespace expr

const char* to_string(Expr::Kind kind) {
  static constexpr const char* kNames[] = {"ref",    "const", "name", "add", "sub", "mul",  "div",     "max",
                                           "min",    "pow",   "neg",  "exp", "log", "tanh", "sigmoid", "sqrt",
                                           "square", "relu",  "abs",  "sin", "cos", "step", "via"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace attn
