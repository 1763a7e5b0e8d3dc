"""Rays and tables of what bishops and rooks attack, which are made when somebody asks for them."""

from __future__ import annotations

from typing import Iterator, List, Mapping

from ._tabiya import attacks, line
from .bitboards import BB_FILES, BB_RANKS, BB_SQUARES, scan_forward
from .constants import BISHOP, ROOK, SQUARES, Bitboard, PieceType, Square

BB_RAYS: List[List[Bitboard]] = [[line(a, b) for b in SQUARES] for a in SQUARES]
"""For two squares the line through them, from edge to edge; 0 if there is none."""


class _Attacks(Mapping[Bitboard, Bitboard]):
    """What a piece attacks from a square along some lines, for each set of pieces that stand there."""

    def __init__(self, kind: PieceType, square: Square, lines: Bitboard, mask: Bitboard) -> None:
        self._kind = kind
        self._square = square
        self._lines = lines
        self._mask = mask

    def __getitem__(self, occupied: Bitboard) -> Bitboard:
        if occupied & ~self._mask:
            raise KeyError(occupied)
        return attacks(self._kind, True, self._square, occupied) & self._lines

    def __iter__(self) -> Iterator[Bitboard]:
        subset = 0
        while True:
            yield subset
            subset = (subset - self._mask) & self._mask
            if not subset:
                return

    def __len__(self) -> int:
        return 1 << self._mask.bit_count()


def _mask(square: Square, lines: Bitboard, kind: PieceType) -> Bitboard:
    """The squares of the lines but the last of each, which nobody needs to look at."""
    mask = 0
    reached = attacks(kind, True, square, 0) & lines
    for at in scan_forward(reached):
        # There is a square behind this one.
        if attacks(kind, True, square, BB_SQUARES[at]) & lines != reached:
            mask |= BB_SQUARES[at]
    return mask


def _table(kind: PieceType, lines: List[Bitboard], masks: List[Bitboard]) -> List[_Attacks]:
    return [_Attacks(kind, at, lines[at], masks[at]) for at in SQUARES]


_ALL = [(1 << 64) - 1] * 64
_FILES = [BB_FILES[at & 7] for at in SQUARES]
_RANKS = [BB_RANKS[at >> 3] for at in SQUARES]

BB_DIAG_MASKS: List[Bitboard] = [_mask(at, _ALL[at], BISHOP) for at in SQUARES]
"""The squares on which pieces are in the way of a bishop."""
BB_FILE_MASKS: List[Bitboard] = [_mask(at, _FILES[at], ROOK) for at in SQUARES]
"""The squares on which pieces are in the way of a rook on its file."""
BB_RANK_MASKS: List[Bitboard] = [_mask(at, _RANKS[at], ROOK) for at in SQUARES]
"""The squares on which pieces are in the way of a rook on its rank."""
BB_DIAG_ATTACKS: List[_Attacks] = _table(BISHOP, _ALL, BB_DIAG_MASKS)
"""What a bishop attacks: ``BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]``."""
BB_FILE_ATTACKS: List[_Attacks] = _table(ROOK, _FILES, BB_FILE_MASKS)
"""What a rook attacks on its file."""
BB_RANK_ATTACKS: List[_Attacks] = _table(ROOK, _RANKS, BB_RANK_MASKS)
"""What a rook attacks on its rank."""
