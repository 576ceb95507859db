"""The chapter's Transformer, and what it is made of, as plain PyTorch modules: the other half of modules.py.

Legend: B batch, h heads, n queries, m keys, d size of a head, T time, H hidden, V vocabulary.
"""
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

from modules import CORRECT, masked_softmax


# [anchor: dot_product_attention]
class DotProductAttention(nn.Module):
    """Score q·k / √d: without the root, scores of long vectors would leave one weight of 1 and no gradient."""

    def __init__(self, dropout=0.0, finite_mask=False):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.finite_mask = finite_mask

    def forward(self, queries, keys, values, lengths=None, extra=0.0):  # (B, …, n, d), (B, …, m, d), (B, …, m, v)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]) + extra
        self.weights = masked_softmax(scores, lengths, self.finite_mask)
        return self.dropout(self.weights) @ values
# [anchor end]


# [anchor: key_values]
class KeyValues(NamedTuple):
    """Keys and values that are projected already, (B, m, H): what the words so far leave for those to come."""
    keys: torch.Tensor
    values: torch.Tensor

    def followed_by(self, other):
        return KeyValues(torch.cat([self.keys, other.keys], 1), torch.cat([self.values, other.values], 1))
# [anchor end]


# [anchor: split_heads]
def split_heads(x, heads):  # (B, T, H) -> (B, h, T, H / h)
    return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)


def merge_heads(x):  # (B, h, T, d) -> (B, T, h d)
    return x.transpose(1, 2).flatten(2)
# [anchor end]


# [anchor: multi_head_attention]
class MultiHeadAttention(nn.Module):
    """Every head reads its own d = H / h columns of the projected queries, keys and values; W_o mixes what they find."""

    def __init__(self, key_size, query_size, value_size, num_hiddens, num_heads, dropout=0.0, bias=False,
                 relative=None, finite_mask=False):
        super().__init__()
        if num_hiddens % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {num_hiddens} numbers evenly")
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout, finite_mask)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=bias)
        self.W_v = nn.Linear(value_size, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.relative = relative

    def project(self, keys, values):
        return KeyValues(self.W_k(keys), self.W_v(values))

    def forward(self, queries, known, lengths=None):
        """queries (B, n, query size), known: KeyValues of m keys -> (B, n, H)"""
        q, k, v = (split_heads(x, self.num_heads) for x in (self.W_q(queries), *known))
        extra = self.relative(q, k.shape[2]) if self.relative else 0.0
        return self.W_o(merge_heads(self.attention(q, k, v, lengths, extra)))
# [anchor end]


# [anchor: heads_in_a_loop]
def heads_in_a_loop(net, queries, known, lengths=None):
    """The same numbers one head after the other, for whoever finds a loop easier to read."""
    q, (k, v) = net.W_q(queries), known
    size = q.shape[-1] // net.num_heads
    contexts = []
    for first in range(0, q.shape[-1], size):
        own = slice(first, first + size)
        contexts.append(net.attention(q[..., own], k[..., own], v[..., own], lengths))
    return net.W_o(torch.cat(contexts, dim=-1))
# [anchor end]


# [anchor: sinusoids]
def sinusoids(length, size):
    """P[i, 2j] = sin(i / 10000^(2j / size)), P[i, 2j + 1] = cos of the same; an odd size has one cosine less (B10)."""
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)
    table = torch.zeros(length, size)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, :size // 2])
    return table
# [anchor end]


# [anchor: positional_encoding]
class PositionalEncoding(nn.Module):
    """Adds row `offset + t` of a table, fixed or learned, to the word at place t; dropout acts on the sum. Joined behind
    the word instead, the row would double all sizes that follow."""

    def __init__(self, num_hiddens, dropout=0.0, max_len=1000, learned=False, join=False):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len, self.join = max_len, join
        if learned:
            self.weight = nn.Parameter(torch.randn(max_len, num_hiddens))
        else:
            self.register_buffer("weight", sinusoids(max_len, num_hiddens), persistent=False)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"there are {self.max_len} positions, word {end} has none")  # B11
        rows = self.weight[offset:end]
        return self.dropout(torch.cat([x, rows.expand(x.shape)], -1) if self.join else x + rows)
# [anchor end]


# [anchor: relative]
def offsets(n, m, reach):
    """How far key j stands behind query i, clipped to ±reach and counted from 0, (n, m). The queries are the last n of
    the m places, so that word by word counts as all at once does."""
    return (torch.arange(m) - torch.arange(m - n, m)[:, None]).clamp(-reach, reach) + reach


class RelativeKeys(nn.Module):
    """Shaw et al. 2018: each key is shifted by a vector for its offset, so q·a / √d is added to the score."""

    def __init__(self, size, reach):
        super().__init__()
        self.reach = reach
        self.weight = nn.Parameter(torch.randn(2 * reach + 1, size))

    def forward(self, queries, m):  # (B, h, n, d) -> (B, h, n, m)
        shift = self.weight[offsets(queries.shape[2], m, self.reach)]
        return torch.einsum("bhid,ijd->bhij", queries, shift) / math.sqrt(queries.shape[-1])


class RelativeBias(nn.Module):
    """One number for each offset and head is added to the score (as in Raffel et al. 2020, without their buckets)."""

    def __init__(self, heads, reach):
        super().__init__()
        self.reach = reach
        self.weight = nn.Parameter(torch.zeros(2 * reach + 1, heads))

    def forward(self, queries, m):  # -> (h, n, m), for every example the same
        return self.weight[offsets(queries.shape[2], m, self.reach)].permute(2, 0, 1)
# [anchor end]


# [anchor: ffn]
class PositionWiseFFN(nn.Module):
    """Two layers with a ReLU between, the same for every position."""

    def __init__(self, num_inputs, num_hiddens, num_outputs):
        super().__init__()
        self.dense1 = nn.Linear(num_inputs, num_hiddens)
        self.relu = nn.ReLU()
        self.dense2 = nn.Linear(num_hiddens, num_outputs)

    def forward(self, x):
        return self.dense2(self.relu(self.dense1(x)))
# [anchor end]


# [anchor: add_norm]
class AddNorm(nn.Module):
    """A way around a sublayer, and layer norm over the last axis (B20): behind the sum as in the chapter ("post"), or
    before the sublayer ("pre"), which leaves the way around free of norms. Both can be left out, to see what they do."""

    def __init__(self, size, dropout=0.0, norm="post", residual=True):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        if norm != "none":
            self.ln = nn.LayerNorm(size)
        self.norm, self.residual = norm, residual

    def forward(self, x, sublayer):
        y = self.dropout(sublayer(self.ln(x) if self.norm == "pre" else x))
        if self.residual:
            y = x + y
        return self.ln(y) if self.norm == "post" else y
# [anchor end]


@dataclass(frozen=True)
class Form:
    """How the Transformer is built, where the chapter's form is one of several."""
    num_hiddens: int = 32
    ffn_hiddens: int = 64
    num_heads: int = 4
    num_layers: int = 2
    dropout: float = 0.0
    norm: str = "post"           # or "pre", "none"
    residual: bool = True
    scale_embedding: bool = True
    positions: str = "sinusoid"  # or "learned", "relative" (RelativeKeys), "bias" (RelativeBias), "none"
    join_positions: bool = False
    reach: int = 4               # of relative positions
    max_len: int = 1000          # of a table of positions

    @property
    def width(self):
        return self.num_hiddens * (2 if self.join_positions else 1)

    def attention(self, book, relative=False):
        """`relative`: whether queries and keys are of one sequence, so that there is an offset between them."""
        kinds = {"relative": lambda: RelativeKeys(self.width // self.num_heads, self.reach),
                 "bias": lambda: RelativeBias(self.num_heads, self.reach)}
        make = kinds.get(self.positions) if relative else None
        return MultiHeadAttention(*[self.width] * 4, self.num_heads, self.dropout, relative=make and make(),
                                  finite_mask=book.finite_mask)

    def add_norm(self):
        return AddNorm(self.width, self.dropout, self.norm, self.residual)

    def ffn(self):
        return PositionWiseFFN(self.width, self.ffn_hiddens, self.width)

    def last_norm(self):
        return nn.LayerNorm(self.width) if self.norm == "pre" else nn.Identity()


# [anchor: word_inputs]
class WordInputs(nn.Module):
    """What both halves of the Transformer begin with: embeddings, times √H, and the position of each word."""

    def __init__(self, vocab, form, book):
        super().__init__()
        self.embedding = nn.Embedding(vocab, form.num_hiddens)
        self.scale = math.sqrt(form.num_hiddens) if form.scale_embedding else 1.0
        self.has_table = form.positions in ("sinusoid", "learned")
        self.position_zero = book.position_zero
        if self.has_table:
            self.pos_encoding = PositionalEncoding(form.num_hiddens, form.dropout, form.max_len,
                                                   form.positions == "learned", form.join_positions)
        else:
            self.dropout = nn.Dropout(form.dropout)

    def inputs(self, ids, offset=0):
        scaled = self.embedding(ids) * self.scale
        if not self.has_table:
            return self.dropout(scaled)
        return self.pos_encoding(scaled, 0 if self.position_zero else offset)
# [anchor end]


# [anchor: encoder_block]
class EncoderBlock(nn.Module):
    def __init__(self, form, book=CORRECT):
        super().__init__()
        self.attention = form.attention(book, relative=True)
        self.addnorm1 = form.add_norm()
        self.ffn = form.ffn()
        self.addnorm2 = form.add_norm()

    def forward(self, x, lengths):
        x = self.addnorm1(x, lambda y: self.attention(y, self.attention.project(y, y), lengths))
        return self.addnorm2(x, self.ffn)
# [anchor end]


# [anchor: transformer_encoder]
class TransformerEncoder(WordInputs):
    """Source words, all at once: every word looks at every word of its sentence. Gives (B, T, H), and no state."""

    def __init__(self, vocab, form, book=CORRECT):
        super().__init__(vocab, form, book)
        self.blks = blocks(EncoderBlock, form, book)
        self.ln = form.last_norm()

    def forward(self, ids, lengths):
        x = self.inputs(ids)
        for block in self.blks:
            x = block(x, lengths)
        return self.ln(x), None
# [anchor end]


def blocks(kind, form, book):
    out = nn.Sequential()
    for i in range(form.num_layers):
        out.add_module(f"block{i}", kind(form, book))
    return out


# [anchor: decoder_block]
class DecoderBlock(nn.Module):
    def __init__(self, form, book=CORRECT):
        super().__init__()
        self.attention1 = form.attention(book, relative=True)
        self.addnorm1 = form.add_norm()
        self.attention2 = form.attention(book)
        self.addnorm2 = form.add_norm()
        self.ffn = form.ffn()
        self.addnorm3 = form.add_norm()
        self.book = book

    def seen(self, n, m, batch):
        """How many of the m keys each query sees: those up to its own place. A word alone sees all there are."""
        if self.book.unmasked_evaluation and not self.training:
            return None
        return torch.arange(m - n + 1, m + 1).expand(batch, n)

    def forward(self, x, past, source, source_lengths):
        """past: KeyValues of the words before, or None; source: KeyValues of the encoder's outputs."""
        known = past

        def look_back(y):
            nonlocal known
            new = self.attention1.project(y, y)
            known = new if past is None else past.followed_by(new)
            return self.attention1(y, known, self.seen(y.shape[1], known.keys.shape[1], len(y)))

        x = self.addnorm1(x, look_back)
        x = self.addnorm2(x, lambda y: self.attention2(y, source, source_lengths))
        return self.addnorm3(x, self.ffn), known
# [anchor end]


# [anchor: transformer_decoder]
class TransformerDecoder(WordInputs):
    """Target words, all at once or word by word: between calls each block keeps the keys and values of the words so
    far, projected once (B27), and their number is the place of the next word (B1)."""

    def __init__(self, vocab, form, book=CORRECT):
        super().__init__(vocab, form, book)
        self.blks = blocks(DecoderBlock, form, book)
        self.ln = form.last_norm()
        self.dense = nn.Linear(form.width, vocab)

    def init_state(self, outputs, state, lengths):
        sources = [block.attention2.project(outputs, outputs) for block in self.blks]
        return [None] * len(self.blks), sources, lengths

    def forward(self, ids, carried):
        pasts, sources, lengths = carried
        x = self.inputs(ids, offset=0 if pasts[0] is None else pasts[0].keys.shape[1])
        known = []
        for block, past, source in zip(self.blks, pasts, sources):
            x, kept = block(x, past, source, lengths)
            known.append(kept)
        return self.dense(self.ln(x)), (known, sources, lengths)
# [anchor end]
