"""Engines that speak UCI."""

from __future__ import annotations

import asyncio
import copy
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from .. import Board, Color, Move, STARTING_FEN
from .protocol import LOGGER, AnalysisResult, Command, Protocol
from .score import Cp, Mate, PovScore, PovWdl, Wdl
from .types import INFO_ALL, INFO_NONE, BestMove, ConfigMapping, ConfigValue, EngineError, Info
from .types import InfoDict, Limit, Opponent, Option, PlayResult, UciOptionMap


UCI_REGEX = re.compile(r"^(?:[a-h][1-8][a-h][1-8][bknpqr]?|[BKNPQR]@[a-h][1-8]|0000)\Z")
"""A move as UCI writes it."""


class UciProtocol(Protocol):
    """An engine that speaks the Universal Chess Interface."""

    options: UciOptionMap[Option]

    def __init__(self) -> None:
        super().__init__()
        self.options = UciOptionMap()
        # What the engine has been told, and what it shall have between commands.
        self.config: UciOptionMap[ConfigValue] = UciOptionMap()
        self.target_config: UciOptionMap[ConfigValue] = UciOptionMap()
        self.id: Dict[str, str] = {}
        self.board = Board()
        self.game: object = None
        self.first_game = True
        self.opponent: Optional[str] = None

    async def initialize(self) -> None:
        await self.communicate(lambda _: _Initialize(self))

    def _check_initialized(self) -> None:
        if not self.initialized:
            raise EngineError("the engine has not been initialized")

    async def ping(self) -> None:
        await self.communicate(lambda _: _Ping(self))

    def debug(self, on: bool = True) -> None:
        """Asks the engine to tell more."""
        self.send_line("debug on" if on else "debug off")

    async def configure(self, options: ConfigMapping) -> None:
        await self.communicate(lambda _: _Configure(self, options))

    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        self.opponent = _opponent(opponent) if opponent else None

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
        ask = _Question(board, limit, game, info, root_moves, options)
        ask.ponder = ponder
        ask.opponent = _opponent(opponent) if opponent else self.opponent
        current = self.command
        if isinstance(current, _Play) and current.is_hit_by(ask) and self.next_command is None:
            return await self._hit(current, ask)
        return await self.communicate(lambda _: _Play(self, ask))

    async def _hit(self, pondering: _Play, ask: _Question) -> PlayResult:
        """The opponent has played what was expected: the engine goes on thinking."""
        pondering.hit(ask)
        try:
            return await asyncio.shield(pondering.result)
        except asyncio.CancelledError:
            pondering.cancel()
            raise

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
        ask = _Question(board, limit, game, info, root_moves, options)
        ask.multipv = multipv
        ask.opponent = self.opponent
        return await self.communicate(lambda _: _Analysis(self, ask))

    async def send_game_result(
        self,
        board: Board,
        winner: Optional[Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        """UCI has no word for results."""

    async def quit(self) -> None:
        self.send_line("quit")
        await asyncio.shield(self.returncode)

    # Lines

    def _set(self, name: str, value: ConfigValue) -> None:
        """Sets an option, if it is not set so already."""
        option = self.options.get(name)
        if option is None:
            raise EngineError(f"the engine has no option {name!r}")
        value = option.parse(value)
        if option.type == "button":
            self.send_line(f"setoption name {option.name}")
            return
        if name in self.config and self.config[name] == value:
            return
        self.config[name] = value
        if isinstance(value, bool):
            text = "true" if value else "false"
        else:
            text = "<empty>" if value == "" else str(value)
        self.send_line(f"setoption name {option.name} value {text}")

    def _configure(self, options: ConfigMapping) -> None:
        """Sets these options, and the others to what they shall have."""
        for name in options:
            option = self.options.get(name)
            if option is not None and option.is_managed():
                raise EngineError(f"{name} is set by what is asked, not by hand")
        wanted = self.target_config.copy()
        wanted.update(options)
        for name, value in wanted.items():
            self._set(name, value)

    def _position(self, board: Board) -> None:
        if "UCI_Variant" in self.options:
            self._set("UCI_Variant", "chess")
        if "UCI_Chess960" in self.options:
            self._set("UCI_Chess960", board.chess960)
        elif board.chess960:
            raise EngineError("the engine does not know Chess960")
        root = board.root()
        fen = root.fen(shredder=board.chess960, en_passant="fen")
        words = ["position", "startpos"] if fen == STARTING_FEN else ["position", "fen", fen]
        if board.move_stack:
            words.append("moves")
            words += [move.uci() for move in board.move_stack]
        self.send_line(" ".join(words))
        self.board = board.copy(stack=False)

    def _go(
        self,
        limit: Limit,
        *,
        root_moves: Optional[List[Move]] = None,
        ponder: bool = False,
        infinite: bool = False,
    ) -> None:
        words = ["go"]
        if ponder:
            words.append("ponder")
        for name, seconds, least in (
            ("wtime", limit.white_clock, 1),
            ("btime", limit.black_clock, 1),
            ("winc", limit.white_inc, 0),
            ("binc", limit.black_inc, 0),
        ):
            if seconds is not None:
                words += [name, str(max(least, round(seconds * 1000)))]
        if limit.remaining_moves is not None and int(limit.remaining_moves) > 0:
            words += ["movestogo", str(int(limit.remaining_moves))]
        for name, number in (("depth", limit.depth), ("nodes", limit.nodes), ("mate", limit.mate)):
            if number is not None:
                words += [name, str(max(1, int(number)))]
        if limit.time is not None:
            words += ["movetime", str(max(1, round(limit.time * 1000)))]
        if infinite:
            words.append("infinite")
        if root_moves is not None:
            moves = [self.board.uci(move) for move in root_moves]
            words += ["searchmoves", *moves] if moves else ["searchmoves", "0000"]
        self.send_line(" ".join(words))


def _opponent(opponent: Opponent) -> str:
    """The opponent as UCI_Opponent writes it."""
    kind = "computer" if opponent.is_engine else "human"
    text = f"{opponent.title or 'none'} {opponent.rating or 'none'} {kind} {opponent.name or ''}"
    if "\n" in text or "\r" in text:
        raise EngineError(f"the name of an opponent cannot have a line break: {text!r}")
    return text.strip()


class _Question:
    """What a search is about."""

    def __init__(
        self,
        board: Board,
        limit: Optional[Limit],
        game: object,
        info: Info,
        root_moves: Optional[Iterable[Move]],
        options: ConfigMapping,
    ) -> None:
        self.board = board.copy()
        self.limit = copy.copy(limit) if limit is not None else None
        self.game = game
        self.info = info
        self.root_moves = list(root_moves) if root_moves is not None else None
        self.options: Dict[str, ConfigValue] = dict(options)
        self.ponder = False
        self.multipv: Optional[int] = None
        self.opponent: Optional[str] = None


class _Initialize(Command[None]):
    def start(self) -> None:
        protocol = self.protocol
        assert isinstance(protocol, UciProtocol)
        if protocol.initialized:
            raise EngineError("the engine has been initialized already")
        protocol.send_line("uci")

    def line_received(self, line: str) -> None:
        protocol = self.protocol
        assert isinstance(protocol, UciProtocol)
        words = line.strip().split(None, 1)
        if line.strip() == "uciok":
            protocol.initialized = True
            for name, option in protocol.options.items():
                if option.default is not None:
                    protocol.config[name] = option.default
                    if not option.is_managed() and name.lower() != "uci_analysemode":
                        protocol.target_config[name] = option.default
            self.set_result(None)
            self.finish()
        elif len(words) == 2 and words[0] == "option":
            found = _parse_option(words[1])
            if found is not None:
                protocol.options[found.name] = found
        elif len(words) == 2 and words[0] == "id":
            key, _, value = words[1].partition(" ")
            protocol.id[key] = value.strip()

    def cancel(self) -> None:
        """Hands are shaken to the end."""


def _parse_option(text: str) -> Optional[Option]:
    fields: Dict[str, List[str]] = {}
    variants: List[str] = []
    current: List[str] = []
    for word in text.split(" "):
        if word in ("name", "type", "default", "min", "max") and word not in fields:
            current = fields[word] = []
        elif word == "var":
            variants.append("")
            current = []
        elif variants and current is not fields.get("default"):
            variants[-1] = f"{variants[-1]} {word}".strip()
        else:
            current.append(word)
    said = {name: " ".join(words).strip() for name, words in fields.items()}
    kind = said.get("type", "")
    default: ConfigValue = said.get("default")
    if kind == "check":
        default = default == "true"
    elif kind == "spin":
        try:
            default = int(str(default))
        except ValueError:
            default = None
    elif kind in ("string", "combo") and default in (None, "<empty>"):
        default = "" if kind == "string" else None
    elif kind == "button":
        default = None

    def number(name: str) -> Optional[int]:
        try:
            return int(said[name])
        except (KeyError, ValueError):
            return None

    if not said.get("name") or not kind:
        LOGGER.warning("not an option: %r", text)
        return None
    return Option(said["name"], kind, default, number("min"), number("max"), variants or None)


class _Ping(Command[None]):
    def start(self) -> None:
        assert isinstance(self.protocol, UciProtocol)
        self.protocol._check_initialized()
        self.protocol.send_line("isready")

    def line_received(self, line: str) -> None:
        if line.strip() == "readyok":
            self.set_result(None)
            self.finish()


class _Configure(Command[None]):
    def __init__(self, protocol: UciProtocol, options: ConfigMapping) -> None:
        super().__init__(protocol)
        self.options = dict(options)

    def start(self) -> None:
        protocol = self.protocol
        assert isinstance(protocol, UciProtocol)
        protocol._check_initialized()
        protocol._configure(self.options)
        for name, value in self.options.items():
            if protocol.options[name].type != "button":
                protocol.target_config[name] = value
        self.set_result(None)
        self.finish()


class _Search(Command[Any]):
    """What playing and analysing have in common: the way to ``go``, and a search that can be stopped."""

    def __init__(self, protocol: UciProtocol, ask: _Question) -> None:
        super().__init__(protocol)
        self.uci = protocol
        self.ask = ask
        self.waiting_ready = False
        self.searching = False
        self.stopping = False

    def start(self) -> None:
        uci, ask = self.uci, self.ask
        uci._check_initialized()
        uci._configure(ask.options)
        self.prepare()
        is_new = uci.first_game or uci.game != ask.game
        opponent = ask.opponent
        if "UCI_Opponent" in uci.options and opponent is not None:
            is_new = is_new or uci.config.get("UCI_Opponent") != opponent
        if not is_new:
            self.go()
            return
        uci.first_game, uci.game = False, ask.game
        uci.send_line("ucinewgame")
        if "UCI_Opponent" in uci.options and opponent is not None:
            uci._set("UCI_Opponent", opponent)
        self.waiting_ready = True
        uci.send_line("isready")

    def prepare(self) -> None:
        """Options that depend on what is asked."""

    def go(self) -> None:
        raise NotImplementedError

    def line_received(self, line: str) -> None:
        words = line.split(None, 1)
        word = words[0] if words else ""
        rest = line.split(" ", 1)[1] if " " in line.strip() else ""
        if self.waiting_ready and word == "readyok":
            self.waiting_ready = False
            if self.result.cancelled():
                self.finish()
            else:
                self.go()
        elif self.searching and word == "info":
            self.heard(_parse_uci_info(rest, self.uci.board, self.ask.info))
        elif self.searching and word == "bestmove":
            self.searching = False
            self.best(_parse_uci_bestmove(self.uci.board, rest))

    def heard(self, info: InfoDict) -> None:
        """Something the engine told."""

    def best(self, best: BestMove) -> None:
        """The engine has ended its search."""
        raise NotImplementedError

    def cancel(self) -> None:
        if self.searching and not self.stopping:
            self.stopping = True
            self.uci.send_line("stop")


class _Play(_Search):
    def __init__(self, protocol: UciProtocol, ask: _Question) -> None:
        super().__init__(protocol, ask)
        self.info: InfoDict = {}
        self.ponder_board: Optional[Board] = None
        self.pondering = False

    def prepare(self) -> None:
        uci = self.uci
        if "Ponder" in uci.options:
            uci._set("Ponder", self.ask.ponder)
        if "UCI_AnalyseMode" in uci.options and "uci_analysemode" not in _lower(
            {**dict(uci.target_config.items()), **self.ask.options}
        ):
            uci._set("UCI_AnalyseMode", False)
        if "MultiPV" in uci.options:
            uci._set("MultiPV", uci.options["MultiPV"].default)

    def go(self) -> None:
        self.searching = True
        self.uci._position(self.ask.board)
        self.uci._go(self.ask.limit or Limit(), root_moves=self.ask.root_moves)

    def heard(self, info: InfoDict) -> None:
        if not self.pondering:
            self.info.update(info)

    def best(self, best: BestMove) -> None:
        if self.pondering:
            # Nobody waits for what was found on the opponent's time.
            self.finish()
            return
        info, board = self.info, self.ask.board
        self.info = {}
        ponder_on = self.ask.ponder and best.move and best.ponder and not self.stopping
        if ponder_on:
            self.ponder_board = board.copy()
            self.ponder_board.push(best.move)  # type: ignore[arg-type]
            self.ponder_board.push(best.ponder)  # type: ignore[arg-type]
            self.pondering = self.searching = True
            self.uci._position(self.ponder_board)
            self.uci._go(self.ask.limit or Limit(), ponder=True)
        self.set_result(PlayResult(best.move, best.ponder, info))
        if not ponder_on:
            self.finish()
        elif self.uci.next_command is not None:
            self.cancel()

    def is_hit_by(self, ask: _Question) -> bool:
        """Whether the engine ponders on just this."""
        uci, board = self.uci, self.ponder_board
        return (
            self.pondering
            and self.searching
            and not self.stopping
            and board is not None
            and ask.ponder
            and ask.game == self.ask.game
            and ask.root_moves is None
            and ask.opponent == self.ask.opponent
            and ask.options == self.ask.options
            and board.chess960 == ask.board.chess960
            and board == ask.board
            and board.root() == ask.board.root()
            and board.move_stack == ask.board.move_stack
        )

    def hit(self, ask: _Question) -> None:
        self.ask = ask
        self.pondering = False
        self.ponder_board = None
        self.result = self.uci.loop.create_future()
        self.uci.send_line("ponderhit")

    def cancel(self) -> None:
        if self.pondering or self.result.cancelled():
            super().cancel()


def _lower(options: Mapping[str, Any]) -> List[str]:
    return [name.lower() for name in options]


class _Analysis(_Search):
    def __init__(self, protocol: UciProtocol, ask: _Question) -> None:
        super().__init__(protocol, ask)
        self.analysis = AnalysisResult(stop=self.cancel)

    def prepare(self) -> None:
        uci, ask = self.uci, self.ask
        if "Ponder" in uci.options:
            uci._set("Ponder", False)
        by_hand = {**dict(uci.target_config.items()), **ask.options}
        if "UCI_AnalyseMode" in uci.options and "uci_analysemode" not in _lower(by_hand):
            uci._set("UCI_AnalyseMode", True)
        if "MultiPV" in uci.options:
            uci._set("MultiPV", ask.multipv or uci.options["MultiPV"].default)
        elif ask.multipv is not None and ask.multipv > 1:
            raise EngineError("the engine cannot show several lines")

    def go(self) -> None:
        uci, ask = self.uci, self.ask
        self.searching = True
        uci._position(ask.board)
        # The caller has its result before the first answer.
        self.set_result(self.analysis)
        if ask.limit is not None:
            uci._go(ask.limit, root_moves=ask.root_moves)
        else:
            uci._go(Limit(), root_moves=ask.root_moves, infinite=True)
        if uci.next_command is not None:
            self.cancel()

    def heard(self, info: InfoDict) -> None:
        self.analysis.post(info)

    def best(self, best: BestMove) -> None:
        self.analysis.set_finished(best)
        self.finish()

    def fail(self, error: BaseException) -> None:
        self.analysis.set_exception(error)
        super().fail(error)

    def engine_terminated(self, error: Exception) -> None:
        self.analysis.set_exception(error)


_NUMBERS = {
    "depth", "seldepth", "nodes", "multipv", "currmovenumber", "hashfull", "nps", "tbhits", "cpuload",
}  # fmt: skip


def _parse_uci_info(text: str, board: Board, selector: Info = INFO_ALL) -> InfoDict:
    """What a line after ``info`` tells about a board."""
    info: Dict[str, Any] = {}
    words = text.split()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        try:
            if word == "string":
                info["string"] = text[text.index("string") + 7 :]
                break
            if word in _NUMBERS:
                info[word] = int(words[at])
                at += 1
            elif word == "time":
                info["time"] = int(words[at]) / 1000
                at += 1
            elif word == "ebf":
                info["ebf"] = float(words[at])
                at += 1
            elif word == "score" and selector & Info.SCORE:
                number = int(words[at + 1])
                kind: Any = {"cp": Cp, "mate": Mate}[words[at]]
                info["score"] = PovScore(kind(number), board.turn)
                at += 2
                if at < len(words) and words[at] in ("lowerbound", "upperbound"):
                    info[words[at]] = True
                    at += 1
            elif word == "wdl":
                wins, draws, losses = (int(word) for word in words[at : at + 3])
                info["wdl"] = PovWdl(Wdl(wins, draws, losses), board.turn)
                at += 3
            elif word == "currmove":
                info["currmove"] = Move.from_uci(words[at])
                at += 1
            elif word == "pv" and selector & Info.PV:
                info["pv"], at = _line(board, words, at)
            elif word == "refutation" and selector & Info.REFUTATION:
                line, at = _line(board, words, at)
                info.setdefault("refutation", {})[line[0]] = line[1:]
            elif word == "currline" and selector & Info.CURRLINE:
                processor = int(words[at])
                line, at = _line(board, words, at + 1)
                info.setdefault("currline", {})[processor] = line
        except (ValueError, IndexError, KeyError):
            LOGGER.error("cannot read %r of %r", word, text)
    return info  # type: ignore[return-value]


def _line(board: Board, words: List[str], at: int) -> Tuple[List[Move], int]:
    """The moves that come next, and where they end."""
    moves: List[Move] = []
    line = board.copy(stack=False)
    while at < len(words):
        try:
            moves.append(line.push_uci(words[at]))
        except ValueError:
            break
        at += 1
    return moves, at


def _parse_uci_bestmove(board: Board, text: str) -> BestMove:
    """What a line after ``bestmove`` says; EngineError if the move is impossible."""
    words = text.split()
    if not words or words[0] in ("(none)", "NULL", "0000"):
        return BestMove(None, None)
    try:
        move = board.parse_uci(words[0])
    except ValueError as error:
        raise EngineError(f"the engine has answered with an impossible move: {error}") from error
    ponder = None
    if len(words) > 2 and words[1] == "ponder" and words[2] not in ("(none)", "NULL"):
        after = board.copy(stack=False)
        after.push(move)
        try:
            ponder = after.parse_uci(words[2])
        except ValueError as error:
            LOGGER.error("the engine expects an impossible move: %s", error)
    return BestMove(move, ponder)
