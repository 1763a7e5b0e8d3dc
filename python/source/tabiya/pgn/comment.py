"""What programs write into comments: ``[%eval]``, ``[%clk]``, ``[%emt]``, ``[%csl]``, ``[%cal]``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Iterable, List, Optional, Tuple, Union

if TYPE_CHECKING:
    from ..engine import PovScore
    from ..svg import Arrow

_EVAL = re.compile(
    r"\[%eval\s(?:\#(?P<mate>[+-]?\d+)|(?P<cp>[+-]?(?:\d{0,10}\.\d{1,2}|\d{1,10}\.?)))"
    r"(?:,(?P<depth>\d+))?\]"
)
_CLK = re.compile(r"\[%clk\s(?P<h>\d+):(?P<m>\d+):(?P<s>\d+(?:\.\d*)?)\]")
_EMT = re.compile(r"\[%emt\s(?P<h>\d+):(?P<m>\d+):(?P<s>\d+(?:\.\d*)?)\]")
_ARROWS = re.compile(r"\[%(?:csl|cal)\s(?P<arrows>[RGYB][a-h][1-8](?:[a-h][1-8])?"
                     r"(?:,[RGYB][a-h][1-8](?:[a-h][1-8])?)*)\]")  # fmt: skip


def _replaced(pattern: re.Pattern[str], comment: str, text: str) -> str:
    """The comment with `text` where the pattern stood, or behind everything."""
    found = pattern.search(comment)
    if not found:
        return " ".join(part for part in (comment, text) if part)
    if text:
        return comment[: found.start()] + text + comment[found.end() :]
    before, after = comment[: found.start()].rstrip(" "), comment[found.end() :].lstrip(" ")
    return f"{before} {after}" if before and after else before or after


def get_eval(comment: str) -> Tuple[Optional[PovScore], Optional[int]]:
    """What a comment says a position is worth, and how deep somebody has looked."""
    from ..constants import WHITE
    from ..engine import Cp, Mate, PovScore

    found = _EVAL.search(comment)
    if not found:
        return None, None
    depth = int(found["depth"]) if found["depth"] else None
    if found["mate"]:
        return PovScore(Mate(int(found["mate"])), WHITE), depth
    return PovScore(Cp(round(float(found["cp"]) * 100)), WHITE), depth


def set_eval(comment: str, score: Optional[PovScore], depth: Optional[int]) -> str:
    text = ""
    if score is not None:
        suffix = f",{max(depth, 0)}" if depth is not None else ""
        white = score.white()
        cp, mate = white.score(), white.mate()
        if cp is not None:
            text = f"[%eval {cp / 100:.2f}{suffix}]"
        elif mate is not None:
            text = f"[%eval #{mate}{suffix}]"
    return _replaced(_EVAL, comment, text)


def _seconds(pattern: re.Pattern[str], comment: str) -> Optional[float]:
    found = pattern.search(comment)
    return found and int(found["h"]) * 3600 + int(found["m"]) * 60 + float(found["s"])


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
    return _seconds(_CLK, comment)


def set_clock(comment: str, seconds: Optional[float]) -> str:
    return _with_seconds(_CLK, "clk", comment, seconds)


def get_emt(comment: str) -> Optional[float]:
    return _seconds(_EMT, comment)


def set_emt(comment: str, seconds: Optional[float]) -> str:
    return _with_seconds(_EMT, "emt", comment, seconds)


def get_arrows(comment: str) -> List[Arrow]:
    from ..svg import Arrow

    return [
        Arrow.from_pgn(text)
        for found in _ARROWS.finditer(comment)
        for text in found["arrows"].split(",")
    ]


def set_arrows(comment: str, arrows: Iterable[Union[Arrow, Tuple[int, int]]]) -> str:
    from ..svg import Arrow

    squares: List[str] = []
    lines: List[str] = []
    for arrow in arrows:
        drawn = arrow if isinstance(arrow, Arrow) else Arrow(*arrow)
        (squares if drawn.tail == drawn.head else lines).append(drawn.pgn())
    while _ARROWS.search(comment):
        comment = _replaced(_ARROWS, comment, "")
    text = f"[%csl {','.join(squares)}]" if squares else ""
    text += f"[%cal {','.join(lines)}]" if lines else ""
    return " ".join(part for part in (text, comment) if part)
