"""The TimeControl tag: ``40/7200:1800+30``."""

from __future__ import annotations

import dataclasses
import enum
from typing import List


class TimeControlType(enum.Enum):
    """How fast a game is."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclasses.dataclass
class TimeControlPart:
    """A period of a game: so many moves (0 for all that are left) in so many seconds."""

    moves: int = 0
    time: int = 0
    increment: float = 0
    delay: float = 0


@dataclasses.dataclass
class TimeControl:
    """The periods of a game, and how fast it is as a whole."""

    parts: List[TimeControlPart] = dataclasses.field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


def parse_time_control(time_control: str) -> TimeControl:
    """Reads a TimeControl tag; ValueError if it is none.

    >>> import tabiya.pgn
    >>> tabiya.pgn.parse_time_control("180+2").type
    <TimeControlType.BLITZ: 4>
    """
    if not time_control or time_control.startswith("?"):
        return TimeControl()
    if time_control.startswith("-"):
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts: List[TimeControlPart] = []
    for at, text in enumerate(time_control.split(":")):
        part = _part(text, time_control)
        if at > 0 and parts[-1].moves == 0:
            raise ValueError(f"nothing can come behind a period for all moves: {time_control!r}")
        parts.append(part)
    if len(parts) > 1 and parts[-1].moves:
        raise ValueError(f"the last period must be for all moves: {time_control!r}")
    first = parts[0]
    # What a game of 60 moves gives to each player.
    expected = first.time + (first.increment + first.delay) * 60
    if len(parts) > 1 or expected >= 3600 or first.moves:
        kind = TimeControlType.STANDARD
    elif expected >= 600:
        kind = TimeControlType.RAPID
    elif expected >= 180:
        kind = TimeControlType.BLITZ
    else:
        kind = TimeControlType.BULLET
    return TimeControl(parts, kind)


def _part(text: str, whole: str) -> TimeControlPart:
    part = TimeControlPart()
    try:
        if "/" in text:
            moves, text = text.split("/", 1)
            part.moves = int(moves)
        if "+" in text:
            text, increment = text.split("+", 1)
            part.increment = float(increment)
        elif "d" in text:
            text, delay = text.split("d", 1)
            part.delay = float(delay)
        part.time = int(text.lstrip("*"))
    except ValueError:
        raise ValueError(f"a time control is like 40/7200:1800+30, not {whole!r}") from None
    return part
