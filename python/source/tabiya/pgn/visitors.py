"""Visitors: what a reader or a game tells, and what is made of it."""

from __future__ import annotations

import enum
import logging
from typing import Any, Callable, Generic, List, Literal, Optional, Type, TypeVar, Union

from .. import Board, Move
from .headers import Headers
from .nodes import ChildNode, Game, GameNode

LOGGER = logging.getLogger("tabiya.pgn")

ResultT = TypeVar("ResultT", covariant=True)
GameT = TypeVar("GameT", bound=Game)
HeadersT = TypeVar("HeadersT", bound=Headers)


class SkipType(enum.Enum):
    """The type of ``SKIP``, by which a visitor passes over what comes."""

    SKIP = None


SKIP = SkipType.SKIP


class BaseVisitor(Generic[ResultT]):
    """Told of a game, part by part. Give SKIP from a method that begins something to pass over it.

    >>> import io, tabiya.pgn
    >>> class Counter(tabiya.pgn.BaseVisitor):
    ...     moves = 0
    ...     def begin_variation(self):
    ...         return tabiya.pgn.SKIP
    ...     def visit_move(self, board, move):
    ...         self.moves += 1
    ...     def result(self):
    ...         return self.moves
    >>> tabiya.pgn.read_game(io.StringIO("1. e4 e5 (1... c5) 2. Nf3 *"), Visitor=Counter)
    3
    """

    def begin_game(self) -> Optional[SkipType]:
        """A game begins."""
        return None

    def begin_headers(self) -> Optional[Headers]:
        """The tags begin. Tags are put into what is given, if anything is."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""

    def end_headers(self) -> Optional[SkipType]:
        """The tags are over."""
        return None

    def begin_parse_san(self, board: Board, san: str) -> Optional[SkipType]:
        """A move was found by a reader, but not looked at."""
        return None

    def parse_san(self, board: Board, san: str) -> Move:
        """What a reader's move means."""
        return board.parse_san(san)

    def visit_move(self, board: Board, move: Move) -> None:
        """A move; the board is still the one before it. Do not change it."""

    def visit_board(self, board: Board) -> None:
        """The start, and every board after a move. Do not change it."""

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A judgement."""

    def begin_variation(self) -> Optional[SkipType]:
        """A variation begins, from before the last move."""
        return None

    def end_variation(self) -> None:
        """The variation is over."""

    def visit_result(self, result: str) -> None:
        """The result behind the moves."""

    def end_game(self) -> None:
        """The game is over."""

    def result(self) -> ResultT:
        """What has been made of the game."""
        raise NotImplementedError

    def handle_error(self, error: Exception) -> None:
        """Something in the game is wrong; the rest of its line is passed over."""
        raise error


class GameBuilder(BaseVisitor[GameT]):
    """Makes a :class:`Game`. Errors are collected in ``game.errors``."""

    def __init__(self, *, Game: Any = Game) -> None:
        self.Game = Game

    def begin_game(self) -> Optional[SkipType]:
        self.game: GameT = self.Game()
        self.variation_stack: List[GameNode] = [self.game]
        self.starting_comment = ""
        self.in_variation = False
        return None

    def begin_headers(self) -> Optional[Headers]:
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        self.variation_stack[-1].nags.add(nag)

    def begin_variation(self) -> Optional[SkipType]:
        parent = self.variation_stack[-1].parent
        assert parent is not None, "a variation needs a move to replace"
        self.variation_stack.append(parent)
        self.in_variation = False
        return None

    def end_variation(self) -> None:
        self.variation_stack.pop()

    def visit_result(self, result: str) -> None:
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def visit_comment(self, comment: str) -> None:
        node = self.variation_stack[-1]
        if self.in_variation or (node.parent is None and node.is_end()):
            node.comment = f"{node.comment} {comment}".strip()
        else:
            self.starting_comment = f"{self.starting_comment} {comment}".strip()

    def visit_move(self, board: Board, move: Move) -> None:
        node = self.variation_stack[-1].add_variation(move)
        node.starting_comment = self.starting_comment
        self.variation_stack[-1] = node
        self.starting_comment = ""
        self.in_variation = True

    def handle_error(self, error: Exception) -> None:
        LOGGER.error("%s while reading %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        return self.game


class HeadersBuilder(BaseVisitor[HeadersT]):
    """Keeps the tags only.

    >>> import io, tabiya.pgn
    >>> tabiya.pgn.read_game(io.StringIO('[White "A"]\\n\\n1. e4 *'), Visitor=tabiya.pgn.HeadersBuilder)
    Headers(White='A')
    """

    def __init__(self, *, Headers: Any = lambda: Headers({})) -> None:
        self.Headers = Headers

    def begin_headers(self) -> Optional[Headers]:
        self.headers: HeadersT = self.Headers()
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> Optional[SkipType]:
        return SKIP

    def result(self) -> HeadersT:
        return self.headers


class BoardBuilder(BaseVisitor[Board]):
    """Keeps the board after the last move of the main line.

    >>> import io, tabiya.pgn
    >>> tabiya.pgn.read_game(io.StringIO("1. e4 e5 *"), Visitor=tabiya.pgn.BoardBuilder).fullmove_number
    2
    """

    def begin_game(self) -> Optional[SkipType]:
        self.skip_variation_depth = 0
        return None

    def begin_variation(self) -> Optional[SkipType]:
        self.skip_variation_depth += 1
        return SKIP

    def end_variation(self) -> None:
        self.skip_variation_depth = max(self.skip_variation_depth - 1, 0)

    def visit_board(self, board: Board) -> None:
        if not self.skip_variation_depth:
            self.board = board

    def result(self) -> Board:
        return self.board


class SkipVisitor(BaseVisitor[Literal[True]]):
    """Passes over a game."""

    def begin_game(self) -> Optional[SkipType]:
        return SKIP

    def end_headers(self) -> Optional[SkipType]:
        return SKIP

    def begin_variation(self) -> Optional[SkipType]:
        return SKIP

    def result(self) -> Literal[True]:
        return True
