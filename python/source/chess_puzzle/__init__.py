"""The bishop-and-king game on boards from 3×3 to 26×26.

A piece has coordinates from 1 and a side, True for White. A board is a tuple of its size and
the list of its pieces. The rules are in Rust.
"""

from ._rules import (
    Bishop,
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

Board = tuple[int, list[Piece]]
