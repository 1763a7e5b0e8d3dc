"""Databases of games as `tabiya db` makes them: what was played in a position, which games there are, and their columns.

>>> import tabiya.db
>>> tabiya.db.unpack(bytes([9, 8]))
['e2e4', 'e7e5']

A `Database` is open as it was when it was opened. Games are chosen by keywords: `player`, `color` (of that player), `white`,
`black`, `event`, `eco`, `result` and `speed` (a text, or a list of which one is enough), `since` and `until`
("1972", "1972.07", "1972.07.11"), `elo` (both players), `one_elo` and `plies` (from, to; None is open).
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Union

from . import Board
from ._tabiya import GameDatabase, collect_databases, import_games, position_key, unpack_moves

__all__ = ["Database", "Explored", "Imported", "add", "collect", "key", "unpack"]

_Path = Union[str, "os.PathLike[str]"]

#: A position: a board, a FEN, or none for the start of the game.
Place = Union[Board, str, None]


class Imported(NamedTuple):
    """What came of an import."""

    added: int
    duplicates: int
    bad: List[str]


def add(folder: _Path, file: _Path) -> Imported:
    """Adds the games of a PGN file (also .gz, .zst, .bz2) to the database in a folder, which is made if it is not there.
    `tabiya db import` does the same with all cores, and goes on where it was cut off."""
    return Imported(*import_games(os.fspath(folder), os.fspath(file)))


def collect(folder: _Path, databases: Iterable[_Path]) -> int:
    """Makes several databases one to ask, or adds some to those; they stay where they are. `Database` opens the folder. Tells how
    many databases there are."""
    return collect_databases(os.fspath(folder), [os.fspath(database) for database in databases])


def key(position: Place = None) -> int:
    """By what the files of an index over several databases know a position: their column `key`."""
    return position_key(_fen(position))


def unpack(moves: bytes, fen: Optional[str] = None) -> List[str]:
    """The moves of the column `moves` in UCI notation, 0000 for a null move; `fen` is that of the same row."""
    return unpack_moves(moves, fen)


def _fen(position: Place) -> str:
    if position is None:
        return Board().fen()
    return position if isinstance(position, str) else position.fen()


def _frame(table: Any, kind: str) -> Any:
    """A `pyarrow.Table` as somebody wants it."""
    if kind == "arrow":
        return table
    if kind == "pandas":
        return table.to_pandas()
    import polars

    return polars.from_arrow(table)


class Explored:
    """What was played in a position."""

    def __init__(self, answer: Dict[str, Any], frames: str) -> None:
        self.fen: str = answer["fen"]
        """The position."""
        self.games: int = answer["games"]
        """How many games came to it."""
        self.white: int = answer["white"]
        """Won by White."""
        self.draws: int = answer["draws"]
        """Drawn."""
        self.black: int = answer["black"]
        """Won by Black."""
        self.ended: int = answer["ended"]
        """How many games ended there."""
        self.top: List[Dict[str, Any]] = answer["top"]
        """The games of the strongest players."""
        self._moves: List[Dict[str, Any]] = answer["moves"]
        self._frames = frames

    @property
    def moves(self) -> Any:
        """The moves, those of most games first, a row each."""
        import pyarrow

        schema = pyarrow.schema(
            [
                *((name, pyarrow.string()) for name in ("uci", "san")),
                *((name, pyarrow.uint64()) for name in ("games", "white", "draws", "black", "unfinished")),
                *((name, pyarrow.uint64()) for name in ("average_rating", "performance")),
                ("last_played", pyarrow.string()),
                ("top", pyarrow.list_(pyarrow.uint64())),
            ]
        )
        rows = [{**move, "top": [head["game"] for head in move["top"]]} for move in self._moves]
        return _frame(pyarrow.Table.from_pylist(rows, schema=schema), self._frames)

    def __repr__(self) -> str:
        return f"<Explored: {self.games} games, {len(self._moves)} moves>"


class Database:
    """A database of games. Tables come as `frames` says: "arrow" (pyarrow), "pandas" or "polars"."""

    def __init__(self, folder: _Path, *, frames: str = "arrow") -> None:
        if frames not in ("arrow", "pandas", "polars"):
            raise ValueError(f"{frames!r} is no kind of table: arrow, pandas or polars")
        self._core = GameDatabase(os.fspath(folder))
        self._frames = frames

    def __len__(self) -> int:
        return len(self._core)

    def info(self) -> Dict[str, Any]:
        """How many games and positions there are, how many bytes, which days."""
        told: Dict[str, Any] = json.loads(self._core.info())
        return told

    def is_outdated(self) -> bool:
        """Whether games have been added since it was opened."""
        return self._core.is_outdated()

    def files(self) -> List[str]:
        """The Parquet files, in the order of the games' numbers, for whoever reads them alone."""
        return [os.fspath(file) for file in self._core.files()]

    def explore(self, position: Place = None, **games: Any) -> Explored:
        """What was played in a position."""
        return Explored(json.loads(self._core.explore(_fen(position), **games)), self._frames)

    def find(
        self,
        position: Place = None,
        *,
        pattern: Optional[str] = None,
        material: Optional[str] = None,
        lasting: int = 1,
        ending: Optional[str] = None,
        **games: Any,
    ) -> Any:
        """A table of `game` (its number, from 1) and `ply` (after how many plies it is as asked for). Patterns and
        material are written as for `tabiya db find`."""
        import pyarrow

        fen = None if position is None else _fen(position)
        numbers, plies = self._core.find(fen, pattern, material, lasting, ending, **games)
        return _frame(pyarrow.table({"game": numbers, "ply": plies}), self._frames)

    def games(self, numbers: Optional[Iterable[int]] = None, *, columns: Optional[Sequence[str]] = None, **games: Any) -> Any:
        """The rows of games: those of the numbers, or all that are wanted; all columns of the files, or some. The column
        `game` is their number."""
        import numpy
        import pyarrow
        import pyarrow.parquet

        if numbers is None:
            wanted = self._core.find(**games)[0]
        else:
            if games:
                raise ValueError("games are chosen by their numbers or by what is asked of them, not by both")
            wanted = numpy.unique(numpy.fromiter(numbers, dtype=numpy.uint64))
            if len(wanted) and not 1 <= int(wanted[0]) <= int(wanted[-1]) <= len(self):
                raise IndexError(f"the database has games 1 to {len(self)}")
        tables: List[Any] = []
        before = 0
        for name in self.files():
            file = pyarrow.parquet.ParquetFile(name)
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                low, high = numpy.searchsorted(wanted, [before + 1, before + count + 1])
                if high > low or (group == 0 and not tables):
                    rows = file.read_row_group(group, columns=columns)
                    here = wanted[low:high]
                    rows = rows.take(pyarrow.array(here.astype(numpy.int64) - before - 1))
                    tables.append(rows.add_column(0, "game", pyarrow.array(here)))
                before += count
        return _frame(pyarrow.concat_tables(tables) if tables else pyarrow.table({"game": wanted}), self._frames)

    def check(self, *, rebuild: bool = False) -> List[str]:
        """What is wrong with its files, a sentence each. With `rebuild` indexes are made anew and compared."""
        return self._core.check(rebuild)

    def pgn(self, number: int) -> str:
        """A game as PGN, as it stood in its file."""
        return self._core.pgn(number)

    def __repr__(self) -> str:
        return f"<Database of {len(self)} games>"
