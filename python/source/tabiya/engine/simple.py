"""Engines for programs without asyncio."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from types import TracebackType
from typing import Any, Callable, Coroutine, Dict, Iterable, Iterator, List, MutableMapping
from typing import Optional, Tuple, Type, TypeVar, Union

from .. import Board, Color, Move
from .protocol import AnalysisResult, Command, Protocol
from .types import INFO_ALL, INFO_NONE, AnalysisComplete, BestMove, ConfigMapping, EngineError
from .types import EngineTerminatedError, Info, InfoDict, Limit, Opponent, Option, PlayResult
from .uci import UciProtocol
from .xboard import XBoardProtocol

T = TypeVar("T")


async def popen_uci(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, UciProtocol]:
    """Starts an engine that speaks UCI and shakes hands."""
    transport, protocol = await UciProtocol.popen(command, setpgrp=setpgrp, **popen_args)
    return await _initialized(transport, protocol), protocol


async def popen_xboard(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, XBoardProtocol]:
    """Starts an engine that speaks XBoard's protocol and shakes hands."""
    transport, protocol = await XBoardProtocol.popen(command, setpgrp=setpgrp, **popen_args)
    return await _initialized(transport, protocol), protocol


async def _initialized(
    transport: asyncio.SubprocessTransport, protocol: Protocol
) -> asyncio.SubprocessTransport:
    try:
        await protocol.initialize()
    except BaseException:
        transport.close()
        raise
    return transport


def run_in_background(
    coroutine: Callable[[concurrent.futures.Future[T]], Coroutine[Any, Any, None]],
    *,
    name: Optional[str] = None,
    debug: Optional[bool] = None,
) -> T:
    """Runs a coroutine in an event loop on a thread of its own, and waits until it has set the
    future that it is given. The loop goes on until the coroutine ends."""
    future: concurrent.futures.Future[T] = concurrent.futures.Future()

    def background() -> None:
        try:
            asyncio.run(coroutine(future), debug=debug)
            if not future.done():
                future.set_exception(EngineError("the coroutine has set no result"))
        except BaseException as error:
            if not future.done():
                future.set_exception(error)

    threading.Thread(target=background, name=name, daemon=True).start()
    return future.result()


class SimpleEngine:
    """An engine whose methods wait for their answers. Use it in a ``with``.

    An engine that dies raises :class:`EngineTerminatedError` in whoever waits for it. One that does not answer raises
    ``TimeoutError``, ``timeout`` seconds beyond the time or the clocks of a search. A search to a depth, of nodes or
    without a limit may take as long as it takes, and so may an analysis: another thread can :meth:`close` the
    engine, which ends the waiting.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: Protocol,
        *,
        timeout: Optional[float] = 10.0,
    ) -> None:
        self.transport = transport
        self.protocol = protocol
        self.timeout = timeout
        self._shutdown_lock = threading.Lock()
        self._shutdown = False
        self.shutdown_event = asyncio.Event()
        self.returncode: concurrent.futures.Future[int] = concurrent.futures.Future()

    def _timeout_for(self, limit: Limit) -> Optional[float]:
        if self.timeout is None or limit.time is None:
            clock = max(limit.white_clock or 0, limit.black_clock or 0)
            if self.timeout is None or not clock:
                return None
            return self.timeout + clock + max(limit.white_inc or 0, limit.black_inc or 0)
        return self.timeout + limit.time

    @contextlib.contextmanager
    def _open(self) -> Iterator[None]:
        with self._shutdown_lock:
            if self._shutdown:
                raise EngineTerminatedError("the engine has been closed")
        yield

    def _run(self, make: Callable[[], Coroutine[Any, Any, T]], timeout: Optional[float]) -> T:
        with self._open():

            async def waiting() -> T:
                return await asyncio.wait_for(make(), timeout)

            future = asyncio.run_coroutine_threadsafe(waiting(), self.protocol.loop)
        try:
            return future.result()
        except concurrent.futures.TimeoutError as error:
            raise asyncio.TimeoutError(str(error) or "the engine does not answer") from None
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine has been closed") from None

    @property
    def options(self) -> MutableMapping[str, Option]:
        """The options of the engine."""
        with self._open():
            options: MutableMapping[str, Option] = self.protocol.options
            return options

    @property
    def id(self) -> Dict[str, str]:
        """The name and the author."""
        with self._open():
            return dict(self.protocol.id)

    def communicate(self, make: Callable[[Any], Command[T]]) -> T:
        """Asks the engine with a command of your own: ``make`` gets the protocol and gives the command."""
        return self._run(lambda: self.protocol.communicate(make), None)

    def configure(self, options: ConfigMapping) -> None:
        """Sets options."""
        self._run(lambda: self.protocol.configure(options), self.timeout)

    def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        """Tells against whom the engine plays."""
        self._run(
            lambda: self.protocol.send_opponent_information(
                opponent=opponent, engine_rating=engine_rating
            ),
            self.timeout,
        )

    def ping(self) -> None:
        """Waits until the engine answers."""
        self._run(self.protocol.ping, self.timeout)

    def play(
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
        """Asks for a move."""
        return self._run(
            lambda: self.protocol.play(
                board, limit, game=game, info=info, ponder=ponder, draw_offered=draw_offered,
                root_moves=root_moves, options=options, opponent=opponent,
            ),
            self._timeout_for(limit),
        )  # fmt: skip

    def analyse(
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
        return self._run(
            lambda: self.protocol.analyse(
                board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves,
                options=options,
            ),
            self._timeout_for(limit),
        )  # fmt: skip

    def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> SimpleAnalysisResult:
        """Begins an analysis, whose information comes as it is found."""
        inner = self._run(
            lambda: self.protocol.analysis(
                board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves,
                options=options,
            ),
            self.timeout,
        )  # fmt: skip
        return SimpleAnalysisResult(self, inner)

    def send_game_result(
        self,
        board: Board,
        winner: Optional[Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        """Tells the engine how the game has ended."""
        self._run(
            lambda: self.protocol.send_game_result(board, winner, game_ending, game_complete),
            self.timeout,
        )

    def quit(self) -> None:
        """Asks the engine to end, and waits for it."""
        self._run(self.protocol.quit, self.timeout)

    def close(self) -> None:
        """Ends the program, whatever it is doing."""

        def shut_down() -> None:
            self.transport.close()
            self.shutdown_event.set()

        with self._shutdown_lock:
            if self._shutdown:
                return
            self._shutdown = True
            with contextlib.suppress(RuntimeError):
                self.protocol.loop.call_soon_threadsafe(shut_down)

    @classmethod
    def popen(
        cls,
        protocol: Type[Protocol],
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine with a protocol and shakes hands."""

        async def background(future: concurrent.futures.Future[SimpleEngine]) -> None:
            transport, spoken = await protocol.popen(command, setpgrp=setpgrp, **popen_args)
            engine = cls(transport, spoken, timeout=timeout)
            try:
                await asyncio.wait_for(spoken.initialize(), timeout)
                future.set_result(engine)
                closed = asyncio.ensure_future(engine.shutdown_event.wait())
                ends: List[asyncio.Future[Any]] = [closed, spoken.returncode]
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                if spoken.returncode.done():
                    engine.returncode.set_result(spoken.returncode.result())
                # Those who still wait hear that the engine has ended.
                await asyncio.wait([closed])
            finally:
                transport.close()
                await asyncio.wait([spoken.returncode], timeout=2.0)

        words = command if isinstance(command, str) else " ".join(command)
        return run_in_background(background, name=f"{cls.__name__} ({words})", debug=debug)

    @classmethod
    def popen_uci(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine that speaks UCI."""
        return cls.popen(
            UciProtocol, command, timeout=timeout, debug=debug, setpgrp=setpgrp, **popen_args
        )

    @classmethod
    def popen_xboard(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine that speaks XBoard's protocol."""
        return cls.popen(
            XBoardProtocol, command, timeout=timeout, debug=debug, setpgrp=setpgrp, **popen_args
        )

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        pid = self.transport.get_pid()
        return f"<{type(self).__name__} (pid={pid})>"


class SimpleAnalysisResult:
    """Information as it is found, for programs without asyncio: loop over it with ``for``."""

    def __init__(self, engine: SimpleEngine, inner: AnalysisResult) -> None:
        self.simple_engine = engine
        self.inner = inner

    def _run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self.simple_engine._run(make, None)

    async def _call(self, function: Callable[[], T]) -> T:
        return function()

    @property
    def info(self) -> InfoDict:
        """What was told last of the best line."""
        return self._run(lambda: self._call(lambda: self.inner.info.copy()))

    @property
    def multipv(self) -> List[InfoDict]:
        """What was told last of each line."""
        return self._run(
            lambda: self._call(lambda: [line.copy() for line in self.inner.multipv])
        )

    def stop(self) -> None:
        """Ends the analysis as soon as possible."""
        with contextlib.suppress(RuntimeError):
            self.simple_engine.protocol.loop.call_soon_threadsafe(self.inner.stop)

    def wait(self) -> BestMove:
        """Waits for the end."""
        return self._run(self.inner.wait)

    def would_block(self) -> bool:
        """Whether :meth:`get` would have to wait."""
        return self._run(lambda: self._call(self.inner.would_block))

    def empty(self) -> bool:
        """Whether all that has come was taken."""
        return self._run(lambda: self._call(self.inner.empty))

    def get(self) -> InfoDict:
        """Waits for what comes next; AnalysisComplete if nothing does."""
        return self._run(self.inner.get)

    def next(self) -> Optional[InfoDict]:
        """Waits for what comes next; None if nothing does."""
        return self._run(self.inner.next)

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> SimpleAnalysisResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
