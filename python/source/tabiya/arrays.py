"""Positions and games as arrays of NumPy, batches for PyTorch, tables for Arrow and Parquet.

>>> from tabiya import arrays
>>> positions = arrays.Positions.from_fens(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
>>> int(positions.planes(dtype="float32").sum())
32
>>> int(positions.legal_masks().sum()), int(positions.mobilities()[0])
(20, 20)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import Board, Move
from ._tabiya import Positions, Samples
from ._tabiya import index_of_move as move_to_index
from ._tabiya import move_of_index as index_to_move
from .pgn.scan import BadGame, Path, scan

if TYPE_CHECKING:
    import pyarrow

MOVES = 4672
"""How many numbers of moves there are: 73 kinds of moves from 64 squares."""

__all__ = [
    "MOVES", "Batch", "Batches", "Positions", "batches", "evaluate", "index_to_move", "move_to_index",
    "planes", "table", "torch_batches", "write_parquet",
]  # fmt: skip

_Boards = Union[Positions, Iterable[Union[str, Board]]]


def _positions(boards: _Boards) -> Positions:
    if isinstance(boards, Positions):
        return boards
    listed = list(boards)
    if all(isinstance(board, str) for board in listed):
        return Positions.from_fens(listed)  # type: ignore[arg-type]
    return Positions.from_boards(
        [Board(board) if isinstance(board, str) else board for board in listed]
    )


def planes(
    boards: _Boards,
    *,
    dtype: str = "uint8",
    relative: bool = False,
    channels_last: bool = True,
    extra: bool = False,
) -> npt.NDArray[Any]:
    """Planes of zeros and ones of FENs, boards or positions.

    >>> from tabiya import arrays
    >>> arrays.planes(["8/8/8/8/8/4k3/8/4K2R w - - 0 1"])[0, 0, 7].tolist()
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    return _positions(boards).planes(
        dtype=dtype, relative=relative, channels_last=channels_last, extra=extra
    )


def evaluate(boards: _Boards, *, threads: Optional[int] = None) -> npt.NDArray[np.int32]:
    """What Tabiya's network says of FENs, boards or positions: centipawns for the side to move."""
    return _positions(boards).evaluate(threads=threads)


class Batch(NamedTuple):
    """Positions of games, and what came of them."""

    positions: Positions
    moves: npt.NDArray[np.int16]
    """The number of the move that was played."""
    results: npt.NDArray[np.float32]
    """White's points: 1, 0.5 or 0; not a number where it is not known."""
    white_elo: npt.NDArray[np.int16]
    """White's rating, 0 if it is not told."""
    black_elo: npt.NDArray[np.int16]
    games: npt.NDArray[np.uint64]
    """From which game a position is, counted over all files from 0."""
    plies: npt.NDArray[np.uint16]
    """How many half-moves came before."""


class Batches:
    """Batches of positions of files of games. What was bad is in ``errors``."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        positions, columns = next(self._samples)
        return Batch(positions, **columns)

    @property
    def errors(self) -> List[BadGame]:
        """The games so far that could not be read."""
        return [BadGame(*error) for error in self._samples._errors()]


def batches(
    paths: Union[Path, Iterable[Path]],
    batch_size: int = 4096,
    *,
    split: str = "all",
    validation: int = 10,
    shuffle: int = 0,
    skip: int = 0,
    every: int = 1,
    relative: bool = True,
    known_results: bool = False,
    seed: int = 0,
    threads: Optional[int] = None,
) -> Batches:
    """Positions of files of games (plain, .gz, .zst, .bz2) in batches.

    ``split`` is "all", "train" or "validation": games, never single positions, go to one or the other, and
    ``validation`` in a hundred to the second. ``shuffle`` positions are kept to choose among. The first
    ``skip`` half-moves are left out, and all but every ``every``-th. ``relative``: moves are numbered as the side to
    move sees them.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    parts = {"all": (0, 100), "train": (validation, 100), "validation": (0, validation)}
    if split not in parts:
        raise ValueError(f'split is "all", "train" or "validation", not {split!r}')
    return Batches(
        Samples(
            [os.fspath(path) for path in paths], batch_size, shuffle, skip, every, relative,
            known_results, parts[split], seed, threads,
        )
    )  # fmt: skip


def torch_batches(
    paths: Union[Path, Iterable[Path]],
    batch_size: int = 4096,
    *,
    dtype: str = "float32",
    extra: bool = False,
    **options: Any,
) -> Iterator[Dict[str, Any]]:
    """Batches ready for PyTorch: tensors ``planes`` (N × channels × 8 × 8), ``moves``, ``results`` and ratings. They
    share the memory of the arrays. Other options are those of :func:`batches`."""
    import torch

    relative = options.get("relative", True)
    for batch in batches(paths, batch_size, **options):
        found = batch.positions.planes(
            dtype=dtype, relative=relative, channels_last=False, extra=extra
        )
        yield {
            "planes": torch.from_numpy(found),
            "moves": torch.from_numpy(batch.moves.astype(np.int64)),
            "results": torch.from_numpy(batch.results),
            "white_elo": torch.from_numpy(batch.white_elo),
            "black_elo": torch.from_numpy(batch.black_elo),
            "turns": torch.from_numpy(batch.positions.turns()),
        }


_TAGS = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO"]


def table(
    paths: Union[Path, Iterable[Path]],
    *,
    tags: Iterable[str] = _TAGS,
    threads: Optional[int] = None,
) -> pyarrow.Table:
    """The games of files as an Arrow table: a column for each tag, the moves in UCI's notation, how many there are."""
    import pyarrow

    names = list(tags)
    columns: Dict[str, List[Any]] = {name: [] for name in [*names, "moves", "plies"]}
    for game in scan(paths, threads=threads):
        headers = game.headers
        for name in names:
            columns[name].append(headers.get(name))
        columns["moves"].append(game.uci())
        columns["plies"].append(len(game))
    arrays = {
        name: pyarrow.array(values, pyarrow.int32() if name == "plies" else pyarrow.string())
        for name, values in columns.items()
    }
    return pyarrow.table(arrays)


def write_parquet(
    paths: Union[Path, Iterable[Path]], target: Path, *, tags: Iterable[str] = _TAGS
) -> int:
    """Writes the games of files into a Parquet file, whole or not at all; gives their number."""
    import pyarrow.parquet

    games = table(paths, tags=tags)
    beside = f"{os.fspath(target)}.{os.getpid()}.part"
    try:
        pyarrow.parquet.write_table(games, beside, compression="zstd")
        os.replace(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
    return int(games.num_rows)
