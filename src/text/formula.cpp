#include "text/formula.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "text/formula_reader.hpp"

namespace attn::text {
namespace {

// How tightly a part holds together; looser ones need brackets inside tighter ones.
enum Level { kSum = 1, kProduct, kSigned, kPower, kAtom };

int level_of(const std::string& what) {
  if (what == "+" || what == "-") return kSum;
  if (what == "*" || what == "/") return kProduct;
  if (what == "neg") return kSigned;
  return what == "^" ? kPower : kAtom;
}

/// The shortest digits that are read as this number again.
std::string digits_of(double number) {
  char digits[32];
  for (int precision = 1; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (std::strtod(digits, nullptr) == number) break;
  }
  return digits;
}

using Apply = Var (*)(const Var& x);
const std::map<std::string, Apply> kFunctions = {{"abs", abs},   {"cos", cos},   {"exp", exp},  {"log", log},
                                                 {"neg", neg},   {"relu", relu}, {"sin", sin},  {"sigmoid", sigmoid},
                                                 {"sqrt", sqrt}, {"step", step}, {"tanh", tanh}};
using Combine = Var (*)(const Var& a, const Var& b);
const std::map<std::string, Combine> kOperators = {{"+", add}, {"-", sub},   {"*", mul},  {"/", div},
                                                   {"^", pow}, {"max", max}, {"min", min}};

Var apply(const std::string& what, const Vars& of, bool is_square) {
  if (is_square) return square(of[0]);
  if (const auto f = kFunctions.find(what); f != kFunctions.end()) return f->second(of[0]);
  Var out = of[0];
  for (std::size_t i = 1; i < of.size(); ++i) out = kOperators.at(what)(out, of[i]);
  return out;
}

}  // namespace

Formula Formula::parse(std::string_view text, const std::vector<std::string>& variables) {
  return FormulaReader(text, variables).read();
}

std::string Formula::within(std::size_t part, int level) const {
  const std::string text = str(part);
  return level_of(parts_[part].what) < level ? "(" + text + ")" : text;
}

std::string Formula::str(std::size_t part) const {
  const Part& p = parts_[part];
  if (p.what == "number") return digits_of(p.number);
  if (p.of.empty()) return p.what;
  const int level = level_of(p.what);
  if (level == kSum) return within(p.of[0], kSum) + " " + p.what + " " + within(p.of[1], kProduct);
  if (level == kProduct) return within(p.of[0], kProduct) + p.what + within(p.of[1], kSigned);
  if (level == kSigned) return std::string(1, '-').append(within(p.of[0], kSigned));
  if (level == kPower) return within(p.of[0], kAtom) + "^" + within(p.of[1], kSigned);
  std::string arguments;
  for (const std::size_t of : p.of) arguments += (arguments.empty() ? "" : ", ") + str(of);
  return p.what + "(" + arguments + ")";
}

bool Formula::varies(std::size_t part) const {
  if (parts_[part].variable) return true;
  for (const std::size_t of : parts_[part].of)
    if (varies(of)) return true;
  return false;
}

Var Formula::operator()(const std::map<std::string, Var>& variables, const Axes& axes) const {
  if (variables.empty()) throw ConfigError("formula: no variables were given");
  Graph& graph = variables.begin()->second.graph();
  std::map<std::string, Var> known;  // by their writing
  Vars made;
  const auto leaf = [&](const Part& p) {
    if (p.variable && !variables.contains(p.what)) throw ConfigError("formula: no value for " + p.what);
    if (p.variable) return variables.at(p.what);
    const double number = p.what == "pi" ? std::numbers::pi : (p.what == "e" ? std::numbers::e : p.number);
    return graph.constant(Tensor::scalar(static_cast<float>(number)));
  };
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& p = parts_[i];
    Var& var = known[str(i)];
    if (!var) {
      Vars of;
      for (const std::size_t part : p.of) of.push_back(made[part]);
      const bool is_square = p.what == "^" && parts_[p.of[1]].what == "number" && parts_[p.of[1]].number == 2.0;
      var = of.empty() ? leaf(p) : apply(p.what, of, is_square);
      if (!of.empty() && varies(i) && i + 1 < parts_.size()) var = graph.name(var, str(i), axes);
    }
    made.push_back(var);
  }
  return made.back();
}

}  // namespace attn::text
