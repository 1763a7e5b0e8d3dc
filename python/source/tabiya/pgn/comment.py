"""What programs write into comments: ``[%eval]``, ``[%clk]``, ``[%emt]``, ``[%csl]``, ``[%cal]``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Iterable, List, Optional, Tuple, Union

if TYPE_CHECKING:
    from ..engine import PovScore
    from ..svg import Arrow



def _command(command: str) -> re.Pattern[str]:
    """What programs write, and the space around it."""
    return re.compile(rf"(?P<prefix>\s?)\[%{command}\](?P<suffix>\s?)")


_TIME = r"(?P<hours>\d+):(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d*)?)"
_ARROW = r"[BGRY][a-h][1-8](?:[a-h][1-8])?"

EVAL_REGEX = _command(
    r"eval\s(?:\#(?P<mate>[+-]?\d+)|(?P<cp>[+-]?(?:\d{0,10}\.\d{1,2}|\d{1,10}\.?)))"
    r"(?:,(?P<depth>\d+))?"
)
CLOCK_REGEX = _command(rf"clk\s{_TIME}")
EMT_REGEX = _command(rf"emt\s{_TIME}")
ARROWS_REGEX = _command(rf"c(?:sl|al)\s(?P<arrows>{_ARROW}(?:,{_ARROW})*)")


def _replaced(pattern: re.Pattern[str], comment: str, text: str) -> str:
    """The comment with `text` where the pattern stood, or behind everything."""
    found = pattern.search(comment)
    if not found:
        return " ".join(part for part in (comment, text) if part)
    if text:
        return comment[: found.end("prefix")] + text + comment[found.start("suffix") :]
    before, after = comment[: found.start()].rstrip(" "), comment[found.end() :].lstrip(" ")
    return f"{before} {after}" if before and after else before or after


def get_eval(comment: str) -> Tuple[Optional[PovScore], Optional[int]]:
    """What a comment says a position is worth, and how deep somebody has looked."""
    from ..constants import WHITE
    from ..engine import Cp, Mate, PovScore

    found = EVAL_REGEX.search(comment)
    if not found:
        return None, None
    depth = int(found["depth"]) if found["depth"] else None
    if found["mate"]:
        return PovScore(Mate(int(found["mate"])), WHITE), depth
    return PovScore(Cp(round(float(found["cp"]) * 100)), WHITE), depth


def set_eval(comment: str, score: Optional[PovScore], depth: Optional[int]) -> str:
    """The comment with what a position is worth, in place of what was told; None takes it out."""
    text = ""
    if score is not None:
        suffix = f",{max(depth, 0)}" if depth is not None else ""
        white = score.white()
        cp, mate = white.score(), white.mate()
        if cp is not None:
            text = f"[%eval {cp / 100:.2f}{suffix}]"
        elif mate is not None:
            text = f"[%eval #{mate}{suffix}]"
    return _replaced(EVAL_REGEX, comment, text)


def _seconds(pattern: re.Pattern[str], comment: str) -> Optional[float]:
    found = pattern.search(comment)
    if found is None:
        return None
    return int(found["hours"]) * 3600 + int(found["minutes"]) * 60 + float(found["seconds"])


def _with_seconds(
    pattern: re.Pattern[str], name: str, comment: str, seconds: Optional[float]
) -> str:
    if seconds is None:
        return _replaced(pattern, comment, "")
    milliseconds = max(0, round(seconds * 1000))
    minutes, rest = divmod(milliseconds, 60_000)
    fraction = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    return _replaced(pattern, comment, f"[%{name} {minutes // 60}:{minutes % 60:02d}:{fraction}]")


def get_clock(comment: str) -> Optional[float]:
    """The seconds left on the clock that a comment tells."""
    return _seconds(CLOCK_REGEX, comment)


def set_clock(comment: str, seconds: Optional[float]) -> str:
    """The comment with the seconds left on the clock."""
    return _with_seconds(CLOCK_REGEX, "clk", comment, seconds)


def get_emt(comment: str) -> Optional[float]:
    """The seconds a move took that a comment tells."""
    return _seconds(EMT_REGEX, comment)


def set_emt(comment: str, seconds: Optional[float]) -> str:
    """The comment with the seconds a move took."""
    return _with_seconds(EMT_REGEX, "emt", comment, seconds)


def get_arrows(comment: str) -> List[Arrow]:
    """The arrows and marked squares that a comment tells.

    >>> from tabiya.pgn.comment import get_arrows
    >>> get_arrows("good [%cal Ge2e4] [%csl Rd5]")
    [Arrow(E2, E4, color='green'), Arrow(D5, D5, color='red')]
    """
    from ..svg import Arrow

    return [
        Arrow.from_pgn(text)
        for found in ARROWS_REGEX.finditer(comment)
        for text in found["arrows"].split(",")
    ]


def set_arrows(comment: str, arrows: Iterable[Union[Arrow, Tuple[int, int]]]) -> str:
    """The comment with arrows and marked squares, in place of those that were there."""
    from ..svg import Arrow

    squares: List[str] = []
    lines: List[str] = []
    for arrow in arrows:
        drawn = arrow if isinstance(arrow, Arrow) else Arrow(*arrow)
        (squares if drawn.tail == drawn.head else lines).append(drawn.pgn())
    while ARROWS_REGEX.search(comment):
        comment = _replaced(ARROWS_REGEX, comment, "")
    text = f"[%csl {','.join(squares)}]" if squares else ""
    text += f"[%cal {','.join(lines)}]" if lines else ""
    return " ".join(part for part in (text, comment) if part)
