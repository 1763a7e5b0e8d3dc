"""What a position is worth: in hundredths of a pawn, as a mate, or as chances."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, Dict, Iterator, Optional, Tuple, Union, overload

from .. import BLACK, WHITE, Color
from .._tabiya import wdl as _wdl


WdlModel = str
"""``"tabiya"`` or ``"lichess"``."""


@dataclasses.dataclass
class Wdl:
    """Chances of winning, drawing and losing, in parts of a thousand or of any other sum.

    >>> import tabiya.engine
    >>> tabiya.engine.Wdl(500, 400, 100).expectation()
    0.7
    """

    wins: int
    draws: int
    losses: int

    def total(self) -> int:
        """The sum, of which the three are parts."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """The chance of a win, 0 to 1."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """The chance of a draw, 0 to 1."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """The chance of a loss, 0 to 1."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """Points to be expected, 0 to 1."""
        return (self.wins + 0.5 * self.draws) / self.total()

    def __bool__(self) -> bool:
        return bool(self.total())

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))

    def __reversed__(self) -> Iterator[int]:
        return iter((self.losses, self.draws, self.wins))

    def __pos__(self) -> Wdl:
        return self

    def __neg__(self) -> Wdl:
        return Wdl(self.losses, self.draws, self.wins)


@functools.total_ordering
class Score:
    """A worth as one side sees it: :class:`Cp`, :class:`Mate` or ``MateGiven``. Scores can be compared."""

    __slots__ = ()

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Hundredths of a pawn; for mates None, or ``mate_score`` less the moves to it.

        >>> from tabiya.engine import Cp, Mate
        >>> Cp(35).score(), Mate(3).score(), Mate(3).score(mate_score=100_000), Mate(-2).score(mate_score=100_000)
        (35, None, 99997, -99998)
        """
        raise NotImplementedError

    def mate(self) -> Optional[int]:
        """Moves to mate, negative if one is mated; None for other scores.

        >>> from tabiya.engine import Cp, Mate
        >>> Mate(-4).mate(), Cp(20).mate()
        (-4, None)
        """
        raise NotImplementedError

    def is_mate(self) -> bool:
        """Whether this is a mate."""
        return self.mate() is not None

    def wdl(self, *, model: str = "tabiya", ply: int = 30) -> Wdl:
        """Chances among engines by Tabiya's curve, or ``model="lichess"``, among people.

        Models of other engines have no curve here: their names give Tabiya's.
        """
        if model == "lichess":
            worth = max(-1000, min(1000, self.score(mate_score=100_000) or 0))
            wins = round(1000 / (1 + math.exp(-0.00368208 * worth)))
            return Wdl(wins, 0, 1000 - wins)
        mate = self.mate()
        if mate is not None:
            return Wdl(1000, 0, 0) if self > Cp(0) else Wdl(0, 0, 1000)
        return Wdl(*_wdl(self.score() or 0))

    def _key(self) -> Tuple[bool, bool, bool, int, int]:
        mate = self.mate()
        return (
            self is MateGiven,
            mate is not None and mate > 0,
            mate is None,
            -(mate or 0),
            self.score() or 0,
        )

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self._key() == other._key()
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self._key() < other._key()
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __neg__(self) -> Score:
        raise NotImplementedError

    def __pos__(self) -> Score:
        return self

    def __abs__(self) -> Score:
        return max(self, -self)


class Cp(Score):
    """Hundredths of a pawn.

    >>> from tabiya.engine import Cp, Mate
    >>> Mate(-1) < Cp(-500) < Cp(20) < Mate(3) < Mate(1)
    True
    """

    __slots__ = ("cp",)

    def __init__(self, cp: int) -> None:
        self.cp = cp

    def score(self, *, mate_score: Optional[int] = None) -> int:
        return self.cp

    def mate(self) -> None:
        return None

    def __str__(self) -> str:
        return f"{self.cp:+d}" if self.cp else "0"

    def __repr__(self) -> str:
        return f"Cp({self})"

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def __pos__(self) -> Cp:
        return self

    def __abs__(self) -> Cp:
        return Cp(abs(self.cp))


class Mate(Score):
    """A mate in so many moves; in a negative number, or 0, one is mated."""

    __slots__ = ("moves",)

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def mate(self) -> int:
        return self.moves

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def __str__(self) -> str:
        return f"#+{self.moves}" if self.moves > 0 else f"#-{abs(self.moves)}"

    def __repr__(self) -> str:
        return f"Mate({str(self).lstrip('#')})"

    def __neg__(self) -> Score:
        return Mate(-self.moves) if self.moves else MateGiven


class MateGivenType(Score):
    """The other side has been mated: the type of ``MateGiven``."""

    __slots__ = ()

    def mate(self) -> int:
        return 0

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return mate_score

    def __neg__(self) -> Mate:
        return Mate(0)

    def __str__(self) -> str:
        return "#+0"

    def __repr__(self) -> str:
        return "MateGiven"

    def __reduce__(self) -> str:
        return "MateGiven"


MateGiven = MateGivenType()


class PovScore:
    """A score, and whose it is."""

    relative: Score
    turn: Color

    def __init__(self, relative: Score, turn: Color) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Score:
        """As White sees it.

        >>> import tabiya
        >>> from tabiya.engine import Cp, PovScore
        >>> PovScore(Cp(30), tabiya.BLACK).white()
        Cp(-30)
        """
        return self.pov(WHITE)

    def black(self) -> Score:
        """As Black sees it."""
        return self.pov(BLACK)

    def pov(self, color: Color) -> Score:
        """As a side sees it.

        >>> import tabiya
        >>> from tabiya.engine import Mate, PovScore
        >>> PovScore(Mate(2), tabiya.WHITE).pov(tabiya.BLACK)
        Mate(-2)
        """
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.relative.is_mate()

    def wdl(self, *, model: str = "tabiya", ply: int = 30) -> PovWdl:
        """The chances of winning, drawing and losing."""
        return PovWdl(self.relative.wdl(model=model, ply=ply), self.turn)

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PovScore):
            return self.white() == other.white()
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.white())


class PovWdl:
    """Chances, and whose they are."""

    relative: Wdl
    turn: Color

    def __init__(self, relative: Wdl, turn: Color) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Wdl:
        """As White sees them."""
        return self.pov(WHITE)

    def black(self) -> Wdl:
        """As Black sees them."""
        return self.pov(BLACK)

    def pov(self, color: Color) -> Wdl:
        """As a side sees them."""
        return self.relative if self.turn == color else -self.relative

    def __bool__(self) -> bool:
        return bool(self.relative)

    def __iter__(self) -> Iterator[int]:
        return iter(self.relative)

    def __repr__(self) -> str:
        return f"PovWdl({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PovWdl):
            return self.white() == other.white()
        if isinstance(other, tuple):
            return tuple(self.relative) == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.white()))
