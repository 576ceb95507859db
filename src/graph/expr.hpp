#pragma once

#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace attn {

/// A number as the sum that made it: an expression whose leaves are cells of other nodes (or constants), and whose
/// inner values are computed in double. One form for every op and both directions, so one reader and one test serve all.
struct Expr {
  enum class Kind {
    ref,
    constant,
    name,
    add,
    sub,
    mul,
    div,
    max,
    min,
    pow,
    neg,
    exp,
    log,
    tanh,
    sigmoid,
    sqrt,
    square,
    relu,
    abs,
    sin,
    cos,
    step,
    via
  };

  Kind kind = Kind::constant;
  double value = 0.0;
  std::vector<Expr> of;
  std::string symbol;     // a constant's ("1/√d") or a name's ("mean")
  int node = -1;          // ref: where the number stands; via: the consumer that adds this share to a gradient
  Cell cell;              // ref
  bool gradient = false;  // ref: of the node's gradient instead of its value

  /// Largest error to be expected of float32 arithmetic, in units of its rounding: the sum of |terms|, carried through
  /// the functions by their derivative.
  double magnitude() const;
};

namespace expr {
Expr constant(double value, std::string symbol = "");
Expr name(const std::string& symbol, const Expr& definition);
Expr add(std::vector<Expr> terms);
Expr mul(std::vector<Expr> factors);
Expr sub(Expr a, Expr b);
Expr div(Expr a, Expr b);
Expr max(std::vector<Expr> of);
Expr min(std::vector<Expr> of);
Expr pow(Expr base, Expr exponent);
Expr apply(Expr::Kind function, Expr x);  // neg … step
Expr via(int node, Expr share);
}  // namespace expr

/// What an op says of one cell: named parts ("mean") in the order in which they build on each other, and the
/// expression that uses them.
struct Explanation {
  struct Part {
    std::string name;
    Expr expr;
  };
  std::vector<Part> where;
  Expr expr;

  Explanation() = default;
  Explanation(Expr e) : expr(std::move(e)) {}  // NOLINT(google-explicit-constructor): most cells need no parts
};

const char* to_string(Expr::Kind kind);

}  // namespace attn
