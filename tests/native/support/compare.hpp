// Comparing numbers, and keeping book of how far apart they were.
#pragma once

#include <span>
#include <string>

#include "tensor/tensor.hpp"

namespace attn::test {

/// |got - want| / max(1, |want|); infinite when either is not a number, 0 for equal infinities.
double error_of(double got, double want);

/// The largest error_of over all elements; infinite if the shapes differ.
double largest_error(std::span<const float> got, std::span<const float> want);
double largest_error(const Tensor& got, const Tensor& want);

/// Checks that the largest error is within the tolerance; a failure names `what`.
void check_close(const std::string& what, const Tensor& got, const Tensor& want, double tolerance);

/// Keeps the largest error seen under a topic. Where the environment has ATTN_MEASURED, a table of them is printed at the
/// end: that is where the figures in tests/parity/README.md come from.
void measured(const std::string& topic, double error, const std::string& where);

}  // namespace attn::test
