#!/usr/bin/python3
"""Writes tests/parity/goldens again. Needs PyTorch (Debian's python3-torch will do); `./run golden` calls it."""
import shutil

import torch

import golden
import model_goldens
import op_goldens


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    shutil.rmtree(golden.FOLDER, ignore_errors=True)
    print(f"ops: {op_goldens.write_all()} goldens")
    print(f"models: {model_goldens.write_all()} goldens")


if __name__ == "__main__":
    main()
