"""What PyTorch has at the named steps of a run of kernel regression, with the weight in files/kernel_regression.safetensors."""
import torch

import file_goldens
import model_goldens as goldens
from modules import KernelRegression


def steps(kernel, width):
    """All steps of a run that tries this kernel beside the three forms."""
    config = file_goldens.REGRESSION
    n = config["n"]
    x, y, x_test, truth, w = goldens.regression_data(n, config["seed"])
    others = ~torch.eye(n, dtype=torch.bool)
    keys, values = x.repeat(n, 1)[others].reshape(n, -1), y.repeat(n, 1)[others].reshape(n, -1)
    on_grid, on_points = (x_test, x.expand(50, -1), y.expand(50, -1), truth), (x, keys, values, y)
    out = {"data.x_train": x, "data.y_train": y, "data.x_test": x_test, "data.truth": truth,
           "distance": x_test[:, None] - x, "train.distance": x[:, None] - keys, "learned.w": torch.tensor([w])}
    forms = {"average": gaussian(0.0), "fixed": gaussian(1.0), "learned": gaussian(w), "kernel": kernel_form(kernel, width)}
    for name, form in forms.items():
        on_test = form(*on_grid[:3])
        out |= named(name, on_test | errors(on_test, truth)) | {f"roughness.{name}": roughness(on_test)}
        trained = form(*on_points[:3])
        out |= named("train." + name, trained | errors(trained, y))
    out["loss"] = ((out["train.learned.prediction"] - y) ** 2).sum()
    return out | named("kernel.shape", shape(kernel, width))


STARTS = ("loss", "learned.error", "train.learned.error")


def gradients(start):
    """Of the loss, or of an error of the learned form, with respect to all that it was computed from."""
    n = file_goldens.REGRESSION["n"]
    *data, w = goldens.regression_data(n, file_goldens.REGRESSION["seed"])
    x, y, x_test, truth, w = (v.requires_grad_() for v in (*data, torch.tensor([w])))
    on_grid = start == "learned.error"
    others = ~torch.eye(n, dtype=torch.bool)
    queries, keys, values = (x_test, x, y) if on_grid else (x, *(v.repeat(n, 1)[others].reshape(n, -1) for v in (x, y)))
    distance = queries[:, None] - keys
    scores = -((distance * w) ** 2) / 2
    weights = scores.softmax(dim=1)
    prediction = (weights * values).sum(dim=1)
    squares = (prediction - (truth if on_grid else y)) ** 2
    error = squares.sum() if start == "loss" else squares.mean()
    torch.testing.assert_close(error, steps("gaussian", 1.0)[start])
    scope = "learned." if on_grid else "train.learned."
    inner = {"distance" if on_grid else "train.distance": distance, scope + "scores": scores, scope + "weights": weights,
             scope + "prediction": prediction, start: error}
    for tensor in inner.values():
        tensor.retain_grad()
    error.backward()
    leaves = {"data.x_train": x, "data.y_train": y, "learned.w": w} | ({"data.x_test": x_test} if on_grid else {})
    return {name: tensor.grad for name, tensor in (leaves | inner).items()}


def named(scope, steps):
    return {f"{scope}.{name}": x for name, x in steps.items()}


def gaussian(w):
    def form(queries, keys, values):
        net = KernelRegression()
        net.w.data = torch.tensor([w])
        prediction = net(queries, keys, values)
        return {"scores": -(((queries[:, None] - keys) * w) ** 2) / 2, "weights": net.weights, "prediction": prediction}
    return form


def kernel_form(kernel, width):
    def form(queries, keys, values):
        u = (queries[:, None] - keys) / width
        if kernel == "gaussian":
            out = gaussian(1 / width)(queries, keys, values)
            return out | {"u": u, "similarity": out["scores"].exp()}
        total = epanechnikov(u)["similarity"].sum(dim=1)
        has_data = (total > 0).to(total.dtype)
        weights = epanechnikov(u)["similarity"] / (total + 1 - has_data)[:, None]
        return epanechnikov(u) | {"total": total, "has_data": has_data, "covered": has_data.mean(), "weights": weights,
                                  "prediction": (weights * values).sum(dim=1)}
    return form


def epanechnikov(u):
    return {"u": u, "u^2": u ** 2, "1 - u^2": 1 - u ** 2, "similarity": (1 - u ** 2).clamp(min=0)}


def shape(kernel, width):
    """The kernel's curve; the parts of its formula have their own text for a name."""
    distance = torch.arange(-60, 61) / 20
    u = distance / width
    if kernel == "gaussian":
        return {"distance": distance, "u": u, "u^2": u ** 2, "-u^2": -u ** 2, "-u^2/2": -u ** 2 / 2,
                "similarity": torch.exp(-u ** 2 / 2)}
    return {"distance": distance} | epanechnikov(u)


def errors(form, wanted):
    counted = form.get("has_data", torch.ones_like(wanted))
    return {"error": (((form["prediction"] - wanted) * counted) ** 2).sum() / counted.sum()}


def roughness(form):
    """Root mean square of the second derivative, where a place and its two neighbours have data; places are 0.1 apart."""
    y = form["prediction"]
    has = form.get("has_data", torch.ones_like(y))
    counted = has[:-2] * has[1:-1] * has[2:]
    bend = (y[:-2] - 2 * y[1:-1] + y[2:]) * 100
    return (((bend * counted) ** 2).sum() / counted.sum()).sqrt()
