"""Tabiya's own engine, in this process."""

from __future__ import annotations

import queue
import threading
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, Union

from .. import Board, Color, Move
from .._tabiya import Searcher, StopFlag, think_many
from .score import Cp, Mate, PovScore
from .types import INFO_NONE, AnalysisComplete, BestMove, EngineError, EngineTerminatedError
from .types import Info, InfoDict, Limit, PlayResult

_NONE = Limit()


def _asked(limit: Limit, multipv: Optional[int]) -> Tuple[Any, ...]:
    return (
        limit.depth, limit.nodes, limit.mate, limit.time, limit.white_clock, limit.black_clock,
        limit.white_inc, limit.black_inc, limit.remaining_moves, multipv,
    )  # fmt: skip


def _info(told: Tuple[Any, ...], turn: Color) -> InfoDict:
    depth, seldepth, line, centipawns, mate, bound, nodes, time, hashfull, pv = told
    score = PovScore(Mate(mate) if mate is not None else Cp(centipawns), turn)
    info: InfoDict = {
        "depth": depth, "seldepth": seldepth, "multipv": line, "score": score, "nodes": nodes,
        "time": time, "nps": round(nodes / time) if time else 0, "hashfull": hashfull, "pv": pv,
    }  # fmt: skip
    if bound < 0:
        info["lowerbound"] = True
    elif bound > 0:
        info["upperbound"] = True
    return info


def _check(limit: Limit) -> None:
    if limit == _NONE or limit == Limit(clock_id=limit.clock_id):
        raise EngineError("without a limit the engine would never come to an end")


class Tabiya:
    """Tabiya's engine: no program to start, and Python's threads go on while it thinks.

    ``level`` is a rating from 400 upwards, if it shall play like people do; with the same ``seed`` it plays
    the same game.

    >>> import tabiya, tabiya.engine
    >>> with tabiya.engine.Tabiya() as engine:
    ...     info = engine.analyse(tabiya.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), tabiya.engine.Limit(depth=4))
    >>> info["score"].white(), info["pv"][0].uci()
    (Mate(+1), 'a1a8')
    """

    def __init__(
        self,
        *,
        level: Optional[int] = None,
        hash: int = 16,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        self.level = level
        self._searcher = Searcher(hash, threads, level, seed)
        self._closed = False
        self._game: object = None

    def _open(self, game: object) -> Searcher:
        if self._closed:
            raise EngineTerminatedError("the engine has been closed")
        if game != self._game:
            self._game = game
            self._searcher.clear()
        return self._searcher

    def play(
        self,
        board: Board,
        limit: Limit = _NONE,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        root_moves: Optional[Iterable[Move]] = None,
    ) -> PlayResult:
        """Asks for a move. A level needs no limit: it decides itself how long it looks."""
        if self.level is None:
            _check(limit)
        moves = list(root_moves) if root_moves is not None else None
        best, ponder, told = self._open(game).think(
            board, _asked(limit, None), moves, StopFlag(), None
        )
        return PlayResult(best, ponder, _info(told[0], board.turn) if told else {})

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        root_moves: Optional[Iterable[Move]] = None,
    ) -> Any:
        """Analyses within limits: what was found last, or a list of lines if ``multipv`` is asked for."""
        _check(limit)
        moves = list(root_moves) if root_moves is not None else None
        _, _, told = self._open(game).think(board, _asked(limit, multipv), moves, StopFlag(), None)
        infos = [_info(one, board.turn) for one in told]
        if multipv is not None:
            return infos
        return infos[0] if infos else {}

    def analyse_many(
        self,
        boards: Sequence[Board],
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        threads: Optional[int] = None,
        hash: int = 16,
    ) -> List[Any]:
        """Analyses boards on all cores, each on its own; the answers do not depend on the number of threads."""
        _check(limit)
        turns = [board.turn for board in boards]
        answers = think_many(list(boards), _asked(limit, multipv), hash, threads)
        results: List[Any] = []
        for (_, told), turn in zip(answers, turns):
            infos = [_info(one, turn) for one in told]
            results.append(infos if multipv is not None else infos[0] if infos else {})
        return results

    def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        root_moves: Optional[Iterable[Move]] = None,
    ) -> Analysis:
        """Begins an analysis, whose information comes as it is found."""
        moves = list(root_moves) if root_moves is not None else None
        asked = _asked(limit or Limit(depth=127), multipv)
        return Analysis(self._open(game), board.copy(), asked, moves)

    def evaluate(self, board: Board) -> PovScore:
        """What the network says, without a search."""
        return PovScore(Cp(self._open(self._game).evaluate(board)), board.turn)

    def close(self) -> None:
        """Nothing can be asked any more."""
        self._closed = True

    quit = close

    def __enter__(self) -> Tabiya:
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Tabiya level={self.level}>" if self.level is not None else "<Tabiya>"


class Analysis:
    """Information as it is found: loop over it, stop it, wait for its end."""

    def __init__(
        self,
        searcher: Searcher,
        board: Board,
        asked: Tuple[Any, ...],
        root_moves: Optional[List[Move]],
    ) -> None:
        self.multipv: List[InfoDict] = [{}]
        self._flag = StopFlag()
        self._queue: queue.SimpleQueue[Optional[InfoDict]] = queue.SimpleQueue()
        self._best: Optional[BestMove] = None
        self._error: Optional[BaseException] = None
        self._ended = False

        def hear(told: Tuple[Any, ...]) -> None:
            info = _info(told, board.turn)
            line: int = told[2]
            while len(self.multipv) < line:
                self.multipv.append({})
            self.multipv[line - 1].update(info)
            self._queue.put(info)

        def think() -> None:
            try:
                best, ponder, _ = searcher.think(board, asked, root_moves, self._flag, hear)
                self._best = BestMove(best, ponder)
            except BaseException as error:
                self._error = error
            self._queue.put(None)

        self._thread = threading.Thread(target=think, name="Tabiya", daemon=True)
        self._thread.start()

    @property
    def info(self) -> InfoDict:
        """What was found last of the best line."""
        return self.multipv[0]

    def stop(self) -> None:
        """Ends the analysis as soon as possible."""
        self._flag.stop()

    def wait(self) -> BestMove:
        """Waits for the end."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._best is not None
        return self._best

    def next(self) -> Optional[InfoDict]:
        """Waits for what comes next; None if nothing does."""
        info = None if self._ended else self._queue.get()
        if info is None:
            self._ended = True
            self.wait()
        return info

    def get(self) -> InfoDict:
        """Waits for what comes next; AnalysisComplete if nothing does."""
        info = self.next()
        if info is None:
            raise AnalysisComplete()
        return info

    def empty(self) -> bool:
        """Whether all that has come was taken."""
        return self._ended or self._queue.empty()

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join()
