"""Colours, kinds of pieces, squares, files, ranks and the words of FEN."""

import re as _re
from typing import Final, Iterable, List, Literal, Optional, SupportsInt, Union

Color = bool
PieceType = int
Square = int
Bitboard = int
ColorName = Literal["white", "black"]
EnPassantSpec = Literal["legal", "fen", "xfen"]
"""How a FEN tells the square of en passant: if a capture is legal, always, or if a pawn stands there."""
IntoSquareSet = Union[SupportsInt, Iterable[Square]]
"""What a set of squares can be made of."""

WHITE: Final = True
BLACK: Final = False
COLORS: Final = [WHITE, BLACK]
COLOR_NAMES: Final[List[ColorName]] = ["black", "white"]

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
PIECE_TYPES: Final = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
PIECE_SYMBOLS: Final[List[Optional[str]]] = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES: Final[List[Optional[str]]] = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]


def piece_symbol(piece_type: PieceType) -> str:
    """The letter of a kind of piece.

    >>> import tabiya
    >>> tabiya.piece_symbol(tabiya.KNIGHT)
    'n'
    """
    return _word(PIECE_SYMBOLS, piece_type)


def piece_name(piece_type: PieceType) -> str:
    """The name of a kind of piece.

    >>> import tabiya
    >>> tabiya.piece_name(tabiya.KNIGHT)
    'knight'
    """
    return _word(PIECE_NAMES, piece_type)


def _word(words: List[Optional[str]], piece_type: PieceType) -> str:
    word = words[piece_type] if 0 < piece_type < len(words) else None
    if word is None:
        raise IndexError(f"a kind of piece is a number from 1 (pawn) to 6 (king), not {piece_type}")
    return word


UNICODE_PIECE_SYMBOLS: Final = {
    "R": "♖", "r": "♜", "N": "♘", "n": "♞", "B": "♗", "b": "♝",
    "Q": "♕", "q": "♛", "K": "♔", "k": "♚", "P": "♙", "p": "♟",
}  # fmt: skip

FILE_NAMES: List[str] = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANK_NAMES: List[str] = ["1", "2", "3", "4", "5", "6", "7", "8"]

STARTING_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STARTING_BOARD_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

SAN_REGEX = _re.compile(
    r"^([KQRBN])?([a-h])?([1-8])?[x-]?([a-h][1-8])(=?[KQRBNkqrbn])?[#+]?\Z"
)
"""A move in SAN but castling: the piece, the file and the rank it comes from, the square, the promotion."""
FEN_CASTLING_REGEX = _re.compile(r"^(?:[A-HKQ]{0,2}[a-hkq]{0,2}|-)\Z")
"""The field of castling rights of a FEN."""

SQUARES: List[Square] = list(range(64))
SQUARE_NAMES: List[str] = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
SQUARES_180: List[Square] = [square ^ 56 for square in SQUARES]

A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)
