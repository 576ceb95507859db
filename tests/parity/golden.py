"""What the generators of goldens share: the core's random numbers, and tensors as JSON.

Inputs are float32 numbers; PyTorch computes in float64 from exactly those, so an expected value is the true one and the
error that a test measures is the core's own. Nine significant digits hold a float32 exactly.
"""
import json
import math
import pathlib
import zlib

import torch

SMALLEST = torch.finfo(torch.float32).tiny  # what lies under it is 0 to the core
FOLDER = pathlib.Path(__file__).parent / "goldens"


class Pcg32:
    """PCG32 (XSH RR 64/32) as src/tensor/rng.hpp documents it, written again from O'Neill's paper."""

    MULTIPLIER, INCREMENT, WORD = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

    def __init__(self, seed=0):
        self.state = (seed + self.INCREMENT) & self.WORD
        self.next()

    def next(self):
        old = self.state
        self.state = (old * self.MULTIPLIER + self.INCREMENT) & self.WORD
        word = (((old >> 18) ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return ((word >> turn) | (word << (32 - turn))) & 0xFFFFFFFF

    def uniform(self):
        return (self.next() >> 8) * 2.0**-24

    def normals(self):
        """Endless normal numbers by Box and Muller, both halves used."""
        while True:
            radius = math.sqrt(-2.0 * math.log(1.0 - self.uniform()))
            angle = 2.0 * math.pi * self.uniform()
            yield radius * math.cos(angle)
            yield radius * math.sin(angle)


class Numbers:
    """Random test inputs: the same for a name on every machine and with every version of PyTorch."""

    def __init__(self, name):
        self.rng = Pcg32(zlib.crc32(name.encode()))
        self.normals = self.rng.normals()

    def normal(self, *shape, std=1.0):
        return self.tensor(shape, lambda: std * next(self.normals))

    def uniform(self, low, high, *shape):
        return self.tensor(shape, lambda: low + (high - low) * self.rng.uniform())

    def away_from_zero(self, *shape):
        """Normal numbers of at least 0.2, for functions with a kink at 0: finite differences stay on one side."""
        return self.tensor(shape, lambda: (lambda x: math.copysign(abs(x) + 0.2, x))(next(self.normals)))

    def ids(self, below, *shape):
        return self.tensor(shape, lambda: self.rng.next() % below)

    @staticmethod
    def tensor(shape, draw):
        values = [draw() for _ in range(math.prod(shape))]
        return float32(torch.tensor(values, dtype=torch.float64).reshape(shape))


def float32(x):
    """The nearest float32 numbers, held in float64."""
    return x.to(torch.float32).to(torch.float64)


class Flat:
    """A list that stays on one line of the file."""

    def __init__(self, items):
        self.items = items


def number(x):
    if not math.isfinite(x):
        raise ValueError("a golden holds finite numbers only")
    return "%.9g" % (0.0 if abs(x) < SMALLEST else x)


def tensor(x):
    values = x.detach().to(torch.float64).reshape(-1).tolist()
    return {"shape": Flat(list(x.shape)), "values": Flat(values)}


def text(x, indent=""):
    """JSON with sorted structure as given, one tensor a line."""
    if isinstance(x, Flat):
        return "[" + ", ".join(number(v) for v in x.items) + "]"
    if isinstance(x, dict) and set(x) == {"shape", "values"}:
        return '{"shape": ' + text(x["shape"]) + ', "values": ' + text(x["values"]) + "}"
    if isinstance(x, dict):
        inner = ",\n".join(f"{indent}  {json.dumps(k)}: {text(v, indent + '  ')}" for k, v in x.items())
        return "{\n" + inner + "\n" + indent + "}"
    if isinstance(x, list):
        inner = ",\n".join(f"{indent}  {text(v, indent + '  ')}" for v in x)
        return "[\n" + inner + "\n" + indent + "]" if x else "[]"
    return number(x) if isinstance(x, float) else json.dumps(x)


def write(path, content):
    path = FOLDER / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(content) + "\n", encoding="utf-8")
