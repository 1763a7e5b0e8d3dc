"""The operations of EPD: ``bm e4; id "a name"; hmvc 0;``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Tuple

from ._tabiya import Move

if TYPE_CHECKING:
    from .boards import Board

_OPERATION = re.compile(r'\s*([A-Za-z]\w*)((?:[^;"]|"(?:[^"\\]|\\.)*"?)*)(?:;|$)')
_NUMBER = re.compile(r"[+-]?\d+\Z")
_FRACTION = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?\Z")
_MOVES = ("pv", "am", "bm")


def write(board: Board, operations: Mapping[str, Any]) -> str:
    """The operations as text, each with its semicolon."""
    return " ".join(_operation(board, code, operand) for code, operand in operations.items())


def _operation(board: Board, code: str, operand: Any) -> str:
    if not code or not re.match(r"[A-Za-z]\w*\Z", code):
        raise ValueError(f"{code!r} cannot be the name of an operation of EPD")
    if operand is None:
        return f"{code};"
    if isinstance(operand, Move):
        return f"{code} {board.san(operand)};"
    if isinstance(operand, bool):
        operand = int(operand)
    if isinstance(operand, int):
        return f"{code} {operand};"
    if isinstance(operand, float):
        if operand != operand or operand in (float("inf"), float("-inf")):
            raise ValueError(f"EPD has no number for {operand} ({code})")
        return f"{code} {operand};"
    if not isinstance(operand, str) and hasattr(operand, "__iter__"):
        moves = list(operand)
        if moves and all(isinstance(move, Move) for move in moves):
            return f"{code} {' '.join(_sans(board, code, moves))};"
        operand = str(operand)
    text = str(operand)
    for plain, escaped in (("\\", "\\\\"), ("\t", "\\t"), ("\r", "\\r"), ("\n", "\\n"), ('"', '\\"')):
        text = text.replace(plain, escaped)
    return f'{code} "{text}";'


def _sans(board: Board, code: str, moves: List[Move]) -> Iterator[str]:
    """A line of moves one after the other for ``pv``; else moves that stand beside each other."""
    if code != "pv":
        yield from sorted(board.san(move) for move in moves)
        return
    line = board.copy(stack=False)
    for move in moves:
        yield line.san(move)
        line.push(move)


def read(board: Board, text: str) -> Dict[str, Any]:
    """The operations that stand behind the four fields."""
    operations: Dict[str, Any] = {}
    at = 0
    text = text.lstrip("- ").rstrip()
    while at < len(text):
        if text[at] in " ;":
            at += 1
            continue
        found = _OPERATION.match(text, at)
        if not found:
            raise ValueError(f"expected the name of an operation of EPD at {text[at : at + 40]!r}")
        code, operand = found[1], found[2].strip()
        operations[code] = _value(board, code, operand)
        at = found.end()
    return operations


def _value(board: Board, code: str, operand: str) -> Any:
    if not operand:
        return [] if code in _MOVES else None
    if operand.startswith('"'):
        return _unescaped(operand)
    if code in _MOVES:
        return _line(board, operand.split(), code == "pv")
    if _NUMBER.match(operand):
        return int(operand)
    if _FRACTION.match(operand):
        return float(operand)
    try:
        return board.parse_san(operand)
    except ValueError:
        return operand


def _line(board: Board, words: List[str], follow: bool) -> List[Move]:
    line = board.copy(stack=False)
    moves = []
    for word in words:
        move = line.parse_xboard(word)
        moves.append(move)
        if follow:
            line.push(move)
    return moves


def _unescaped(text: str) -> str:
    text = text[1:-1] if text.endswith('"') and len(text) > 1 else text[1:]
    marks = {"t": "\t", "r": "\r", "n": "\n"}
    return re.sub(r"\\(.)", lambda found: marks.get(found[1], found[1]), text)
