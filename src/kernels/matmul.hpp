#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn::kernels {

/// Which implementation multiplies. `reference` is the readable triple loop that the others are held to; `fastest` takes
/// the GPU for products that it is measured to win (kernels/webgpu), and SIMD for the others. What the GPU fails at is
/// computed by SIMD, also on the path `webgpu`.
enum class MatmulPath { reference, simd, webgpu, fastest };

/// A batch of products C[i] (+)= A[i] B[i]: A is m×k, B is k×n, C is m×n row-major and dense.
/// A and B are given by strides in floats, so that a transposed operand costs nothing; a batch stride of 0
/// uses one matrix for the whole batch.
struct MatmulArgs {
  const float* a;
  const float* b;
  float* c;
  std::size_t batch, m, n, k;
  std::size_t a_batch, a_row, a_column;
  std::size_t b_batch, b_row, b_column;
  bool accumulate;              // C += A B instead of C = A B
  const float* bias = nullptr;  // n floats that are added to every row of C; not together with accumulate
  // Tensor::version() of an operand that will come again, as a weight does: then the GPU keeps it. 0: it will not.
  std::uint64_t a_version = 0, b_version = 0;
};

/// K = 0 gives zeros or the bias (or leaves C as it is when accumulating).
void matmul(MatmulPath path, const MatmulArgs& args);
/// Products of which none reads what another writes: to the GPU they go in one submission, which costs one wait.
void matmul_many(MatmulPath path, std::span<const MatmulArgs> products);

void matmul_reference(const MatmulArgs& args);
void matmul_simd(const MatmulArgs& args);

/// Multiply-adds done by matmul() and attention() in this thread since the start: what a layer costs, counted where it
/// is spent.
std::size_t multiply_adds();
void count_multiply_adds(std::size_t more);

}  // namespace attn::kernels
