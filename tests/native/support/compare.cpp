#include "support/compare.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>

namespace attn::test {
namespace {

struct Table {
  struct Row {
    double error = 0.0;
    std::string where;
  };
  std::map<std::string, Row> rows;

  ~Table() {
    if (std::getenv("ATTN_MEASURED") == nullptr) return;
    for (const auto& [topic, row] : rows)
      std::printf("measured  %-44s %.2e  %s\n", topic.c_str(), row.error, row.where.c_str());
  }
};

}  // namespace

double error_of(double got, double want) {
  if (got == want) return 0.0;
  const double error = std::abs(got - want) / std::max(1.0, std::abs(want));
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double largest_error(std::span<const float> got, std::span<const float> want) {
  if (got.size() != want.size()) return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) largest = std::max(largest, error_of(got[i], want[i]));
  return largest;
}

double largest_error(const Tensor& got, const Tensor& want) {
  if (got.shape() != want.shape()) return std::numeric_limits<double>::infinity();
  return largest_error(got.values(), want.values());
}

void check_close(const std::string& what, const Tensor& got, const Tensor& want, double tolerance) {
  INFO(what, ": shape ", got.shape().str(), ", expected ", want.shape().str());
  CHECK(largest_error(got, want) <= tolerance);
}

void measured(const std::string& topic, double error, const std::string& where) {
  static Table table;
  Table::Row& row = table.rows[topic];
  if (error >= row.error) row = {error, where};
}

}  // namespace attn::test
