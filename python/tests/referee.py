"""Runs the tests that python-chess publishes, with its modules replaced by those of Tabiya.

The tests come with pip (``pip download chess==1.11.2``) and are run, not copied. Those of variants and
Gaviota's tables are left out. What Tabiya does otherwise stands below with its reason; anything else that
fails, and anything below that passes, is an error.

    python tests/referee.py            downloads, runs, compares
    python tests/referee.py --all      with the traceback of every failure
"""

from __future__ import annotations

import importlib
import logging
import os
import subprocess
import sys
import tarfile
import tempfile
import types
import unittest
from pathlib import Path

VERSION = "1.11.2"
CASES = [
    "SquareTestCase",
    "MoveTestCase",
    "PieceTestCase",
    "BoardTestCase",
    "LegalMoveGeneratorTestCase",
    "BaseBoardTestCase",
    "SquareSetTestCase",
    "PolyglotTestCase",
    "PgnTestCase",
    "EngineTestCase",
    "SvgTestCase",
    "SyzygyTestCase",
]
LEAST = 218

# Tests that fail or cannot run, and why.
_VARIANTS = "plays Atomic chess; Tabiya knows chess and Chess960"
_SUICIDE = "asks tables of suicide chess; Tabiya knows chess and Chess960"
_FIVE_MEN = "asks Syzygy's tables of five men; those of three and four come with the tests"
_CRAFTY = "needs the program crafty, which Debian does not have"
EXCEPTIONS: dict[str, str] = {
    "BoardTestCase.test_insufficient_material": _VARIANTS,
    "EngineTestCase.test_crafty_analyse": _CRAFTY,
    "EngineTestCase.test_crafty_ping": _CRAFTY,
    "EngineTestCase.test_crafty_play_to_mate": _CRAFTY,
    "EngineTestCase.test_fairy_sf_initialize": "needs the program fairy-stockfish",
    "EngineTestCase.test_wdl_model": "expects the curves of versions of Stockfish; there is one curve here",
    "EngineTestCase.test_xboard_analyse": _VARIANTS,
    "PgnTestCase.test_variants": _VARIANTS,
    "SyzygyTestCase.test_antichess_kvk": _SUICIDE,
    "SyzygyTestCase.test_issue_93": _FIVE_MEN,
    "SyzygyTestCase.test_stockfish_dtz_bug": _FIVE_MEN,
    "SyzygyTestCase.test_suicide_dtm": _SUICIDE,
    "SyzygyTestCase.test_suicide_dtz": _SUICIDE,
    "SyzygyTestCase.test_suicide_stats": _SUICIDE,
}


def fetch(folder: Path) -> Path:
    """The folder of python-chess's source distribution."""
    kept = Path(os.environ.get("TABIYA_REFEREE", folder))
    name = f"chess-{VERSION}"
    if not (kept / name / "test.py").exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        pip += ["--no-deps", "--no-binary", ":all:", "--dest", str(kept), f"chess=={VERSION}"]
        subprocess.run(pip, check=True)
        with tarfile.open(kept / f"{name}.tar.gz") as archive:
            archive.extractall(kept)
    return kept / name


def load(folder: Path) -> types.ModuleType:
    """The module of tests, which sees Tabiya wherever it says chess."""
    import tabiya

    sys.modules["chess"] = tabiya
    for name in ("engine", "pgn", "polyglot", "svg", "syzygy"):
        sys.modules[f"chess.{name}"] = importlib.import_module(f"tabiya.{name}")
    for name in ("gaviota", "variant"):
        module = types.ModuleType(f"chess.{name}")
        module.__dict__["MissingTableError"] = type("MissingTableError", (KeyError,), {})
        sys.modules[f"chess.{name}"] = module
        if not hasattr(tabiya, name):
            setattr(tabiya, name, module)
    os.chdir(folder)  # the tests open files of their own
    module = types.ModuleType("referee_tests")
    module.__file__ = str(folder / "test.py")
    exec(compile((folder / "test.py").read_text(), module.__file__, "exec"), module.__dict__)
    return module


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        module = load(fetch(Path(folder)))
        loader = unittest.TestLoader()
        suite = unittest.TestSuite(
            loader.loadTestsFromTestCase(getattr(module, name)) for name in CASES
        )
        count = suite.countTestCases()
        os.environ["PATH"] += os.pathsep + "/usr/games"  # where Debian has Stockfish
        logging.disable(logging.CRITICAL if "--all" not in sys.argv else logging.NOTSET)
        result = unittest.TestResult()
        suite.run(result)
    failed = {test.id().split(".", 1)[1]: text for test, text in result.failures + result.errors}
    skipped = {test.id().split(".", 1)[1]: text for test, text in result.skipped}
    if "--all" in sys.argv:
        for name, text in failed.items():
            print(f"--- {name}\n{text}")
    unexpected = {**failed, **skipped}.keys() - EXCEPTIONS.keys()
    # Programs of others may be there or not.
    for name in [name for name in EXCEPTIONS if "needs the program" in EXCEPTIONS[name]]:
        if name not in failed and name not in skipped:
            del EXCEPTIONS[name]
    cured = EXCEPTIONS.keys() - failed.keys() - skipped.keys()
    passed = count - len(failed) - len(skipped)
    print(f"{passed} of {count} tests pass, {len(failed)} fail, {len(skipped)} cannot run here")
    for name, reason in sorted(EXCEPTIONS.items()):
        print(f"  {name}: {reason}")
    for name in sorted(unexpected):
        print(f"unexpected: {name}: {(failed.get(name) or skipped[name]).strip().splitlines()[-1]}")
    for name in sorted(cured):
        print(f"passes now, and should leave the list: {name}")
    return 1 if unexpected or cured or passed < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
