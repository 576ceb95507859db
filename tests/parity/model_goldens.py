"""Goldens of the models: from given weights and inputs the outputs, the loss, every gradient, and a short training run.
Dropout is 0; computed in float64 from float32 weights."""
import re

import torch

import golden
from modules import (BOOK, CORRECT, BahdanauDecoder, EncoderDecoder, KernelRegression, Seq2SeqDecoder, Seq2SeqEncoder,
                     clip_gradients, greedy, translation_loss)
from transformer import Form, TransformerDecoder, TransformerEncoder

PAD, BOS, EOS = 1, 2, 3
RATE, STEPS = 0.005, 20
NETS = ("seq2seq", "bahdanau", "transformer")


def write_all():
    for leave_one_out in (True, False):
        name = "kernel_regression" + ("" if leave_one_out else "_with_itself")
        golden.write(f"models/{name}.json", kernel_regression(n=20, seed=3, leave_one_out=leave_one_out))
    for name in NETS:
        golden.write(f"models/{name}.json", network(name))
        golden.write(f"models/{name}_training.json", training(name))
    golden.write("models/transformer_forms.json", transformer_forms())
    return 2 + 2 * len(NETS) + 1


# --- kernel regression


def regression_data(n, seed, noise=0.5):
    """The core's data from the documented generator: x, then the noise of y, then w."""
    rng = golden.Pcg32(seed)
    x = golden.float32(torch.tensor([5.0 * rng.uniform() for _ in range(n)])).sort().values
    normals = rng.normals()
    noises = golden.float32(torch.tensor([next(normals) for _ in range(n)]))
    truth = lambda x: 2 * torch.sin(x) + x ** 0.8
    x_test = golden.float32(torch.arange(50) / 10)
    return x, golden.float32(truth(x) + noise * noises), x_test, truth(torch.arange(50) / 10), rng.uniform()


def kernel_regression(n, seed, leave_one_out):
    x, y, x_test, truth, w = regression_data(n, seed)
    others = ~torch.eye(n, dtype=torch.bool) if leave_one_out else torch.ones(n, n, dtype=torch.bool)
    keys, values = x.repeat(n, 1)[others].reshape(n, -1), y.repeat(n, 1)[others].reshape(n, -1)
    net = KernelRegression()
    net.w.data = torch.tensor([w])
    prediction = net(x_test, x.repeat(50, 1), y.repeat(50, 1))
    out = {"n": n, "seed": seed, "leave_one_out": leave_one_out, "w": golden.tensor(net.w),
           "data": {"x_train": golden.tensor(x), "y_train": golden.tensor(y), "x_test": golden.tensor(x_test),
                    "truth": golden.tensor(truth)},
           "prediction": golden.tensor(prediction), "weights": golden.tensor(net.weights)}
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    losses, ws, gradients = [], [], []
    for _ in range(5):
        optimizer.zero_grad()
        loss = ((net(x, keys, values) - y) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item()), ws.append(net.w.item()), gradients.append(net.w.grad.item())
    return out | {"losses": golden.Flat(losses), "w_gradients": golden.Flat(gradients), "ws": golden.Flat(ws)}


# --- networks that translate, on given ids

WORDS = {"source_words": 11, "target_words": 13}
SIZES = {"seq2seq": WORDS | {"embed": 5, "hidden": 6, "layers": 2},
         "bahdanau": WORDS | {"embed": 5, "hidden": 6, "layers": 2},
         "transformer": WORDS | {"hidden": 8, "ffn": 12, "heads": 2, "layers": 2}}
SOURCE_LENGTHS, TARGET_LENGTHS, TIME = [5, 2, 6], [4, 6, 3], 6


def build(name, sizes, book=CORRECT, weights=None, **form):
    """A network of one of the three kinds, with float32 weights in float64; `form` is the Transformer's."""
    net = transformer(sizes, book, form) if name == "transformer" else recurrent(name, sizes, book)
    if weights:
        net.load_state_dict(weights)
    return net


def recurrent(name, sizes, book):
    decoder = {"seq2seq": Seq2SeqDecoder, "bahdanau": BahdanauDecoder}[name]
    shape = (sizes["embed"], sizes["hidden"], sizes["layers"])
    return EncoderDecoder(Seq2SeqEncoder(sizes["source_words"], *shape, book=book),
                          decoder(sizes["target_words"], *shape, book=book))


def transformer(sizes, book, form):
    form = Form(sizes["hidden"], sizes["ffn"], sizes["heads"], sizes["layers"], **form)
    return EncoderDecoder(TransformerEncoder(sizes["source_words"], form, book),
                          TransformerDecoder(sizes["target_words"], form, book))


def random_weights(name, net):
    """Normal numbers; those that scale a layer norm stand around 1, or nothing would get through."""
    numbers = golden.Numbers(name)
    scales = {f"{path}.weight" for path, module in net.named_modules() if isinstance(module, torch.nn.LayerNorm)}
    return {path: golden.float32(numbers.normal(*p.shape, std=0.4) + (path in scales))
            for path, p in net.state_dict().items()}


def padded(rows, time=None):
    time = time or max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (time - len(row)) for row in rows])


def random_batch(name):
    rng = golden.Numbers(name + " batch").rng
    sentence = lambda length, vocabulary: [4 + rng.next() % (vocabulary - 4) for _ in range(length - 1)] + [EOS]
    source = [sentence(n, WORDS["source_words"]) for n in SOURCE_LENGTHS]
    target = [sentence(n, WORDS["target_words"]) for n in TARGET_LENGTHS]
    return batch_of(source, target, TIME, TIME)


def batch_of(source, target, source_time=None, target_time=None):
    target_out = padded(target, target_time)
    bos = torch.full((len(target), 1), BOS)
    return {"source": padded(source, source_time), "source_lengths": torch.tensor([len(s) for s in source]),
            "target_in": torch.cat([bos, target_out[:, :-1]], 1), "target_out": target_out,
            "target_lengths": torch.tensor([len(t) for t in target])}


def loss_of(net, batch, book):
    logits = net(batch["source"], batch["source_lengths"], batch["target_in"])
    return logits, translation_loss(logits, batch["target_out"], batch["target_lengths"], book)


def train(net, batch, book, clip):
    """Full-batch Adam steps: the loss before each, the gradients of the first, and the norms before clipping."""
    optimizer, losses, norms = torch.optim.Adam(net.parameters(), lr=RATE), [], []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(net, batch, book)[1]
        loss.backward()
        if step == 0:
            gradients = {path: golden.tensor(p.grad) for path, p in net.named_parameters()}
        norms.append(clip_gradients(list(net.parameters()), clip).item())
        optimizer.step()
        losses.append(loss.item())
    return losses, norms, gradients


def network(name):
    sizes, batch = SIZES[name], random_batch(name)
    weights = random_weights(name, build(name, sizes))
    out = {"sizes": sizes, "rate": RATE, "clip": 1.0,
           "weights": {path: golden.tensor(w) for path, w in weights.items()},
           "batch": {key: golden.tensor(x) for key, x in batch.items()}}
    for mode, book in (("correct", CORRECT), ("book", BOOK)):
        net = build(name, sizes, book, weights)
        logits, loss = loss_of(net, batch, book)
        looking = loss_of(net.eval(), batch, book)[0]  # fault B13 makes them differ
        ids, written = greedy(net, batch["source"], batch["source_lengths"], BOS, TIME)
        losses, norms, gradients = train(net.train(), batch, book, 1.0)
        out[mode] = {"logits": golden.tensor(logits), "loss": loss.item()}
        if not torch.equal(looking, logits):
            out[mode]["evaluation_logits"] = golden.tensor(looking)
        out[mode] |= {"greedy": {"ids": golden.tensor(ids), "logits": golden.tensor(written)},
                      "gradients": gradients, "losses": golden.Flat(losses), "norms": golden.Flat(norms),
                      "trained": {path: golden.tensor(p) for path, p in net.named_parameters()}}
    return out


FORMS = {"pre_norm": {"norm": "pre"}, "no_norm": {"norm": "none"}, "no_residual": {"residual": False},
         "unscaled": {"scale_embedding": False}, "joined": {"join_positions": True},
         "learned": {"positions": "learned", "max_len": 7}, "relative": {"positions": "relative", "reach": 2},
         "bias": {"positions": "bias", "reach": 2}, "no_positions": {"positions": "none"}}


def transformer_forms():
    """The Transformer's other forms: logits, loss, and every gradient."""
    batch = random_batch("transformer_forms")
    out = {"batch": {key: golden.tensor(x) for key, x in batch.items()}, "forms": {}}
    for name, form in FORMS.items():
        sizes = WORDS | {"hidden": 4, "ffn": 6, "heads": 2, "layers": 2 if name == "pre_norm" else 1}
        weights = random_weights(name + " E", build("transformer", sizes, **form))
        net = build("transformer", sizes, weights=weights, **form)
        logits, loss = loss_of(net, batch, CORRECT)
        loss.backward()
        out["forms"][name] = {"sizes": sizes, "form": form,
                              "weights": {path: golden.tensor(w) for path, w in weights.items()},
                              "logits": golden.tensor(logits), "loss": loss.item(),
                              "gradients": {path: golden.tensor(p.grad) for path, p in net.named_parameters()}}
    return out


# --- a translator from its file of pairs on

PAIRS = """Go.\tVa !
We go home.\tNous rentrons.
I am calm.\tJe suis calme.
She is calm.\tElle est calme.
He is at home now.\tIl est chez lui maintenant.
I am at home.\tJe suis chez moi.
"""
COMMON = {"layers": 2, "num_steps": 8, "min_frequency": 2}
TRANSLATORS = {"seq2seq": {"embed_size": 5, "hidden_size": 6} | COMMON,
               "bahdanau": {"embed_size": 5, "hidden_size": 6} | COMMON,
               "transformer": {"hidden_size": 8, "ffn_size": 12, "heads": 2} | COMMON}


def tokens(text):
    return re.sub(r"(?<=[^ ])([,.!?])", r" \1", text.lower()).split(" ")


def vocabulary(sentences):
    words = [word for sentence in sentences for word in sentence]
    counts = {word: words.count(word) for word in words}  # in the order of first appearance, which the sort keeps
    frequent = [w for w, n in sorted(counts.items(), key=lambda item: -item[1]) if n >= COMMON["min_frequency"]]
    return ["<unk>", "<pad>", "<bos>", "<eos>"] + frequent


def encode(sentences, words):
    return [[words.index(w) if w in words else 0 for w in sentence] + [EOS] for sentence in sentences]


def pairs():
    """Source and target sentences as lists of words, and the vocabularies made from them."""
    source, target = zip(*[map(tokens, line.split("\t")) for line in PAIRS.splitlines()])
    return (source, target), (vocabulary(source), vocabulary(target))


def translator_sizes(config, words):
    """What `build` needs, from the fields of a translator's config."""
    names = {"embed_size": "embed", "hidden_size": "hidden", "ffn_size": "ffn", "heads": "heads", "layers": "layers"}
    return {"source_words": len(words[0]), "target_words": len(words[1])} | {
        size: config[field] for field, size in names.items() if field in config}


def training(name):
    """Adam steps on all pairs at once: losses as the trainer reports them."""
    sentences, words = pairs()
    config = TRANSLATORS[name]
    sizes = translator_sizes(config, words)
    ids = [encode(*side) for side in zip(sentences, words)]
    weights = random_weights(name + " translator", build(name, sizes))
    out = {"pairs": PAIRS, "config": config | {"learning_rate": RATE, "clip": 0.4, "epochs": STEPS},
           "source_words": words[0], "target_words": words[1],
           "weights": {path: golden.tensor(w) for path, w in weights.items()}}
    steps, count = config["num_steps"], sum(map(len, ids[1]))
    for mode, book in (("correct", CORRECT), ("book", BOOK)):
        batch = batch_of(*ids, *([steps, steps] if book.reads_padding else [None, None]))
        losses, norms, _ = train(build(name, sizes, book, weights), batch, book, 0.4)
        per_token = [loss * (steps / count if book.mean_over_steps else 1.0) for loss in losses]
        out[mode] = {"loss_per_token": golden.Flat(per_token), "book_loss": golden.Flat([x / steps for x in per_token]),
                     "norms": golden.Flat(norms)}
    return out
