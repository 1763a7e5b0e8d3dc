"""Whole games looked back at: what each move gave away, accuracy, words, a picture.

>>> import io, tabiya.pgn, tabiya.review
>>> game = tabiya.pgn.read_game(io.StringIO("1. f3 e5 2. g4 Qh4# 0-1"))
>>> review = tabiya.review.review(game, nodes=2000)
>>> review.moves[2]["judgement"], review.black["accuracy"] > review.white["accuracy"]
('blunder', True)
"""

from __future__ import annotations

import io
import json
from html import escape
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Union

from . import Board, Move
from ._tabiya import opening as _opening
from ._tabiya import read_review, review_game
from .pgn import Game, read_game
from .svg import SvgWrapper


class Opening(NamedTuple):
    """An opening: its code, its name, how many half-moves it has."""

    eco: str
    name: str
    plies: int


class Review:
    """What an engine says of a game. In a notebook it is drawn."""

    def __init__(self, data: Dict[str, Any], pgn: str, picture: str) -> None:
        self.data = data
        """All of it, as the pages of Tabiya have it."""
        self._pgn = pgn
        self._picture = picture

    @property
    def white(self) -> Dict[str, Any]:
        """How White played: accuracy, loss, inaccuracies, mistakes, blunders."""
        side: Dict[str, Any] = self.data["white"]
        return side

    @property
    def black(self) -> Dict[str, Any]:
        """How Black played."""
        side: Dict[str, Any] = self.data["black"]
        return side

    @property
    def moves(self) -> List[Dict[str, Any]]:
        """The moves: evaluation, accuracy, judgement, a sentence, what was better, and ``why``, what is proved about a bad
        move (``wrong``) and the better one (``better``); None where nothing is."""
        moves: List[Dict[str, Any]] = self.data["moves"]
        return moves

    @property
    def opening(self) -> Optional[Opening]:
        """The opening, if it has a name."""
        found = self.data["opening"]
        return Opening(found["eco"], found["name"], found["plies"]) if found else None

    def sentences(self) -> List[str]:
        """What is to say about bad moves, and why they are bad, one line each."""
        lines = []
        for move in self.moves:
            if move["sentence"]:
                dots = "." if move["side"] == "white" else "..."
                why = move["why"] or {}
                said = [move["sentence"], why.get("wrong"), why.get("better")]
                words = " ".join(text for text in said if text)
                lines.append(f"{move['number']}{dots} {move['san']}: {words}")
        return lines

    def game(self) -> Game:
        """The game with evaluations, judgements and better lines in it."""
        game = read_game(io.StringIO(self._pgn))
        assert game is not None
        return game

    def picture(self) -> str:
        """White's winning chances from the start to the end, as SVG."""
        return SvgWrapper(self._picture)

    def _repr_svg_(self) -> str:
        return self._picture

    def _repr_html_(self) -> str:
        """The picture, and what is to say about both sides and bad moves."""
        lines = "".join(f"<li>{escape(line)}</li>" for line in str(self).splitlines())
        return f"<div>{self._picture}<ul>{lines}</ul></div>"

    def __str__(self) -> str:
        lines = []
        for name, side in (("White", self.white), ("Black", self.black)):
            accuracy = side["accuracy"]
            lines.append(
                f"{name}: {'no moves' if accuracy is None else f'{accuracy:.1f} % accurate'}, "
                f"{side['inaccuracies']} inaccuracies, {side['mistakes']} mistakes, "
                f"{side['blunders']} blunders"
            )
        return "\n".join(lines + self.sentences())

    def __repr__(self) -> str:
        return f"<Review of {len(self.moves)} moves>"


def review(
    game: Game,
    *,
    nodes: int = 100_000,
    progress: Optional[Callable[[int, int], None]] = None,
) -> Review:
    """Reviews the main line of a game: so many positions are looked at for each move. The same game
    has always the same review. ``progress`` is told how much of how much is done."""
    data, pgn, picture = review_game(str(game), nodes, progress)
    return Review(json.loads(data), pgn, picture)


def read(game: Game) -> Optional[Review]:
    """The review that is in a game already; None if there is none."""
    found = read_review(str(game))
    return Review(json.loads(found[0]), found[1], found[2]) if found else None


def opening(game: Union[Game, Board]) -> Optional[Opening]:
    """The name of the opening of a game, or of the moves on a board.

    >>> import tabiya.review
    >>> board = tabiya.Board()
    >>> for san in ("e4", "c5", "Nf3"):
    ...     _ = board.push_san(san)
    >>> tabiya.review.opening(board).eco
    'B27'
    """
    board = game if isinstance(game, Board) else game.end().board()
    root = board.root()
    fen = root.fen()
    found = _opening(
        None if fen == Board.starting_fen else fen, [move.uci() for move in board.move_stack]
    )
    return Opening(*found) if found else None
