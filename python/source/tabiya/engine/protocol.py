"""A conversation with an engine: commands one after the other, lines to and fro."""

from __future__ import annotations

import abc
import asyncio
import enum
import logging
import subprocess
import sys
from typing import Any, Callable, Deque, Dict, Generic, Iterable, List, Optional
from typing import Tuple, Type, TypeVar, Union

import collections

from .. import Board, Color, Move
from .types import INFO_ALL, INFO_NONE, AnalysisComplete, BestMove, ConfigMapping, EngineError
from .types import EngineTerminatedError, Info, InfoDict, Limit, Opponent, Option, PlayResult

LOGGER = logging.getLogger("tabiya.engine")

T = TypeVar("T")
ProtocolT = TypeVar("ProtocolT", bound="Protocol")


class CommandState(enum.Enum):
    """How far a command is."""

    NEW = enum.auto()
    ACTIVE = enum.auto()
    CANCELLING = enum.auto()
    DONE = enum.auto()


class Command(Generic[T]):
    """Something asked of an engine: it begins, hears lines, and may be ended early.

    ``result`` is what the caller waits for; the command itself may go on after it (pondering, an analysis)
    until ``finished``. Commands of your own are subclasses, for :meth:`Protocol.communicate`.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.result: asyncio.Future[T] = protocol.loop.create_future()
        self.finished: asyncio.Future[None] = protocol.loop.create_future()
        self.started = False
        self.cancelled = False
        self._callbacks: List[Callable[[], None]] = []

    def add_finished_callback(self, callback: Callable[[], None]) -> None:
        """Calls something when the engine is free again; at once, if it is."""
        if self.finished.done():
            callback()
        else:
            self._callbacks.append(callback)

    def check_initialized(self) -> None:
        """Raises EngineError if the engine has not shaken hands yet."""
        if not self.protocol.initialized:
            raise EngineError("the engine has not been initialized")

    @property
    def state(self) -> CommandState:
        """How far the command is."""
        if self.finished.done():
            return CommandState.DONE
        if not self.started:
            return CommandState.NEW
        return CommandState.CANCELLING if self.cancelled else CommandState.ACTIVE

    def start(self) -> None:
        """Sends what is to be sent."""
        raise NotImplementedError

    def line_received(self, line: str) -> None:
        """A line of the engine."""

    def cancel(self) -> None:
        """Somebody else wants the engine, or the caller does not wait any more."""

    def engine_terminated(self, error: Exception) -> None:
        """The engine has ended."""

    def set_result(self, value: T) -> None:
        """Gives the answer to whoever waits for it."""
        if not self.result.done():
            self.result.set_result(value)

    def finish(self) -> None:
        """The engine is free."""
        if not self.finished.done():
            self.finished.set_result(None)
            for callback in self._callbacks:
                callback()
            self.protocol._finished(self)

    set_finished = finish

    def fail(self, error: BaseException) -> None:
        """The command has failed; the engine is free."""
        if not self.result.done():
            self.result.set_exception(error)
            self.result.exception()  # somebody may have gone
        self.finish()


BaseCommand = Command


class Protocol(asyncio.SubprocessProtocol, metaclass=abc.ABCMeta):
    """An engine that is talked to. Its methods are coroutines; :class:`SimpleEngine` has plain ones."""

    options: Any
    """The options of the engine, by name."""
    id: Dict[str, str]

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.transport: Optional[asyncio.SubprocessTransport] = None
        self.buffer = {1: bytearray(), 2: bytearray()}
        self.command: Optional[Command[Any]] = None
        self.next_command: Optional[Command[Any]] = None
        self.initialized = False
        self.returncode: asyncio.Future[int] = self.loop.create_future()

    # The pipe

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        LOGGER.debug("%s: Connection made", self)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        code = self.transport.get_returncode() if self.transport else None
        code = -1 if code is None else code
        LOGGER.debug("%s: Connection lost (exit code: %d, error: %s)", self, code, exc)
        if not self.returncode.done():
            self.returncode.set_result(code)
        error = EngineTerminatedError(f"the engine has ended (exit code {code})")
        command, following = self.command, self.next_command
        self.command = self.next_command = None
        for ended in (command, following):
            if ended is not None:
                ended.engine_terminated(error)
                ended.fail(error)

    def process_exited(self) -> None:
        LOGGER.debug("%s: Process exited", self)

    def send_line(self, line: str) -> None:
        """Sends a line to the engine."""
        LOGGER.debug("%s: << %s", self, line)
        if self.transport is None:
            raise EngineTerminatedError("the engine has not been started")
        stdin = self.transport.get_pipe_transport(0)
        if stdin is None:
            raise EngineTerminatedError("the engine does not listen any more")
        stdin.write(line.encode("utf-8") + b"\n")  # type: ignore[attr-defined]

    def pipe_data_received(self, fd: int, data: Union[bytes, str]) -> None:
        buffer = self.buffer[fd]
        buffer += data.encode() if isinstance(data, str) else data
        while b"\n" in buffer:
            raw, _, rest = buffer.partition(b"\n")
            buffer[:] = rest
            line = raw.rstrip(b"\r").decode("utf-8", errors="replace")
            if fd == 1:
                self.line_received(line)
            else:
                self.error_line_received(line)

    def error_line_received(self, line: str) -> None:
        """The engine has written a line where errors go."""
        LOGGER.warning("%s: stderr >> %s", self, line)

    def line_received(self, line: str) -> None:
        """The engine has said a line."""
        LOGGER.debug("%s: >> %s", self, line)
        if self.command is None:
            return
        try:
            self.command.line_received(line)
        except Exception as error:
            if self.command is not None:
                self.command.fail(error)

    # Commands

    async def communicate(self, make: Callable[[Any], Command[T]]) -> T:
        """Asks the engine, as soon as it is free, and waits for the answer. ``make`` gets this protocol and gives a
        command."""
        command = make(self)
        if self.returncode.done():
            raise EngineTerminatedError(
                f"the engine has ended (exit code {self.returncode.result()})"
            )
        if self.next_command is not None:
            self.next_command.result.cancel()
            self.next_command.finished.set_result(None)
        self.next_command = command
        if self.command is None:
            self._start_next()
        else:
            self._cancel(self.command)
        try:
            return await asyncio.shield(command.result)
        except asyncio.CancelledError:
            if not command.result.done():
                command.result.cancel()
                if command.started:
                    self._cancel(command)
            raise

    def _cancel(self, command: Command[Any]) -> None:
        command.cancelled = True
        command.cancel()

    def _start_next(self) -> None:
        while self.command is None and self.next_command is not None:
            command, self.next_command = self.next_command, None
            if command.result.cancelled():
                continue
            self.command = command
            command.started = True
            try:
                command.start()
            except Exception as error:
                command.fail(error)

    def _finished(self, command: Command[Any]) -> None:
        if self.command is command:
            self.command = None
            self._start_next()

    # What engines are asked

    @abc.abstractmethod
    async def initialize(self) -> None:
        """Shakes hands."""

    @abc.abstractmethod
    async def ping(self) -> None:
        """Waits until the engine answers."""

    @abc.abstractmethod
    async def configure(self, options: ConfigMapping) -> None:
        """Sets options."""

    @abc.abstractmethod
    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        """Tells against whom the engine plays."""

    @abc.abstractmethod
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
        """Asks for a move. A new ``game`` tells the engine to forget the last."""

    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> Any:
        """Analyses within limits: what was told last, or a list of it if ``multipv`` is asked for."""
        analysis = await self.analysis(
            board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves,
            options=options,
        )  # fmt: skip
        with analysis:
            await analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    @abc.abstractmethod
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
        """Begins an analysis, whose information comes as it is found."""

    @abc.abstractmethod
    async def send_game_result(
        self,
        board: Board,
        winner: Optional[Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        """Tells the engine how the game has ended."""

    @abc.abstractmethod
    async def quit(self) -> None:
        """Asks the engine to end, and waits for it."""

    def __repr__(self) -> str:
        pid = self.transport.get_pid() if self.transport is not None else "?"
        return f"<{type(self).__name__} (pid={pid})>"

    @classmethod
    async def popen(
        cls: Type[ProtocolT],
        command: Union[str, List[str]],
        *,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> Tuple[asyncio.SubprocessTransport, ProtocolT]:
        """Starts a program; :meth:`initialize` has to follow."""
        if setpgrp and sys.platform == "win32":
            popen_args["creationflags"] = (
                popen_args.get("creationflags", 0) | subprocess.CREATE_NEW_PROCESS_GROUP
            )
        elif setpgrp:
            popen_args["start_new_session"] = True
        words = [command] if isinstance(command, str) else command
        loop = asyncio.get_running_loop()
        return await loop.subprocess_exec(cls, *words, **popen_args)


class AnalysisResult:
    """Information as it is found: loop over it with ``async for``, stop it, wait for its end."""

    multipv: List[InfoDict]
    """What was told last of each line, the best first."""

    def __init__(self, stop: Optional[Callable[[], None]] = None) -> None:
        self._stop = stop
        self._queue: Deque[InfoDict] = collections.deque()
        self._news = asyncio.Event()
        self._finished: asyncio.Future[BestMove] = asyncio.get_running_loop().create_future()
        self.multipv = [{}]

    @property
    def info(self) -> InfoDict:
        """What was told last of the best line."""
        return self.multipv[0]

    def post(self, info: InfoDict) -> None:
        """Something new."""
        if not info:
            return
        line = info.get("multipv", 1)
        while len(self.multipv) < line:
            self.multipv.append({})
        self.multipv[line - 1].update(info)
        self._queue.append(info)
        self._news.set()

    def set_finished(self, best: BestMove) -> None:
        """The analysis has ended with a best move."""
        if not self._finished.done():
            self._finished.set_result(best)
        self._news.set()

    def set_exception(self, error: BaseException) -> None:
        """The analysis has failed."""
        if not self._finished.done():
            self._finished.set_exception(error)
            self._finished.exception()
        self._news.set()

    def stop(self) -> None:
        """Ends the analysis as soon as possible."""
        if self._stop is not None and not self._finished.done():
            stop, self._stop = self._stop, None
            stop()

    async def wait(self) -> BestMove:
        """Waits for the end."""
        return await asyncio.shield(self._finished)

    async def get(self) -> InfoDict:
        """Waits for what comes next; AnalysisComplete if nothing does."""
        while not self._queue:
            if self._finished.done():
                self._finished.result()
                raise AnalysisComplete()
            self._news.clear()
            await self._news.wait()
        return self._queue.popleft()

    async def next(self) -> Optional[InfoDict]:
        """Waits for what comes next; None if nothing does."""
        try:
            return await self.get()
        except AnalysisComplete:
            return None

    def would_block(self) -> bool:
        """Whether :meth:`get` would have to wait."""
        return not self._queue and not self._finished.done()

    def empty(self) -> bool:
        """Whether all that has come was taken."""
        return not self._queue

    def __aiter__(self) -> AnalysisResult:
        return self

    async def __anext__(self) -> InfoDict:
        try:
            return await self.get()
        except AnalysisComplete:
            raise StopAsyncIteration from None

    def __enter__(self) -> AnalysisResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class MockTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """An engine for tests: expects lines and answers them."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.expectations: Deque[Tuple[str, List[str]]] = collections.deque()
        self.expected_pings = 0
        self.stdin_buffer = bytearray()
        self.protocol.connection_made(self)

    def expect(self, expectation: str, responses: List[str] = []) -> None:
        """Expects a line, and answers it with others."""
        self.expectations.append((expectation, responses))

    def expect_ping(self) -> None:
        """Expects a ping of XBoard's protocol, and answers it."""
        self.expected_pings += 1

    def assert_done(self) -> None:
        """AssertionError if a line is still expected."""
        assert not self.expectations, f"still expected: {self.expectations}"

    def get_pipe_transport(self, fd: int) -> Any:
        assert fd == 0, f"expected to write to stdin, not {fd}"
        return self

    def write(self, data: Any) -> None:
        self.stdin_buffer += data
        while b"\n" in self.stdin_buffer:
            raw, _, rest = self.stdin_buffer.partition(b"\n")
            self.stdin_buffer[:] = rest
            line = raw.decode()
            if line.startswith("ping ") and self.expected_pings:
                self.expected_pings -= 1
                self.protocol.pipe_data_received(1, line.replace("ping", "pong") + "\n")
                continue
            assert self.expectations, f"unexpected: {line!r}"
            expectation, responses = self.expectations.popleft()
            assert expectation == line, f"expected {expectation!r}, got {line!r}"
            if responses:
                self.protocol.pipe_data_received(1, "\n".join(responses) + "\n")

    def get_pid(self) -> int:
        return id(self)

    def get_returncode(self) -> Optional[int]:
        return None if self.expectations else 0
