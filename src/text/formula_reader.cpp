#include "text/formula_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tensor/refusal.hpp"
#include "text/utf8.hpp"

namespace attn::text {
namespace {

constexpr char kUnknown = '?';  // no sign of the language
constexpr char kSquared = '\x02', kCubed = '\x03', kPi = '\x04';

/// The ASCII sign that a character stands for.
char sign_of(char32_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;  // full width
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c + 32);
  if (c == '\t' || c == '\n' || c == '\r' || c == 0xA0 || c == 0x3000) return ' ';
  if (c >= ' ' && c < 0x7F) return static_cast<char>(c);
  if (c == 0x2212 || c == 0x2013) return '-';             // − –
  if (c == 0xD7 || c == 0xB7 || c == 0x22C5) return '*';  // × · ⋅
  if (c == 0xF7) return '/';                              // ÷
  if (c == 0x3001) return ',';                            // 、
  if (c == 0x3C0) return kPi;
  return c == 0xB2 ? kSquared : (c == 0xB3 ? kCubed : kUnknown);  // ² ³
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

struct Function {
  const char* name;
  std::size_t at_least, at_most;
};
constexpr std::size_t kMany = 16;
constexpr Function kFunctions[] = {{"abs", 1, 1},     {"cos", 1, 1},     {"exp", 1, 1},  {"log", 1, 1},
                                   {"max", 2, kMany}, {"min", 2, kMany}, {"relu", 1, 1}, {"sigmoid", 1, 1},
                                   {"sin", 1, 1},     {"sqrt", 1, 1},    {"step", 1, 1}, {"tanh", 1, 1}};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

FormulaReader::FormulaReader(std::string_view text, const std::vector<std::string>& variables) : variables_(variables) {
  if (text.size() > Formula::kMaxBytes)
    throw refused<DataError>("formula.long", "formula: it is longer than {most} bytes",
                             {{"most", std::to_string(Formula::kMaxBytes)}});
  if (!is_utf8(text)) throw refused<DataError>("formula.text", "formula: it is no UTF-8 text");
  characters_ = code_points(text);
  for (const char32_t c : characters_) signs_ += sign_of(c);
}

Formula FormulaReader::read() {
  sum();
  if (next() != 0) expected("operator", "an operator (+ - * / ^) or the end");
  return std::move(formula_);
}

// What may be refused is read before its part is made: GCC 12 destroys a half made part when it is thrown through.
std::size_t FormulaReader::sum() {
  if (++depth_ > Formula::kMaxDepth) too_deep();
  std::size_t left = product();
  for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
    ++at_;
    const std::size_t right = product();
    left = add({std::string(1, sign), 0.0, {left, right}});
  }
  --depth_;
  return left;
}

std::size_t FormulaReader::product() {
  std::size_t left = signed_power();
  for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
    ++at_;
    const std::size_t right = signed_power();
    left = add({std::string(1, sign), 0.0, {left, right}});
  }
  return left;
}

std::size_t FormulaReader::signed_power() {
  if (++depth_ > Formula::kMaxDepth) too_deep();
  const bool minus = next() == '-';
  const bool has_sign = minus || next() == '+';
  if (has_sign) ++at_;
  std::size_t part = has_sign ? signed_power() : power();
  if (minus) part = add({"neg", 0.0, {part}});
  --depth_;
  return part;
}

std::size_t FormulaReader::power() {
  const std::size_t base = atom();
  const char sign = next();
  if (sign == kSquared || sign == kCubed) {
    if (depth_ == Formula::kMaxDepth) too_deep();
    ++at_;
    const std::size_t exponent = add({"number", sign == kSquared ? 2.0 : 3.0});
    return add({"^", 0.0, {base, exponent}});
  }
  if (!take('^')) return base;
  const std::size_t exponent = signed_power();
  return add({"^", 0.0, {base, exponent}});
}

std::size_t FormulaReader::atom() {
  const char sign = next();
  if (take('(')) return closed(sum(), ')');
  if (take(kPi)) return add({"pi"});
  if (take('|')) {
    const std::size_t inside = closed(sum(), '|');
    return add({"abs", 0.0, {inside}});
  }
  if (is_digit(sign) || sign == '.') return number();
  if (is_letter(sign)) return name();
  expected("start", "a number, {variables}, pi, e, a function or \"(\"", {{"variables", listed(variables_)}});
}

std::size_t FormulaReader::number() {
  const std::size_t start = at_;
  std::string digits;
  const auto run = [&] {
    while (at_ < signs_.size() && is_digit(signs_[at_])) digits += signs_[at_++];
  };
  run();
  if (at_ < signs_.size() && signs_[at_] == '.') {
    digits += signs_[at_++];
    run();
  }
  if (digits == ".") refuse("digit", start, "expected a digit beside the point");
  const std::size_t sign = at_ + 1 < signs_.size() && (signs_[at_ + 1] == '-' || signs_[at_ + 1] == '+') ? 1 : 0;
  if (at_ + sign + 1 < signs_.size() && signs_[at_] == 'e' && is_digit(signs_[at_ + sign + 1])) {
    digits.append(signs_, at_, sign + 1);
    at_ += sign + 1;
    run();
  }
  const double value = std::strtod(digits.c_str(), nullptr);
  if (!(std::abs(value) <= 1e30)) refuse("large", start, "the number is too large");
  return add({"number", value});
}

std::size_t FormulaReader::name() {
  const std::size_t start = at_;
  std::string word;
  while (at_ < signs_.size() && (is_letter(signs_[at_]) || is_digit(signs_[at_]))) word += signs_[at_++];
  if (std::ranges::count(variables_, word) != 0) return add({word, 0.0, {}, true});
  if (word == "pi" || word == "e") return add({word});
  if (std::ranges::count(kFunctions, word, &Function::name) != 0) return call(word, start);
  std::vector<std::string> functions;
  for (const Function& f : kFunctions) functions.emplace_back(f.name);
  refuse("name", start, "there is no \"{word}\"; the variables are {variables}, the functions {functions}",
         {{"word", word}, {"variables", listed(variables_)}, {"functions", listed(functions)}});
}

std::size_t FormulaReader::call(const std::string& function, std::size_t column) {
  const Function& f = *std::ranges::find(kFunctions, function, &Function::name);
  if (!take('(')) expected("call", "\"(\" behind {function}", {{"function", function}});
  std::vector<std::size_t> of = {sum()};
  while (take(',')) of.push_back(sum());
  if (!take(')')) expected("argument", "an operator, \",\" or \")\"");
  if (of.size() < f.at_least)
    refuse("few", column, "{function} takes at least {least} numbers, \"{function}(a, b)\"",
           {{"function", function}, {"least", std::to_string(f.at_least)}});
  if (of.size() > f.at_most)
    refuse("many", column, "{function} takes at most {most} of them",
           {{"function", function}, {"most", std::to_string(f.at_most)}});
  return add({function, 0.0, std::move(of)});
}

std::size_t FormulaReader::closed(std::size_t part, char bracket) {
  if (!take(bracket)) expected("close", "an operator or \"{bracket}\"", {{"bracket", std::string(1, bracket)}});
  return part;
}

char FormulaReader::next() {
  while (at_ < signs_.size() && signs_[at_] == ' ') ++at_;
  return at_ < signs_.size() ? signs_[at_] : '\0';
}

bool FormulaReader::take(char sign) {
  if (next() != sign) return false;
  ++at_;
  return true;
}

std::size_t FormulaReader::add(Formula::Part part) {
  formula_.parts_.push_back(std::move(part));
  return formula_.parts_.size() - 1;
}

void FormulaReader::refuse(const char* code, std::size_t at, const std::string& sentence, Values values) const {
  values["column"] = std::to_string(at + 1);
  throw refused<DataError>((std::string("formula.") + code).c_str(), "formula, column {column}: " + sentence,
                           std::move(values));
}

void FormulaReader::expected(const char* code, const std::string& what, Values values) {
  const bool ends = next() == 0;
  if (!ends) values["found"] = utf8(characters_[at_]);
  refuse((code + std::string(ends ? ".end" : "")).c_str(), at_,
         "expected " + what + (ends ? ", not the end" : ", not \"{found}\""), std::move(values));
}

void FormulaReader::too_deep() const { refuse("deep", at_, "too many brackets, signs or powers within each other"); }

}  // namespace attn::text
