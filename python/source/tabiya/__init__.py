"""Chess: boards, moves, games, engines, pictures and arrays.

The names are those that users of python-chess know, so that ``import tabiya as chess`` runs their
scripts. The rules are in Rust.

>>> import tabiya
>>> board = tabiya.Board()
>>> for san in "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#".split():
...     _ = board.push_san(san)
>>> board.is_checkmate()
True
>>> board.outcome().result()
'1-0'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._tabiya import (
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    LegalMoveGenerator as LegalMoveGenerator,
    Move as Move,
    Piece as Piece,
    PseudoLegalMoveGenerator as PseudoLegalMoveGenerator,
    SquareSet as SquareSet,
)
from .bitboards import *  # noqa: F403
from .boards import BaseBoard as BaseBoard, BaseBoardT as BaseBoardT
from .boards import Board as Board, BoardT as BoardT
from .constants import *
from .outcome import Outcome as Outcome, Status as Status, Termination as Termination
from .outcome import (
    STATUS_BAD_CASTLING_RIGHTS as STATUS_BAD_CASTLING_RIGHTS,
    STATUS_EMPTY as STATUS_EMPTY,
    STATUS_IMPOSSIBLE_CHECK as STATUS_IMPOSSIBLE_CHECK,
    STATUS_INVALID_EP_SQUARE as STATUS_INVALID_EP_SQUARE,
    STATUS_NO_BLACK_KING as STATUS_NO_BLACK_KING,
    STATUS_NO_WHITE_KING as STATUS_NO_WHITE_KING,
    STATUS_OPPOSITE_CHECK as STATUS_OPPOSITE_CHECK,
    STATUS_PAWNS_ON_BACKRANK as STATUS_PAWNS_ON_BACKRANK,
    STATUS_RACE_MATERIAL as STATUS_RACE_MATERIAL,
    STATUS_RACE_OVER as STATUS_RACE_OVER,
    STATUS_RACE_CHECK as STATUS_RACE_CHECK,
    STATUS_TOO_MANY_BLACK_PAWNS as STATUS_TOO_MANY_BLACK_PAWNS,
    STATUS_TOO_MANY_BLACK_PIECES as STATUS_TOO_MANY_BLACK_PIECES,
    STATUS_TOO_MANY_CHECKERS as STATUS_TOO_MANY_CHECKERS,
    STATUS_TOO_MANY_KINGS as STATUS_TOO_MANY_KINGS,
    STATUS_TOO_MANY_WHITE_PAWNS as STATUS_TOO_MANY_WHITE_PAWNS,
    STATUS_TOO_MANY_WHITE_PIECES as STATUS_TOO_MANY_WHITE_PIECES,
    STATUS_VALID as STATUS_VALID,
)

if TYPE_CHECKING:
    from .rays import BB_DIAG_ATTACKS as BB_DIAG_ATTACKS, BB_DIAG_MASKS as BB_DIAG_MASKS
    from .rays import BB_FILE_ATTACKS as BB_FILE_ATTACKS, BB_FILE_MASKS as BB_FILE_MASKS
    from .rays import BB_RANK_ATTACKS as BB_RANK_ATTACKS, BB_RANK_MASKS as BB_RANK_MASKS
    from .rays import BB_RAYS as BB_RAYS

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Modules such as ``tabiya.pgn`` are there without an import of their own, and cost nothing before."""
    if name in ("arrays", "engine", "pgn", "polyglot", "puzzle", "review", "svg", "syzygy", "tables"):
        import importlib

        return importlib.import_module(f"tabiya.{name}")
    if name == "BB_RAYS" or name in {
        f"BB_{lines}_{what}" for lines in ("DIAG", "FILE", "RANK") for what in ("ATTACKS", "MASKS")
    }:
        from . import rays

        return getattr(rays, name)
    raise AttributeError(f"module 'tabiya' has no attribute {name!r}")
