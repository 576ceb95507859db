"""Goldens of the ops: for each case of tests/native/ops/cases.cpp its inputs, output, a random upstream gradient, and
the gradients that PyTorch's autograd gives for them. One line a case; an input without gradient is marked `fixed`."""
import math

import torch
from torch.nn import functional as F

import golden
from modules import masked_softmax

CASES = {}


def case(name, f, inputs):
    """f: the op on PyTorch tensors; inputs: from random Numbers to the list of its operands."""
    assert name not in CASES, name
    CASES[name] = (f, inputs)


def fixed(x):
    x = torch.as_tensor(x, dtype=torch.float64)
    x.has_no_gradient = True
    return x


def write_all():
    for name, (f, make) in CASES.items():
        numbers = golden.Numbers(name)
        made = make(numbers)
        wanted = [i for i, x in enumerate(made) if not hasattr(x, "has_no_gradient")]
        inputs = [golden.float32(x).requires_grad_(i in wanted) for i, x in enumerate(made)]
        output = f(*inputs)
        upstream = numbers.normal(*output.shape)
        gradients = torch.autograd.grad(output, [inputs[i] for i in wanted], upstream)
        golden.write(f"ops/{name}.json", {
            "inputs": [golden.tensor(x) for x in inputs],
            "output": golden.tensor(output),
            "upstream": golden.tensor(upstream),
            "gradients": {str(i): golden.tensor(g) for i, g in zip(wanted, gradients)},
        })
    return len(CASES)


# --- arithmetic.hpp
case("add", torch.add, lambda r: [r.normal(3, 5), r.normal(3, 5)])
case("add_row", torch.add, lambda r: [r.normal(2, 3, 5), r.normal(5)])
case("add_query_to_key", torch.add, lambda r: [r.normal(2, 3, 1, 5), r.normal(2, 1, 4, 5)])
case("add_number", torch.add, lambda r: [r.normal(), r.normal(2, 3)])
case("add_leading_one", torch.add, lambda r: [r.normal(1, 1, 4), r.normal(4)])
case("add_operator", torch.add, lambda r: [r.normal(2, 1), r.normal(1, 3)])
case("sub", torch.sub, lambda r: [r.normal(3, 5), r.normal(3, 5)])
case("sub_column", torch.sub, lambda r: [r.normal(3, 5), r.normal(3, 1)])
case("sub_from_row", torch.sub, lambda r: [r.normal(5), r.normal(2, 3, 5)])
case("sub_operator", torch.sub, lambda r: [r.normal(7), r.normal(7)])
case("mul", torch.mul, lambda r: [r.normal(3, 5), r.normal(3, 5)])
case("mul_row", torch.mul, lambda r: [r.normal(2, 3, 5), r.normal(5)])
case("mul_both_broadcast", torch.mul, lambda r: [r.normal(3, 1, 2), r.normal(4, 1)])
case("mul_with_itself", lambda x: x * x, lambda r: [r.normal(3, 5)])
case("mul_operator", torch.mul, lambda r: [r.normal(2, 9), r.normal(1)])
AWAY = lambda r, *shape: r.away_from_zero(*shape) * 2  # a divisor
case("div", torch.div, lambda r: [r.normal(3, 5), AWAY(r, 3, 5)])
case("div_by_column", torch.div, lambda r: [r.normal(2, 3, 5), AWAY(r, 3, 1)])
case("div_row", torch.div, lambda r: [r.normal(5), AWAY(r, 2, 3, 5)])
case("div_operator", torch.div, lambda r: [r.normal(7), AWAY(r, 1)])


def apart(r, *shape):
    """Two operands of which no two numbers are near each other: finite differences stay on one side of the kink."""
    a = r.normal(*shape)
    return [a, a + r.away_from_zero(*shape)]


case("max", torch.maximum, lambda r: apart(r, 3, 5))
case("max_number", torch.maximum, lambda r: [r.away_from_zero(2, 3), torch.zeros(1)])
case("max_equal", torch.maximum, lambda r: [torch.ones(2, 3), torch.ones(3)])
case("min", torch.minimum, lambda r: apart(r, 3, 5))
case("min_number", torch.minimum, lambda r: [torch.zeros(()), r.away_from_zero(2, 3)])
case("min_equal", torch.minimum, lambda r: [torch.ones(2, 3), torch.ones(3)])
case("pow", torch.pow, lambda r: [r.uniform(0.5, 2.5, 3, 5), r.normal(5)])
case("pow_number", torch.pow, lambda r: [r.uniform(0.5, 2.5, 7), fixed(-1.5)])
case("pow_of_negative", torch.pow, lambda r: [r.away_from_zero(9), fixed(3.0)])
case("pow_zero", torch.pow, lambda r: [r.normal(4), fixed(0.0)])
case("scale", lambda x: x * float(torch.tensor(1 / 3, dtype=torch.float32)), lambda r: [r.normal(3, 5)])
case("square", torch.square, lambda r: [r.normal(3, 5)])

# --- functions.hpp
case("exp", torch.exp, lambda r: [r.normal(3, 7)])
case("exp_wide", torch.exp, lambda r: [r.uniform(-60, 5, 19)])
case("tanh", torch.tanh, lambda r: [r.normal(3, 7)])
case("tanh_wide", torch.tanh, lambda r: [r.uniform(-20, 20, 19)])
case("sigmoid", torch.sigmoid, lambda r: [r.normal(3, 7)])
case("sigmoid_wide", torch.sigmoid, lambda r: [r.uniform(-100, 100, 19)])
case("relu", torch.relu, lambda r: [r.away_from_zero(3, 7)])
case("neg", torch.neg, lambda r: [r.normal(3, 7)])
case("log", torch.log, lambda r: [r.uniform(0.4, 9, 19)])
case("sqrt", torch.sqrt, lambda r: [r.uniform(0.4, 9, 19)])
case("sin", torch.sin, lambda r: [r.normal(3, 7)])
case("cos", torch.cos, lambda r: [r.normal(3, 7)])
case("sin_wide", torch.sin, lambda r: [r.uniform(-200, 200, 19)])
case("abs", torch.abs, lambda r: [r.away_from_zero(3, 7)])
case("abs_zero", torch.abs, lambda r: [torch.zeros(3)])
case("step", lambda x: torch.where(x > 0, 1.0, 0.0) + 0 * x, lambda r: [r.away_from_zero(3, 7)])

# --- matmul.hpp
T = lambda x: x.transpose(-1, -2)
case("matmul", torch.matmul, lambda r: [r.normal(5, 7), r.normal(7, 3)])
case("matmul_one_row", torch.matmul, lambda r: [r.normal(1, 9), r.normal(9, 4)])
case("matmul_one_column", torch.matmul, lambda r: [r.normal(4, 9), r.normal(9, 1)])
case("matmul_depth_one", torch.matmul, lambda r: [r.normal(4, 1), r.normal(1, 5)])
case("matmul_tiles", torch.matmul, lambda r: [r.normal(13, 19), r.normal(19, 23)])
case("matmul_batched", torch.matmul, lambda r: [r.normal(3, 4, 5), r.normal(3, 5, 6)])
case("matmul_heads", torch.matmul, lambda r: [r.normal(2, 3, 4, 5), r.normal(2, 3, 5, 2)])
case("matmul_shared", torch.matmul, lambda r: [r.normal(2, 3, 5), r.normal(5, 4)])
case("matmul_transposed", lambda a, b: a @ T(b), lambda r: [r.normal(5, 7), r.normal(3, 7)])
case("matmul_transposed_batched", lambda a, b: a @ T(b), lambda r: [r.normal(3, 4, 5), r.normal(3, 6, 5)])
case("matmul_transposed_heads", lambda a, b: a @ T(b), lambda r: [r.normal(2, 2, 3, 5), r.normal(2, 2, 4, 5)])
case("matmul_transposed_shared", lambda a, b: a @ T(b), lambda r: [r.normal(2, 3, 5), r.normal(4, 5)])
case("linear", F.linear, lambda r: [r.normal(3, 5), r.normal(7, 5), r.normal(7)])
case("linear_vector", F.linear, lambda r: [r.normal(5), r.normal(3, 5), r.normal(3)])
case("linear_sequence", F.linear, lambda r: [r.normal(2, 3, 5), r.normal(4, 5), r.normal(4)])
case("linear_one_output", F.linear, lambda r: [r.normal(2, 3, 5), r.normal(1, 5), r.normal(1)])
case("linear_without_bias", F.linear, lambda r: [r.normal(2, 3, 5), r.normal(4, 5)])
case("linear_vector_without_bias", F.linear, lambda r: [r.normal(5), r.normal(4, 5)])

# --- layout.hpp
case("reshape", lambda x: x.reshape(4, 3), lambda r: [r.normal(2, 6)])
case("reshape_to_number", lambda x: x.reshape(()), lambda r: [r.normal(1, 1)])
case("transpose", lambda x: x.t(), lambda r: [r.normal(3, 5)])
case("transpose_heads", lambda x: x.permute(0, 2, 1, 3), lambda r: [r.normal(2, 3, 4, 5)])
case("transpose_cycle", lambda x: x.permute(2, 0, 1), lambda r: [r.normal(2, 3, 4)])
case("slice", lambda x: x[:, 1:3], lambda r: [r.normal(2, 5)])
case("slice_outer", lambda x: x[1:3], lambda r: [r.normal(4, 2, 3)])
case("slice_last", lambda x: x[..., 2:5], lambda r: [r.normal(2, 3, 5)])
case("slice_whole", lambda x: x[:, 0:3], lambda r: [r.normal(2, 3, 2)])
case("select", lambda x: x[:, 2], lambda r: [r.normal(2, 4, 3)])
case("select_outer", lambda x: x[1], lambda r: [r.normal(3, 4)])
case("select_last", lambda x: x[..., 4], lambda r: [r.normal(2, 3, 5)])
case("select_number", lambda x: x[3], lambda r: [r.normal(5)])
case("concat", lambda a, b: torch.cat([a, b], -1), lambda r: [r.normal(2, 3), r.normal(2, 4)])
case("concat_outer", lambda *x: torch.cat(x, 0), lambda r: [r.normal(1, 3), r.normal(2, 3), r.normal(1, 3)])
case("concat_middle", lambda a, b: torch.cat([a, b], 1), lambda r: [r.normal(2, 1, 3), r.normal(2, 2, 3)])
case("concat_with_itself", lambda a: torch.cat([a, a], 0), lambda r: [r.normal(2, 3)])
case("stack", lambda a, b, c: torch.stack([a, b, c]), lambda r: [r.normal(2, 3), r.normal(2, 3), r.normal(2, 3)])
case("stack_middle", lambda a, b: torch.stack([a, b], 1), lambda r: [r.normal(2, 3), r.normal(2, 3)])
case("stack_last", lambda a, b: torch.stack([a, b], -1), lambda r: [r.normal(2, 3), r.normal(2, 3)])
case("stack_numbers", lambda a, b: torch.stack([a, b]), lambda r: [r.normal(), r.normal()])

# --- pick.hpp
LAST = lambda x, lengths: x[torch.arange(len(x)), lengths.long() - 1]
case("last_valid", LAST, lambda r: [r.normal(3, 4, 5), fixed([4, 1, 3])])
case("last_valid_one_step", LAST, lambda r: [r.normal(2, 1, 3), fixed([1, 1])])

# --- reduce.hpp
case("sum", torch.sum, lambda r: [r.normal(3, 7)])
case("sum_number", torch.sum, lambda r: [r.normal()])
case("mean", torch.mean, lambda r: [r.normal(3, 7)])
case("sum_last", lambda x: x.sum(-1), lambda r: [r.normal(2, 3, 7)])
case("sum_first", lambda x: x.sum(0), lambda r: [r.normal(3, 2, 5)])
case("sum_middle", lambda x: x.sum(1), lambda r: [r.normal(2, 3, 5)])
case("mean_last", lambda x: x.mean(-1), lambda r: [r.normal(4, 7)])
case("mean_middle", lambda x: x.mean(1), lambda r: [r.normal(2, 3, 5)])

# --- norm.hpp
# ε is the float32 that the core holds.
EPSILON = float(torch.tensor(1e-5, dtype=torch.float32))
layer_norm = lambda x, gamma, beta: F.layer_norm(x, gamma.shape, gamma, beta, EPSILON)
batch_norm = lambda x, gamma, beta: F.batch_norm(
    x.reshape(-1, x.shape[-1]), None, None, gamma, beta, training=True, eps=EPSILON).reshape(x.shape)
case("layer_norm", layer_norm, lambda r: [r.normal(2, 3, 7), r.normal(7), r.normal(7)])
case("layer_norm_vector", layer_norm, lambda r: [r.normal(5), r.normal(5), r.normal(5)])
case("layer_norm_two_axes", layer_norm, lambda r: [r.normal(2, 3, 4), r.normal(3, 4), r.normal(3, 4)])
case("layer_norm_far_from_zero", layer_norm, lambda r: [20 + r.normal(3, 9), r.normal(9), r.normal(9)])
case("batch_norm", batch_norm, lambda r: [r.normal(5, 3), r.normal(3), r.normal(3)])
case("batch_norm_sequence", batch_norm, lambda r: [r.normal(2, 3, 5), r.normal(5), r.normal(5)])

# --- softmax.hpp
case("softmax", lambda x: x.softmax(-1), lambda r: [r.normal(3, 7)])
case("softmax_vector", lambda x: x.softmax(-1), lambda r: [r.normal(11)])
case("softmax_one_key", lambda x: x.softmax(-1), lambda r: [r.normal(2, 1)])
case("softmax_wide", lambda x: x.softmax(-1), lambda r: [r.uniform(-200, 200, 4, 5)])
case("softmax_heads", lambda x: x.softmax(-1), lambda r: [r.normal(2, 2, 3, 5)])
BOOK = lambda x, n: masked_softmax(x, n, book=True)
QUERIES = [[1, 3, 5], [2, 4, 0]]  # valid lengths of two examples with three queries over five keys
case("masked_softmax_none", masked_softmax, lambda r: [r.normal(2, 3, 5)])
case("masked_softmax", masked_softmax, lambda r: [r.normal(2, 3, 5), fixed([2, 4])])
case("masked_softmax_full_and_empty", masked_softmax, lambda r: [r.normal(3, 2, 4), fixed([4, 0, 1])])
case("masked_softmax_two_axes", masked_softmax, lambda r: [r.normal(3, 9), fixed([9, 0, 5])])
case("masked_softmax_queries", masked_softmax, lambda r: [r.normal(2, 3, 5), fixed(QUERIES)])
case("masked_softmax_heads", masked_softmax, lambda r: [r.normal(2, 2, 3, 5), fixed([2, 0])])
case("masked_softmax_heads_queries", masked_softmax, lambda r: [r.normal(2, 2, 3, 5), fixed(QUERIES)])
case("masked_softmax_very_negative", masked_softmax, lambda r: [r.normal(2, 2, 3) - 2e6, fixed([1, 2])])
case("masked_softmax_book", BOOK, lambda r: [r.normal(2, 3, 5), fixed([2, 4])])
case("masked_softmax_book_full_and_empty", BOOK, lambda r: [r.normal(3, 2, 4), fixed([4, 0, 1])])
case("masked_softmax_book_queries", BOOK, lambda r: [r.normal(2, 3, 5), fixed(QUERIES)])
case("masked_softmax_book_heads", BOOK, lambda r: [r.normal(2, 2, 3, 5), fixed([2, 0])])
case("masked_softmax_book_very_negative", BOOK, lambda r: [r.normal(2, 2, 3) - 2e6, fixed([1, 2])])

# --- embedding.hpp
LOOKUP = lambda ids, weight: F.embedding(ids.long(), weight)
case("embedding", LOOKUP, lambda r: [fixed([[1, 0, 4], [4, 4, 2]]), r.normal(6, 3)])
case("embedding_one_id", LOOKUP, lambda r: [fixed(3.0), r.normal(5, 7)])
case("embedding_vector", LOOKUP, lambda r: [fixed([2, 2, 0, 1]), r.normal(3, 4)])

# --- loss.hpp
CROSS = lambda logits, targets: F.cross_entropy(
    logits.reshape(-1, logits.shape[-1]), targets.reshape(-1).long(), reduction="none").reshape(targets.shape)
case("cross_entropy", CROSS, lambda r: [r.normal(4, 7), fixed([0, 6, 3, 3])])
case("cross_entropy_sequence", CROSS, lambda r: [r.normal(2, 3, 5), fixed(r.ids(5, 2, 3))])
case("cross_entropy_one_row", CROSS, lambda r: [r.normal(9), fixed(8.0)])
case("cross_entropy_wide", CROSS, lambda r: [r.uniform(-50, 50, 3, 11), fixed([2, 0, 10])])
case("cross_entropy_padding", lambda x, t, keep: CROSS(x, t) * keep,
     lambda r: [r.normal(2, 3, 5), fixed([[1, 2, 0], [4, 0, 0]]), fixed([[1, 1, 0], [1, 0, 0]])])


# --- gru.hpp
def gru_gates(from_input, from_hidden, hidden):
    """PyTorch's own cell, row by row: its weights are the unit matrix and 0, so its input and bias are what we give."""
    size = hidden.shape[1]
    unit, none = torch.eye(3 * size, dtype=torch.float64), torch.zeros(3 * size, size, dtype=torch.float64)
    rows = zip(from_input, from_hidden, hidden)
    return torch.cat([torch.gru_cell(i[None], h[None], unit, none, torch.zeros_like(g), g) for i, g, h in rows])


case("gru_gates", gru_gates, lambda r: [r.normal(3, 15), r.normal(3, 15), r.normal(3, 5)])
case("gru_gates_wide_state", gru_gates, lambda r: [r.normal(2, 27), r.normal(2, 27), r.normal(2, 9)])
case("gru_gates_saturated", gru_gates, lambda r: [r.normal(2, 9, std=12.0), r.normal(2, 9, std=3.0), r.normal(2, 3)])


# --- dropout.hpp
def dropout(x, p=0.375, seed=1):
    """One uniform number an element from the generator of the graph, whose seed the table of cases sets to 1."""
    rng = golden.Pcg32(seed)
    kept = torch.tensor([rng.uniform() >= p for _ in range(x.numel())], dtype=torch.float64)
    return x * kept.reshape(x.shape) / (1 - p)


case("dropout", dropout, lambda r: [r.normal(5, 7)])


# --- attention.hpp
def attention(q, k, v, lengths=None, heads=2, book=False, drop=lambda w: w):
    """The composed form: heads split off, scores, weights, values, heads side by side again."""
    split = lambda x: x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)
    scores = split(q) @ T(split(k)) / math.sqrt(q.shape[2] // heads)
    out = drop(masked_softmax(scores, lengths, book)) @ split(v)
    return out.transpose(1, 2).reshape(*q.shape[:2], v.shape[2])


QKV = lambda r, b, queries, keys, c, cv: [r.normal(b, queries, c), r.normal(b, keys, c), r.normal(b, keys, cv)]
case("attention", attention, lambda r: QKV(r, 2, 3, 5, 6, 4))
case("attention_one_head", lambda *x: attention(*x, heads=1), lambda r: QKV(r, 2, 3, 4, 5, 2))
case("attention_one_feature", lambda *x: attention(*x, heads=3), lambda r: QKV(r, 1, 2, 3, 3, 6))
case("attention_lengths", attention, lambda r: QKV(r, 2, 3, 5, 6, 4) + [fixed([2, 4])])
case("attention_full_and_empty", attention, lambda r: QKV(r, 3, 2, 4, 4, 6) + [fixed([4, 0, 1])])
case("attention_queries", attention, lambda r: QKV(r, 2, 3, 5, 4, 4) + [fixed(QUERIES)])
case("attention_tiles", attention, lambda r: QKV(r, 2, 7, 13, 16, 10) + [fixed([11, 13])])
case("attention_book", lambda *x: attention(*x, book=True), lambda r: QKV(r, 3, 2, 4, 4, 6) + [fixed([4, 0, 1])])
case("attention_book_queries", lambda *x: attention(*x, book=True), lambda r: QKV(r, 2, 3, 5, 4, 4) + [fixed(QUERIES)])
case("attention_self", lambda x, n: attention(x, x, x, n), lambda r: [r.normal(2, 3, 6), fixed([[1, 2, 3], [1, 2, 2]])])
case("attention_dropout", lambda *x: attention(*x, drop=dropout), lambda r: QKV(r, 2, 3, 5, 6, 4) + [fixed([5, 3])])
