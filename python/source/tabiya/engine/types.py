"""What engines are asked and what they answer."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Dict, Generic, Iterator, List, Mapping, MutableMapping, NamedTuple
from typing import Optional, Tuple, TypedDict, TypeVar, Union

from .. import Move
from .score import PovScore, PovWdl

ConfigValue = Union[str, int, bool, None]
ConfigMapping = Mapping[str, ConfigValue]
T = TypeVar("T")


class EngineError(RuntimeError):
    """The engine did what it should not, or was asked what it cannot."""


class EngineTerminatedError(EngineError):
    """The engine has ended."""


class AnalysisComplete(Exception):
    """The analysis is over: there is nothing more to wait for."""


class Option(NamedTuple):
    """An option of an engine."""

    name: str
    type: str
    default: ConfigValue
    min: Optional[int]
    max: Optional[int]
    var: Optional[List[str]]

    def is_managed(self) -> bool:
        """Whether the option is set by what is asked, and not by hand."""
        return self.name.lower() in MANAGED_OPTIONS

    def parse(self, value: ConfigValue) -> ConfigValue:
        """The value as the engine wants it; EngineError if it does not fit."""
        if self.type == "check":
            return value not in (False, None, "false", "0", 0, "")
        if self.type == "spin":
            try:
                number = int(value)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                raise EngineError(f"{self.name} is a whole number, not {value!r}") from None
            if self.min is not None and number < self.min:
                raise EngineError(f"{self.name} is at least {self.min}, not {number}")
            if self.max is not None and number > self.max:
                raise EngineError(f"{self.name} is at most {self.max}, not {number}")
            return number
        if self.type == "combo":
            text = str(value)
            if text not in (self.var or []):
                choices = ", ".join(self.var or [])
                raise EngineError(f"{self.name} is one of {choices}, not {text!r}")
            return text
        if self.type in ("button", "reset", "save"):
            return None
        text = str(value)
        if "\n" in text or "\r" in text:
            raise EngineError(f"a value of {self.name} cannot have a line break: {text!r}")
        return text


MANAGED_OPTIONS = ["uci_chess960", "uci_variant", "multipv", "ponder", "uci_opponent"]
"""Options that are set by what is asked, and not by hand."""


class UciOptionMap(MutableMapping[str, T]):
    """A mapping of names that may be written in upper or lower case.

    >>> from tabiya.engine import UciOptionMap
    >>> UciOptionMap({"Hash": 16})["hash"]
    16
    """

    def __init__(self, data: Optional[Any] = None, **kwargs: T) -> None:
        self._store: Dict[str, Tuple[str, T]] = {}
        self.update(data or {}, **kwargs)

    def __setitem__(self, key: str, value: T) -> None:
        self._store[key.lower()] = (key, value)

    def __getitem__(self, key: str) -> T:
        return self._store[key.lower()][1]

    def __delitem__(self, key: str) -> None:
        del self._store[key.lower()]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._store.values())

    def __len__(self) -> int:
        return len(self._store)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        theirs = {str(name).lower(): value for name, value in other.items()}
        return {name: value for name, (_, value) in self._store.items()} == theirs

    def copy(self) -> UciOptionMap[T]:
        """A mapping of its own with the same options."""
        return type(self)(dict(self.items()))

    def __copy__(self) -> UciOptionMap[T]:
        return self.copy()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.items())!r})"


@dataclasses.dataclass
class Limit:
    """When an engine shall stop: seconds, depth, nodes, a mate found, or clocks.

    >>> import tabiya.engine
    >>> tabiya.engine.Limit(time=0.5, depth=20)
    Limit(time=0.5, depth=20)
    """

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    white_clock: Optional[float] = None
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None
    black_inc: Optional[float] = None
    remaining_moves: Optional[int] = None
    clock_id: object = None

    def __repr__(self) -> str:
        said = ", ".join(
            f"{field.name}={getattr(self, field.name)!r}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) is not None
        )
        return f"Limit({said})"


class InfoDict(TypedDict, total=False):
    """What an engine tells while it thinks."""

    score: PovScore
    pv: List[Move]
    depth: int
    seldepth: int
    time: float
    nodes: int
    nps: int
    tbhits: int
    multipv: int
    currmove: Move
    currmovenumber: int
    hashfull: int
    cpuload: int
    refutation: Dict[Move, List[Move]]
    currline: Dict[int, List[Move]]
    ebf: float
    wdl: PovWdl
    string: str
    lowerbound: bool
    upperbound: bool


class PlayResult:
    """The move an engine plays, what it expects, and what it told."""

    def __init__(
        self,
        move: Optional[Move],
        ponder: Optional[Move],
        info: Optional[InfoDict] = None,
        *,
        draw_offered: bool = False,
        resigned: bool = False,
    ) -> None:
        self.move = move
        self.ponder = ponder
        self.info: InfoDict = info or {}
        self.draw_offered = draw_offered
        self.resigned = resigned

    def __repr__(self) -> str:
        return (
            f"<PlayResult at {id(self):#x} (move={self.move}, ponder={self.ponder}, "
            f"info={self.info}, draw_offered={self.draw_offered}, resigned={self.resigned})>"
        )


class BestMove:
    """The best move of an analysis, and the answer to it."""

    def __init__(self, move: Optional[Move], ponder: Optional[Move]) -> None:
        self.move = move
        self.ponder = ponder

    def __repr__(self) -> str:
        return f"<BestMove at {id(self):#x} (move={self.move}, ponder={self.ponder})>"


class Info(enum.IntFlag):
    """What an engine's answers shall be asked for."""

    NONE = 0
    BASIC = 1
    SCORE = 2
    PV = 4
    REFUTATION = 8
    CURRLINE = 16
    ALL = BASIC | SCORE | PV | REFUTATION | CURRLINE


INFO_NONE = Info.NONE
INFO_BASIC = Info.BASIC
INFO_SCORE = Info.SCORE
INFO_PV = Info.PV
INFO_REFUTATION = Info.REFUTATION
INFO_CURRLINE = Info.CURRLINE
INFO_ALL = Info.ALL


@dataclasses.dataclass
class Opponent:
    """Who sits on the other side."""

    name: Optional[str]
    title: Optional[str]
    rating: Optional[int]
    is_engine: Optional[bool]
