"""The evaluations of a game as a picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, List, NamedTuple

if TYPE_CHECKING:
    from .pgn import Game


class Point(NamedTuple):
    """A position of the main line whose value its comment tells."""

    ply: int
    chance: float
    """What White scores from here among people, 0 to 1."""
    text: str


def points(game: Game) -> List[Point]:
    """The evaluations of the main line, the start included."""
    found = []
    board = game.board()
    score = game.eval()
    if score is not None:
        chance = score.white().wdl(model="lichess").expectation()
        found.append(Point(0, chance, f"start {_said(score.white())}"))
    for ply, node in enumerate(game.mainline(), 1):
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        move = f"{number} {board.san_and_push(node.move)}"
        score = node.eval()
        if score is not None:
            chance = score.white().wdl(model="lichess").expectation()
            found.append(Point(ply, chance, f"{move} {_said(score.white())}"))
    return found


def _said(score: object) -> str:
    text = str(score)
    return text if text.startswith("#") else f"{int(text) / 100:+.2f}"


def draw(found: List[Point], width: int, height: int) -> str:
    """White's chances as a light area below a line, Black's as the dark above it."""
    last = max(found[-1].ply, 1)
    places = [(one.ply / last * width, (1 - one.chance) * height) for one in found]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{places[0][0]:.1f},{height} {line} {places[-1][0]:.1f},{height}"
    step = width / last
    marks = "".join(
        f'<rect x="{x - step / 2:.1f}" y="0" width="{step:.1f}" height="{height}" fill="transparent">'
        f"<title>{escape(one.text)}</title></rect>"
        for one, (x, _) in zip(found, places)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="White\'s chances during the game">'
        f'<rect width="{width}" height="{height}" fill="#322c28"/>'
        f'<polygon points="{area}" fill="#fffdf6"/>'
        f'<line x1="0" y1="{height / 2:g}" x2="{width}" y2="{height / 2:g}" stroke="#b08a62" '
        'stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#b5482f" stroke-width="2"/>'
        f"{marks}</svg>"
    )
