"""Goldens of named steps: what PyTorch has at every step that a run of a model names, and where a target is given the
gradient of the loss with respect to it. Hooks on the modules collect it; what no module gives out (the gates of a GRU,
scores before the softmax) is computed from its inputs and weights, and put in the place of what the module gave, so
that gradients come back through it."""
import math

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

import file_goldens
import golden
import model_goldens as goldens
import regression_steps
from modules import BOOK, CORRECT, masked_softmax

SENTENCE, TARGET = "I am at home .", "Je suis chez moi ."


def write_all():
    golden.write("steps/kernel_regression.json", {
        "runs": [{"inputs": inputs, "steps": tensors(regression_steps.steps(**inputs))}
                 for inputs in ({"kernel": "gaussian", "width": 0.5}, {"kernel": "epanechnikov", "width": 0.25})],
        "gradients": {start: tensors(regression_steps.gradients(start)) for start in regression_steps.STARTS}})
    for name in goldens.NETS:
        golden.write(f"steps/{name}.json", translator(name))
    return 1 + len(goldens.NETS)


# --- what a run names


class Steps:
    """Named tensors; those of one name from the turns of a loop become one, the turns in front, smaller ones padded
    with zeros behind (keys that grow)."""

    def __init__(self):
        self.once, self.turns, self.in_loop = {}, {}, False

    def __call__(self, name, x, part=lambda x: x):
        """`part`: which part of x the step is, where the network has no tensor that is just that."""
        if self.in_loop:
            self.turns.setdefault(name, []).append(kept(x, part))
        else:
            assert name not in self.once, name
            self.once[name] = kept(x, part)

    def each(self, name, turns):
        """All turns of a loop that is within one module."""
        self.turns[name] = [kept(x) for x in turns]

    def known(self, name, x):
        """What is there before the first turn of the loop, and the same in all."""
        if name not in self.once:
            self.once[name] = kept(x)

    def all(self):
        value = lambda entry: entry[1](entry[0])
        return {name: value(entry) for name, entry in self.once.items()} | {
            name: stacked([value(entry) for entry in turns]) for name, turns in self.turns.items()}

    def gradients(self):
        """Of every step that the loss depends on; a turn on which it does not has zeros."""
        share = lambda entry: entry[1](torch.zeros_like(entry[0]) if entry[0].grad is None else entry[0].grad)
        reached = lambda entries: any(x.grad is not None for x, _ in entries)
        return {name: share(entry) for name, entry in self.once.items() if reached([entry])} | {
            name: stacked([share(entry) for entry in turns]) for name, turns in self.turns.items() if reached(turns)}


def kept(x, part=lambda x: x):
    if x.requires_grad:
        x.retain_grad()
    return x, part


def stacked(parts):
    sizes = [max(part.shape[axis] for part in parts) for axis in range(parts[0].dim())]
    pad = lambda x: F.pad(x, [n for axis in reversed(range(x.dim())) for n in (0, sizes[axis] - x.shape[axis])])
    return torch.stack([pad(part) for part in parts])


def tensors(steps):
    return {name: golden.tensor(x) for name, x in steps.items()}


def translator(name):
    """Of the file of weights files/<name>.safetensors: a sentence translated, and with a target given."""
    config, words, weights = file_goldens.trained(name)
    sizes = goldens.translator_sizes(config, words)
    source, target = (goldens.encode([goldens.tokens(text)], side)[0]
                      for text, side in zip((SENTENCE, TARGET), words))
    out = {"sentence": SENTENCE, "target": TARGET}
    for mode, book in (("correct", CORRECT), ("book", BOOK)):
        out[mode] = {}
        for whose, ids in (("given", target), ("own", None)):
            net = goldens.build(name, sizes, book, weights).eval()
            written, step = look(net, source, ids, config["num_steps"], book)
            text = " ".join(words[1][word] for word in written if word != goldens.EOS)
            out[mode][whose] = {"text": text, "steps": tensors(step.all())}
            if ids:
                out[mode][whose]["gradients"] = tensors(gradients(net, step))
    return out


def gradients(net, step):
    """Of the loss with respect to every step and every weight."""
    step.once["loss"][0].backward()
    return step.gradients() | {path: p.grad for path, p in net.named_parameters()}


@torch.no_grad()
def run(net, source, given, num_steps, book):
    """The words that it writes, and the values of all steps."""
    written, step = look(net, source, given, num_steps, book)
    return written, step.all()


def look(net, source, given, num_steps, book):
    """Translates as the core's translator does, to the end of `given` where it is given; every step has its name."""
    step = Steps()
    watch(net, step)
    lengths = torch.tensor([len(source)])
    ids = goldens.padded([source], num_steps if book.reads_padding else None)
    step("source.ids", ids), step("source.lengths", lengths)
    carried = net.start(ids, lengths)
    if given and not recurrent(net):
        at_once(net, given, carried, step)
        return given, step
    step.in_loop = True
    written = word_by_word(net, given, num_steps, carried, step)
    return written, step


def at_once(net, given, carried, step):
    """All words in one pass, as a Transformer can."""
    words, wanted = torch.tensor([[goldens.BOS] + given[:-1]]), torch.tensor([given])
    logits, _ = net.decoder(words, carried)
    losses = F.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")
    step("decoder.previous", words), step("decoder.logits", logits)
    step("decoder.probabilities", logits.softmax(dim=-1))
    step("decoder.wanted", wanted), step("decoder.loss", losses), step("loss", losses.mean())


def word_by_word(net, given, num_steps, carried, step):
    word, written, losses = goldens.BOS, [], []
    for t in range(len(given) if given else num_steps):
        step("decoder.previous", torch.tensor([word]))
        logits, carried = net.decoder(torch.tensor([[word]]), carried)
        logits = logits[:, 0]
        step("decoder.logits", logits), step("decoder.probabilities", logits.softmax(dim=-1))
        best = logits[0].topk(2)
        assert given or best.values[0] - best.values[1] > 1e-3, "too close to call in float32"
        word = given[t] if given else best.indices[0].item()
        if given:
            losses.append(F.cross_entropy(logits, torch.tensor([word]), reduction="none"))
            step("decoder.wanted", torch.tensor([word])), step("decoder.loss", losses[-1])
        written.append(word)
        if word == goldens.EOS:
            break
    if given:
        step.known("loss", torch.stack(losses).mean())
    return written


# --- hooks


def recurrent(net):
    return hasattr(net.encoder, "rnn")


def watch(net, step):
    (watch_recurrent if recurrent(net) else watch_transformer)(net, step)


def after(module, f):
    """What f returns, if anything, takes the place of the module's output."""
    module.register_forward_hook(lambda _, inputs, output: f(inputs, output))


def watch_recurrent(net, step):
    after(net.encoder.embedding, lambda _, y: step("encoder.embedding", y))
    after(net.decoder.embedding, lambda _, y: step("decoder.embedding", y, lambda y: y[:, 0]))
    after(net.encoder.rnn, lambda x, y: encoder_gates(net, x, y, step))
    after(net.decoder.rnn, lambda x, y: decoder_gates(net, x, y, step))
    if hasattr(net.decoder, "attention"):
        watch_additive(net.decoder.attention, step)


def watch_additive(attention, step):
    def collect(inputs, output):
        queries, keys, values, lengths = inputs
        step.known("decoder.keys_projected", attention.W_k(keys))
        projected, _ = step.once["decoder.keys_projected"]
        asked = attention.W_q(queries)
        features = torch.tanh(asked[:, :, None] + projected[:, None])
        scores = attention.w_v(features).squeeze(-1)
        weights = masked_softmax(scores, lengths, attention.finite_mask)
        context = weights @ values
        torch.testing.assert_close(context, output)
        step("decoder.query", queries), step("decoder.query_projected", asked), step("decoder.features", features)
        step("decoder.scores", scores), step("decoder.weights", weights), step("decoder.context", context)
        return context

    after(attention, collect)


def encoder_gates(net, inputs, output, step):
    x, rnn, lengths = inputs[0], net.encoder.rnn, None
    outputs = output[0]
    if isinstance(x, PackedSequence):
        (x, lengths), (outputs, _) = (pad_packed_sequence(packed, batch_first=True) for packed in (x, outputs))
    layers = gates(rnn, x, torch.zeros_like(output[1]))
    torch.testing.assert_close(layers[-1]["hidden"], outputs)
    for i, layer in enumerate(layers):
        for name in GATES:
            step.each(f"encoder.{i}.{name}", layer[name])
        step(f"encoder.{i}.hidden", layer["hidden"])
    if lengths is None:
        return layers[-1]["hidden"], torch.stack([layer["state"][-1] for layer in layers])
    last = torch.stack([layer["hidden"][torch.arange(len(lengths)), lengths - 1] for layer in layers])
    return pack_padded_sequence(layers[-1]["hidden"], lengths, batch_first=True, enforce_sorted=False), last


def decoder_gates(net, inputs, output, step):
    x, state = inputs
    step("decoder.gru_input", x, lambda x: x[:, 0])
    if not hasattr(net.decoder, "attention"):
        step("decoder.context", x, lambda x: x[:, 0, -state.shape[-1]:])
    layers = gates(net.decoder.rnn, x, state)
    torch.testing.assert_close(layers[-1]["hidden"], output[0])
    for i, layer in enumerate(layers):
        for name in GATES:
            step(f"decoder.{i}.{name}", layer[name][0])
    return layers[-1]["hidden"], torch.stack([layer["state"][0] for layer in layers])


GATES = ("reset", "update", "candidate", "state")


def gates(rnn, x, states):
    """Of each layer of a GRU: reset, update, candidate and state of each turn, (B, H), by the formula in PyTorch's manual;
    and the states side by side, (B, T, H)."""
    layers = []
    for i in range(rnn.num_layers):
        w_i, w_h, b_i, b_h = rnn.all_weights[i]
        state, steps = states[i], []
        for row in x.unbind(dim=1):
            i_r, i_z, i_n = F.linear(row, w_i, b_i).chunk(3, -1)
            h_r, h_z, h_n = F.linear(state, w_h, b_h).chunk(3, -1)
            reset, update = torch.sigmoid(i_r + h_r), torch.sigmoid(i_z + h_z)
            candidate = torch.tanh(i_n + reset * h_n)
            state = (1 - update) * candidate + update * state
            steps.append((reset, update, candidate, state))
        layers.append(dict(zip(GATES, zip(*steps))))
        x = layers[-1]["hidden"] = torch.stack(layers[-1]["state"], dim=1)
    return layers


def watch_transformer(net, step):
    for side, part in (("encoder", net.encoder), ("decoder", net.decoder)):
        watch_inputs(part, side, step)
        for i, block in enumerate(part.blks):
            uses = {"attention": "attention"} if side == "encoder" else {"self": "attention1", "cross": "attention2"}
            for use, attribute in uses.items():
                watch_heads(getattr(block, attribute), f"{side}.{i}.{use}", step)
            for name in ("addnorm1", "addnorm2", "addnorm3")[:len(uses) + 1]:
                watch_add_norm(getattr(block, name), f"{side}.{i}.{name}", step)
            after(block.ffn.relu, lambda _, y, name=f"{side}.{i}.ffn.hidden": step(name, y))
            after(block.ffn, lambda _, y, name=f"{side}.{i}.ffn.output": step(name, y))


def watch_inputs(part, side, step):
    def collect_sum(inputs, output):
        x, offset = inputs
        step(f"{side}.scaled", x), step(f"{side}.input", output)
        step(f"{side}.positions", part.pos_encoding.weight[offset:offset + x.shape[1]])

    after(part.embedding, lambda _, y: step(f"{side}.embedding", y))
    after(part.pos_encoding, collect_sum)


def watch_heads(attention, path, step):
    """Keys and values of a source are there before the first word, and the same for all."""
    keep = step.known if path.endswith("cross") else step

    def collect(inputs, output):
        queries, keys, values, lengths, extra = inputs
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]) + extra
        weights = masked_softmax(scores, lengths, attention.attention.finite_mask)
        context = weights @ values
        torch.testing.assert_close(context, output)
        step(f"{path}.queries", queries), keep(f"{path}.keys", keys), keep(f"{path}.values", values)
        step(f"{path}.scores", scores), step(f"{path}.weights", weights), step(f"{path}.context", context)
        if path.endswith("self") and lengths is not None and not step.in_loop:
            step.known("decoder.lengths", lengths)
        return context

    after(attention.attention, collect)
    after(attention, lambda _, y: step(f"{path}.output", y))


def watch_add_norm(layer, path, step):
    after(layer.ln, lambda inputs, _: step(f"{path}.sum", inputs[0]))
    after(layer, lambda _, y: step(path, y))
