"""Pictures of boards and pieces, with arrows and marks.

>>> import tabiya, tabiya.svg
>>> picture = tabiya.svg.board(tabiya.Board(), arrows=[tabiya.svg.Arrow(tabiya.E2, tabiya.E4)], size=350)
>>> picture.startswith("<svg")
True

In a notebook, the last value of a cell is drawn: a board, a game, a picture.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Dict, Iterable, List, Optional, Tuple, Union

from . import BLACK, FILE_NAMES, PIECE_NAMES, PIECE_TYPES, RANK_NAMES, SQUARE_NAMES, WHITE
from . import BaseBoard, Color, Move, Piece, Square, SquareSet, parse_square
from ._graph import draw, points
from ._pieces import PIECES as _DRAWINGS

if TYPE_CHECKING:
    from .pgn import Game

SQUARE_SIZE = 45
MARGIN = 20

DEFAULT_COLORS: Dict[str, str] = {
    "square light": "#eddcc0",
    "square dark": "#b08a62",
    "square dark lastmove": "#a9a24b",
    "square light lastmove": "#d3cf7a",
    "margin": "#2b2521",
    "inner border": "#2b2521",
    "outer border": "#2b2521",
    "coord": "#eddcc0",
    "arrow green": "#15781b80",
    "arrow red": "#88202080",
    "arrow yellow": "#e68f00b3",
    "arrow blue": "#00308880",
}

_LETTERS = {"green": "G", "red": "R", "yellow": "Y", "blue": "B"}


class Arrow:
    """An arrow between two squares, or a mark on one.

    >>> import tabiya, tabiya.svg
    >>> tabiya.svg.Arrow(tabiya.E2, tabiya.E4, color="red").pgn()
    'Re2e4'
    """

    tail: Square
    head: Square
    color: str

    def __init__(self, tail: Square, head: Square, *, color: str = "green") -> None:
        self.tail = tail
        self.head = head
        self.color = color

    def pgn(self) -> str:
        """The arrow as comments of games write it."""
        letter = _LETTERS.get(self.color, "G")
        head = "" if self.tail == self.head else SQUARE_NAMES[self.head]
        return f"{letter}{SQUARE_NAMES[self.tail]}{head}"

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        tail, head = SQUARE_NAMES[self.tail].upper(), SQUARE_NAMES[self.head].upper()
        return f"Arrow({tail}, {head}, color={self.color!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Arrow):
            return (self.tail, self.head, self.color) == (other.tail, other.head, other.color)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.tail, self.head, self.color))

    @classmethod
    def from_pgn(cls, pgn: str) -> Arrow:
        """Reads what comments of games write: ``Ge2e4``, ``Rd5``."""
        colors = {letter: name for name, letter in _LETTERS.items()}
        color = "green"
        if pgn[:1] in colors:
            color, pgn = colors[pgn[0]], pgn[1:]
        tail = parse_square(pgn[:2])
        return cls(tail, parse_square(pgn[2:]) if len(pgn) > 2 else tail, color=color)


class SvgWrapper(str):
    """A picture as text, which notebooks draw."""

    def _repr_svg_(self) -> str:
        return self

    def _repr_html_(self) -> str:
        return self


def _piece_group(name: str, white: bool) -> str:
    fill, ink = ("#fffdf6", "#1d1916") if white else ("#322c28", "#0f0c0a")
    detail = ink if white else "#d9cbb6"
    drawing = _DRAWINGS[name]
    color = "white" if white else "black"
    parts = [f'<path d="{outline}"/>' for outline in drawing["fill"]]
    parts += [f'<path d="{line}" fill="none" stroke="{detail}"/>' for line in drawing["line"]]
    parts += [f'<path d="{dot}" fill="{detail}" stroke="none"/>' for dot in drawing["dot"]]
    return (
        f'<g id="{color}-{name}" class="{color} {name}" fill="{fill}" stroke="{ink}" '
        f'stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">{"".join(parts)}</g>'
    )


PIECES: Dict[str, str] = {
    Piece(kind, white).symbol(): _piece_group(str(PIECE_NAMES[kind]), white)
    for white in (True, False)
    for kind in PIECE_TYPES
}
"""The drawings of the pieces by their letters. Others can be put in their place: groups of SVG on 45 × 45 units, whose
``id`` is like ``white-king``."""

XX = (
    '<path id="xx" stroke="#7a1f1f" stroke-width="4" opacity="0.7" '
    'd="M11 11L34 34M34 11L11 34"/>'
)
"""The mark of a square."""

CHECK_GRADIENT = (
    '<radialGradient id="check_gradient" r="0.5"><stop offset="0%" stop-color="#ff0000" '
    'stop-opacity="1"/><stop offset="50%" stop-color="#e70000" stop-opacity="1"/>'
    '<stop offset="100%" stop-color="#9e0000" stop-opacity="0"/></radialGradient>'
)
"""What lies under a king in check."""

COORDS: Dict[str, str] = {
    name: f'<text text-anchor="middle" dominant-baseline="central" font-size="11" '
    f'font-family="sans-serif">{name}</text>'
    for name in FILE_NAMES + RANK_NAMES
}
"""The letters and digits of the edge, around their middle."""


def _open(view: float, size: Optional[float]) -> str:
    asked = f' width="{size:g}" height="{size:g}"' if size is not None else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {view:g} {view:g}"{asked}>'
    )


def piece(piece: Piece, size: Optional[int] = None) -> str:
    """A picture of a piece.

    >>> import tabiya, tabiya.svg
    >>> tabiya.svg.piece(tabiya.Piece.from_symbol("N"))[:4]
    '<svg'
    """
    return SvgWrapper(f"{_open(SQUARE_SIZE, size)}{PIECES[piece.symbol()]}</svg>")


def board(
    board: Optional[BaseBoard] = None,
    *,
    orientation: Color = WHITE,
    lastmove: Optional[Move] = None,
    check: Optional[Square] = None,
    arrows: Iterable[Union[Arrow, Tuple[Square, Square]]] = (),
    fill: Dict[Square, str] = {},
    squares: Optional[Iterable[Square]] = None,
    size: Optional[int] = None,
    coordinates: bool = True,
    colors: Dict[str, str] = {},
    borders: bool = False,
    style: Optional[str] = None,
) -> str:
    """A picture of a board: from one side, with the last move, a check, arrows, coloured and marked squares."""
    used = {**DEFAULT_COLORS, **colors}
    margin = MARGIN if coordinates else (2 if borders else 0)
    view = 2 * margin + 8 * SQUARE_SIZE
    parts = [_open(view, size)]
    if style:
        parts.append(f"<style>{escape(style, quote=False)}</style>")
    if board is not None:
        parts.append(f"<desc><pre>{escape(str(board))}</pre></desc>")
    marked = set(squares) if squares is not None else set()
    parts.append(_definitions(board, check is not None, bool(marked)))
    if margin:
        parts.append(
            f'<rect x="0" y="0" width="{view}" height="{view}" class="margin" fill="{used["margin"]}"/>'
        )
    place = _Place(orientation, margin)
    moved = {lastmove.from_square, lastmove.to_square} if lastmove else set()
    for square in range(64):
        parts.append(_square(square, place, used, square in moved, fill.get(square)))
    if check is not None:
        x, y = place.corner(check)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" class="check" '
            'fill="url(#check_gradient)"/>'
        )
    if coordinates:
        parts += _coordinates(place, used["coord"])
    for square in range(64):
        found = board.piece_at(square) if board is not None else None
        x, y = place.corner(square)
        if found:
            color, name = ("white" if found.color else "black"), PIECE_NAMES[found.piece_type]
            parts.append(
                f'<use href="#{color}-{name}" xlink:href="#{color}-{name}" '
                f'transform="translate({x}, {y})"/>'
            )
        if square in marked:
            parts.append(
                f'<use class="mark" href="#xx" xlink:href="#xx" x="{x}" y="{y}"/>'
            )
    for arrow in arrows:
        drawn = arrow if isinstance(arrow, Arrow) else Arrow(*arrow)
        parts.append(_arrow(drawn, place, used))
    parts.append("</svg>")
    return SvgWrapper("".join(parts))


def move(move: Move, *, size: Optional[int] = 200) -> str:
    """A picture of a move: an arrow on an empty board, a piece that drops, or nothing for a null move.

    >>> import tabiya, tabiya.svg
    >>> "arrow" in tabiya.svg.move(tabiya.Move.from_uci("e2e4"))
    True
    """
    shown = BaseBoard(None)
    if move.drop:
        shown.set_piece_at(move.to_square, Piece(move.drop, WHITE))
    elif move.promotion:
        shown.set_piece_at(move.to_square, Piece(move.promotion, move.to_square > 31))
    arrows = [Arrow(move.from_square, move.to_square)] if move and not move.drop else []
    return board(shown, arrows=arrows, size=size)


def graph(game: Game, *, width: int = 640, height: int = 160) -> str:
    """A picture of the evaluations in a game's comments (``[%eval 0.3]``): what White scores among people, from 0 below to 1
    above. ValueError if fewer than two are there.

    >>> import io, tabiya.pgn, tabiya.svg
    >>> text = "1. e4 {[%eval 0.3]} e5 {[%eval 0.25]} 2. Qh5 {[%eval -0.4]} *"
    >>> tabiya.svg.graph(tabiya.pgn.read_game(io.StringIO(text))).count("<title>")
    3
    """
    found = points(game)
    if len(found) < 2:
        raise ValueError(
            "a curve needs two evaluations at least, as [%eval 0.3] in the comments of the main line: "
            f"here are {len(found)}"
        )
    return SvgWrapper(draw(found, width, height))


class _Place:
    """Where squares are in the picture."""

    def __init__(self, orientation: Color, margin: float) -> None:
        self.orientation = orientation
        self.margin = margin

    def corner(self, square: Square) -> Tuple[float, float]:
        file, rank = square & 7, square >> 3
        x, y = (file, 7 - rank) if self.orientation else (7 - file, rank)
        return self.margin + x * SQUARE_SIZE, self.margin + y * SQUARE_SIZE

    def center(self, square: Square) -> Tuple[float, float]:
        x, y = self.corner(square)
        return x + SQUARE_SIZE / 2, y + SQUARE_SIZE / 2


def _definitions(board: Optional[BaseBoard], check: bool, marked: bool) -> str:
    parts = []
    if board is not None:
        there = {found.symbol() for found in board.piece_map().values()}
        parts += [PIECES[symbol] for symbol in sorted(there)]
    if check:
        parts.append(CHECK_GRADIENT)
    if marked:
        parts.append(XX)
    return f"<defs>{''.join(parts)}</defs>"


def _square(
    square: Square, place: _Place, used: Dict[str, str], moved: bool, fill: Optional[str]
) -> str:
    x, y = place.corner(square)
    light = (square + (square >> 3)) % 2 == 1
    kind = f"square {'light' if light else 'dark'}{' lastmove' if moved else ''}"
    box = f'x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}"'
    drawn = f'<rect {box} class="{kind} {SQUARE_NAMES[square]}" fill="{used[kind]}"/>'
    if fill:
        drawn += f'<rect {box} class="fill" fill="{escape(fill)}"/>'
    return drawn


def _coordinates(place: _Place, color: str) -> List[str]:
    parts = []
    end = place.margin + 8 * SQUARE_SIZE
    for file, name in enumerate(FILE_NAMES):
        x, _ = place.center(file)
        for y in (place.margin / 2, end + place.margin / 2):
            parts.append(f'<g transform="translate({x}, {y})" fill="{color}">{COORDS[name]}</g>')
    for rank, name in enumerate(RANK_NAMES):
        _, y = place.center(8 * rank)
        for x in (place.margin / 2, end + place.margin / 2):
            parts.append(f'<g transform="translate({x}, {y})" fill="{color}">{COORDS[name]}</g>')
    return parts


def _arrow(arrow: Arrow, place: _Place, used: Dict[str, str]) -> str:
    color = used.get(f"arrow {arrow.color}", arrow.color)
    opacity = 1.0
    if color.startswith("#") and len(color) == 9:
        color, opacity = color[:7], int(color[7:], 16) / 255
    paint = f'"{escape(color)}" opacity="{opacity:.2f}"'
    tail_x, tail_y = place.center(arrow.tail)
    head_x, head_y = place.center(arrow.head)
    if arrow.tail == arrow.head:
        return (
            f'<circle cx="{head_x}" cy="{head_y}" r="{SQUARE_SIZE * 0.45:g}" stroke-width="4" '
            f'fill="none" class="circle" stroke={paint}/>'
        )
    length = math.hypot(head_x - tail_x, head_y - tail_y)
    along_x, along_y = (head_x - tail_x) / length, (head_y - tail_y) / length
    tip, width, reach = SQUARE_SIZE * 0.1, SQUARE_SIZE * 0.25, SQUARE_SIZE * 0.6
    tip_x, tip_y = head_x - along_x * tip, head_y - along_y * tip
    neck_x, neck_y = tip_x - along_x * reach, tip_y - along_y * reach
    points = [
        (tip_x, tip_y),
        (neck_x + along_y * width, neck_y - along_x * width),
        (neck_x - along_y * width, neck_y + along_x * width),
    ]
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return (
        f'<line x1="{tail_x:g}" y1="{tail_y:g}" x2="{neck_x:.2f}" y2="{neck_y:.2f}" '
        f'stroke={paint} stroke-width="{SQUARE_SIZE * 0.2:g}" stroke-linecap="butt" class="arrow"/>'
        f'<polygon points="{corners}" fill={paint} class="arrow"/>'
    )
