"""How often each piece moves, in a file of games or in three games that are written here."""

import collections
import pathlib
import sys
from typing import Counter

import tabiya
import tabiya.pgn

GAMES = "1. e4 e5 2. Nf3 *\n\n1. d4 Nf6 2. c4 *\n\n1. e5 *\n"


def main() -> None:
    if len(sys.argv) > 1:
        path = pathlib.Path(sys.argv[1])
    else:
        path = pathlib.Path("games.pgn")
        path.write_text(GAMES)
    counts: Counter[str] = collections.Counter()
    scan = tabiya.pgn.scan(path)
    for game in scan:
        board = tabiya.Board(game.start_fen())
        for move in game.moves:
            kind = board.piece_type_at(move.from_square)
            assert kind is not None
            counts[str(tabiya.PIECE_NAMES[kind])] += 1
            board.push(move)
    for name, count in counts.most_common():
        print(f"{name:8}{count:8}")
    for error in scan.errors:
        print(error)


if __name__ == "__main__":
    main()
