"""Goldens of layers that models do not use in all their forms: multi-head attention with sizes of their own for
queries, keys and values, tables of positions, and batch norm, which remembers."""
import torch
from torch import nn

import golden
from transformer import MultiHeadAttention, heads_in_a_loop, sinusoids

SIZES = {"query": 5, "key": 3, "value": 4, "hidden": 6, "heads": 3}
LENGTHS = {"none": None, "of_each_example": [3, 2], "of_each_query": [[1, 4, 2], [0, 3, 4]]}
PLACES = [0, 1, 2, 59, 999]


def write_all():
    golden.write("layers/multi_head.json", {
        "sizes": SIZES, "cases": {f"{lengths}{'_bias' * bias}": multi_head(lengths, bias)
                                  for lengths in LENGTHS for bias in (False, True)}})
    golden.write("layers/positions.json", {
        "places": PLACES, "tables": {str(size): golden.tensor(sinusoids(1000, size)[PLACES]) for size in (1, 8, 33)}})
    golden.write("layers/batch_norm.json", batch_norm())
    return 3


def multi_head(lengths, bias):
    numbers = golden.Numbers(f"multi head {lengths} {bias}")
    net = MultiHeadAttention(SIZES["key"], SIZES["query"], SIZES["value"], SIZES["hidden"], SIZES["heads"], bias=bias)
    net.load_state_dict({path: numbers.normal(*p.shape, std=0.5) for path, p in net.state_dict().items()})
    inputs = {"queries": numbers.normal(2, 3, SIZES["query"]).requires_grad_(),
              "keys": numbers.normal(2, 4, SIZES["key"]).requires_grad_(),
              "values": numbers.normal(2, 4, SIZES["value"]).requires_grad_()}
    queries, keys, values = inputs.values()
    valid = None if LENGTHS[lengths] is None else torch.tensor(LENGTHS[lengths])
    output = net(queries, net.project(keys, values), valid)
    torch.testing.assert_close(output, heads_in_a_loop(net, queries, net.project(keys, values), valid))
    upstream = numbers.normal(*output.shape)
    wanted = dict(net.named_parameters()) | inputs
    gradients = dict(zip(wanted, torch.autograd.grad(output, list(wanted.values()), upstream)))
    if bias:
        gradients["W_k.bias"] = torch.zeros(SIZES["hidden"])  # it moves all scores of a query alike: truly 0
    out = {"weights": {path: golden.tensor(p) for path, p in net.named_parameters()},
           "inputs": {name: golden.tensor(x) for name, x in inputs.items()}}
    if valid is not None:
        out["lengths"] = golden.tensor(valid)
    return out | {"output": golden.tensor(output), "upstream": golden.tensor(upstream),
                  "gradients": {name: golden.tensor(g) for name, g in gradients.items()}}


def batch_norm():
    """Two batches in training, each of which moves the running statistics, then one outside it."""
    numbers = golden.Numbers("batch norm")
    net = nn.BatchNorm1d(3)
    weights = {"weight": numbers.normal(3), "bias": numbers.normal(3)}
    net.load_state_dict(weights, strict=False)
    batches = [1.5 + 2.0 * numbers.normal(rows, 3) for rows in (5, 4, 2)]
    batches = [golden.float32(batch) for batch in batches]
    outputs = [net.train(i < 2)(batch) for i, batch in enumerate(batches)]
    return {"weights": {name: golden.tensor(w) for name, w in weights.items()},
            "batches": [golden.tensor(batch) for batch in batches],
            "outputs": [golden.tensor(output) for output in outputs],
            "running_mean": golden.tensor(net.running_mean), "running_variance": golden.tensor(net.running_var)}
