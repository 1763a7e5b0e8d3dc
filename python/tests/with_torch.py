"""Batches for PyTorch, and the notebook that trains with them: run where PyTorch is, by ``python/test``."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch

import tabiya
import tabiya.arrays
import tabiya.pgn

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of random games whose results are not random: who has more at the end has won."""
    chance = random.Random(1)
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    with open(path, "w") as file:
        for _ in range(60):
            board = tabiya.Board()
            while not board.is_game_over() and board.ply() < 80:
                board.push(chance.choice(list(board.legal_moves)))
            game = tabiya.pgn.Game.from_board(board)
            worth = [0, 1, 3, 3, 5, 9, 0]
            more = sum(
                worth[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values()
            )
            game.headers["Result"] = "1-0" if more > 0 else "0-1" if more < 0 else "1/2-1/2"
            game.headers["WhiteElo"] = "2100"
            print(game, end="\n\n", file=file)
    return path


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("extra", [False, True])
def test_batches_are_tensors(games, dtype, extra):
    tensors = list(tabiya.arrays.torch_batches(games, 512, dtype=dtype, extra=extra, threads=1))
    arrays = list(tabiya.arrays.batches(games, 512, threads=1))
    assert len(tensors) == len(arrays) > 5
    for found, batch in zip(tensors, arrays):
        count = len(batch.positions)
        assert found["planes"].shape == (count, 18 if extra else 12, 8, 8)
        assert found["planes"].dtype == getattr(torch, dtype) and found["moves"].dtype == torch.int64
        planes = batch.positions.planes(relative=True, channels_last=False, extra=extra)
        assert (found["planes"].numpy() == planes).all()
        assert found["moves"].tolist() == batch.moves.tolist()
        assert np.array_equal(found["results"].numpy(), batch.results)
        assert found["turns"].dtype == torch.bool
        assert found["turns"].tolist() == [fen.split()[1] == "w" for fen in batch.positions.fens()]
        assert set(found["white_elo"].tolist()) == {2100} and set(found["black_elo"].tolist()) == {0}


def test_tensors_share_the_memory_of_arrays(games):
    positions = next(tabiya.arrays.batches(games, 64)).positions
    planes = positions.planes(dtype="float32", channels_last=False)
    tensor = torch.from_numpy(planes)
    planes[0, 0, 0, 0] = 7
    assert tensor[0, 0, 0, 0] == 7 and tensor.is_contiguous()


def test_the_notebook_learns(games, monkeypatch, tmp_path):
    """With a small file in place of its own; its parameters are in the cell of that name."""
    monkeypatch.chdir(tmp_path)
    book = json.loads((HERE.parent / "notebooks" / "positions_for_pytorch.ipynb").read_text())
    names = {"__name__": "__main__"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "positions_for_pytorch.ipynb", "exec"), names)
        if "parameters" in cell["metadata"].get("tags", []):
            names.update(path=games, positions=3_000, batch_size=256, shuffle=1_000)
    assert names["seen"] >= 3_000 and names["error"] < names["guess"]
