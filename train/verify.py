#!/usr/bin/env python3
"""Checks that the program evaluates a network as the trainer does, to the last centipawn.

    train/verify.py --network data/networks/network.nnue --records data/records/train.records
"""

import argparse
import subprocess
import sys
from pathlib import Path

import torch

import records as rec
from network import Quantised


def differences(network: Path, records: torch.Tensor, evaluate: list[str]) -> list[str]:
    """A line for each position on which trainer and program do not agree.

    The command `evaluate` reads a FEN a line and says centipawns for the side to move.
    """
    fens = rec.fens(records)
    command = [*evaluate, "--network", str(network)]
    run = subprocess.run(command, input="\n".join(fens) + "\n", capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    found = [int(line) for line in run.stdout.split()]
    if len(found) != len(fens):
        raise RuntimeError(f"{len(found)} evaluations of {len(fens)} positions")
    expected = Quantised.from_bytes(network.read_bytes()).evaluate(records)
    return [f"{fen}: program {f}, trainer {e}" for fen, f, e in zip(fens, found, expected) if f != e]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--program", default="target/release/tabiya")
    arguments = parser.parse_args()

    records = rec.load(arguments.records, torch.device("cpu"))
    torch.manual_seed(0)
    records = records[torch.randperm(len(records))[: arguments.positions]]
    lines = differences(arguments.network, records, [arguments.program, "data", "evaluate"])
    for line in lines[:10]:
        print(line)
    print(f"{len(records)} positions, {len(lines)} differences")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
