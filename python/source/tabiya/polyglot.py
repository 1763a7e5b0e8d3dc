"""Books of openings in Polyglot's format: read, and written.

>>> import io, tabiya, tabiya.polyglot
>>> board = tabiya.Board()
>>> tabiya.polyglot.zobrist_hash(board) == 0x463B96181691FC9C
True
"""

from __future__ import annotations

import functools
import mmap
import operator
import os
import random
import struct
from types import TracebackType
from typing import Any, BinaryIO, Callable, Container, Dict, Iterable, Iterator, List, NamedTuple
from typing import Optional, Tuple, Type, Union

from . import BB_FILE_A, BB_FILE_H, BB_SQUARES, BLACK, WHITE, BaseBoard, Board, Move
from ._tabiya import polyglot_keys

StrOrBytesPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

ENTRY_STRUCT = struct.Struct(">QHHI")
"""How an entry lies in a book: key, move, weight, what was learnt."""
_PROMOTIONS = [None, 2, 3, 4, 5]

POLYGLOT_RANDOM_ARRAY: List[int] = polyglot_keys()


class ZobristHasher:
    """Keys of boards by any table of 781 numbers, as Polyglot makes them of its own.

    >>> import tabiya, tabiya.polyglot
    >>> hasher = tabiya.polyglot.ZobristHasher(tabiya.polyglot.POLYGLOT_RANDOM_ARRAY)
    >>> hasher(tabiya.Board()) == tabiya.polyglot.zobrist_hash(tabiya.Board())
    True
    """

    def __init__(self, array: List[int]) -> None:
        if len(array) < 781:
            raise ValueError(f"a table for keys has 781 numbers, not {len(array)}")
        self.array = array

    def hash_board(self, board: BaseBoard) -> int:
        """The part of the pieces."""
        key = 0
        for square, piece in board.piece_map().items():
            key ^= self.array[64 * (2 * (piece.piece_type - 1) + piece.color) + square]
        return key

    def hash_castling(self, board: Board) -> int:
        """The part of the castling rights."""
        rights = [
            board.has_kingside_castling_rights(WHITE), board.has_queenside_castling_rights(WHITE),
            board.has_kingside_castling_rights(BLACK), board.has_queenside_castling_rights(BLACK),
        ]  # fmt: skip
        return functools.reduce(
            operator.xor, (self.array[768 + at] for at, has in enumerate(rights) if has), 0
        )

    def hash_ep_square(self, board: Board) -> int:
        """The part of en passant: of its file, if a pawn stands beside the one that has just moved."""
        if board.ep_square is None:
            return 0
        pawn = board.ep_square + (-8 if board.turn else 8)
        beside = BB_SQUARES[pawn] >> 1 & ~BB_FILE_H | BB_SQUARES[pawn] << 1 & ~BB_FILE_A
        if not beside & board.pawns & board.occupied_co[board.turn]:
            return 0
        return self.array[772 + (board.ep_square & 7)]

    def hash_turn(self, board: Board) -> int:
        """The part of the side to move."""
        return self.array[780] if board.turn else 0

    def __call__(self, board: Board) -> int:
        return (
            self.hash_board(board) ^ self.hash_castling(board)
            ^ self.hash_ep_square(board) ^ self.hash_turn(board)
        )  # fmt: skip


def zobrist_hash(board: Board, *, _hasher: Optional[Callable[[Board], int]] = None) -> int:
    """The key by which books know a board."""
    return board._zobrist() if _hasher is None else _hasher(board)


class Entry(NamedTuple):
    """A move of a book."""

    key: int
    """The key of the board."""
    raw_move: int
    """The move as the file has it."""
    weight: int
    """How often it should be played, beside the other moves."""
    learn: int
    """What some programs learn about it."""
    move: Move
    """The move."""


def _decode(raw: int) -> Move:
    to, origin, promotion = raw & 63, raw >> 6 & 63, raw >> 12 & 7
    if to == origin:
        return Move.null()
    return Move(origin, to, _PROMOTIONS[promotion] if promotion < 5 else None)


def _encode(board: Board, move: Move) -> int:
    step = board._to_chess960(move)
    promotion = step.promotion - 1 if step.promotion else 0
    return promotion << 12 | step.from_square << 6 | step.to_square


class MemoryMappedReader:
    """A book that is open. Use it in a ``with``."""

    def __init__(self, filename: StrOrBytesPath) -> None:
        self.fd = os.open(filename, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            self.mmap: Any = mmap.mmap(self.fd, 0, access=mmap.ACCESS_READ)
        except (ValueError, OSError):
            self.mmap = b""  # an empty file
        size = len(self.mmap)
        if size % ENTRY_STRUCT.size:
            self.close()
            raise OSError(
                f"{os.fsdecode(filename)}: a book's size is a multiple of {ENTRY_STRUCT.size} bytes, not {size}"
            )

    def __enter__(self) -> MemoryMappedReader:
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        if self.mmap:
            self.mmap.close()
        self.mmap = b""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __len__(self) -> int:
        return len(self.mmap) // ENTRY_STRUCT.size

    def __getitem__(self, index: int) -> Entry:
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"the book has {len(self)} entries, so none at {index}")
        key, raw, weight, learn = ENTRY_STRUCT.unpack_from(self.mmap, index * ENTRY_STRUCT.size)
        return Entry(key, raw, weight, learn, _decode(raw))

    def __iter__(self) -> Iterator[Entry]:
        return (self[at] for at in range(len(self)))

    def bisect_key_left(self, key: int) -> int:
        """The first entry whose key is not smaller."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle].key < key:
                low = middle + 1
            else:
                high = middle
        return low

    def __contains__(self, entry: Entry) -> bool:
        return any(entry == found for found in self.find_all(entry.key, minimum_weight=entry.weight))

    def find_all(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
    ) -> Iterator[Entry]:
        """The moves of the book for a board that are legal, as they stand in it."""
        key = board if isinstance(board, int) else zobrist_hash(board)
        for at in range(self.bisect_key_left(key), len(self)):
            entry = self[at]
            if entry.key != key:
                return
            if entry.weight < minimum_weight:
                continue
            if not isinstance(board, int):
                move = board._from_chess960(board.chess960, entry.move)
                entry = entry._replace(move=move)
                if not board.is_legal(move):
                    continue
            if entry.move in exclude_moves:
                continue
            yield entry

    def find(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
    ) -> Entry:
        """The move with the greatest weight; IndexError if there is none."""
        entries = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        best = max(entries, key=lambda entry: entry.weight, default=None)
        if best is None:
            raise IndexError("the book has no move for this board")
        return best

    def get(
        self,
        board: Union[Board, int],
        default: Optional[Entry] = None,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
    ) -> Optional[Entry]:
        """The move with the greatest weight, or ``default``."""
        try:
            return self.find(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        except IndexError:
            return default

    def choice(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
        random: Optional[random.Random] = None,
    ) -> Entry:
        """Any move, all alike; IndexError if there is none."""
        entries = list(
            self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        )
        if not entries:
            raise IndexError("the book has no move for this board")
        return entries[_chance(random).randint(0, len(entries) - 1)]

    def weighted_choice(
        self,
        board: Union[Board, int],
        *,
        exclude_moves: Container[Move] = (),
        random: Optional[random.Random] = None,
    ) -> Entry:
        """A move by chance, the more likely the greater its weight; IndexError if there is none."""
        entries = list(self.find_all(board, exclude_moves=exclude_moves))
        if not entries:
            raise IndexError("the book has no move for this board")
        chosen = _chance(random).randint(0, sum(entry.weight for entry in entries) - 1)
        at = 0
        while chosen >= entries[at].weight:
            chosen -= entries[at].weight
            at += 1
        return entries[at]


def _chance(chosen: Optional[random.Random]) -> random.Random:
    return chosen if chosen is not None else random.Random()


def open_reader(path: StrOrBytesPath) -> MemoryMappedReader:
    """Opens a book."""
    return MemoryMappedReader(path)


class BookWriter:
    """Collects moves, and writes them as a book.

    >>> import tempfile, pathlib, tabiya, tabiya.polyglot
    >>> book = tabiya.polyglot.BookWriter()
    >>> book.add(tabiya.Board(), tabiya.Move.from_uci("e2e4"), 3)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "book.bin"
    >>> book.write(path)
    >>> with tabiya.polyglot.open_reader(path) as reader:
    ...     reader.find(tabiya.Board()).move
    Move.from_uci('e2e4')
    """

    def __init__(self) -> None:
        self._weights: Dict[Tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._weights)

    def add(self, board: Board, move: Move, weight: int = 1) -> None:
        """Adds to the weight of a move; ValueError if it is not legal."""
        if not board.is_legal(move):
            raise ValueError(board._reason(move.uci()))
        if weight < 0:
            raise ValueError(f"a weight is not negative: {weight}")
        place = (zobrist_hash(board), _encode(board, move))
        self._weights[place] = self._weights.get(place, 0) + weight

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the book, whole or not at all. Weights beyond 65535 are scaled for their board."""
        most: Dict[int, int] = {}
        for (key, _), weight in self._weights.items():
            most[key] = max(most.get(key, 0), weight)
        rows = []
        for (key, raw), weight in self._weights.items():
            if most[key] > 0xFFFF:
                weight = max(1, weight * 0xFFFF // most[key]) if weight else 0
            rows.append((key, -weight, raw))
        rows.sort()
        beside = f"{os.fspath(path)}.{os.getpid()}.part"
        try:
            with open(beside, "wb") as file:
                for key, weight, raw in rows:
                    file.write(ENTRY_STRUCT.pack(key, raw, -weight, 0))
            os.replace(beside, path)
        except BaseException:
            if os.path.exists(beside):
                os.unlink(beside)
            raise
