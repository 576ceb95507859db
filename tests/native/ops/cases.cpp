#include "ops/cases.hpp"

#include "ops/arithmetic.hpp"
#include "ops/attention.hpp"
#include "ops/dropout.hpp"
#include "ops/embedding.hpp"
#include "ops/functions.hpp"
#include "ops/gru.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/matmul.hpp"
#include "ops/norm.hpp"
#include "ops/pick.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

namespace attn::test {
namespace {

const double kTolerance = OpCase().tolerance;
const float kShort = 0x1p-7F;  // a step of finite differences for what bends strongly

// Forms that several lines share.
Var masked(Inputs x) { return masked_softmax(x[0], x[1]); }
Var masked_book(Inputs x) { return masked_softmax(x[0], x[1], MaskRule::book); }
Var product(Inputs x) { return matmul(x[0], x[1]); }
Var product_transposed(Inputs x) { return matmul_transposed(x[0], x[1]); }
Var affine(Inputs x) { return linear(x[0], x[1], x[2]); }
Var without_bias(Inputs x) { return linear(x[0], x[1]); }
Var entropy(Inputs x) { return cross_entropy(x[0], x[1]); }
Var lookup(Inputs x) { return embedding(x[0], x[1]); }
Var gates(Inputs x) { return gru_gates(x[0], x[1], x[2]); }
Var two_heads(Inputs x) { return attention(x[0], x[1], x[2], 2, x.size() > 3 ? x[3] : Var()); }
Var two_heads_book(Inputs x) { return attention(x[0], x[1], x[2], 2, x[3], MaskRule::book); }
Var quotient(Inputs x) { return div(x[0], x[1]); }
Var larger(Inputs x) { return max(x[0], x[1]); }
Var smaller(Inputs x) { return min(x[0], x[1]); }
Var power(Inputs x) { return pow(x[0], x[1]); }
Var last(Inputs x) { return last_valid(x[0], x[1]); }

const std::vector<OpCase> kArithmetic = {
    {"add", "add", [](Inputs x) { return add(x[0], x[1]); }, {0, 1}},
    {"add_row", "add", [](Inputs x) { return add(x[0], x[1]); }, {0, 1}},
    {"add_query_to_key", "add", [](Inputs x) { return add(x[0], x[1]); }, {0, 1}},
    {"add_number", "add", [](Inputs x) { return add(x[0], x[1]); }, {0, 1}},
    {"add_leading_one", "add", [](Inputs x) { return add(x[0], x[1]); }, {0, 1}},
    {"add_operator", "operator+", [](Inputs x) { return x[0] + x[1]; }, {0, 1}},
    {"sub", "sub", [](Inputs x) { return sub(x[0], x[1]); }, {0, 1}},
    {"sub_column", "sub", [](Inputs x) { return sub(x[0], x[1]); }, {0, 1}},
    {"sub_from_row", "sub", [](Inputs x) { return sub(x[0], x[1]); }, {0, 1}},
    {"sub_operator", "operator-", [](Inputs x) { return x[0] - x[1]; }, {0, 1}},
    {"mul", "mul", [](Inputs x) { return mul(x[0], x[1]); }, {0, 1}},
    {"mul_row", "mul", [](Inputs x) { return mul(x[0], x[1]); }, {0, 1}},
    {"mul_both_broadcast", "mul", [](Inputs x) { return mul(x[0], x[1]); }, {0, 1}},
    {"mul_with_itself", "mul", [](Inputs x) { return mul(x[0], x[0]); }, {0}},
    {"mul_operator", "operator*", [](Inputs x) { return x[0] * x[1]; }, {0, 1}},
    {"div", "div", quotient, {0, 1}, kTolerance, kShort},
    {"div_by_column", "div", quotient, {0, 1}, kTolerance, kShort},
    {"div_row", "div", quotient, {0, 1}, kTolerance, kShort},
    {"div_operator", "operator/", [](Inputs x) { return x[0] / x[1]; }, {0, 1}, kTolerance, kShort},
    {"max", "max", larger, {0, 1}},
    {"max_number", "max", larger, {0, 1}},
    {"max_equal", "max", larger, {0, 1}},
    {"min", "min", smaller, {0, 1}},
    {"min_number", "min", smaller, {0, 1}},
    {"min_equal", "min", smaller, {0, 1}},
    {"pow", "pow", power, {0, 1}, kTolerance, kShort},
    {"pow_number", "pow", power, {0}, kTolerance, kShort},
    {"pow_of_negative", "pow", power, {0}, kTolerance, kShort},
    {"pow_zero", "pow", power, {0}},
    {"scale", "scale", [](Inputs x) { return scale(x[0], 1.0F / 3.0F, "1/3"); }, {0}},
    {"square", "square", [](Inputs x) { return square(x[0]); }, {0}},
};

const std::vector<OpCase> kFunctions = {
    {"exp", "exp", [](Inputs x) { return exp(x[0]); }, {0}},
    {"exp_wide", "exp", [](Inputs x) { return exp(x[0]); }, {0}},
    {"tanh", "tanh", [](Inputs x) { return tanh(x[0]); }, {0}},
    {"tanh_wide", "tanh", [](Inputs x) { return tanh(x[0]); }, {0}},
    {"sigmoid", "sigmoid", [](Inputs x) { return sigmoid(x[0]); }, {0}},
    {"sigmoid_wide", "sigmoid", [](Inputs x) { return sigmoid(x[0]); }, {0}},
    {"relu", "relu", [](Inputs x) { return relu(x[0]); }, {0}},
    {"neg", "neg", [](Inputs x) { return neg(x[0]); }, {0}},
    {"log", "log", [](Inputs x) { return log(x[0]); }, {0}, kTolerance, kShort},
    {"sqrt", "sqrt", [](Inputs x) { return sqrt(x[0]); }, {0}, kTolerance, kShort},
    {"sin", "sin", [](Inputs x) { return sin(x[0]); }, {0}},
    {"cos", "cos", [](Inputs x) { return cos(x[0]); }, {0}},
    {"sin_wide", "sin", [](Inputs x) { return sin(x[0]); }, {0}},
    {"abs", "abs", [](Inputs x) { return abs(x[0]); }, {0}},
    {"abs_zero", "abs", [](Inputs x) { return abs(x[0]); }, {0}},
    {"step", "step", [](Inputs x) { return step(x[0]); }, {0}},
};

const std::vector<OpCase> kMatmul = {
    {"matmul", "matmul", product, {0, 1}},
    {"matmul_one_row", "matmul", product, {0, 1}},
    {"matmul_one_column", "matmul", product, {0, 1}},
    {"matmul_depth_one", "matmul", product, {0, 1}},
    {"matmul_tiles", "matmul", product, {0, 1}},
    {"matmul_batched", "matmul", product, {0, 1}},
    {"matmul_heads", "matmul", product, {0, 1}},
    {"matmul_shared", "matmul", product, {0, 1}},
    {"matmul_transposed", "matmul_transposed", product_transposed, {0, 1}},
    {"matmul_transposed_batched", "matmul_transposed", product_transposed, {0, 1}},
    {"matmul_transposed_heads", "matmul_transposed", product_transposed, {0, 1}},
    {"matmul_transposed_shared", "matmul_transposed", product_transposed, {0, 1}},
    {"linear", "linear", affine, {0, 1, 2}},
    {"linear_vector", "linear", affine, {0, 1, 2}},
    {"linear_sequence", "linear", affine, {0, 1, 2}},
    {"linear_one_output", "linear", affine, {0, 1, 2}},
    {"linear_without_bias", "linear", without_bias, {0, 1}},
    {"linear_vector_without_bias", "linear", without_bias, {0, 1}},
};

// A line a case, which clang-format would break at the inner braces.
// clang-format off
const std::vector<OpCase> kLayout = {
    {"reshape", "reshape", [](Inputs x) { return reshape(x[0], {4, 3}); }, {0}},
    {"reshape_to_number", "reshape", [](Inputs x) { return reshape(x[0], {}); }, {0}},
    {"transpose", "transpose", [](Inputs x) { return transpose(x[0], {1, 0}); }, {0}},
    {"transpose_heads", "transpose", [](Inputs x) { return transpose(x[0], {0, 2, 1, 3}); }, {0}},
    {"transpose_cycle", "transpose", [](Inputs x) { return transpose(x[0], {2, 0, 1}); }, {0}},
    {"slice", "slice", [](Inputs x) { return slice(x[0], 1, 1, 2); }, {0}},
    {"slice_outer", "slice", [](Inputs x) { return slice(x[0], 0, 1, 2); }, {0}},
    {"slice_last", "slice", [](Inputs x) { return slice(x[0], -1, 2, 3); }, {0}},
    {"slice_whole", "slice", [](Inputs x) { return slice(x[0], -2, 0, 3); }, {0}},
    {"select", "select", [](Inputs x) { return select(x[0], 1, 2); }, {0}},
    {"select_outer", "select", [](Inputs x) { return select(x[0], 0, 1); }, {0}},
    {"select_last", "select", [](Inputs x) { return select(x[0], -1, 4); }, {0}},
    {"select_number", "select", [](Inputs x) { return select(x[0], 0, 3); }, {0}},
    {"concat", "concat", [](Inputs x) { return concat({x[0], x[1]}, -1); }, {0, 1}},
    {"concat_outer", "concat", [](Inputs x) { return concat({x[0], x[1], x[2]}, 0); }, {0, 1, 2}},
    {"concat_middle", "concat", [](Inputs x) { return concat({x[0], x[1]}, 1); }, {0, 1}},
    {"concat_with_itself", "concat", [](Inputs x) { return concat({x[0], x[0]}, 0); }, {0}},
    {"stack", "stack", [](Inputs x) { return stack({x[0], x[1], x[2]}, 0); }, {0, 1, 2}},
    {"stack_middle", "stack", [](Inputs x) { return stack({x[0], x[1]}, 1); }, {0, 1}},
    {"stack_last", "stack", [](Inputs x) { return stack({x[0], x[1]}, -1); }, {0, 1}},
    {"stack_numbers", "stack", [](Inputs x) { return stack({x[0], x[1]}, 0); }, {0, 1}},
    {"last_valid", "last_valid", last, {0}},
    {"last_valid_one_step", "last_valid", last, {0}},
};
// clang-format on

const std::vector<OpCase> kReduce = {
    {"sum", "sum", [](Inputs x) { return sum(x[0]); }, {0}},
    {"sum_number", "sum", [](Inputs x) { return sum(x[0]); }, {0}},
    {"mean", "mean", [](Inputs x) { return mean(x[0]); }, {0}},
    {"sum_last", "sum", [](Inputs x) { return sum(x[0], -1); }, {0}},
    {"sum_first", "sum", [](Inputs x) { return sum(x[0], 0); }, {0}},
    {"sum_middle", "sum", [](Inputs x) { return sum(x[0], 1); }, {0}},
    {"mean_last", "mean", [](Inputs x) { return mean(x[0], -1); }, {0}},
    {"mean_middle", "mean", [](Inputs x) { return mean(x[0], 1); }, {0}},
};

const std::vector<OpCase> kNorm = {
    {"layer_norm", "layer_norm", [](Inputs x) { return layer_norm(x[0], x[1], x[2]); }, {0, 1, 2}},
    {"layer_norm_vector", "layer_norm", [](Inputs x) { return layer_norm(x[0], x[1], x[2]); }, {0, 1, 2}},
    {"layer_norm_two_axes", "layer_norm", [](Inputs x) { return layer_norm(x[0], x[1], x[2]); }, {0, 1, 2}},
    // floats near 20 are 1.9e-6 apart; measured: 3.2e-6
    {"layer_norm_far_from_zero", "layer_norm", [](Inputs x) { return layer_norm(x[0], x[1], x[2]); }, {0, 1, 2}, 6e-6},
    {"batch_norm", "batch_norm", [](Inputs x) { return batch_norm(x[0], x[1], x[2]); }, {0, 1, 2}},
    {"batch_norm_sequence", "batch_norm", [](Inputs x) { return batch_norm(x[0], x[1], x[2]); }, {0, 1, 2}},
};

const std::vector<OpCase> kSoftmax = {
    {"softmax", "softmax", [](Inputs x) { return softmax(x[0]); }, {0}},
    {"softmax_vector", "softmax", [](Inputs x) { return softmax(x[0]); }, {0}},
    {"softmax_one_key", "softmax", [](Inputs x) { return softmax(x[0]); }, {0}},
    {"softmax_wide", "softmax", [](Inputs x) { return softmax(x[0]); }, {0}},
    {"softmax_heads", "softmax", [](Inputs x) { return softmax(x[0]); }, {0}},
    {"masked_softmax_none", "masked_softmax", [](Inputs x) { return masked_softmax(x[0], {}); }, {0}},
    {"masked_softmax", "masked_softmax", masked, {0}},
    {"masked_softmax_full_and_empty", "masked_softmax", masked, {0}},
    {"masked_softmax_two_axes", "masked_softmax", masked, {0}},
    {"masked_softmax_queries", "masked_softmax", masked, {0}},
    {"masked_softmax_heads", "masked_softmax", masked, {0}},
    {"masked_softmax_heads_queries", "masked_softmax", masked, {0}},
    {"masked_softmax_very_negative", "masked_softmax", masked, {0}, kTolerance, 0.25F},  // floats there are 1/8 apart
    {"masked_softmax_book", "masked_softmax", masked_book, {0}},
    {"masked_softmax_book_full_and_empty", "masked_softmax", masked_book, {0}},
    {"masked_softmax_book_queries", "masked_softmax", masked_book, {0}},
    {"masked_softmax_book_heads", "masked_softmax", masked_book, {0}},
    {"masked_softmax_book_very_negative", "masked_softmax", masked_book, {0}, kTolerance, 0.25F},
};

const std::vector<OpCase> kOthers = {
    {"embedding", "embedding", lookup, {1}},
    {"embedding_one_id", "embedding", lookup, {1}},
    {"embedding_vector", "embedding", lookup, {1}},
    {"cross_entropy", "cross_entropy", entropy, {0}},
    {"cross_entropy_sequence", "cross_entropy", entropy, {0}},
    {"cross_entropy_one_row", "cross_entropy", entropy, {0}},
    {"cross_entropy_wide", "cross_entropy", entropy, {0}, 5e-6},  // a difference of numbers near 50; measured: 9.2e-7
    {"cross_entropy_padding", "cross_entropy", [](Inputs x) { return mul(cross_entropy(x[0], x[1]), x[2]); }, {0}},
    {"gru_gates", "gru_gates", gates, {0, 1, 2}},
    {"gru_gates_wide_state", "gru_gates", gates, {0, 1, 2}},
    {"gru_gates_saturated", "gru_gates", gates, {0, 1, 2}},
    {"dropout", "dropout", [](Inputs x) { return dropout(x[0], 0.375F); }, {0}},
};

const std::vector<OpCase> kAttention = {
    {"attention", "attention", two_heads, {0, 1, 2}},
    {"attention_one_head", "attention", [](Inputs x) { return attention(x[0], x[1], x[2], 1); }, {0, 1, 2}},
    {"attention_one_feature", "attention", [](Inputs x) { return attention(x[0], x[1], x[2], 3); }, {0, 1, 2}},
    {"attention_lengths", "attention", two_heads, {0, 1, 2}},
    {"attention_full_and_empty", "attention", two_heads, {0, 1, 2}},
    {"attention_queries", "attention", two_heads, {0, 1, 2}},
    {"attention_tiles", "attention", two_heads, {0, 1, 2}},
    {"attention_book", "attention", two_heads_book, {0, 1, 2}},
    {"attention_book_queries", "attention", two_heads_book, {0, 1, 2}},
    {"attention_self", "attention", [](Inputs x) { return attention(x[0], x[0], x[0], 2, x[1]); }, {0}},
    {"attention_dropout",
     "attention",
     [](Inputs x) { return attention(x[0], x[1], x[2], 2, x[3], MaskRule::correct, 0.375F); },
     {0, 1, 2}},
};

}  // namespace

const std::vector<OpCase>& op_cases() {
  static const std::vector<OpCase> all = [] {
    std::vector<OpCase> out;
    for (const auto* family :
         {&kArithmetic, &kFunctions, &kMatmul, &kLayout, &kReduce, &kNorm, &kSoftmax, &kOthers, &kAttention})
      out.insert(out.end(), family->begin(), family->end());
    return out;
  }();
  return all;
}

}  // namespace attn::test
