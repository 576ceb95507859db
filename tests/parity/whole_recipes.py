#!/usr/bin/env python3
"""The chapter's recipes at full length, over several seeds, on the file of pairs that the chapter reads: by hand, since
it takes hours and the file is not in the repository. Prints the table for README.md.

    tests/parity/whole_recipes.py fra-eng-641.txt [--seeds 10] [--models seq2seq …] [--modes book correct] [--jobs 1]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ATTN = pathlib.Path(__file__).parents[2] / "build" / "bin" / "attn"
EPOCHS = {"seq2seq": 300, "bahdanau": 250, "transformer": 200}
CHECKS = {"go .": "va !", "i lost .": "j'ai perdu .", "he's calm .": "il est calme .",
          "i'm home .": "je suis chez moi ."}


def main():
    options = read_options()
    runs = [(model, mode, seed) for model in options.models for mode in options.modes for seed in range(options.seeds)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda run: train(options, folder, *run), runs))
    print("| | seeds | parameters | `book_loss` min / median / max | outside training, nats a word: min … max | "
          "BLEU of four: mean (min … max) | " + " | ".join(f"{source} = 1" for source in CHECKS) + " | tokens/s median |")
    print("|---" * (7 + len(CHECKS)) + "|")
    for model in options.models:
        for mode in options.modes:
            print(row(f"{model}, {mode}", [r for r, run in zip(results, runs) if run[:2] == (model, mode)]))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--models", nargs="+", choices=EPOCHS, default=list(EPOCHS))
    parser.add_argument("--modes", nargs="+", choices=["book", "correct"], default=["book", "correct"])
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def train(options, folder, model, mode, seed):
    command = [ATTN, "train", model, "--pairs", options.pairs, "--examples", 600, "--epochs", EPOCHS[model],
               "--seed", seed, "--out", pathlib.Path(folder) / f"{model}-{mode}-{seed}.safetensors"]
    command += ["--book"] * (mode == "book")
    for source, target in CHECKS.items():
        command += ["--check", f"{source}={target}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{model} {mode} {seed}: {done.stderr[-1000:]}")
    result = json.loads(done.stdout)
    said = ", ".join(f"{check['translation']} {check['bleu']:.3g}" for check in result["checks"])
    print(f"{model} {mode} seed {seed}: book_loss {result['book_loss']:.4f}, outside training "
          f"{result['evaluation']['loss_per_token']:.4f} a word, BLEU {result['bleu']:.3f} ({said})",
          file=sys.stderr, flush=True)
    return result


def row(name, results):
    column = lambda key: [r[key] for r in results]
    losses, bleus = column("book_loss"), column("bleu")
    evaluated = [r["evaluation"]["loss_per_token"] for r in results]
    hits = [sum(r["checks"][i]["bleu"] > 0.999 for r in results) for i in range(len(CHECKS))]
    return (f"| {name} | {len(results)} | {results[0]['parameters']:,} | "
            f"{min(losses):.4f} / {statistics.median(losses):.4f} / {max(losses):.4f} | "
            f"{min(evaluated):.4f} … {max(evaluated):.4f} | "
            f"{statistics.mean(bleus):.3f} ({min(bleus):.3f} … {max(bleus):.3f}) | "
            + " | ".join(map(str, hits)) + f" | {statistics.median(column('tokens_per_s')):,.0f} |")


if __name__ == "__main__":
    main()
