"""Every public name of python-chess is there under the same name, but those that are listed with a reason."""

import ast
import importlib
import inspect

import chess
import pytest

import tabiya

MODULES = ["", ".pgn", ".engine", ".svg", ".polyglot"]

# Names that Tabiya does without.
EXCEPTIONS = {
    "engine.T": "a type variable for annotations inside the module",
    "pgn.MainlineMapT": "a type variable for annotations inside the module",
}


def public(name):
    """What a module defines at its top level, and what its classes have."""
    module = importlib.import_module(name)
    found = set()

    def visit(body):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Assign):
                targets = [part for target in node.targets for part in ast.walk(target)]
                found.update(part.id for part in targets if isinstance(part, ast.Name))
            elif isinstance(node, ast.AnnAssign):
                found.add(node.target.id)
            elif isinstance(node, ast.If):
                visit(node.body)

    visit(ast.parse(inspect.getsource(module)).body)
    names = {name for name in found if not name.startswith("_") and hasattr(module, name)}
    for name in list(names):
        value = getattr(module, name)
        if inspect.isclass(value):
            names |= {f"{name}.{part}" for part in dir(value) if not part.startswith("_")}
    return names


def get(module, path):
    for part in path.split("."):
        module = getattr(module, part)
    return module


@pytest.mark.parametrize("name", MODULES)
def test_names(name):
    theirs = importlib.import_module(f"chess{name}")
    ours = importlib.import_module(f"tabiya{name}")
    names = public(f"chess{name}")
    # The whole of the module was found, and not a few names.
    assert len(names) >= {"": 500, ".pgn": 300, ".engine": 250, ".svg": 50, ".polyglot": 25}[name]
    missing = []
    for path in sorted(names):
        try:
            value = get(ours, path)
        except AttributeError:
            missing.append(f"{name[1:]}.{path}".lstrip("."))
            continue
        other = get(theirs, path)
        assert callable(value) or not (inspect.isroutine(other) or inspect.isclass(other)), path
    assert missing == sorted(path for path in EXCEPTIONS if path.split(".")[0] == (name[1:] or path))


def test_constants_are_the_same():
    plain = (bool, int, str, bytes, list, dict)
    names = [path for path in public("chess") if "." not in path]
    compared = 0
    for path in names:
        value = getattr(chess, path)
        if type(value) in plain and "ATTACKS" not in path:
            assert getattr(tabiya, path) == value, path
            compared += 1
    assert compared > 150


def test_tables_of_attacks():
    for square in tabiya.SQUARES:
        for lines in ("DIAG", "FILE", "RANK"):
            mask = getattr(chess, f"BB_{lines}_MASKS")[square]
            theirs = getattr(chess, f"BB_{lines}_ATTACKS")[square]
            ours = getattr(tabiya, f"BB_{lines}_ATTACKS")[square]
            assert dict(ours) == theirs and len(ours) == len(theirs)
            with pytest.raises(KeyError):
                ours[~mask & tabiya.BB_ALL]
    for pieces in ("KNIGHT", "KING", "PAWN"):
        assert getattr(tabiya, f"BB_{pieces}_ATTACKS") == getattr(chess, f"BB_{pieces}_ATTACKS")


@pytest.mark.parametrize(
    "pattern, texts",
    [
        ("SAN_REGEX", ["e4", "Nbd7+", "exd8=Q#", "R1xa3", "O-O", "e9", "Nbd", "Qa1-a8", "e8q", " e4"]),
        ("FEN_CASTLING_REGEX", ["-", "KQkq", "", "HAha", "kK", "KQkqK", "Kk", "x"]),
        ("pgn.TAG_REGEX", ['[White "A"]', '[White "A" ]', '[White A]', '[X_1 "a \\" b"]\n', '["a"]']),
        ("pgn.TAG_NAME_REGEX", ["White", "X_1", "a b", "", "_x"]),
        ("pgn.CLOCK_REGEX", ["so [%clk 1:02:03.4] so", "[%clk 1:02]", "[%emt 0:00:01]"]),
        ("pgn.EMT_REGEX", ["[%emt 0:00:01]", "[%clk 0:00:01]"]),
        ("pgn.EVAL_REGEX", ["[%eval 0.35,20]", "a [%eval #-3] b", "[%eval x]", "[%eval 1.]", "[%eval -.5]"]),
        ("pgn.ARROWS_REGEX", ["[%cal Ge2e4,Rd1d8] ", "[%csl Yd4]", "[%cal Xe2e4]", "[%csl ]"]),
        ("pgn.MOVETEXT_REGEX", ["1. e4 {a b} (1. d4 ; so\n) $12 !? O-O-O 0-1", "Nf3+ e8=Q# *", "xyz"]),
        ("pgn.SKIP_MOVETEXT_REGEX", ["e4 {a} ; b", "e4"]),
        ("engine.UCI_REGEX", ["e2e4", "e7e8q", "N@f3", "0000", "e2e9"]),
        ("engine.XBOARD_ERROR_REGEX", ["Error (no): x", "Illegal move: e5", "Illegal move (pin): e5", "move e4"]),
    ],
)
def test_patterns(pattern, texts):
    matched = 0
    for text in texts:
        ours, theirs = (
            [(match.span(), match.groupdict()) for match in get(module, pattern).finditer(text)]
            for module in (tabiya, importlib.import_module("chess"))
        )
        assert ours == theirs, text
        matched += bool(ours)
    assert 0 < matched < len(texts)


def test_commands_of_ones_own(tmp_path):
    import sys

    import tabiya.engine

    class Say(tabiya.engine.BaseCommand):
        states = []

        def start(self):
            self.check_initialized()
            self.add_finished_callback(lambda: self.states.append("free"))
            self.states.append(self.state)
            self.protocol.send_line("say so")

        def line_received(self, line):
            self.result.set_result(line)
            self.set_finished()
            self.states.append(self.state)

    program = tmp_path / "echo.py"
    program.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    print('uciok' if line == 'uci\\n' else 'readyok' if 'ready' in line else line, flush=True)\n"
    )
    with tabiya.engine.SimpleEngine.popen_uci([sys.executable, str(program)]) as engine:
        assert engine.communicate(Say) == "say so"
    State = tabiya.engine.CommandState
    assert Say.states == [State.ACTIVE, "free", State.DONE]


def test_keys_by_any_table():
    import random

    import chess.polyglot

    import tabiya.polyglot

    chance = random.Random(4)
    table = [chance.getrandbits(64) for _ in range(781)]
    ours, theirs = tabiya.polyglot.ZobristHasher(table), chess.polyglot.ZobristHasher(table)
    mine, other = tabiya.Board(), chess.Board()
    for _ in range(200):
        assert ours(mine) == theirs(other), other.fen()
        assert tabiya.polyglot.zobrist_hash(mine) == chess.polyglot.zobrist_hash(other)
        legal = list(other.legal_moves)
        if not legal:
            break
        move = chance.choice(legal)
        other.push(move)
        mine.push_uci(move.uci())
    with pytest.raises(ValueError, match="781 numbers, not 3"):
        tabiya.polyglot.ZobristHasher([1, 2, 3])
