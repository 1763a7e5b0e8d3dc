"""What Tabiya has beside what python-chess has: pickles, scans, arrays, engines, reviews, pictures."""

import asyncio
import concurrent.futures
import copy
import doctest
import gzip
import importlib
import inspect
import io
import json
import pickle
import pkgutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
import zstandard

import tabiya
import tabiya.arrays
import tabiya.engine
import tabiya.pgn
import tabiya.polyglot
import tabiya.review
import tabiya.svg
from tabiya import _tabiya

HERE = Path(__file__).parent
GAMES = (
    '[Event "One"]\n[WhiteElo "2000"]\n\n1. e4 e5 2. Nf3 (2. f4 {gambit}) 2... Nc6 1-0\n\n'
    '[Event "Bad"]\n\n1. e4 e5 2. Ke3 *\n\n'
    '[Event "Two"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n'
)


def modules():
    return [name for _, name, _ in pkgutil.walk_packages(tabiya.__path__, "tabiya.")]


@pytest.mark.parametrize("name", ["tabiya", *modules()])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def examples_in_rust():
    """The examples of classes, methods and functions that are compiled, which `doctest` does not find by itself."""
    parser, found = doctest.DocTestParser(), []
    for name, value in vars(_tabiya).items():
        parts = {name: value}
        if isinstance(value, type):
            parts.update({f"{name}.{part}": one for part, one in vars(value).items()})
        for path, one in parts.items():
            text = getattr(one, "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                found.append(parser.get_doctest(text, {}, path, "Rust", 0))
    return found


@pytest.mark.parametrize("example", examples_in_rust(), ids=lambda example: example.name)
def test_examples_in_rust(example):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_examples_in_rust_are_found():
    names = {example.name for example in examples_in_rust()}
    assert {"BoardCore.push_san", "BoardCore.fen", "SquareSet", "Move", "Positions"} <= names


def test_everything_public_is_described():
    missing, seen = [], 0
    for name in modules():
        for owner, value in vars(importlib.import_module(name)).items():
            own = name == "tabiya._tabiya" or getattr(value, "__module__", None) == name
            if owner.startswith("_") or not own or not (inspect.isclass(value) or inspect.isroutine(value)):
                continue
            parts = vars(value) if inspect.isclass(value) else {}
            for path in [owner, *(f"{owner}.{part}" for part in parts if not part.startswith("_"))]:
                part = getattr(value, path.split(".")[1]) if "." in path else value
                if inspect.ismemberdescriptor(part) and name != "tabiya._tabiya":
                    continue  # a slot, which can have no description
                if inspect.isroutine(part) or inspect.isdatadescriptor(part) or inspect.isclass(part):
                    seen += 1
                    if not inspect.getdoc(part):
                        missing.append(f"{name}.{path}")
    assert not missing and seen > 600


@pytest.mark.parametrize("name", sorted(path.name for path in (HERE.parent / "examples").glob("*.py")))
def test_programs(name, tmp_path):
    ran = subprocess.run(
        [sys.executable, HERE.parent / "examples" / name], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0 and ran.stdout, ran.stderr


def pages():
    return [HERE.parent / "README.md", *sorted((HERE.parent / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_pages(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = path.read_text().split("```python\n")[1:]
    for number, block in enumerate(blocks):
        code = block.split("\n```")[0]
        exec(compile(code, f"{path.name}, block {number}", "exec"), {})


def test_values():
    move = tabiya.Move.from_uci("e7e8q")
    piece = tabiya.Piece.from_symbol("n")
    squares = tabiya.SquareSet([tabiya.A1, tabiya.H8])
    for value in (move, piece, squares):
        assert copy.deepcopy(value) == value == pickle.loads(pickle.dumps(value))
    assert {move: 1}[tabiya.Move(tabiya.E7, tabiya.E8, tabiya.QUEEN)] == 1
    assert move != "e7e8q" and piece != 3
    with pytest.raises(AttributeError):
        move.promotion = None
    with pytest.raises(TypeError):
        hash(squares)


def test_boards_are_pickled_with_their_moves():
    class Named(tabiya.Board):
        pass

    board = tabiya.Board()
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
    board.note = "kept"
    restored = pickle.loads(pickle.dumps(board))
    assert restored == board and restored.move_stack == board.move_stack and restored.note == "kept"
    restored.pop()
    assert restored != board
    assert type(Named().copy()) is Named


def test_a_subclass_that_moves_otherwise_is_asked():
    class Backwards(tabiya.Board):
        def generate_legal_moves(self, *masks):
            return reversed(list(super().generate_legal_moves(*masks)))

    plain, other = tabiya.Board(), Backwards()
    assert list(other.legal_moves) == list(reversed(list(plain.legal_moves)))
    assert other.legal_moves.count() == 20


def test_refusals_are_sentences():
    board = tabiya.Board("4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1")
    with pytest.raises(tabiya.IllegalMoveError, match="pinned by the bishop on b5"):
        board.push_san("Nf4")
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()
    with pytest.raises(ValueError, match="is no position of a game: White has no king"):
        tabiya.engine.Tabiya().evaluate(tabiya.Board("4k3/8/8/8/8/8/8/8 w - - 0 1"))


def test_perft():
    board = tabiya.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert board.perft(4) == 4085603
    assert sum(board.perft_divide(3).values()) == 97862
    assert tabiya.Board("8/8/8/3P4/8/8/8/8 w - - 0 1").perft(1) == 1  # no position, but a board


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_scan(tmp_path, suffix):
    path = tmp_path / f"games.pgn{suffix}"
    data = (GAMES * 3000).encode()
    if suffix == ".zst":
        plain = tmp_path / "plain.pgn"
        plain.write_bytes(data)
        data = zstandard.ZstdCompressor().compress(data)
    elif suffix:
        data = gzip.compress(data)
    path.write_bytes(data)
    for threads in (1, 3):
        scan = tabiya.pgn.scan(path, threads=threads)
        games = list(scan)
        assert [game.number for game in games[:4]] == [1, 3, 4, 6] and len(games) == 6000
        assert games[-1].headers == {"Event": "Two"} and games[-1].uci() == "d2d4 d7d5 c2c4"
        assert games[0].points == 1.0 and games[0].header("WhiteElo") == "2000"
        assert [move.uci() for move in games[0].moves] == ["e2e4", "e7e5", "g1f3", "b8c6"]
        assert len(scan.errors) == 3000
        last = scan.errors[-1]
        assert (last.number, last.line) == (8999, 13 * 2999 + 8)
        assert str(last) == f"{path}:{last.line}:13: game 8999: Your king cannot go to e3."


def test_scans_of_what_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot open nowhere.pgn"):
        list(tabiya.pgn.scan("nowhere.pgn"))
    with pytest.raises(OSError):
        list(tabiya.pgn.scan(tmp_path))


def test_other_threads_run_while_a_file_is_scanned(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES * 20000)
    turns = []
    thread = threading.Thread(target=lambda: turns.extend(range(1000)))
    scan = tabiya.pgn.scan(path)
    thread.start()
    assert sum(1 for _ in scan) == 40000
    thread.join()
    assert len(turns) == 1000


def test_planes_are_the_pieces():
    boards = [tabiya.Board(), tabiya.Board("8/5k2/8/8/2b5/8/5K1P/8 b - - 0 1")]
    planes = tabiya.arrays.planes(boards)
    assert planes.shape == (2, 8, 8, 12) and planes.dtype == np.uint8
    for board, found in zip(boards, planes):
        expected = np.zeros((8, 8, 12), np.uint8)
        for square, piece in board.piece_map().items():
            plane = piece.piece_type - 1 + (0 if piece.color else 6)
            expected[square >> 3, square & 7, plane] = 1
        assert (found == expected).all()
    first = tabiya.arrays.planes(boards, channels_last=False, dtype="float32")
    assert (first == planes.transpose(0, 3, 1, 2)).all()
    # As the side to move sees it, both colours look the same.
    both = [board for one in boards for board in (one, one.mirror())]
    relative = tabiya.arrays.planes(both, relative=True, extra=True)
    assert (relative[0::2] == relative[1::2]).all() and relative.shape[-1] == 18
    with pytest.raises(ValueError, match="the FEN 1 is none"):
        tabiya.arrays.planes([tabiya.STARTING_FEN, "nonsense"])


def test_numbers_of_moves():
    boards = [tabiya.Board(), tabiya.Board("r3k2r/1P1ppp2/8/2pP4/8/8/1P3p2/R3K2R w KQkq c6 0 1")]
    boards += [board.mirror() for board in boards]
    positions = tabiya.arrays.Positions.from_boards(boards)
    masks = positions.legal_masks(relative=True)
    for board, mask in zip(boards, masks):
        flip = not board.turn
        numbers = {tabiya.arrays.move_to_index(move, flip=flip): move for move in board.legal_moves}
        assert set(np.flatnonzero(mask)) == set(numbers) and len(numbers) == board.legal_moves.count()
        for number, move in numbers.items():
            assert tabiya.arrays.index_to_move(board, number, flip=flip) == move
    assert (masks[:2] == masks[2:]).all()
    assert positions.mobilities().tolist() == [board.legal_moves.count() for board in boards]


def test_batches(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES * 100)
    batches = tabiya.arrays.batches(path, 64, relative=False)
    seen = list(batches)
    assert [len(batch.positions) for batch in seen] == [64] * 10 + [60] and len(batches.errors) == 100
    first = seen[0]
    for at in range(10):
        board = tabiya.Board(first.positions.fen(at))
        move = tabiya.arrays.index_to_move(board, int(first.moves[at]))
        assert board.is_legal(move)
    assert first.results[0] == 1.0 and first.results[4] == 0.5 and first.white_elo[0] == 2000
    # A game is in one part only, and all are in one.
    parts = [
        {int(game) for batch in tabiya.arrays.batches(path, 50, split=split) for game in batch.games}
        for split in ("train", "validation")
    ]
    assert not parts[0] & parts[1] and len(parts[0] | parts[1]) == 200 and parts[1]
    shuffled = [
        [batch.plies.tolist() for batch in tabiya.arrays.batches(path, 64, shuffle=200, seed=3)]
        for _ in range(2)
    ]
    assert shuffled[0] == shuffled[1] != [batch.plies.tolist() for batch in seen]


def test_parquet(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES * 10)
    assert tabiya.arrays.write_parquet(path, tmp_path / "games.parquet") == 20
    rows = pyarrow.parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert rows[0]["moves"] == "e2e4 e7e5 g1f3 b8c6" and rows[0]["plies"] == 4
    assert rows[1]["Event"] == "Two" and rows[1]["WhiteElo"] is None
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["games.parquet", "games.pgn"]


def test_the_network_says_the_same_of_one_and_of_many():
    board = tabiya.Board()
    boards = [board.copy()]
    for san in "e4 e5 Qh5 Nc6 Bc4".split():
        board.push_san(san)
        boards.append(board.copy())
    engine = tabiya.engine.Tabiya()
    found = tabiya.arrays.evaluate(boards)
    assert found.tolist() == [engine.evaluate(board).relative.score() for board in boards]


def test_the_engine_in_this_process():
    limit = tabiya.engine.Limit(nodes=3000)
    with tabiya.engine.Tabiya() as engine:
        board = tabiya.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        assert engine.play(board, limit).move == tabiya.Move.from_uci("h5f7")
        lines = engine.analyse(tabiya.Board(), limit, multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3
        only = [tabiya.Move.from_uci("a2a3")]
        assert engine.play(tabiya.Board(), limit, root_moves=only).move == only[0]
        with pytest.raises(tabiya.engine.EngineError, match="never come to an end"):
            engine.play(tabiya.Board(), tabiya.engine.Limit())
        with engine.analysis(tabiya.Board()) as analysis:
            depths = [analysis.get()["depth"] for _ in range(3)]
            analysis.stop()
            assert analysis.wait().move is not None and depths == sorted(depths)
    with pytest.raises(tabiya.engine.EngineTerminatedError):
        engine.play(tabiya.Board(), limit)
    weak = tabiya.engine.Tabiya(level=600, seed=1)
    assert tabiya.Board().is_legal(weak.play(tabiya.Board()).move)


def test_many_boards_at_once_have_the_answers_of_one():
    boards = [tabiya.Board.from_chess960_pos(number) for number in range(0, 960, 120)]
    engine, limit = tabiya.engine.Tabiya(), tabiya.engine.Limit(nodes=2000)
    answers = [
        [info["pv"] for info in engine.analyse_many(boards, limit, threads=threads)]
        for threads in (1, 3)
    ]
    assert answers[0] == answers[1] and len(answers[0]) == 8
    assert all(board.is_legal(pv[0]) for board, pv in zip(boards, answers[0]))


DYING = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("uciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": sys.exit(3)
"""


@pytest.mark.parametrize("ask", ["play", "analyse", "analysis"])
def test_an_engine_that_dies_raises(tmp_path, ask):
    program = tmp_path / "dying.py"
    program.write_text(DYING)
    start = time.monotonic()
    with tabiya.engine.SimpleEngine.popen_uci([sys.executable, str(program)]) as engine:
        with pytest.raises(tabiya.engine.EngineTerminatedError):
            answer = getattr(engine, ask)(tabiya.Board(), tabiya.engine.Limit(time=60))
            answer.wait()
        with pytest.raises(tabiya.engine.EngineTerminatedError):
            engine.ping()
    assert time.monotonic() - start < 10


def test_an_engine_that_is_silent_is_not_waited_for():
    silent = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises((asyncio.TimeoutError, concurrent.futures.TimeoutError)):
        tabiya.engine.SimpleEngine.popen_uci(silent, timeout=0.3)
    with pytest.raises(tabiya.engine.EngineTerminatedError):
        tabiya.engine.SimpleEngine.popen_uci([sys.executable, "-c", "pass"])
    with pytest.raises(FileNotFoundError):
        tabiya.engine.SimpleEngine.popen_uci("no-such-engine")


def test_reviews():
    game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"))
    steps = []
    review = tabiya.review.review(game, nodes=1000, progress=lambda *step: steps.append(step))
    assert steps and review.moves[3]["judgement"] == "blunder" and "Ke7" in str(review)
    # Why, in words that are proved.
    assert review.moves[3]["why"]["better"] == "2...Nc6 stops 3.Qxe5#."
    assert "3.Qxe5# is mate. 2...Nc6 stops 3.Qxe5#." in str(review)
    assert review._repr_svg_().startswith("<svg")
    again = tabiya.review.read(review.game())
    assert [move["san"] for move in again.moves] == ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]
    assert tabiya.review.read(game) is None
    with pytest.raises(ValueError, match="100 to 10000000"):
        tabiya.review.review(game, nodes=1)


def test_interrupts_of_python_end_a_search():
    code = (
        # Whoever started the tests may have told their children to ignore interrupts.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys, tabiya, tabiya.engine, _thread, threading, time\n"
        "main = threading.get_ident()\n"
        "def interrupt():\n"
        "    while sys._current_frames()[main].f_code.co_name != 'play':\n        time.sleep(0.05)\n"
        "    time.sleep(0.5)\n    _thread.interrupt_main()\n"
        "engine = tabiya.engine.Tabiya()\n"
        "try:\n    threading.Thread(target=interrupt).start()\n"
        "    engine.play(tabiya.Board(), tabiya.engine.Limit(time=100))\n"
        "except KeyboardInterrupt:\n    print('ended')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "ended\n", ran.stderr


def test_books(tmp_path):
    book, board = tabiya.polyglot.BookWriter(), tabiya.Board()
    for weight, uci in enumerate(["a2a3", "e2e4", "d2d4"]):
        book.add(board, tabiya.Move.from_uci(uci), weight)
    castling = tabiya.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    book.add(castling, castling.parse_san("O-O"), 200_000)
    with pytest.raises(ValueError):
        book.add(board, tabiya.Move.from_uci("e2e5"))
    book.write(tmp_path / "book.bin")
    with tabiya.polyglot.open_reader(tmp_path / "book.bin") as reader:
        assert len(reader) == 4
        assert [entry.move.uci() for entry in reader.find_all(board)] == ["d2d4", "e2e4"]
        assert reader.find(castling).move.uci() == "e1g1" and reader.find(castling).weight == 65535
    (tmp_path / "odd.bin").write_bytes(b"x" * 17)
    with pytest.raises(OSError, match="multiple of 16 bytes, not 17"):
        tabiya.polyglot.open_reader(tmp_path / "odd.bin")


def test_pictures():
    board = tabiya.Board()
    board.push_san("e4")
    picture = tabiya.svg.board(board, arrows=[(tabiya.E7, tabiya.E5)], lastmove=board.peek(), size=200)
    assert picture.count("<use") == 32 and picture.count("lastmove") == 2 and 'width="200"' in picture
    import xml.etree.ElementTree as xml

    xml.fromstring(picture)
    xml.fromstring(tabiya.svg.piece(tabiya.Piece.from_symbol("q")))


def test_the_pieces_are_those_of_the_pages():
    script = HERE.parent / "pieces.mjs"
    ran = subprocess.run(["node", script], capture_output=True, text=True, check=True)
    assert ran.stdout == (HERE.parent / "source" / "tabiya" / "_pieces.py").read_text()


def notebooks():
    """All but the one that needs PyTorch: `with_torch.py` runs it."""
    books = sorted((HERE.parent / "notebooks").glob("*.ipynb"))
    return [path for path in books if "pytorch" not in path.stem]


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_notebooks(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(path.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate(code):
        exec(compile(cell, f"{path.name}, cell {number}", "exec"), names)


def test_the_bench_runs():
    bench = HERE.parent / "bench.py"
    ran = subprocess.run([sys.executable, bench, "--quick"], capture_output=True, text=True)
    assert ran.returncode == 0 and "| `push_san` |" in ran.stdout, ran.stderr


def test_the_referee():
    ran = subprocess.run([sys.executable, HERE / "referee.py"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
