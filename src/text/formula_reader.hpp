// The grammar of formulas, for formula.cpp only. One method a rule, from loose to tight:
//   sum = product {("+" | "-") product}        product = signed {("*" | "/") signed}
//   signed = ("-" | "+") signed | power        power = atom ["^" signed]
//   atom = number | name | name "(" sum {"," sum} ")" | "(" sum ")" | "|" sum "|"
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/formula.hpp"

namespace attn::text {

class FormulaReader {
 public:
  FormulaReader(std::string_view text, const std::vector<std::string>& variables);
  Formula read();

 private:
  std::size_t sum();
  std::size_t product();
  std::size_t signed_power();
  std::size_t power();
  std::size_t atom();
  std::size_t number();
  std::size_t name();
  std::size_t call(const std::string& function, std::size_t column);
  std::size_t closed(std::size_t part, char bracket);

  char next();  // the sign that comes next, blanks stepped over; 0 at the end
  bool take(char sign);
  std::size_t add(Formula::Part part);
  using Values = std::map<std::string, std::string>;
  /// Throws DataError "formula.<code>", with the column of `at`.
  [[noreturn]] void refuse(const char* code, std::size_t at, const std::string& sentence, Values values = {}) const;
  /// The same at the place where it stands, with what stands there instead; "formula.<code>.end" at the end.
  [[noreturn]] void expected(const char* code, const std::string& what, Values values = {});
  [[noreturn]] void too_deep() const;

  const std::vector<std::string>& variables_;
  std::u32string characters_;  // as they were typed
  std::string signs_;          // the same in ASCII, one for one
  std::size_t at_ = 0, depth_ = 0;
  Formula formula_;
};

}  // namespace attn::text
