#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "ops/cases.hpp"
#include "support/golden.hpp"

using namespace attn::test;

namespace {

/// The functions that a header declares to return Var: lines like "Var add(const Var& a, …".
std::set<std::string> declared_in(const std::string& header) {
  std::set<std::string> names;
  std::istringstream lines(source_text("src/ops/" + header));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("inline ")) line.erase(0, 7);
    const std::size_t open = line.find('(');
    if (line.starts_with("Var ") && open != std::string::npos) names.insert(line.substr(4, open - 4));
  }
  return names;
}

std::set<std::string> declared_ops() {
  std::set<std::string> names;
  for (const std::string& file : source_files("src/ops"))
    if (file.ends_with(".hpp")) names.merge(declared_in(file));
  return names;
}

}  // namespace

TEST_CASE("ops: every op that a header declares has a case, and every case is of such an op") {
  const std::set<std::string> declared = declared_ops();
  CHECK(declared.contains("matmul"));  // the headers were read
  std::set<std::string> covered;
  for (const OpCase& c : op_cases()) {
    covered.insert(c.function);
    CHECK_MESSAGE(declared.contains(c.function),
                  "case " << c.name << " covers " << c.function << ", which no header declares");
  }
  for (const std::string& op : declared)
    CHECK_MESSAGE(covered.contains(op), "op " << op << " has no case in tests/native/ops/cases.cpp");
}

TEST_CASE("ops: every case has a golden of its own, and every golden a case") {
  std::set<std::string> cases;
  for (const OpCase& c : op_cases()) CHECK_MESSAGE(cases.insert(c.name).second, "two cases are called " << c.name);
  const std::vector<std::string> goldens = op_golden_names();
  for (const std::string& name : cases)
    CHECK_MESSAGE(std::ranges::count(goldens, name) == 1,
                  "there is no golden for case " << name << "; call ./run golden");
  for (const std::string& name : goldens)
    CHECK_MESSAGE(cases.contains(name), "golden " << name << " belongs to no case");
}
