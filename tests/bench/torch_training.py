"""Trains the chapter's translators with PyTorch on one CPU thread, by the recipe that ours follow.

Usage: torch_training.py {bahdanau|transformer} < requests
The first line of input is the tokenised pairs as JSON, [[source words, target words], …]; it answers with the sizes. Each
further line is a number of milliseconds: whole epochs are trained until they have passed, the answer is tokens a second.
"""
import json
import math
import sys
import time
from collections import Counter

import torch
from torch import nn

BATCH, STEPS, H, LAYERS, HEADS, FFN, DROPOUT, RATE = 64, 10, 32, 2, 4, 64, 0.1, 0.005


def masked_softmax(scores, lengths):
    """scores (B, n, m), lengths (B, 1) or (B, n)."""
    visible = torch.arange(scores.shape[2]) < lengths[..., None]
    return scores.masked_fill(~visible, -1e6).softmax(-1)


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(H, H, bias=False) for _ in range(4))
        self.dropout = nn.Dropout(DROPOUT)

    @staticmethod
    def split(x):
        b, n, _ = x.shape
        return x.view(b, n, HEADS, -1).transpose(1, 2).reshape(b * HEADS, n, -1)

    def forward(self, q, kv, lengths):
        b, n, _ = q.shape
        scores = self.split(self.q(q)) @ self.split(self.k(kv)).transpose(1, 2) / math.sqrt(H // HEADS)
        weights = self.dropout(masked_softmax(scores, lengths.repeat_interleave(HEADS, 0)))
        context = weights @ self.split(self.v(kv))
        return self.o(context.view(b, HEADS, n, -1).transpose(1, 2).reshape(b, n, H))


class AddNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout, self.norm = nn.Dropout(DROPOUT), nn.LayerNorm(H)

    def forward(self, x, y):
        return self.norm(self.dropout(y) + x)


class Block(nn.Module):
    def __init__(self, decodes):
        super().__init__()
        self.self, self.norm1, self.norm3 = MultiHead(), AddNorm(), AddNorm()
        self.ffn = nn.Sequential(nn.Linear(H, FFN), nn.ReLU(), nn.Linear(FFN, H))
        if decodes:
            self.cross, self.norm2 = MultiHead(), AddNorm()

    def forward(self, x, lengths, memory=None, memory_lengths=None):
        y = self.norm1(x, self.self(x, x, lengths))
        if memory is not None:
            y = self.norm2(y, self.cross(y, memory, memory_lengths))
        return self.norm3(y, self.ffn(y))


class Transformer(nn.Module):
    def __init__(self, source_words, target_words):
        super().__init__()
        self.source, self.target = nn.Embedding(source_words, H), nn.Embedding(target_words, H)
        angle = torch.arange(STEPS)[:, None] / 10000 ** (torch.arange(0, H, 2) / H)
        self.position = torch.stack([angle.sin(), angle.cos()], -1).reshape(STEPS, H)
        self.dropout = nn.Dropout(DROPOUT)
        self.encoder = nn.ModuleList(Block(False) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(Block(True) for _ in range(LAYERS))
        self.dense = nn.Linear(H, target_words)

    def forward(self, source, lengths, given):
        x = self.dropout(self.source(source) * math.sqrt(H) + self.position)
        for block in self.encoder:
            x = block(x, lengths[:, None])
        z = self.dropout(self.target(given) * math.sqrt(H) + self.position)
        causal = torch.arange(1, STEPS + 1).expand(len(given), -1)
        for block in self.decoder:
            z = block(z, causal, x, lengths[:, None])
        return self.dense(z)


class Bahdanau(nn.Module):
    def __init__(self, source_words, target_words):
        super().__init__()
        self.source, self.target = nn.Embedding(source_words, H), nn.Embedding(target_words, H)
        self.encoder = nn.GRU(H, H, LAYERS, dropout=DROPOUT)
        self.decoder = nn.GRU(2 * H, H, LAYERS, dropout=DROPOUT)
        self.wq, self.wk, self.wv = nn.Linear(H, H, bias=False), nn.Linear(H, H, bias=False), nn.Linear(H, 1, bias=False)
        self.dropout, self.dense = nn.Dropout(DROPOUT), nn.Linear(H, target_words)

    def forward(self, source, lengths, given):
        values, state = self.encoder(self.source(source).transpose(0, 1))
        values = values.transpose(0, 1)
        keys = self.wk(values)[:, None]
        tops = []
        for word in self.target(given).transpose(0, 1):
            features = torch.tanh(self.wq(state[-1][:, None])[:, :, None] + keys)
            weights = self.dropout(masked_softmax(self.wv(features).squeeze(-1), lengths[:, None]))
            context = (weights @ values)[:, 0]
            top, state = self.decoder(torch.cat([context, word], 1)[None], state)
            tops.append(top)
        return self.dense(torch.cat(tops).transpose(0, 1))


def vocabulary(sentences):
    counts = Counter(word for sentence in sentences for word in sentence)
    words = ["<unk>", "<pad>", "<bos>", "<eos>"] + [word for word, n in counts.items() if n >= 2]
    return {word: i for i, word in enumerate(words)}


def encode(sentences, words):
    rows = [([words.get(word, 0) for word in sentence] + [words["<eos>"]])[:STEPS] for sentence in sentences]
    lengths = torch.tensor([len(row) for row in rows])
    return torch.tensor([row + [words["<pad>"]] * (STEPS - len(row)) for row in rows]), lengths


class Training:
    def __init__(self, kind, pairs):
        torch.manual_seed(0)
        sources, targets = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        self.source_words, self.target_words = vocabulary(sources), vocabulary(targets)
        self.source, self.source_lengths = encode(sources, self.source_words)
        self.target, self.target_lengths = encode(targets, self.target_words)
        nets = {"transformer": Transformer, "bahdanau": Bahdanau}
        self.net = nets[kind](len(self.source_words), len(self.target_words))
        for name, p in self.net.named_parameters():
            if p.dim() == 2 and not name.startswith(("source", "target")):
                nn.init.xavier_uniform_(p)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=RATE)

    def sizes(self):
        return {"parameters": sum(p.numel() for p in self.net.parameters()),
                "vocabularies": {"source": len(self.source_words), "target": len(self.target_words)}}

    def step(self, batch):
        target, lengths = self.target[batch], self.target_lengths[batch]
        begin = torch.full((len(batch), 1), self.target_words["<bos>"])
        logits = self.net(self.source[batch], self.source_lengths[batch], torch.cat([begin, target[:, :-1]], 1))
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), target, reduction="none")
        loss = (losses * (torch.arange(STEPS) < lengths[:, None])).sum() / lengths.sum()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1)
        self.optimizer.step()
        return lengths.sum().item(), loss.item()

    def train(self, ms):
        start, tokens, loss = time.perf_counter(), 0, 0.0
        while (time.perf_counter() - start) * 1000 < ms:
            for batch in torch.randperm(len(self.source)).split(BATCH):
                more, loss = self.step(batch)
                tokens += more
        return {"speed": tokens / (time.perf_counter() - start), "loss": loss}


def main():
    torch.set_num_threads(1)
    answer = lambda x: print(json.dumps(x), flush=True)
    training = Training(sys.argv[1], json.loads(sys.stdin.readline()))
    answer(training.sizes())
    for line in sys.stdin:
        answer(training.train(float(line)))


main()
