"""Tabiya beside python-chess, in one run on one core: the table of docs/python.md.

    pip install ./python numpy chess==1.11.2 && python python/bench.py

Each task is done by both, in turns, and the best of several rounds counts. With --quick only a few rounds
are made, and nothing but a sanity check is wanted.
"""

from __future__ import annotations

import gc
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import chess
import chess.pgn

import tabiya
import tabiya.arrays
import tabiya.pgn

ROUNDS = 2 if "--quick" in sys.argv else 5
# The first eight are wanted to be as fast as there.
QUESTIONS = [
    "board.turn", "board.piece_at(e2)", "board.is_check()", "board.ep_square", "board.castling_rights",
    "board.halfmove_clock", "board.fullmove_number", "board.chess960",
    "board.pawns", "board.occupied", "board.occupied_co", "board.move_stack",
]  # fmt: skip
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def games(number: int) -> str:
    """Random games as PGN, always the same."""
    chance = random.Random(22)
    texts = []
    for round_ in range(number):
        board = tabiya.Board()
        while board.stack_size() < 80 and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        game = tabiya.pgn.Game.from_board(board)
        game.headers.update(White=f"A{round_}", Black="B", WhiteElo="2000", BlackElo="1900")
        texts.append(f"{game}\n\n")
    return "".join(texts)


def best(work: Callable[[], Any]) -> float:
    """Seconds of processor time, which a busy machine does not stretch as it does those of the clock."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def clock(work: Callable[[], Any]) -> float:
    """Seconds of the clock, for what several cores do."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """The best time of each."""
    pairs = [(best(ours), best(theirs)) for _ in range(ROUNDS)]
    return min(one for one, _ in pairs), min(other for _, other in pairs)


def perft(board: Any, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def walk(board: Any, depth: int) -> int:
    """Perft that plays every move."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += walk(board, depth - 1)
        board.pop()
    return nodes


def repeat(work: Callable[[], Any], times: int) -> Callable[[], None]:
    def run() -> None:
        for _ in range(times):
            work()

    return run


def getter(module: Any, question: str, times: int) -> Callable[[], None]:
    """A loop around a question, without a function call of its own."""
    names: dict[str, Any] = {"board": module.Board(KIWIPETE), "e2": module.E2}
    exec(f"def run():\n    for _ in range({times}):\n        {question}", names)
    run: Callable[[], None] = names["run"]
    return run


def memory(module: str) -> float:
    """Bytes that one of many objects takes: the growth of the process."""
    code = (
        "import sys, resource; import {0} as chess\n"
        "def rss():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4096\n"
        "keep = [chess.Board() for _ in range(1000)]\n"
        "before = rss(); keep += [chess.Board() for _ in range(50000)]\n"
        "print((rss() - before) / 50000)"
    )
    out = subprocess.run([sys.executable, "-c", code.format(module)], capture_output=True, check=True)
    return float(out.stdout)


def import_time(module: str) -> float:
    """Milliseconds beyond an interpreter that imports nothing, the best of ten."""

    def once(code: str) -> float:
        before = os.times().children_user + os.times().children_system
        subprocess.run([sys.executable, "-c", code], check=True)
        return os.times().children_user + os.times().children_system - before

    empty = min(once("pass") for _ in range(10))
    return 1000 * (min(once(f"import {module}") for _ in range(10)) - empty)


def rows() -> list[tuple[str, str, str, str, str]]:
    table: list[tuple[str, str, str, str, str]] = []

    def add(name: str, target: str, unit: float, ours: float, theirs: float, of: str) -> None:
        table.append((name, f"{unit / ours:,.0f} {of}", f"{unit / theirs:,.0f} {of}",
                      f"{theirs / ours:.1f}×", target))  # fmt: skip

    nodes = 97862
    ours, theirs = compare(
        lambda: perft(tabiya.Board(KIWIPETE), 3), lambda: perft(chess.Board(KIWIPETE), 3)
    )
    add("perft in Python, `legal_moves.count()` last", "≥ 15×", nodes, ours, theirs, "nodes/s")
    ours, theirs = compare(
        lambda: walk(tabiya.Board(KIWIPETE), 3), lambda: walk(chess.Board(KIWIPETE), 3)
    )
    add("perft in Python, every move pushed", "≥ 15×", nodes, ours, theirs, "nodes/s")
    bulk = min(best(lambda: tabiya.Board(KIWIPETE).perft(5)) for _ in range(ROUNDS))
    add("`Board.perft`", "≥ 500×", 193690690, bulk, theirs * 193690690 / nodes, "nodes/s")

    text = games(100)
    line = next(iter(tabiya_games(text)))
    sans = sans_of(line)
    ours, theirs = compare(
        repeat(lambda: play(tabiya.Board(), sans), 20), repeat(lambda: play(chess.Board(), sans), 20)
    )
    add("`push_san`", "≥ 15×", 20 * len(sans), ours, theirs, "moves/s")
    pairs = [(tabiya.Board(), chess.Board())]
    for san in sans:
        mine, other = pairs[-1][0].copy(stack=False), pairs[-1][1].copy(stack=False)
        mine.push_san(san), other.push_san(san)
        pairs.append((mine, other))
    ours, theirs = compare(
        repeat(lambda: [board.parse_san(san) for (board, _), san in zip(pairs, sans)], 50),
        repeat(lambda: [board.parse_san(san) for (_, board), san in zip(pairs, sans)], 50),
    )
    add("`parse_san`", "≥ 15×", 50 * len(sans), ours, theirs, "moves/s")
    ours, theirs = compare(lambda: read(tabiya.pgn, text), lambda: read(chess.pgn, text))
    add("`pgn.read_game`, whole tree", "≥ 25×", 100, ours, theirs, "games/s")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "games.pgn"
        path.write_text(text * 100)

        def scanned(read: Callable[[Any], int], threads: int | None) -> Callable[[], int]:
            return lambda: sum(read(game) for game in tabiya.pgn.scan(path, threads=threads))

        def objects(game: Any) -> int:
            return len(game.moves) + len(game.headers)

        fast = min(best(scanned(len, 1)) for _ in range(ROUNDS))
        add("`pgn.scan`, tags and moves read, one thread", "≥ 200×", 10000, fast, theirs * 100, "games/s")
        fast = min(best(scanned(objects, 1)) for _ in range(ROUNDS))
        add("`pgn.scan`, a list and a dict of each game", "–", 10000, fast, theirs * 100, "games/s")
        fast = min(clock(scanned(len, None)) for _ in range(ROUNDS))
        add(f"`pgn.scan`, {os.cpu_count()} threads, by the clock", "–", 10000, fast, theirs * 100, "games/s")
    fens = [board.fen() for board, _ in pairs]
    ours, theirs = compare(
        repeat(lambda: [tabiya.Board(fen) for fen in fens], 50),
        repeat(lambda: [chess.Board(fen) for fen in fens], 50),
    )
    add("FEN → `Board`", "≥ 10×", 50 * len(fens), ours, theirs, "boards/s")
    ours, theirs = compare(
        repeat(lambda: [board.fen() for board, _ in pairs], 50),
        repeat(lambda: [board.fen() for _, board in pairs], 50),
    )
    add("`Board` → FEN", "≥ 10×", 50 * len(fens), ours, theirs, "boards/s")
    for question in QUESTIONS:
        ours, theirs = compare(getter(tabiya, question, 200000), getter(chess, question, 200000))
        wanted = "≥ 1×" if question in QUESTIONS[:8] else "–"
        add(f"`{question}`", wanted, 200000, ours, theirs, "/s")
    positions = tabiya.arrays.Positions.from_fens(fens * 1000)
    planes = min(best(lambda: positions.planes(threads=1)) for _ in range(ROUNDS))
    table.append(("positions into 8×8×12 planes, one core", f"{len(positions) / planes:,.0f} /s", "–",
                  "–", "≥ 1,000,000 /s"))  # fmt: skip
    many = fens * 1000
    planes = min(best(lambda: tabiya.arrays.planes(many)) for _ in range(ROUNDS))
    table.append(("FENs into 8×8×12 planes, one core", f"{len(many) / planes:,.0f} /s", "–", "–", "–"))
    boards = [board for board, _ in pairs] * 1000
    planes = min(best(lambda: tabiya.arrays.planes(boards)) for _ in range(ROUNDS))
    table.append(("boards into 8×8×12 planes, one core", f"{len(boards) / planes:,.0f} /s", "–", "–", "–"))
    ours, theirs = import_time("tabiya"), import_time("chess")
    table.append(("`import`", f"{ours:.0f} ms", f"{theirs:.0f} ms", f"{theirs / ours:.1f}×", "≤ 50 ms"))
    ours, theirs = memory("tabiya"), memory("chess")
    table.append(("memory of a `Board`", f"{ours:.0f} bytes", f"{theirs:.0f} bytes",
                  f"{theirs / ours:.1f}×", "≥ 3×"))  # fmt: skip
    return table


def tabiya_games(text: str) -> list[Any]:
    handle = io.StringIO(text)
    return list(iter(lambda: tabiya.pgn.read_game(handle), None))


def sans_of(game: Any) -> list[str]:
    board, sans = game.board(), []
    for move in game.mainline_moves():
        sans.append(board.san(move))
        board.push(move)
    return sans


def play(board: Any, sans: list[str]) -> None:
    for san in sans:
        board.push_san(san)


def read(pgn: Any, text: str) -> int:
    handle = io.StringIO(text)
    count = 0
    while pgn.read_game(handle) is not None:
        count += 1
    return count


def main() -> None:
    print("| task | Tabiya | python-chess | ratio | wanted |")
    print("|---|---|---|---|---|")
    for row in rows():
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
