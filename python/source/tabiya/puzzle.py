"""The bishop-and-king game on boards from 3×3 to 26×26: the names of the package ``chess_puzzle``.

>>> from tabiya import puzzle
>>> puzzle.location2index("e2")
(5, 2)
"""

from chess_puzzle import (
    Bishop,
    Board,
    King,
    Piece,
    conf2unicode,
    find_black_move,
    index2location,
    is_check,
    is_checkmate,
    is_piece_at,
    is_stalemate,
    location2index,
    main,
    piece_at,
    read_board,
    save_board,
)

__all__ = [
    "Bishop", "Board", "King", "Piece", "conf2unicode", "find_black_move", "index2location", "is_check",
    "is_checkmate", "is_piece_at", "is_stalemate", "location2index", "main", "piece_at", "read_board",
    "save_board",
]  # fmt: skip
