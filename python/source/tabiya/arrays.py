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
from .pgn.nodes import GameNode
from .pgn.scan import BadGame, Path, ScannedGame, scan

if TYPE_CHECKING:
    import pyarrow

MOVES = 4672
"""How many numbers of moves there are: 73 kinds of moves from 64 squares."""

__all__ = [
    "MOVES", "Batch", "Batches", "Positions", "batches", "evaluate", "game_batches", "index_to_move",
    "move_to_index", "planes", "position_batches", "positions", "table", "torch_batches", "write_parquet",
    "write_positions",
]  # fmt: skip

_Shown = Union[str, Board, GameNode, ScannedGame]
_Boards = Union[Positions, _Shown, Iterable[_Shown]]


def positions(boards: _Boards) -> Positions:
    """The positions of FENs, of boards, and of games: all of a game's main line, from its start (or from the node) to its
    end. One of them stands for itself. ValueError, which names the first that is impossible.

    >>> import io, tabiya, tabiya.pgn
    >>> from tabiya import arrays
    >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 2. Nf3 *"))
    >>> len(arrays.positions(game)), len(arrays.positions([game, tabiya.Board(), tabiya.STARTING_FEN]))
    (4, 6)
    """
    if isinstance(boards, Positions):
        return boards
    single = isinstance(boards, (str, Board, GameNode, ScannedGame))
    listed: List[Any] = [boards] if single else list(boards)  # type: ignore[arg-type]
    if all(isinstance(one, str) for one in listed):
        return Positions.from_fens(listed)
    if all(isinstance(one, ScannedGame) for one in listed):
        return Positions.from_scanned(listed)
    return Positions.from_boards(list(_boards_of(listed)))


def _boards_of(listed: Iterable[_Shown]) -> Iterator[Board]:
    for one in listed:
        if isinstance(one, Board):
            yield one
            continue
        if isinstance(one, str):
            yield Board(one)
            continue
        if not isinstance(one, (GameNode, ScannedGame)):
            raise TypeError(f"a position is a FEN, a Board, a game or a node of one, not {one!r}")
        board = one.board() if isinstance(one, GameNode) else Board(one.start_fen())
        moves: Iterable[Move] = one.mainline_moves() if isinstance(one, GameNode) else one.moves
        yield board.copy(stack=False)
        for move in moves:
            board.push(move)
            yield board.copy(stack=False)


def planes(
    boards: _Boards,
    *,
    dtype: str = "uint8",
    relative: bool = False,
    channels_last: bool = True,
    extra: bool = False,
) -> npt.NDArray[Any]:
    """Planes of zeros and ones of FENs, boards, games or positions.

    >>> from tabiya import arrays
    >>> arrays.planes(["8/8/8/8/8/4k3/8/4K2R w - - 0 1"])[0, 0, 7].tolist()
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    return positions(boards).planes(
        dtype=dtype, relative=relative, channels_last=channels_last, extra=extra
    )


def evaluate(boards: _Boards, *, threads: Optional[int] = None) -> npt.NDArray[np.int32]:
    """What Tabiya's network says of FENs, boards or positions: centipawns for the side to move."""
    return positions(boards).evaluate(threads=threads)


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


def game_batches(
    paths: Union[Path, Iterable[Path]],
    batch_size: int = 10_000,
    *,
    tags: Iterable[str] = _TAGS,
    threads: Optional[int] = None,
) -> Iterator[pyarrow.RecordBatch]:
    """The games of files as Arrow batches: a column for each tag, the moves in UCI's notation, how many there are."""
    import pyarrow

    names = list(tags)
    kinds = [(name, pyarrow.string()) for name in [*names, "moves"]]
    schema = pyarrow.schema([*kinds, ("plies", pyarrow.int32())])
    rows: List[List[Any]] = [[] for _ in schema]
    for game in scan(paths, threads=threads):
        headers = game.headers
        for column, name in zip(rows, names):
            column.append(headers.get(name))
        rows[-2].append(game.uci())
        rows[-1].append(len(game))
        if len(rows[-1]) == batch_size:
            yield pyarrow.record_batch(rows, schema=schema)
            rows = [[] for _ in schema]
    if rows[-1]:
        yield pyarrow.record_batch(rows, schema=schema)


def table(
    paths: Union[Path, Iterable[Path]],
    *,
    tags: Iterable[str] = _TAGS,
    threads: Optional[int] = None,
) -> pyarrow.Table:
    """The games of files as one Arrow table, as :func:`game_batches` has them."""
    import pyarrow

    names = list(tags)
    batches = list(game_batches(paths, tags=names, threads=threads))
    kinds = [(name, pyarrow.string()) for name in [*names, "moves"]]
    return pyarrow.Table.from_batches(batches, pyarrow.schema([*kinds, ("plies", pyarrow.int32())]))


def write_parquet(
    paths: Union[Path, Iterable[Path]],
    target: Path,
    *,
    tags: Iterable[str] = _TAGS,
    threads: Optional[int] = None,
) -> int:
    """Writes the games of files into a Parquet file, batch by batch, whole or not at all; gives their number."""
    names = list(tags)
    return _write(
        table([], tags=names).schema, game_batches(paths, 50_000, tags=names, threads=threads), target
    )


def position_batches(
    paths: Union[Path, Iterable[Path]], batch_size: int = 10_000, **options: Any
) -> Iterator[pyarrow.RecordBatch]:
    """The positions of games as Arrow batches: FEN, twelve bitboards, whether White moves, the number of the move that was
    played, White's points (null if not known), ratings, game and ply. Options are those of :func:`batches`."""
    for batch in batches(paths, batch_size, **options):
        yield _record_batch(batch, bool(options.get("relative", True)))


def _record_batch(batch: Batch, relative: bool) -> pyarrow.RecordBatch:
    import pyarrow

    sets = pyarrow.array(batch.positions.bitboards(relative=relative).reshape(-1))
    return pyarrow.record_batch(
        {
            "fen": pyarrow.array(batch.positions.fens(), pyarrow.string()),
            "bitboards": pyarrow.FixedSizeListArray.from_arrays(sets, 12),
            "white_to_move": pyarrow.array(batch.positions.turns()),
            "move": pyarrow.array(batch.moves),
            "points": pyarrow.array(batch.results, from_pandas=True),
            "white_elo": pyarrow.array(batch.white_elo),
            "black_elo": pyarrow.array(batch.black_elo),
            "game": pyarrow.array(batch.games),
            "ply": pyarrow.array(batch.plies),
        }
    )


def write_positions(paths: Union[Path, Iterable[Path]], target: Path, **options: Any) -> int:
    """Writes the positions of games into a Parquet file, as :func:`position_batches` has them, whole or not at all; gives
    their number."""
    nothing = np.zeros(0, np.int16)
    none = Batch(
        Positions.from_fens([]), nothing, nothing.astype(np.float32), nothing, nothing,
        nothing.astype(np.uint64), nothing.astype(np.uint16),
    )  # fmt: skip
    schema = _record_batch(none, True).schema
    return _write(schema, position_batches(paths, 50_000, **options), target)


def _write(
    schema: pyarrow.Schema, batches: Iterable[pyarrow.RecordBatch], target: Path
) -> int:
    import pyarrow.parquet

    rows = 0
    beside = f"{os.fspath(target)}.{os.getpid()}.part"
    try:
        with pyarrow.parquet.ParquetWriter(beside, schema, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch)
                rows += int(batch.num_rows)
        os.replace(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
    return rows
