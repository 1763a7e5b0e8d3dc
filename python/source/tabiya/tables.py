"""Tables of endings: every position of a few men, with its result and the way to it.

Tables are made, not fetched, and Syzygy's in the same folders are read as well.

>>> import tempfile, tabiya, tabiya.tables
>>> folder = tempfile.mkdtemp()
>>> tabiya.tables.make("KQK", folder)
>>> tables = tabiya.tables.open(folder)
>>> board = tabiya.Board("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
>>> str(tables.probe(board))
'mates in 6'
>>> move, entry = tables.moves(board)[0]
>>> move in board.legal_moves, entry.mate
(True, 6)
"""

from __future__ import annotations

import os
from typing import Callable, List, NamedTuple, Optional, Tuple, TypeVar, Union

from . import Board, Move
from ._tabiya import MissingTableError as MissingTableError
from ._tabiya import TableSet, make_tables

_Path = Union[str, "os.PathLike[str]"]
_T = TypeVar("_T")


class Entry(NamedTuple):
    """What tables know of a position, or of a move, for the side to move."""

    result: int
    """2 is a win, 1 a win but not within fifty moves, 0 a draw, -1 and -2 the same for losses."""
    mate: Optional[int]
    """Moves to mate, negative for who is mated. None if nobody is, or if the tables do not tell: Syzygy's do not."""
    plies_to_mate: Optional[int]
    plies_to_zeroing: Optional[int]
    """Plies to a capture, a pawn move or mate; beyond 100 the fifty-move rule makes it a draw."""
    text: str
    """In words: ``mates in 17``, ``draws``, ``loses in 23``."""

    def __str__(self) -> str:
        return self.text


class Table(NamedTuple):
    """A table of Tabiya's own."""

    name: str
    positions: int
    """Positions that look the same count once."""
    longest_mate: int
    """In moves."""
    bytes: int


class Tables:
    """The tables in some folders."""

    def __init__(self, *folders: _Path) -> None:
        self._set = TableSet(folders)

    @property
    def most_men(self) -> int:
        """The most men that any table has; 0 without tables."""
        return self._set.most_men()

    @property
    def problems(self) -> List[str]:
        """Files that could not be opened, and why."""
        return self._set.problems()

    def own(self) -> List[Table]:
        """The tables of Tabiya's own, the smaller first."""
        return [Table(*about) for about in self._set.own()]

    def syzygy(self) -> List[Tuple[str, bool]]:
        """Syzygy's tables by name, and whether there are distances beside the results."""
        return self._set.syzygy()

    def probe(self, board: Board) -> Entry:
        """What is known of a board. Where nothing is, a :exc:`MissingTableError`, or another ``KeyError`` if no table could
        know it: where somebody may castle, say."""
        return Entry(*self._set.probe(board))

    def get(self, board: Board, default: Optional[_T] = None) -> Union[Entry, Optional[_T]]:
        """What is known of a board, or the default."""
        try:
            return self.probe(board)
        except KeyError:
            return default

    def moves(self, board: Board) -> List[Tuple[Move, Entry]]:
        """Every legal move and what it leads to, for who makes it, the best first. The clock of the fifty-move rule counts."""
        return [(move, Entry(*entry)) for move, entry in self._set.moves(board)]

    def __repr__(self) -> str:
        return f"<Tables of up to {self.most_men} men>"


def open(*folders: _Path) -> Tables:
    """Opens every table in some folders. Those that are not there are empty; what cannot be opened is in ``problems``."""
    return Tables(*folders)


def make(
    what: Union[int, str],
    folder: _Path,
    *,
    threads: Optional[int] = None,
    progress: Optional[Callable[[str, int, int], None]] = None,
) -> None:
    """Makes tables: of all endings of three up to so many men (3, 4 or 5), or of one ending (``"KRPKR"``) and those that its
    captures and promotions lead to. What is there is left alone; what Ctrl-C has interrupted goes on. ``progress`` is told
    the ending, how many of its parts are done, and of how many."""
    if isinstance(what, int):
        make_tables(what, None, folder, threads, progress)
    else:
        make_tables(None, what, folder, threads, progress)
