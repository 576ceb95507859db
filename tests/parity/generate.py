#!/usr/bin/python3
"""Writes tests/parity/goldens again. Needs PyTorch (Debian's python3-torch will do); `./run golden` calls it."""
import shutil

import torch

import file_goldens
import golden
import layer_goldens
import model_goldens
import op_goldens
import round_trip
import step_goldens


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    shutil.rmtree(golden.FOLDER, ignore_errors=True)
    print(f"ops: {op_goldens.write_all()} goldens")
    print(f"layers: {layer_goldens.write_all()} goldens")
    print(f"models: {model_goldens.write_all()} goldens")
    print(f"files of weights: {file_goldens.write_all()}")
    print(f"steps: {step_goldens.write_all()} goldens")
    print(round_trip.check_all())


if __name__ == "__main__":
    main()
