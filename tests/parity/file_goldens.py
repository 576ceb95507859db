"""Files of weights as PyTorch would leave them: translators that have learned a little, with their config and
vocabularies, and files that say nothing but their tensors. What they answer stands in goldens/steps."""
import json

import torch

import golden
import model_file
import model_goldens as goldens
from modules import CORRECT, clip_gradients

RATE, STEPS = 0.02, 60
REGRESSION = {"n": 8, "seed": 3, "leave_one_out": True}


def write_all():
    folder = golden.FOLDER / "files"
    for name in goldens.NETS:
        config, words, weights = trained(name)
        model_file.save(folder / f"{name}.safetensors", weights, metadata(name, config, words))
    config, _, weights = trained("bahdanau")
    model_file.save(folder / "bahdanau_plain.safetensors", weights, {"format": "pt"})
    w = goldens.regression_data(n=REGRESSION["n"], seed=REGRESSION["seed"])[-1]
    model_file.save(folder / "kernel_regression.safetensors", {"w": torch.tensor([w])}, {"format": "pt"}, "F64")
    golden.write("files/plain.json", {"pairs": goldens.PAIRS, "bahdanau": config, "kernel-regression": REGRESSION})
    return len(goldens.NETS) + 2


def metadata(name, config, words):
    listed = lambda vocabulary: json.dumps(vocabulary, ensure_ascii=False)
    return {"format": "pt", "model": name, "config": json.dumps(config), "source_vocabulary": listed(words[0]),
            "target_vocabulary": listed(words[1])}


def trained(name):
    """Config, vocabularies, and float32 weights after some Adam steps on all pairs at once."""
    sentences, words = goldens.pairs()
    config = goldens.TRANSLATORS[name]
    sizes = goldens.translator_sizes(config, words)
    batch = goldens.batch_of(*(goldens.encode(*side) for side in zip(sentences, words)))
    net = goldens.build(name, sizes)
    net.load_state_dict(goldens.random_weights(name + " file", net))
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = goldens.loss_of(net, batch, CORRECT)[1]
        loss.backward()
        clip_gradients(list(net.parameters()), 1.0)
        optimizer.step()
    return config, words, {path: golden.float32(w) for path, w in net.state_dict().items()}
