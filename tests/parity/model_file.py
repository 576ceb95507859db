"""Files of weights (safetensors) in a few lines: 8 bytes of length, a JSON header, the numbers of all tensors."""
import json
import math
import struct

import torch

CODES = {"F32": "f", "F64": "d"}


def save(path, tensors, metadata, dtype="F32"):
    header, body = {"__metadata__": metadata}, b""
    for name, x in tensors.items():
        data = struct.pack(f"<{x.numel()}{CODES[dtype]}", *x.detach().reshape(-1).tolist())
        header[name] = {"dtype": dtype, "shape": list(x.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def load(path):
    """The tensors by name, in float64, and the metadata."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    metadata, tensors = header.pop("__metadata__", {}), {}
    for name, entry in header.items():
        form = f"<{math.prod(entry['shape'])}{CODES[entry['dtype']]}"
        values = struct.unpack_from(form, data, 8 + length + entry["data_offsets"][0])
        tensors[name] = torch.tensor(values, dtype=torch.float64).reshape(entry["shape"])
    return tensors, metadata
