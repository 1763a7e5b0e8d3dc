"""Files of games at the speed of Rust."""

from __future__ import annotations

import os
from typing import Iterable, Iterator, List, NamedTuple, Optional, Union

from .._tabiya import Scan as _Scan
from .._tabiya import ScannedGame as ScannedGame

Path = Union[str, "os.PathLike[str]"]


class BadGame(NamedTuple):
    """A game that could not be read, and where it went wrong."""

    path: str
    number: int
    """The number of the game in its file, from 1."""
    line: int
    column: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: game {self.number}: {self.problem}"


class Scan:
    """The games of files, one after the other. What was bad is in ``errors``."""

    def __init__(
        self, paths: List[str], threads: Optional[int] = None, headers_only: bool = False
    ) -> None:
        self._scan = _Scan(paths, threads, headers_only)

    def __iter__(self) -> Iterator[ScannedGame]:
        return self._scan

    def __next__(self) -> ScannedGame:
        return next(self._scan)

    @property
    def errors(self) -> List[BadGame]:
        """The games so far that could not be read. One bad game never ends a file."""
        return [BadGame(*error) for error in self._scan._errors()]


def scan(
    paths: Union[Path, Iterable[Path]],
    *,
    threads: Optional[int] = None,
    headers_only: bool = False,
) -> Scan:
    """Streams the games of a file or of several: plain, .gz, .zst or .bz2, of any size, on all cores.

    Each game has its ``headers`` and the ``moves`` of its main line, which are legal; variations and
    comments are passed over (``read_game`` has them).

    >>> import pathlib, tempfile, tabiya.pgn
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.pgn"
    >>> _ = path.write_text('[White "A"]\\n\\n1. e4 e5 *\\n\\n[White "B"]\\n\\n1. e5 *\\n\\n[White "C"]\\n\\n1. d4 *\\n')
    >>> games = tabiya.pgn.scan(path)
    >>> [(game.header("White"), game.uci()) for game in games]
    [('A', 'e2e4 e7e5'), ('C', 'd2d4')]
    >>> games.errors[0].line, games.errors[0].problem
    (7, 'No pawn of yours can go to e5.')
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return Scan([os.fspath(path) for path in paths], threads, headers_only)
