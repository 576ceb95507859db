"""The other way round: the program `attn` trains each model for a moment and saves it, our modules load the file, and
every named step that both have is compared. Needs build/bin/attn, so it is a check of `./run golden`, and no golden."""
import json
import pathlib
import subprocess
import tempfile

import torch

import model_file
import model_goldens as goldens
import step_goldens
from modules import Book

ATTN = pathlib.Path(__file__).parents[2] / "build" / "bin" / "attn"
TOLERANCE = 1e-5  # of max(1, |x|)
FAULTS = {"book_mask": "finite_mask", "book_context": "drifting_context", "book_padding": "reads_padding",
          "book_position": "position_zero", "book_causal": "unmasked_evaluation"}


def check_all():
    """Returns what to say of it. Throws AssertionError if a step differs."""
    if not ATTN.exists():
        return "files of attn: not checked, build/bin/attn is not there (./run build)"
    with tempfile.TemporaryDirectory() as folder:
        errors = [check(pathlib.Path(folder), name, options) for name in goldens.NETS for options in ([], ["--book"])]
    return f"files of attn: {len(errors)} loaded in PyTorch, largest error of a step {max(errors):.1e}"


def check(folder, name, options):
    weights, pairs, inputs = (folder / file for file in ("w.safetensors", "pairs.tsv", "input.json"))
    pairs.write_text(goldens.PAIRS, encoding="utf-8")
    inputs.write_text(json.dumps({"sentence": step_goldens.SENTENCE}), encoding="utf-8")
    config = [part for field, value in goldens.TRANSLATORS[name].items() for part in ("--config", f"{field}={value}")]
    attn("train", name, "--pairs", pairs, "--epochs", 30, *config, *options, "--out", weights)
    steps = attn("run", name, "--weights", weights, "--input", inputs, "--want", "*")["steps"]
    return compare(name, {step["name"]: torch.tensor(step["values"]) for step in steps}, run_of(name, weights))


def attn(*arguments):
    done = subprocess.run([ATTN, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, f"attn {arguments[0]} {arguments[1]}: {done.stderr}"
    return json.loads(done.stdout)


def run_of(name, path):
    """What PyTorch has at the named steps, from nothing but the file."""
    weights, metadata = model_file.load(path)
    config, source, target = (json.loads(metadata[key]) for key in ("config", "source_vocabulary", "target_vocabulary"))
    assert metadata["model"] == name
    book = Book(**{switch: config.get(field, False) for field, switch in FAULTS.items()})
    net = goldens.build(name, goldens.translator_sizes(config, (source, target)), book, weights).eval()
    ids = goldens.encode([goldens.tokens(step_goldens.SENTENCE)], source)[0]
    _, steps = step_goldens.run(net, ids, None, config["num_steps"], book)
    return steps | weights


def compare(name, got, want):
    assert "decoder.logits" in got and not set(want) - set(got), f"{name}: attn has no step {set(want) - set(got)}"
    errors = {step: ((got[step] - x).abs() / x.abs().clamp(min=1.0)).max().item() for step, x in want.items()}
    worst = max(errors, key=errors.get)
    assert errors[worst] <= TOLERANCE, f"{name}: step {worst} differs by {errors[worst]:.1e}"
    return errors[worst]
