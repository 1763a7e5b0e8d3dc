"""What holds without the interpreter's lock: run by ``scripts/free-threaded`` with such a Python, and nothing else.

    python3.14t python/tests/free_threaded.py
"""

import collections
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import tabiya
import tabiya.engine
import tabiya.pgn

THREADS = 8


def together(work):
    """Does the work on several threads at the same moment, and raises what one of them raises."""
    ready, errors = threading.Barrier(THREADS), []

    def run(number):
        try:
            ready.wait()
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def game(seed):
    chance, board = random.Random(seed), tabiya.Board()
    while board.stack_size() < 60 and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return board


def boards_of_ones_own():
    """Moves and pieces are shared between threads, and made by whoever needs them first."""
    expected, found = [], {}

    def play(number):
        boards = [game(seed) for seed in range(20)]
        found[number] = [(board.fen(), [move.uci() for move in board.move_stack]) for board in boards]
        assert tabiya.Board().perft(4) == 197_281

    together(play)
    expected = found[0]
    assert len(expected) == 20 and all(one == expected for one in found.values())
    for _ in range(3):
        assert tabiya.Move.from_uci("e2e4") is tabiya.Move.from_uci("e2e4")


def a_board_that_is_shared():
    """Whoever comes at a bad moment hears so; the board stays whole."""
    board, squares, busy = tabiya.Board(), tabiya.SquareSet(), collections.Counter()

    def use(number):
        for turn in range(4000):
            try:
                if turn % 2:
                    board.push_san("Nf3")
                    board.pop()
                else:
                    assert board.turn in (True, False) and board.castling_rights >= 0
                    assert board.halfmove_clock >= 0 and board.ep_square is None
                    squares.update([number], [turn % 64])
                    len(squares), board.fen(), list(board.legal_moves)
            except (RuntimeError, IndexError, ValueError) as error:
                busy[type(error).__name__] += 1

    together(use)
    while board.stack_size():
        board.pop()
    assert board == tabiya.Board() and len(squares) >= THREADS
    return dict(busy)


def files_and_trees():
    text = "".join(f"{tabiya.pgn.Game.from_board(game(seed))}\n\n" for seed in range(60))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text(text * 20)
        scan, seen = tabiya.pgn.scan(path, threads=3), collections.Counter()
        lock = threading.Lock()

        def take(number):
            # All threads take games of one scan, and read trees of their own.
            for found in scan:
                with lock:
                    seen[found.number] += 1
                assert len(found.moves) == len(found) and found.headers["White"] == "?"
            with open(path) as handle:
                for _ in range(30):
                    assert tabiya.pgn.read_game(handle).end().board().stack_size() > 0

        together(take)
        assert seen == collections.Counter(range(1, 1201)), len(seen)


def engines():
    limit = tabiya.engine.Limit(nodes=2000)
    engine, answers = tabiya.engine.Tabiya(), set()

    def think(number):
        answers.add(tabiya.engine.Tabiya().play(tabiya.Board(), limit).move.uci())
        assert engine.play(tabiya.Board(), limit).move is not None

    together(think)
    assert len(answers) == 1


def main():
    if sys._is_gil_enabled():
        sys.exit("this Python has its lock, or importing tabiya has brought it back")
    for test in (boards_of_ones_own, a_board_that_is_shared, files_and_trees, engines):
        start = time.monotonic()
        told = test()
        print(f"{test.__name__}: {time.monotonic() - start:.1f} s {told or ''}".rstrip())


if __name__ == "__main__":
    main()
