"""The scripts that a learner takes home: a model in PyTorch that reads its file of weights, works, and computes a step again that
the page has shown. web/pages/pytorch.ts makes one file of what a model needs (see there); the page fills PAGE in.
"""
import json
import pathlib
import sys

import torch

import model_file
from model_goldens import encode, padded
from modules import (BahdanauDecoder, Book, EncoderDecoder, Seq2SeqDecoder, Seq2SeqEncoder, greedy)
from regression_steps import errors, gaussian, named, roughness
from step_goldens import Steps, at_once, watch_recurrent, watch_transformer, word_by_word
from transformer import Form, TransformerDecoder, TransformerEncoder

PAGE = {}


# --- translators


def seq2seq(config, words, book):
    sizes = recurrent_sizes(config)
    return EncoderDecoder(Seq2SeqEncoder(len(words[0]), *sizes, book=book),
                          Seq2SeqDecoder(len(words[1]), *sizes, book=book))


def bahdanau(config, words, book):
    sizes = recurrent_sizes(config)
    return EncoderDecoder(Seq2SeqEncoder(len(words[0]), *sizes, book=book),
                          BahdanauDecoder(len(words[1]), *sizes, book=book))


def recurrent_sizes(config):
    return config["embed_size"], config["hidden_size"], config["layers"], config["dropout"]


def transformer(config, words, book):
    form = Form(config["hidden_size"], config["ffn_size"], config["heads"], config["layers"], config["dropout"],
                config["norm"], config["residual"], config["scale_embedding"], config["positions"],
                config["join_positions"], config["reach"], max_len=config["num_steps"])
    return EncoderDecoder(TransformerEncoder(len(words[0]), form, book), TransformerDecoder(len(words[1]), form, book))


def book_of(config):
    """Which faults of the book's code this model keeps."""
    on = lambda name: config.get(name, False)
    return Book(drifting_context=on("book_context"), finite_mask=on("book_mask"), mean_over_steps=on("book_loss"),
                reads_padding=on("book_padding"), position_zero=on("book_position"),
                unmasked_evaluation=on("book_causal") or not config.get("causal", True))


def words_of(sentence):
    """Small letters, straight apostrophes, and a space before each of ,.!?"""
    plain = " ".join(sentence.replace("\u2019", "'").replace("\u2018", "'").lower().split())
    out = ""
    for mark in plain:
        out += " " + mark if mark in ",.!?" and out and out[-1] != " " else mark
    return out.split(" ")


def open_translator(build):
    weights, metadata = model_file.load(file_of_weights())
    if "config" not in metadata:
        sys.exit("The file brings no config and no vocabularies: save it from the page, which writes them into it.")
    config, *words = (json.loads(metadata[key]) for key in ("config", "source_vocabulary", "target_vocabulary"))
    net = build(config, words, book_of(config))
    net.load_state_dict(weights)
    return net.eval(), config, words


def translate(net, config, words, sentence):
    ids = encode([words_of(sentence)], words[0])[0]
    ids = ids[:config["num_steps"] - 1] + ids[-1:] if len(ids) > config["num_steps"] else ids  # cut, <eos> kept
    source = padded([ids], config["num_steps"] if book_of(config).reads_padding else None)
    written = greedy(net, source, torch.tensor([len(ids)]), words[1].index("<bos>"), config["num_steps"])[0][0].tolist()
    end = words[1].index("<eos>")
    return " ".join(words[1][word] for word in written[:written.index(end) if end in written else None])


@torch.no_grad()
def repeat(net, config, words, watch, all_at_once):
    """All named steps of the run that the page has shown: the words it read, and those it wrote."""
    step, book = Steps(), book_of(config)
    watch(net, step)
    read = PAGE["read"]
    written = [words[1].index(word) if word in words[1] else 0 for word in PAGE["written"]]
    ids, lengths = padded([read], config["num_steps"] if book.reads_padding else None), torch.tensor([len(read)])
    step("source.ids", ids), step("source.lengths", lengths)
    carried = net.start(ids, lengths)
    if PAGE["given"] and all_at_once:
        all_at_once(net, written, carried, step)
    else:
        step.in_loop = True
        word_by_word(net, written, len(written), carried, step)
    return step.all() | net.state_dict()


def take_translator(build, watch, all_at_once=None):
    torch.set_default_dtype(torch.float64)
    net, config, words = open_translator(build)
    sentences = sys.argv[2:] or ([PAGE["sentence"]] if "sentence" in PAGE else [])
    for sentence in sentences:
        print(f"{sentence}  ->  {translate(net, config, words, sentence)}")
    if "step" in PAGE:
        compare(repeat(net, config, words, watch, all_at_once))


def take_seq2seq():
    take_translator(seq2seq, watch_recurrent)


def take_bahdanau():
    take_translator(bahdanau, watch_recurrent)


def take_transformer():
    take_translator(transformer, watch_transformer, at_once)


# --- kernel regression


def take_kernel_regression():
    torch.set_default_dtype(torch.float64)
    weights, _ = model_file.load(file_of_weights())
    w = weights["w"].item()
    steps = regression(w)
    print(f"w = {w:.7g}; mean squared distance from the true curve {steps['learned.error'].item():.4f}")
    for place in map(float, sys.argv[2:]):  # places to predict
        print(f"x = {place:g}  ->  {gaussian(w)(torch.tensor([place]), *training_data(1))['prediction'].item():.4f}")
    if "step" in PAGE:
        compare(steps)


def training_data(queries):
    """Every query meets the same keys and values."""
    return [torch.tensor(PAGE["data"][name]).expand(queries, -1) for name in ("x_train", "y_train")]


def regression(w):
    data = {name: torch.tensor(values) for name, values in PAGE["data"].items()}
    x, y, x_test, truth = (data[name] for name in ("x_train", "y_train", "x_test", "truth"))
    n = len(x)
    others = ~torch.eye(n, dtype=torch.bool) if PAGE["leave_one_out"] else torch.ones(n, n, dtype=torch.bool)
    keys, values = x.repeat(n, 1)[others].reshape(n, -1), y.repeat(n, 1)[others].reshape(n, -1)
    out = named("data", data) | {"distance": x_test[:, None] - x, "train.distance": x[:, None] - keys,
                                 "learned.w": torch.tensor([w])}
    for name, form in {"average": gaussian(0.0), "fixed": gaussian(1.0), "learned": gaussian(w)}.items():
        on_test, on_points = form(x_test, *training_data(len(x_test))), form(x, keys, values)
        out |= named(name, on_test | errors(on_test, truth)) | named("train." + name, on_points | errors(on_points, y))
        out[f"roughness.{name}"] = roughness(on_test)
    return out


# --- beside the page


def file_of_weights():
    path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else PAGE["file"])
    if not path.exists():
        sys.exit(f"There is no file {path}: give the file of weights as first argument.")
    return path


def compare(steps):
    """The shown number, as PyTorch has it in float64."""
    name, cell, shown = PAGE["step"], tuple(PAGE["cell"]), PAGE["value"]
    if name not in steps:
        sys.exit(f"This script does not compute the step {name}.")
    here = steps[name][cell].item()
    off = abs(here - shown)
    print(f"{name}{list(cell)}: here {here:.9g}, on the page {shown:.9g}, apart by {off:.1e}")
    if off > 1e-5 * max(1.0, abs(here)):
        sys.exit("That is more than float32 explains: is this the file of weights that the page showed?")
