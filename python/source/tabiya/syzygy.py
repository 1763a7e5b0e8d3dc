"""Syzygy's tables of endings, under the names of ``chess.syzygy``.

>>> import tempfile, tabiya, tabiya.syzygy
>>> with tabiya.syzygy.open_tablebase(tempfile.mkdtemp()) as tables:
...     tables.get_wdl(tabiya.Board("8/8/8/8/8/2k5/8/K6Q w - - 0 1"), default=7)
7
"""

from __future__ import annotations

import itertools
import os
from types import TracebackType
from typing import Dict, Iterable, Iterator, List, Optional, Set, Tuple, Type

from . import BaseBoard, Board
from ._tabiya import MissingTableError as MissingTableError
from ._tabiya import SyzygyFile, TableSet

TBPIECES = 7
"""No table has more men."""
PCHR = ["K", "Q", "R", "B", "N", "P"]
"""The order in which tables are named."""


def _parts(name: str) -> Optional[Tuple[str, str]]:
    white, v, black = name.partition("v")
    known = all(letter in PCHR for letter in white + black)
    return (white, black) if v and white and black and known else None


def _normal(white: str, black: str, mirror: bool = False) -> str:
    """The stronger side first: more men, then the more valuable."""

    def strength(side: str) -> Tuple[int, List[int]]:
        return len(side), [-PCHR.index(letter) for letter in side]

    white, black = ("".join(sorted(side, key=PCHR.index)) for side in (white, black))
    if (strength(white) < strength(black)) != mirror:
        white, black = black, white
    return f"{white}v{black}"


def normalize_tablename(name: str, *, mirror: bool = False) -> str:
    """The name as files have it.

    >>> normalize_tablename("KPvKRN")
    'KRNvKP'
    """
    parts = _parts(name)
    if parts is None:
        raise ValueError(f"{name!r} names no ending; they are named like KQvKR")
    return _normal(*parts, mirror=mirror)


def is_tablename(
    name: str,
    *,
    one_king: bool = True,
    piece_count: Optional[int] = TBPIECES,
    normalized: bool = True,
) -> bool:
    """Whether a file of Syzygy's could be named so."""
    parts = _parts(name)
    if parts is None:
        return False
    return (
        (piece_count is None or len(name) <= piece_count + 1)
        and (not normalized or _normal(*parts) == name)
        and (not one_king or name != "KvK" and all(side.count("K") == 1 for side in parts))
    )


def tablenames(*, one_king: bool = True, piece_count: int = 6) -> Iterator[str]:
    """The names of all tables of up to so many men."""
    letters, first = (PCHR[1:], "K") if one_king else (PCHR, "")
    least = 0 if one_king else 1
    kings = 2 if one_king else 0
    for men in range(3 if one_king else 2, piece_count + 1):
        others = men - kings
        names: Set[str] = set()
        for count in range(least, others - least + 1):
            for white in itertools.combinations_with_replacement(letters, count):
                for black in itertools.combinations_with_replacement(letters, others - count):
                    names.add(_normal(first + "".join(white), first + "".join(black)))
        yield from sorted(names)


def _next(name: str, one_king: bool) -> Iterator[str]:
    white, black = normalize_tablename(name).split("v")
    for letter in PCHR:
        if letter == "K" and one_king:
            continue
        for own, other in ((white, black), (black, white)):
            if letter != "P" and "P" in own:
                yield _normal(own.replace("P", letter, 1), other)
            if letter in own and len(own) > 1:
                yield _normal(own.replace(letter, "", 1), other)


def dependencies(target: str, *, one_king: bool = True) -> Iterator[str]:
    """The endings that a capture or a promotion leads to."""
    names = dict.fromkeys(_next(target, one_king))
    return (name for name in names if not (one_king and name == "KvK"))


def all_dependencies(targets: Iterable[str], *, one_king: bool = True) -> Iterator[str]:
    """Some endings, and everything that their captures and promotions lead to."""
    seen: Set[str] = set()
    left = [normalize_tablename(target) for target in targets]
    while left:
        name = left.pop()
        if name not in seen and not (one_king and name == "KvK"):
            seen.add(name)
            left.extend(_next(name, one_king))
            yield name


def calc_key(board: BaseBoard, *, mirror: bool = False) -> str:
    """The men on a board, White's first."""

    def side(color: bool) -> str:
        return "".join(
            letter * len(board.pieces(6 - order, color)) for order, letter in enumerate(PCHR)
        )

    return f"{side(not mirror)}v{side(mirror)}"


def dtz_before_zeroing(wdl: int) -> int:
    """The distance of a position in which a capture or a pawn move has that result."""
    sign = (wdl > 0) - (wdl < 0)
    return sign * (1 if abs(wdl) == 2 else 101)


class Table:
    """One file, opened when it is asked."""

    def __init__(self, path: str, *, variant: Type[Board] = Board) -> None:
        self.path = path
        self.variant = variant
        name = os.path.splitext(os.path.basename(path))[0]
        self.key = normalize_tablename(name)
        self.mirrored_key = normalize_tablename(name, mirror=True)
        self.symmetric = self.key == self.mirrored_key
        self.num = len(name) - 1
        self.has_pawns = "P" in name
        self._file: Optional[SyzygyFile] = None

    def _opened(self) -> SyzygyFile:
        if self._file is None:
            self._file = SyzygyFile(self.path)
        return self._file

    def close(self) -> None:
        """Forgets the file; it is opened anew if it is asked once more."""
        self._file = None

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class WdlTable(Table):
    """A file of results."""

    def init_table_wdl(self) -> None:
        """Opens the file; an ``OSError`` says what is wrong with it."""
        self._opened()

    def probe_wdl_table(self, board: Board) -> int:
        """What the file says, which may be anything where a capture is best."""
        return self._opened().wdl(board)


class DtzTable(Table):
    """A file of distances."""

    def init_table_dtz(self) -> None:
        """Opens the file; an ``OSError`` says what is wrong with it."""
        self._opened()

    def probe_dtz_table(self, board: Board, wdl: int) -> Tuple[int, int]:
        """The distance that the file has for a result, and 1; -1 if the file is about the other side to move."""
        distance = self._opened().dtz(board, wdl)
        return (0, -1) if distance is None else (distance, 1)


class Tablebase:
    """Tables of some folders. Use it in a ``with``."""

    def __init__(
        self, *, max_fds: Optional[int] = 128, VariantBoard: Type[Board] = Board
    ) -> None:
        if VariantBoard.uci_variant != "chess":
            raise ValueError(f"these tables are of chess, not of {VariantBoard.uci_variant}")
        self.variant = VariantBoard
        self.max_fds = max_fds  # mapped files hold no descriptor
        self.wdl: Dict[str, WdlTable] = {}
        self.dtz: Dict[str, DtzTable] = {}
        self._set = TableSet([])

    def add_directory(
        self, directory: str, *, load_wdl: bool = True, load_dtz: bool = True
    ) -> int:
        """Adds the tables of a folder; how many files there were. They are opened when they are asked."""
        directory = os.path.abspath(directory)
        paths = (os.path.join(directory, name) for name in sorted(os.listdir(directory)))
        return sum(self.add_file(path, load_wdl=load_wdl, load_dtz=load_dtz) for path in paths)

    def add_file(self, path: str, *, load_wdl: bool = True, load_dtz: bool = True) -> int:
        """Adds a file if it is one of Syzygy's by name: 1 if it is, else 0."""
        name, ending = os.path.splitext(os.path.basename(path))
        if not is_tablename(name) or not os.path.isfile(path):
            return 0
        if load_wdl and ending == self.variant.tbw_suffix:
            table = WdlTable(path, variant=self.variant)
            self.wdl[table.key] = self.wdl[table.mirrored_key] = table
        elif load_dtz and ending == self.variant.tbz_suffix:
            distances = DtzTable(path, variant=self.variant)
            self.dtz[distances.key] = self.dtz[distances.mirrored_key] = distances
        else:
            return 0
        return int(self._set.add_file(path))

    def probe_wdl_table(self, board: Board) -> int:
        """What the file of an ending says by itself; see :meth:`probe_wdl`."""
        if board.kings == board.occupied:
            return 0
        key = calc_key(board)
        table = self.wdl.get(key)
        if table is None:
            men = len(key) - 1
            if men > TBPIECES:
                raise KeyError(f"tables have up to {TBPIECES} men, not {men}: {board.fen()}")
            raise MissingTableError(f"there is no table of {key}")
        return table.probe_wdl_table(board)

    def probe_dtz_table(self, board: Board, wdl: int) -> Tuple[int, int]:
        """What the file of an ending says by itself; see :meth:`probe_dtz`."""
        table = self.dtz.get(calc_key(board))
        if table is None:
            raise MissingTableError(f"there is no table of distances of {calc_key(board)}")
        return table.probe_dtz_table(board, wdl)

    def probe_wdl(self, board: Board) -> int:
        """The result for the side to move as if a capture or a pawn move had just been made: 2 is a win, 1 a win that the
        fifty-move rule makes a draw, 0 a draw, -1 and -2 the same for losses. A ``KeyError`` if that is not known."""
        return self._set.wdl(board)

    def get_wdl(self, board: Board, default: Optional[int] = None) -> Optional[int]:
        """The result, or the default if it is not known."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def probe_dtz_no_ep(self, board: Board) -> int:
        """The distance with en passant left out."""
        bare = board.copy(stack=False)
        bare.ep_square = None
        return self.probe_dtz(bare)

    def probe_dtz(self, board: Board) -> int:
        """Plies to a capture or a pawn move that keeps the result, negative for a loss, 0 for a draw, beyond 100 where the
        fifty-move rule makes a draw of it. Some tables count moves: then it may be a ply more. A ``KeyError`` if it is not
        known; both kinds of files are needed."""
        return self._set.dtz(board)

    def get_dtz(self, board: Board, default: Optional[int] = None) -> Optional[int]:
        """The distance, or the default if it is not known."""
        try:
            return self.probe_dtz(board)
        except KeyError:
            return default

    def close(self) -> None:
        """Forgets all tables."""
        self.wdl.clear()
        self.dtz.clear()
        self._set = TableSet([])

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


def open_tablebase(
    directory: str,
    *,
    load_wdl: bool = True,
    load_dtz: bool = True,
    max_fds: Optional[int] = 128,
    VariantBoard: Type[Board] = Board,
) -> Tablebase:
    """The tables of a folder."""
    tables = Tablebase(max_fds=max_fds, VariantBoard=VariantBoard)
    tables.add_directory(directory, load_wdl=load_wdl, load_dtz=load_dtz)
    return tables
