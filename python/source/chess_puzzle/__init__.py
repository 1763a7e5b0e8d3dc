"""The bishop-and-king game on boards from 3×3 to 26×26.

A piece has coordinates from 1 and a side, True for White. A board is a tuple of its size and
the list of its pieces. The rules are in Rust.
"""

from tabiya._tabiya import puzzle as _rules

Bishop = _rules.Bishop
King = _rules.King
Piece = _rules.Piece
conf2unicode = _rules.conf2unicode
find_black_move = _rules.find_black_move
index2location = _rules.index2location
is_check = _rules.is_check
is_checkmate = _rules.is_checkmate
is_piece_at = _rules.is_piece_at
is_stalemate = _rules.is_stalemate
location2index = _rules.location2index
main = _rules.main
piece_at = _rules.piece_at
read_board = _rules.read_board
save_board = _rules.save_board

Board = tuple[int, list[Piece]]
