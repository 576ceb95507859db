"""The chapter's models as plain PyTorch modules, in our own words: what the core is held to, and the lines of PyTorch
that the lessons show (by anchor). Parameter names and layouts are those of the zh book's, so weights go both ways.
Here what all models share, kernel regression and the two recurrent translators; the Transformer is in transformer.py.

Correct by default; each fault of the book's code is one switch of `Book` (B2 … are the numbers of the fault list).
Legend: B batch, T time, H hidden, E embedding, V vocabulary, n queries, m keys.
"""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


@dataclass(frozen=True)
class Book:
    """Which faults of the book's code to keep."""
    drifting_context: bool = False     # B2: at prediction seq2seq's context is the decoder's own, already updated state
    finite_mask: bool = False          # B3, B4: a hidden score is -1e6, which is not minus infinity
    mean_over_steps: bool = False      # B6: a sentence's loss is its mean over all steps, padding counted
    reads_padding: bool = False        # B17: the encoder runs on over the padding, and its last state depends on it
    position_zero: bool = False        # B1: word by word, every word is given the first position
    unmasked_evaluation: bool = False  # B13, B14: outside training the decoder sees the words that are still to come


CORRECT, BOOK = Book(), Book(*[True] * 6)


# [anchor: kernel_regression]
class KernelRegression(nn.Module):
    """Nadaraya-Watson with one weight: softmax(-((q - k) w)² / 2) over the keys, then the weighted sum of values."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(1))

    def forward(self, queries, keys, values):  # (n), (n, m), (n, m) -> (n)
        distances = queries[:, None] - keys
        scores = -((distances * self.w) ** 2) / 2
        self.weights = scores.softmax(dim=1)
        return (self.weights * values).sum(dim=1)
# [anchor end]


# [anchor: masked_softmax]
def masked_softmax(scores, lengths=None, book=False):
    """Softmax over the keys that a query may see; lengths (B) or (B, n). Without a valid key all weights are 0."""
    if lengths is None:
        return scores.softmax(dim=-1)
    visible = torch.arange(scores.shape[-1]) < rows(lengths, scores.dim())
    hidden_score = -1e6 if book else torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~visible, hidden_score).softmax(dim=-1)
    return weights if book else weights * visible
# [anchor end]


def rows(lengths, axes):
    """Lengths (B) or (B, n) with axes of size 1, so that they stand over the keys of scores (B, …, n, m)."""
    if lengths.dim() == 1:
        return lengths.reshape(-1, *[1] * (axes - 1))
    return lengths.reshape(len(lengths), *[1] * (axes - 3), -1, 1)


# [anchor: additive_attention]
class AdditiveAttention(nn.Module):
    """Score w_vᵀ tanh(W_q q + W_k k): every query (n) meets every key (m) by broadcasting."""

    def __init__(self, key_size, query_size, num_hiddens, dropout=0.0, finite_mask=False):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.finite_mask = finite_mask

    def forward(self, queries, keys, values, lengths=None):
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])  # (B, n, m, H)
        scores = self.w_v(features).squeeze(-1)                                         # (B, n, m)
        self.weights = masked_softmax(scores, lengths, self.finite_mask)
        return self.dropout(self.weights) @ values
# [anchor end]


# [anchor: encoder]
class Seq2SeqEncoder(nn.Module):
    """Embedding, then GRU layers. Gives the top layer's states (B, T, H) and the last state of each layer (L, B, H)."""

    def __init__(self, vocab, embed_size, num_hiddens, num_layers, dropout=0.0, book=CORRECT):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed_size)
        self.rnn = nn.GRU(embed_size, num_hiddens, num_layers, dropout=dropout, batch_first=True)
        self.book = book

    def forward(self, ids, lengths):
        embedded = self.embedding(ids)
        if self.book.reads_padding:
            return self.rnn(embedded)
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.rnn(packed)  # the state is that after each sentence's own last word
        outputs, _ = pad_packed_sequence(outputs, batch_first=True, total_length=ids.shape[1])
        return outputs, state
# [anchor end]


# [anchor: seq2seq_decoder]
class Seq2SeqDecoder(nn.Module):
    """At every step the GRU reads the word and, beside it, the encoder's last top state: one context for all steps."""

    def __init__(self, vocab, embed_size, num_hiddens, num_layers, dropout=0.0, book=CORRECT):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed_size)
        self.rnn = nn.GRU(embed_size + num_hiddens, num_hiddens, num_layers, dropout=dropout, batch_first=True)
        self.dense = nn.Linear(num_hiddens, vocab)
        self.book = book

    def init_state(self, outputs, state, lengths):
        return state, state[-1]

    def forward(self, ids, carried):
        state, context = carried
        if self.book.drifting_context:
            context = state[-1]
        embedded = self.embedding(ids)
        repeated = context[:, None].expand(-1, ids.shape[1], -1)
        outputs, state = self.rnn(torch.cat([embedded, repeated], dim=-1), state)
        return self.dense(outputs), (state, context)
# [anchor end]


# [anchor: bahdanau_decoder]
class BahdanauDecoder(nn.Module):
    """At every step the previous top state asks, the encoder's states answer: a context of its own for each word."""

    def __init__(self, vocab, embed_size, num_hiddens, num_layers, dropout=0.0, book=CORRECT):
        super().__init__()
        self.attention = AdditiveAttention(num_hiddens, num_hiddens, num_hiddens, dropout, book.finite_mask)
        self.embedding = nn.Embedding(vocab, embed_size)
        self.rnn = nn.GRU(embed_size + num_hiddens, num_hiddens, num_layers, dropout=dropout, batch_first=True)
        self.dense = nn.Linear(num_hiddens, vocab)

    def init_state(self, outputs, state, lengths):
        return outputs, state, lengths

    def forward(self, ids, carried):
        keys, state, lengths = carried
        outputs, self.weights = [], []
        for embedded in self.embedding(ids).unbind(dim=1):
            query = state[-1][:, None]
            context = self.attention(query, keys, keys, lengths)
            step = torch.cat([context, embedded[:, None]], dim=-1)
            output, state = self.rnn(step, state)
            outputs.append(output)
            self.weights.append(self.attention.weights)
        return self.dense(torch.cat(outputs, dim=1)), (keys, state, lengths)
# [anchor end]


# [anchor: encoder_decoder]
class EncoderDecoder(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def start(self, source, lengths):
        return self.decoder.init_state(*self.encoder(source, lengths), lengths)

    def forward(self, source, lengths, target):  # teacher forcing: target begins with <bos> and lacks its last word
        logits, _ = self.decoder(target, self.start(source, lengths))
        return logits
# [anchor end]


# [anchor: greedy]
@torch.no_grad()
def greedy(net, source, lengths, bos, steps):
    """The likeliest word becomes the next input. Gives the ids (B, steps) and the logits that chose them."""
    carried, word, chosen = net.start(source, lengths), torch.full((len(source), 1), bos), []
    for _ in range(steps):
        logits, carried = net.decoder(word, carried)
        word = logits.argmax(dim=-1)
        chosen.append((word, logits))
    return tuple(torch.cat(parts, dim=1) for parts in zip(*chosen))
# [anchor end]


# [anchor: loss]
def translation_loss(logits, target, lengths, book=CORRECT):
    """Cross-entropy of the words that are there. Correct: the mean over these words. The book's: each sentence's mean
    over all steps, padding counted, summed over the batch."""
    losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")  # (B, T)
    real = torch.arange(target.shape[1]) < lengths[:, None]
    total = (losses * real).sum()
    return total / target.shape[1] if book.mean_over_steps else total / lengths.sum()
# [anchor end]


# [anchor: clip]
def clip_gradients(parameters, limit):
    """Scales all gradients by one factor, so that the norm of all together is at most the limit."""
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = torch.sqrt(sum((g ** 2).sum() for g in gradients))
    for g in gradients:
        g *= torch.clamp(limit / norm, max=1.0)
    return norm
# [anchor end]
