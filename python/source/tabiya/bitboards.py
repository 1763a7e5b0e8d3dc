"""Squares and masks of 64 bits: names, distances, attacks, and ways to turn a board."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Tuple

from . import _tabiya
from .constants import FILE_NAMES, RANK_NAMES, SQUARE_NAMES, SQUARES, Bitboard, Square


def square(file_index: int, rank_index: int) -> Square:
    """The square of a file and a rank, both from 0.

    >>> import tabiya
    >>> tabiya.square(4, 3) == tabiya.E4
    True
    """
    return rank_index * 8 + file_index


def parse_square(name: str) -> Square:
    """The square of a name like "e4"; ValueError if there is none of that name."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is not the name of a square") from None


def parse_file(name: str) -> int:
    """The number from 0 of a file's letter; ValueError if it is none.

    >>> import tabiya
    >>> tabiya.parse_file("e")
    4
    """
    if name not in FILE_NAMES:
        raise ValueError(f"{name!r} is not the letter of a file, a to h")
    return FILE_NAMES.index(name)


def parse_rank(name: str) -> int:
    """The number from 0 of a rank's digit; ValueError if it is none.

    >>> import tabiya
    >>> tabiya.parse_rank("8")
    7
    """
    if name not in RANK_NAMES:
        raise ValueError(f"{name!r} is not the digit of a rank, 1 to 8")
    return RANK_NAMES.index(name)


def square_name(square: Square) -> str:
    """The name of a square.

    >>> import tabiya
    >>> tabiya.square_name(tabiya.E4)
    'e4'
    """
    if not 0 <= square < 64:
        raise IndexError(f"squares are numbers from 0 to 63, not {square}")
    return SQUARE_NAMES[square]


def square_file(square: Square) -> int:
    """The file of a square, 0 for the file a."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square, 0 for the first."""
    return square >> 3


def square_distance(a: Square, b: Square) -> int:
    """How many steps a king needs."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


def square_manhattan_distance(a: Square, b: Square) -> int:
    """How many steps along files and ranks lie between two squares."""
    return abs((a & 7) - (b & 7)) + abs((a >> 3) - (b >> 3))


def square_knight_distance(a: Square, b: Square) -> int:
    """How many moves a knight needs on an empty board.

    >>> import tabiya
    >>> tabiya.square_knight_distance(tabiya.A1, tabiya.B2)
    4
    """
    reached, steps = 1 << a, 0
    while not reached & 1 << b:
        for at in scan_forward(reached):
            reached |= BB_KNIGHT_ATTACKS[at]
        steps += 1
    return steps


def square_mirror(square: Square) -> Square:
    """The square of the same file, seen from the other side."""
    return square ^ 56


BB_EMPTY = 0
BB_ALL = 0xFFFF_FFFF_FFFF_FFFF
BB_SQUARES: List[Bitboard] = [1 << at for at in SQUARES]
BB_CORNERS = 0x8100_0000_0000_0081
BB_CENTER = 0x0000_0018_1800_0000
BB_LIGHT_SQUARES = 0x55AA_55AA_55AA_55AA
BB_DARK_SQUARES = 0xAA55_AA55_AA55_AA55

BB_FILES: List[Bitboard] = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANKS: List[Bitboard] = [0xFF << 8 * rank for rank in range(8)]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8

BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1 = BB_SQUARES[0:8]
BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2 = BB_SQUARES[8:16]
BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3 = BB_SQUARES[16:24]
BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4 = BB_SQUARES[24:32]
BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5 = BB_SQUARES[32:40]
BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6 = BB_SQUARES[40:48]
BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7 = BB_SQUARES[48:56]
BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8 = BB_SQUARES[56:64]

BB_KNIGHT_ATTACKS: List[Bitboard] = [_tabiya.attacks(2, True, at, 0) for at in SQUARES]
BB_KING_ATTACKS: List[Bitboard] = [_tabiya.attacks(6, True, at, 0) for at in SQUARES]
BB_PAWN_ATTACKS: List[List[Bitboard]] = [
    [_tabiya.attacks(1, white, at, 0) for at in SQUARES] for white in (False, True)
]


def lsb(mask: Bitboard) -> int:
    """The first square of a mask, -1 if there is none."""
    return (mask & -mask).bit_length() - 1


def msb(mask: Bitboard) -> int:
    """The last square of a mask, -1 if there is none."""
    return mask.bit_length() - 1


def scan_forward(mask: Bitboard) -> Iterator[Square]:
    """The squares of a mask from the first to the last."""
    while mask:
        first = mask & -mask
        yield first.bit_length() - 1
        mask ^= first


def scan_reversed(mask: Bitboard) -> Iterator[Square]:
    """The squares of a mask from the last to the first."""
    while mask:
        last = mask.bit_length() - 1
        yield last
        mask ^= 1 << last


def popcount(mask: Bitboard) -> int:
    """How many squares a mask has."""
    return mask.bit_count()


def between(a: Square, b: Square) -> Bitboard:
    """The squares between two squares."""
    return _tabiya.between(a, b)


def ray(a: Square, b: Square) -> Bitboard:
    """The line through two squares, from edge to edge."""
    return _tabiya.line(a, b)


def flip_vertical(mask: Bitboard) -> Bitboard:
    """Turns a mask upside down."""
    mask = _swap(mask, 0x00FF_00FF_00FF_00FF, 8)
    mask = _swap(mask, 0x0000_FFFF_0000_FFFF, 16)
    return mask >> 32 | (mask & 0xFFFF_FFFF) << 32


def _swap(mask: Bitboard, keep: Bitboard, shift: int) -> Bitboard:
    return (mask >> shift) & keep | (mask & keep) << shift


def flip_horizontal(mask: Bitboard) -> Bitboard:
    """Exchanges left and right."""
    mask = _swap(mask, 0x5555_5555_5555_5555, 1)
    mask = _swap(mask, 0x3333_3333_3333_3333, 2)
    return _swap(mask, 0x0F0F_0F0F_0F0F_0F0F, 4)


def _turned(mask: Bitboard, keep: Bitboard, shift: int) -> Bitboard:
    moved = (mask ^ mask >> shift) & keep
    return mask ^ moved ^ moved << shift


def flip_anti_diagonal(mask: Bitboard) -> Bitboard:
    """Mirrors a mask at the line from a8 to h1."""
    return flip_vertical(flip_horizontal(flip_diagonal(mask)))


def flip_diagonal(mask: Bitboard) -> Bitboard:
    """Mirrors a mask at the line from a1 to h8."""
    mask = _turned(mask, 0x0000_0000_F0F0_F0F0, 28)
    mask = _turned(mask, 0x0000_CCCC_0000_CCCC, 14)
    return _turned(mask, 0x00AA_00AA_00AA_00AA, 7)


def shift_down(mask: Bitboard) -> Bitboard:
    """All squares one rank down."""
    return mask >> 8


def shift_2_down(mask: Bitboard) -> Bitboard:
    """All squares two ranks down."""
    return mask >> 16


def shift_up(mask: Bitboard) -> Bitboard:
    """All squares one rank up; those that leave the board are gone."""
    return mask << 8 & BB_ALL


def shift_2_up(mask: Bitboard) -> Bitboard:
    """All squares two ranks up."""
    return mask << 16 & BB_ALL


def shift_right(mask: Bitboard) -> Bitboard:
    """All squares one file to the right."""
    return mask << 1 & ~BB_FILE_A & BB_ALL


def shift_2_right(mask: Bitboard) -> Bitboard:
    """All squares two files to the right."""
    return mask << 2 & ~(BB_FILE_A | BB_FILE_B) & BB_ALL


def shift_left(mask: Bitboard) -> Bitboard:
    """All squares one file to the left."""
    return mask >> 1 & ~BB_FILE_H


def shift_2_left(mask: Bitboard) -> Bitboard:
    """All squares two files to the left."""
    return mask >> 2 & ~(BB_FILE_G | BB_FILE_H)


def shift_up_left(mask: Bitboard) -> Bitboard:
    """All squares one step up and to the left."""
    return shift_up(shift_left(mask))


def shift_up_right(mask: Bitboard) -> Bitboard:
    """All squares one step up and to the right."""
    return shift_up(shift_right(mask))


def shift_down_left(mask: Bitboard) -> Bitboard:
    """All squares one step down and to the left."""
    return shift_down(shift_left(mask))


def shift_down_right(mask: Bitboard) -> Bitboard:
    """All squares one step down and to the right."""
    return shift_down(shift_right(mask))
