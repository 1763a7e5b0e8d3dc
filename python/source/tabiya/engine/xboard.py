"""Engines that speak XBoard's protocol, version 2."""

from __future__ import annotations

import asyncio
import copy
import re
import shlex
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from .. import BLACK, WHITE, Board, Color, Move, Termination
from .protocol import LOGGER, AnalysisResult, Command, Protocol
from .score import Cp, Mate, PovScore, Score
from .types import INFO_ALL, INFO_NONE, BestMove, ConfigMapping, ConfigValue, EngineError, Info
from .types import InfoDict, Limit, Opponent, Option, PlayResult, UciOptionMap

_FEATURE = re.compile(r'([A-Za-z]+)=("(?:[^"]|""(?="))*"|[^\s"]+)')
_OPTION = re.compile(r"(.+?)\s+-([a-z]+)(?:\s+(.*))?\Z")
_ENDINGS = {
    Termination.STALEMATE: "Stalemate",
    Termination.INSUFFICIENT_MATERIAL: "Insufficient material",
    Termination.SEVENTYFIVE_MOVES: "Seventy-five moves",
    Termination.FIVEFOLD_REPETITION: "Fivefold repetition",
    Termination.FIFTY_MOVES: "Fifty moves",
    Termination.THREEFOLD_REPETITION: "Threefold repetition",
}


class XBoardProtocol(Protocol):
    """An engine that speaks XBoard's protocol."""

    options: Dict[str, Option]

    def __init__(self) -> None:
        super().__init__()
        self.features: Dict[str, Union[int, str]] = {}
        self.id: Dict[str, str] = {}
        self.options = {}
        self.config: Dict[str, ConfigValue] = {}
        self.target_config: Dict[str, ConfigValue] = {}
        self.board = Board()
        self.game: object = None
        self.clock_id: object = None
        self.first_game = True
        self.pings = 0
        self.opponent: Optional[Opponent] = None
        self.told_opponent: Optional[Opponent] = None
        self.engine_rating: Optional[int] = None

    async def initialize(self) -> None:
        await self.communicate(lambda _: _Initialize(self))

    def _check_initialized(self) -> None:
        if not self.initialized:
            raise EngineError("the engine has not been initialized")

    async def ping(self) -> None:
        await self.communicate(lambda _: _Ping(self))

    async def configure(self, options: ConfigMapping) -> None:
        await self.communicate(lambda _: _Configure(self, options))

    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        _check_opponent(opponent)
        self.opponent, self.engine_rating = opponent, engine_rating

    async def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
        opponent: Optional[Opponent] = None,
    ) -> PlayResult:
        if root_moves is not None:
            raise EngineError("XBoard's protocol can choose among moves only in an analysis")
        _check_opponent(opponent)
        opponent = opponent or self.opponent
        return await self.communicate(
            lambda _: _Play(self, board, limit, game, info, ponder, draw_offered, options, opponent)
        )

    async def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> AnalysisResult:
        if multipv is not None:
            raise EngineError("XBoard's protocol knows no analysis of several lines")
        moves = list(root_moves) if root_moves is not None else None
        return await self.communicate(lambda _: _Analysis(self, board, limit, game, moves, options))

    async def send_game_result(
        self,
        board: Board,
        winner: Optional[Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        await self.communicate(lambda _: _Result(self, board, winner, game_ending, game_complete))

    async def quit(self) -> None:
        self.send_line("quit")
        await asyncio.shield(self.returncode)

    # Lines

    def _feature(self, name: str, missing: int) -> bool:
        return bool(self.features.get(name, missing))

    def _set(self, name: str, value: ConfigValue) -> None:
        option = self.options.get(name)
        if option is None:
            raise EngineError(f"the engine has no option {name!r}")
        value = option.parse(value)
        if option.type in ("button", "reset", "save"):
            self.send_line(f"option {name}")
            return
        if name in self.config and self.config[name] == value:
            return
        self.config[name] = value
        if name.startswith("egtpath "):
            self.send_line(f"{name} {value}")
        elif name in ("memory", "cores"):
            self.send_line(f"{name} {value}")
        else:
            self.send_line(f"option {name}={int(value) if isinstance(value, bool) else value}")

    def _configure(self, options: ConfigMapping) -> None:
        for name, value in {**self.target_config, **options}.items():
            # What was never set has its default.
            if name in options or name in self.config:
                self._set(name, value)

    def _new(
        self,
        board: Board,
        game: object,
        options: ConfigMapping,
        opponent: Optional[Opponent],
    ) -> None:
        """Lets the engine have the board, by as few words as possible."""
        self._configure(options)
        root, known = board.root(), self.board.root()
        changed = (
            self.first_game
            or game != self.game
            or opponent != self.told_opponent
            or root.fen() != known.fen()
            or root.chess960 != known.chess960
        )
        if not changed:
            self._follow(board)
            return
        self.first_game, self.game, self.clock_id = False, game, None
        self.board = root.copy()
        self.send_line("new")
        if board.chess960:
            self.send_line("variant fischerandom")
        self._tell_opponent(opponent)
        self.send_line("force")
        fen = root.fen(shredder=root.chess960, en_passant="fen")
        if fen != Board().fen():
            if not self._feature("setboard", 0):
                raise EngineError("the engine cannot set up boards")
            self.send_line(f"setboard {fen}")
        self._advance(board)

    def _tell_opponent(self, opponent: Optional[Opponent]) -> None:
        self.told_opponent = opponent
        if opponent is None:
            return
        if opponent.name and self._feature("name", 1):
            title = f"{opponent.title} " if opponent.title else ""
            self.send_line(f"name {title}{opponent.name}")
        if opponent.rating:
            self.send_line(f"rating {self.engine_rating or 0} {opponent.rating}")
        if opponent.is_engine:
            self.send_line("computer")

    def _follow(self, board: Board) -> None:
        """From the engine's board of the same game to this one: back, and on."""
        self.send_line("force")
        wanted, there = board.move_stack, self.board.move_stack
        common = 0
        while common < min(len(wanted), len(there)) and wanted[common] == there[common]:
            common += 1
        while len(self.board.move_stack) >= common + 2:
            self.send_line("remove")
            self.board.pop()
            self.board.pop()
        while len(self.board.move_stack) > common:
            self.send_line("undo")
            self.board.pop()
        self._advance(board)

    def _advance(self, board: Board) -> None:
        prefix = "usermove " if self._feature("usermove", 0) else ""
        for move in board.move_stack[len(self.board.move_stack) :]:
            self.send_line(prefix + self.board.xboard(move))
            self.board.push(move)

    def _limits(self, board: Board, limit: Limit) -> None:
        own, other = (
            (limit.white_clock, limit.black_clock)
            if board.turn
            else (limit.black_clock, limit.white_clock)
        )
        increment = limit.white_inc if board.turn else limit.black_inc
        if own is not None or increment is not None:
            clock_id = limit.clock_id
            if clock_id is None or clock_id != self.clock_id:
                self.clock_id = clock_id
                minutes, seconds = divmod(max(int(own or 0), 1 if own is None else 0), 60)
                base = f"{minutes}:{seconds:02d}" if seconds else f"{minutes}"
                self.send_line(f"level {limit.remaining_moves or 0} {base} {int(increment or 0)}")
        if own is not None:
            self.send_line(f"time {max(1, round(own * 100))}")
        if other is not None:
            self.send_line(f"otim {max(1, round(other * 100))}")
        if limit.time is not None:
            self.send_line(f"st {limit.time:g}")
        if limit.depth is not None:
            self.send_line(f"sd {max(1, int(limit.depth))}")
        if limit.nodes is not None:
            if not self._feature("nps", 1):
                raise EngineError("the engine cannot count nodes in place of time")
            self.send_line("nps 1")
            self.send_line(f"st {max(1, int(limit.nodes))}")
        if limit.mate is not None:
            raise EngineError("XBoard's protocol has no search for a mate")

    def _ping(self) -> str:
        """Asks for a sign; gives the line that will come."""
        self.pings += 1
        self.send_line(f"ping {self.pings}")
        return f"pong {self.pings}"


def _check_opponent(opponent: Optional[Opponent]) -> None:
    text = f"{opponent.name}{opponent.title}" if opponent else ""
    if "\n" in text or "\r" in text:
        raise EngineError(f"the name of an opponent cannot have a line break: {text!r}")


XBOARD_ERROR_REGEX = re.compile(r"^\s*(?:Error|Illegal move)\s*(?:\([^()]*\))?\s*:")
"""What an engine says when it does not like what it hears."""


def _error_of(line: str) -> Optional[EngineError]:
    if XBOARD_ERROR_REGEX.match(line):
        return EngineError(f"the engine says: {line}")
    return None


class _Command(Command[Any]):
    def __init__(self, protocol: XBoardProtocol) -> None:
        super().__init__(protocol)
        self.engine = protocol
        self.pong: Optional[str] = None

    def end(self) -> None:
        """Waits for a last sign, so that nothing comes late."""
        if not self.engine._feature("ping", 0):
            self.finish()
        elif self.pong is None:
            # The answer may come before this returns.
            self.pong = f"pong {self.engine.pings + 1}"
            self.engine._ping()


class _Initialize(_Command):
    def start(self) -> None:
        if self.engine.initialized:
            raise EngineError("the engine has been initialized already")
        self.timer = self.engine.loop.call_later(2.0, self.done)
        self.engine.send_line("xboard")
        self.engine.send_line("protover 2")

    def line_received(self, line: str) -> None:
        error = _error_of(line)
        if error is not None:
            self.timer.cancel()
            self.fail(error)
        elif line.startswith("#"):
            return
        elif line.startswith("feature "):
            for name, value in _FEATURE.findall(line[8:]):
                self.feature(name, value[1:-1] if value.startswith('"') else value)

    def feature(self, name: str, value: str) -> None:
        engine = self.engine
        if name == "option":
            option = _parse_option(value)
            if option is not None:
                engine.options[option.name] = option
            return
        engine.features[name] = int(value) if value.lstrip("-").isdigit() else value
        if name == "done":
            self.timer.cancel()
            if value == "1":
                self.done()
        elif name == "egt":
            for kind in value.split(","):
                key = f"egtpath {kind}"
                engine.options[key] = Option(key, "path", None, None, None, None)
            engine.send_line("accepted egt")
        elif name == "myname":
            engine.id["name"] = value
        elif name == "memory" and value == "1":
            engine.options["memory"] = Option("memory", "spin", 16, 1, None, None)
        elif name == "smp" and value == "1":
            engine.options["cores"] = Option("cores", "spin", 1, 1, None, None)

    def done(self) -> None:
        engine = self.engine
        engine.initialized = True
        for name, option in engine.options.items():
            if option.default is not None:
                engine.target_config[name] = option.default
        self.set_result(None)
        self.finish()


def _parse_option(text: str) -> Optional[Option]:
    found = _OPTION.match(text)
    if not found:
        LOGGER.warning("not an option: %r", text)
        return None
    name, kind, rest = found[1], found[2], (found[3] or "").strip()
    if kind == "spin":
        words = rest.split()
        numbers = [int(word) if word.lstrip("-").isdigit() else None for word in words[:3]]
        default, least, most = (numbers + [None] * 3)[:3]
        return Option(name, kind, default, least, most, None)
    if kind == "combo":
        choices = [choice.strip() for choice in rest.split("///")]
        marked = next((choice for choice in choices if choice.startswith("*")), choices[0])
        clean = [choice.lstrip("*") for choice in choices]
        return Option(name, kind, marked.lstrip("*"), None, None, clean)
    if kind == "check":
        return Option(name, kind, rest == "1", None, None, None)
    if kind in ("string", "file", "path"):
        return Option(name, kind, rest.strip('"'), None, None, None)
    return Option(name, kind, None, None, None, None)


class _Ping(_Command):
    def start(self) -> None:
        self.engine._check_initialized()
        self.pong = f"pong {self.engine.pings + 1}"
        self.engine._ping()

    def line_received(self, line: str) -> None:
        error = _error_of(line)
        if line == self.pong:
            self.set_result(None)
            self.finish()
        elif error is not None:
            self.fail(error)


class _Configure(_Command):
    def __init__(self, protocol: XBoardProtocol, options: ConfigMapping) -> None:
        super().__init__(protocol)
        self.options = dict(options)

    def start(self) -> None:
        self.engine._check_initialized()
        self.engine._configure(self.options)
        for name, value in self.options.items():
            if self.engine.options[name].type not in ("button", "reset", "save"):
                self.engine.target_config[name] = value
        self.set_result(None)
        self.finish()


class _Play(_Command):
    def __init__(
        self,
        protocol: XBoardProtocol,
        board: Board,
        limit: Limit,
        game: object,
        info: Info,
        ponder: bool,
        draw_offered: bool,
        options: ConfigMapping,
        opponent: Optional[Opponent],
    ) -> None:
        super().__init__(protocol)
        self.board, self.limit, self.game = board.copy(), copy.copy(limit), game
        self.info, self.ponder, self.draw_offered = info, ponder, draw_offered
        self.options, self.opponent = dict(options), opponent
        self.told: InfoDict = {}
        self.searching = False
        self.stopped = False
        self.engine_offers_draw = False

    def start(self) -> None:
        engine = self.engine
        engine._check_initialized()
        engine._new(self.board, self.game, self.options, self.opponent)
        engine._limits(self.board, self.limit)
        if self.draw_offered:
            engine.send_line("draw")
        engine.send_line("post" if self.info else "nopost")
        engine.send_line("hard" if self.ponder else "easy")
        self.searching = True
        engine.send_line("go")

    def line_received(self, line: str) -> None:
        error = _error_of(line)
        words = line.split()
        if line == self.pong:
            self.finish()
        elif error is not None:
            self.fail(error)
        elif not self.searching or not words:
            return
        elif words[0] == "move" and len(words) > 1:
            self.moved(words[1])
        elif words[0] == "resign":
            self.over(PlayResult(None, None, self.told, resigned=True))
        elif line.startswith("offer draw"):
            self.engine_offers_draw = True
        elif words[0] in ("1-0", "0-1", "1/2-1/2"):
            self.over(PlayResult(None, None, self.told))
        elif words[0].lstrip("-").isdigit():
            self.told.update(_parse_post(line, self.engine.board))

    def moved(self, text: str) -> None:
        try:
            move = self.engine.board.push_xboard(text)
        except ValueError as error:
            raise EngineError(f"the engine has answered with an impossible move: {error}") from error
        self.over(PlayResult(move, None, self.told, draw_offered=self.engine_offers_draw))

    def over(self, result: PlayResult) -> None:
        self.searching = False
        self.set_result(result)
        self.end()

    def cancel(self) -> None:
        if self.searching and not self.stopped:
            self.stopped = True
            self.engine.send_line("?")


class _Analysis(_Command):
    def __init__(
        self,
        protocol: XBoardProtocol,
        board: Board,
        limit: Optional[Limit],
        game: object,
        root_moves: Optional[List[Move]],
        options: ConfigMapping,
    ) -> None:
        super().__init__(protocol)
        self.board, self.limit, self.game = board.copy(), copy.copy(limit), game
        self.root_moves, self.options = root_moves, dict(options)
        self.analysis = AnalysisResult(stop=self.cancel)
        self.searching = False
        self.timer: Optional[asyncio.TimerHandle] = None

    def start(self) -> None:
        engine = self.engine
        engine._check_initialized()
        engine._new(self.board, self.game, self.options, engine.told_opponent)
        if self.root_moves is not None:
            if not engine._feature("exclude", 0):
                raise EngineError("the engine cannot analyse some of the moves only")
            engine.send_line("exclude all")
            for move in self.root_moves:
                engine.send_line(f"include {engine.board.xboard(move)}")
        self.set_result(self.analysis)
        self.searching = True
        if self.limit is not None and self.limit.time is not None:
            self.timer = engine.loop.call_later(self.limit.time, self.cancel)
        engine.send_line("post")
        engine.send_line("analyze")

    def line_received(self, line: str) -> None:
        error = _error_of(line)
        words = line.split()
        if line == self.pong:
            pv = self.analysis.info.get("pv", [])
            self.analysis.set_finished(
                BestMove(pv[0] if pv else None, pv[1] if len(pv) > 1 else None)
            )
            self.finish()
        elif error is not None:
            self.fail(error)
        elif self.searching and words and words[0].lstrip("-").isdigit():
            info = _parse_post(line, self.engine.board)
            self.analysis.post(info)
            limit = self.limit
            if limit is not None and (
                (limit.depth is not None and info.get("depth", 0) >= limit.depth)
                or (limit.nodes is not None and info.get("nodes", 0) >= limit.nodes)
            ):
                self.cancel()

    def cancel(self) -> None:
        if not self.searching:
            return
        self.searching = False
        if self.timer is not None:
            self.timer.cancel()
        self.engine.send_line(".")
        self.engine.send_line("exit")
        if self.root_moves is not None:
            self.engine.send_line("include all")
        self.end()

    def fail(self, error: BaseException) -> None:
        self.analysis.set_exception(error)
        super().fail(error)

    def engine_terminated(self, error: Exception) -> None:
        self.analysis.set_exception(error)


class _Result(_Command):
    def __init__(
        self,
        protocol: XBoardProtocol,
        board: Board,
        winner: Optional[Color],
        ending: Optional[str],
        complete: bool,
    ) -> None:
        super().__init__(protocol)
        self.board, self.winner, self.ending, self.complete = board.copy(), winner, ending, complete

    def start(self) -> None:
        engine = self.engine
        engine._check_initialized()
        if self.ending and any(c in self.ending for c in "\n\r{}"):
            raise EngineError(f"the end of a game cannot be told as {self.ending!r}")
        engine._new(self.board, engine.game, {}, engine.told_opponent)
        outcome = self.board.outcome(claim_draw=True)
        ending = self.ending or ""
        if not self.complete:
            result, ending = "*", self.ending or ""
        elif self.winner is not None or self.ending:
            result = {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]
        elif outcome is not None:
            result = outcome.result()
            if outcome.termination == Termination.CHECKMATE:
                ending = "White mates" if outcome.winner else "Black mates"
            else:
                ending = _ENDINGS.get(outcome.termination, "")
        else:
            result = "*"
        engine.send_line(f"result {result} {{{ending}}}" if ending else f"result {result}")
        self.set_result(None)
        self.finish()


def _parse_post(line: str, board: Board) -> InfoDict:
    """What a line of thinking tells: depth, score, time, nodes, moves."""
    info: Dict[str, Any] = {}
    words = line.split()
    try:
        info["depth"] = int(words[0].rstrip(".+-"))
        cp = int(words[1])
        info["time"] = int(words[2]) / 100
        info["nodes"] = int(words[3])
    except (IndexError, ValueError):
        return info  # type: ignore[return-value]
    score: Score = Cp(cp)
    if cp > 100_000:
        score = Mate(cp - 100_000)
    elif cp < -100_000:
        score = Mate(cp + 100_000)
    info["score"] = PovScore(score, board.turn)
    moves: List[Move] = []
    after = board.copy(stack=False)
    for word in words[4:]:
        if re.match(r"\d+\.", word) or word == "...":
            continue
        try:
            moves.append(after.push_xboard(word))
        except ValueError:
            break
    if moves:
        info["pv"] = moves
    return info  # type: ignore[return-value]
