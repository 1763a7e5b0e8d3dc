"""Analyses with any UCI engine; here with a tiny one that is written in Python."""

import asyncio
import pathlib
import sys
from typing import List

import tabiya
import tabiya.engine

ENGINE = """
import sys, tabiya
board = tabiya.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name First\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        board = tabiya.Board()
        for move in words[3:]:
            board.push_uci(move)
    elif words[0] == "go":
        move = min(board.legal_moves, key=lambda move: move.uci())
        print(f"info depth 1 score cp 0 pv {move}\\nbestmove {move}", flush=True)
    elif words[0] == "quit":
        break
"""


def simple(command: List[str]) -> None:
    with tabiya.engine.SimpleEngine.popen_uci(command) as engine:
        board = tabiya.Board()
        result = engine.play(board, tabiya.engine.Limit(time=0.1))
        print(engine.id["name"], "plays", result.move)


async def concurrent(command: List[str]) -> None:
    transport, engine = await tabiya.engine.popen_uci(command)
    with await engine.analysis(tabiya.Board(), tabiya.engine.Limit(depth=1)) as analysis:
        async for info in analysis:
            print(info.get("depth"), info.get("score"), info.get("pv"))
    await engine.quit()
    transport.close()


def main() -> None:
    program = pathlib.Path("first.py")
    program.write_text(ENGINE)
    simple([sys.executable, str(program)])
    asyncio.run(concurrent([sys.executable, str(program)]))


if __name__ == "__main__":
    main()
