"""The document's interface: at least five cases for each function and method."""

import ast
import builtins
import copy
import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import chess_puzzle
from chess_puzzle import (
    Bishop,
    King,
    Piece,
    conf2unicode,
    find_black_move,
    index2location,
    is_check,
    is_checkmate,
    is_piece_at,
    is_stalemate,
    location2index,
    main,
    piece_at,
    read_board,
    save_board,
)

WHITE, BLACK = True, False


def board(text):
    """A board from three lines or three parts: "5 / Kc5 Bb5 / Kb3"."""
    size, *sides = text.split("/")
    pieces = []
    for side, words in zip((WHITE, BLACK), sides):
        for word in words.split():
            kind = {"K": King, "B": Bishop}[word[0]]
            pieces.append(kind(*location2index(word[1:]), side))
    return int(size), pieces


def contents(B):
    """What is on a board, without order."""
    size, pieces = B
    return size, {(type(p), p.pos_x, p.pos_y, p.side) for p in pieces}


def at(B, location):
    return piece_at(*location2index(location), B)


EXAMPLE = "5 / Bb5 Kc5 Be4 Bd1 / Kb3 Bc3 Be3"
PINNED = "4 / Ka1 Bb2 / Kd1 Bd4"
MATE = "3 / Ka1 / Kc1 Bc3 Bb3"
STALEMATE = "3 / Ka1 / Kc1 Bb3"


# location2index, index2location

LOCATIONS = [("a1", 1, 1), ("e2", 5, 2), ("z26", 26, 26), ("b10", 2, 10), ("y9", 25, 9), ("a26", 1, 26)]


@pytest.mark.parametrize("location, x, y", LOCATIONS)
def test_location2index(location, x, y):
    assert location2index(location) == (x, y)


@pytest.mark.parametrize("location", ["", "a", "1", "a0", "a27", "A1", "a01", "aa1", " a1", "a1 ", "é1"])
def test_location2index_refuses(location):
    with pytest.raises(ValueError):
        location2index(location)


@pytest.mark.parametrize("location, x, y", LOCATIONS)
def test_index2location(location, x, y):
    assert index2location(x, y) == location


@pytest.mark.parametrize("x, y", [(0, 1), (1, 0), (27, 1), (1, 27), (-1, 5), (10**30, 1)])
def test_index2location_refuses(x, y):
    with pytest.raises(ValueError):
        index2location(x, y)


# Piece, Bishop, King


@pytest.mark.parametrize("kind", [Piece, Bishop, King])
@pytest.mark.parametrize("x, y, side", [(1, 1, WHITE), (26, 26, BLACK), (5, 2, WHITE), (2, 5, BLACK), (7, 7, WHITE)])
def test_constructors(kind, x, y, side):
    piece = kind(x, y, side)
    assert (piece.pos_x, piece.pos_y, piece.side) == (x, y, side)
    assert isinstance(piece, Piece) and type(piece) is kind
    assert type(piece.pos_x) is int and type(piece.side) is bool
    assert repr(piece) == f"{kind.__name__}({x}, {y}, {side})"


def test_pieces_are_objects_like_others():
    piece = Bishop(pos_X=2, pos_Y=3, side_=True)
    piece.pos_x, piece.pos_y, piece.side = 4, 5, False
    assert (piece.pos_x, piece.pos_y, piece.side) == (4, 5, False)
    for copied in (copy.copy(piece), copy.deepcopy(piece), pickle.loads(pickle.dumps(piece))):
        assert type(copied) is Bishop and copied is not piece
        assert (copied.pos_x, copied.pos_y, copied.side) == (4, 5, False)
    assert contents(copy.deepcopy(board(EXAMPLE))) == contents(board(EXAMPLE))

    class Mitre(Bishop):
        pass

    assert Mitre(1, 1, WHITE).can_reach(2, 2, (3, []))


@pytest.mark.parametrize("arguments", [(), (1,), (1, 1), ("a", 1, True), (1, 1, None)])
def test_constructors_refuse(arguments):
    with pytest.raises(TypeError):
        King(*arguments)


# is_piece_at, piece_at


@pytest.mark.parametrize(
    "x, y, there",
    [(2, 5, True), (3, 5, True), (5, 3, True), (1, 1, False), (5, 5, False), (0, 0, False), (6, 1, False)],
)
def test_is_piece_at(x, y, there):
    assert is_piece_at(x, y, board(EXAMPLE)) is there


@pytest.mark.parametrize("number", range(7))
def test_piece_at(number):
    B = board(EXAMPLE)
    piece = B[1][number]
    assert piece_at(piece.pos_x, piece.pos_y, B) is piece


def test_piece_at_where_nothing_is():
    with pytest.raises(ValueError):
        piece_at(1, 1, board(EXAMPLE))


# can_reach


@pytest.mark.parametrize(
    "text, start, target, expected",
    [
        ("5 / Ba1 /", "a1", "e5", True),
        ("5 / Ba1 /", "a1", "b1", False),
        ("5 / Ba1 /", "a1", "a1", False),
        ("5 / Ba1 Kc3 /", "a1", "b2", True),
        ("5 / Ba1 Kc3 /", "a1", "c3", False),
        ("5 / Ba1 Kc3 /", "a1", "d4", False),
        ("5 / Ba1 / Bc3", "a1", "c3", True),
        ("5 / Ba1 / Bc3", "a1", "d4", False),
        ("5 / Ba1 / Kc3", "a1", "c3", True),
        ("26 / Ba26 /", "a26", "z1", True),
        (PINNED, "b2", "a3", True),
    ],
)
def test_bishop_can_reach(text, start, target, expected):
    B = board(text)
    assert at(B, start).can_reach(*location2index(target), B) is expected


@pytest.mark.parametrize("x, y", [(0, 0), (6, 6), (-3, -3), (3, 10**30), (26, 26)])
def test_bishop_cannot_reach_beyond_the_board(x, y):
    B = board("5 / Ba1 Bc3 /")
    assert at(B, "c3").can_reach(x, y, B) is False


@pytest.mark.parametrize(
    "text, start, target, expected",
    [
        ("5 / Kc3 /", "c3", "c4", True),
        ("5 / Kc3 /", "c3", "b2", True),
        ("5 / Kc3 /", "c3", "c3", False),
        ("5 / Kc3 /", "c3", "c5", False),
        ("5 / Kc3 Bc4 /", "c3", "c4", False),
        ("5 / Kc3 / Bc4", "c3", "c4", True),
        ("5 / Kc3 / Kd4", "c3", "d4", True),
        ("5 / Kc3 / Bd5", "c3", "c4", True),
        ("3 / Ka1 /", "a1", "b3", False),
    ],
)
def test_king_can_reach(text, start, target, expected):
    B = board(text)
    assert at(B, start).can_reach(*location2index(target), B) is expected


@pytest.mark.parametrize("x, y", [(0, 1), (1, 0), (0, 0), (-1, 1), (2, -1)])
def test_king_cannot_reach_beyond_the_board(x, y):
    B = board("5 / Ka1 /")
    assert at(B, "a1").can_reach(x, y, B) is False


# can_move_to


@pytest.mark.parametrize(
    "text, start, target, expected",
    [
        (PINNED, "b2", "c3", True),
        (PINNED, "b2", "d4", True),
        (PINNED, "b2", "a3", False),
        (PINNED, "b2", "b3", False),
        ("5 / Ka1 Bb1 / Ke1 Be5", "b1", "d3", False),
        ("5 / Ka1 Bd1 / Ke1 Be5", "d1", "c2", False),
        ("5 / Ka1 Bc2 / Ke1 Be5", "c2", "b3", False),
        ("5 / Ka1 Bb4 / Ke1 Be5", "b4", "c3", True),
        ("5 / Ka1 Bb2 / Ke5", "b2", "e5", False),
        ("5 / Ka1 Bb2 / Ke5", "b2", "d4", True),
        ("5 / Bb2 /", "b2", "d4", True),
    ],
)
def test_bishop_can_move_to(text, start, target, expected):
    B = board(text)
    assert at(B, start).can_move_to(*location2index(target), B) is expected


@pytest.mark.parametrize(
    "text, start, target, expected",
    [
        ("5 / Ka1 / Ke5", "a1", "b2", True),
        ("5 / Ka1 / Kc3", "a1", "b2", False),
        ("5 / Kb2 / Kc3", "b2", "c3", False),
        ("5 / Kb2 / Ke1 Bc3", "b2", "c3", True),
        ("5 / Kb2 / Kd4 Bc3", "b2", "c3", False),
        ("5 / Kb2 / Ke1 Bd4", "b2", "a1", False),
        ("5 / Kb2 / Ke1 Bd4", "b2", "a2", True),
        ("5 / Ka1 Ba2 / Ke5", "a1", "a2", False),
        ("5 / Ka1 / Ke5", "a1", "a1", False),
        ("5 / Ka1 / Ke5", "a1", "a0", False),
    ],
)
def test_king_can_move_to(text, start, target, expected):
    B = board(text)
    x, y = (1, 0) if target == "a0" else location2index(target)
    assert at(B, start).can_move_to(x, y, B) is expected


# move_to

MOVES = [
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "c3", "4 / Ka1 Bc3 / Kd1 Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "d4", "4 / Ka1 Bd4 / Kd1"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "d4", "b2", "4 / Ka1 / Kd1 Bb2"),
    # What is not legal is played all the same.
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "a3", "4 / Ka1 Ba3 / Kd1 Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "d1", "4 / Ka1 Bd1 / Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "a1", "4 / Ba1 / Kd1 Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "b2", "b2", "4 / Ka1 Bb2 / Kd1 Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "a1", "a2", "4 / Ka2 Bb2 / Kd1 Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "d1", "c2", "4 / Ka1 Bb2 / Kc2 Bd4"),
    ("4 / Kc1 Bb2 / Kd1 Bd4", "c1", "d1", "4 / Kd1 Bb2 / Bd4"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "a1", "d4", "4 / Kd4 Bb2 / Kd1"),
    ("4 / Ka1 Bb2 / Kd1 Bd4", "a1", "b2", "4 / Kb2 / Kd1 Bd4"),
]


@pytest.mark.parametrize("text, start, target, expected", MOVES)
def test_move_to(text, start, target, expected):
    B = board(text)
    pieces, before = list(B[1]), contents(B)
    after = at(B, start).move_to(*location2index(target), B)
    assert type(after) is tuple and type(after[0]) is int and type(after[1]) is list
    assert contents(after) == contents(board(expected))
    # The board that was given is as it was, with the same objects.
    assert after is not B and after[1] is not B[1]
    assert contents(B) == before and all(p is q for p, q in zip(B[1], pieces, strict=True))


@pytest.mark.parametrize("x, y", [(0, 1), (5, 5), (1, 27), (-1, -1), (10**30, 1)])
def test_move_to_nowhere(x, y):
    B = board(PINNED)
    with pytest.raises(ValueError):
        at(B, "b2").move_to(x, y, B)


# is_check, is_checkmate, is_stalemate


@pytest.mark.parametrize(
    "text, white, black",
    [
        (EXAMPLE, True, True),
        (PINNED, False, False),
        (MATE, True, False),
        (STALEMATE, False, False),
        ("5 / Kc3 / Kd4", True, True),
        ("26 / Ka1 Bb1 / Kz26 By26", False, False),
        ("26 / Ka1 / Ka26 Bz26", True, False),
        ("5 / Ba1 / Be5", False, False),
    ],
)
def test_is_check(text, white, black):
    assert is_check(WHITE, board(text)) is white
    assert is_check(BLACK, board(text)) is black


@pytest.mark.parametrize(
    "text, side, expected",
    [
        (MATE, WHITE, True),
        (MATE, BLACK, False),
        (STALEMATE, WHITE, False),
        (PINNED, WHITE, False),
        (EXAMPLE, WHITE, False),
        ("4 / Kd3 Bc1 Bd1 / Ka4 Bc3 Bb4", BLACK, True),
        # The bishop that gives check can be taken.
        ("3 / Ka1 Ba3 / Kc1 Bb2 Bb3", WHITE, False),
    ],
)
def test_is_checkmate(text, side, expected):
    assert is_checkmate(side, board(text)) is expected


@pytest.mark.parametrize(
    "text, side, expected",
    [
        (STALEMATE, WHITE, True),
        (STALEMATE, BLACK, False),
        (MATE, WHITE, False),
        (EXAMPLE, BLACK, False),
        ("4 / Kb2 Ba2 Bd1 / Kb4", BLACK, True),
        # Blocked bishops do not help.
        ("3 / Ka1 Bc3 / Kc1 Bb2 Bb3", WHITE, False),
    ],
)
def test_is_stalemate(text, side, expected):
    assert is_stalemate(side, board(text)) is expected


# read_board, save_board

VALID = [
    ("5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3", EXAMPLE),
    ("5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3 \n\n", EXAMPLE),
    ("5\r\nBb5,Kc5,Be4,Bd1,\r\nKb3,Bc3,Be3,\r\n", EXAMPLE),
    (" 5 \n  Bb5   ,Kc5,  Be4 ,Bd1  \n Kb3,Bc3 ,Be3 , ", EXAMPLE),
    ("3\nKa1\nKb2", "3 / Ka1 / Kb2"),
    ("26\nKz26\nKa26,Bz1\n", "26 / Kz26 / Ka26 Bz1"),
]


@pytest.mark.parametrize("text, expected", VALID)
def test_read_board(tmp_path, text, expected):
    path = tmp_path / "board.txt"
    path.write_bytes(text.encode())
    B = read_board(str(path))
    assert type(B) is tuple and type(B[0]) is int and type(B[1]) is list
    assert contents(B) == contents(board(expected))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "5\nKa1",
        "2\nKa1\nKb2",
        "27\nKa1\nKb3",
        "5\nKa1\nBb2",
        "5\nKa1, Kb1\nKe5",
        "5\nKa1, Bf1\nKe5",
        "5\nKa1, Ba1\nKe5",
        "5\nKa1,,Bb1\nKe5",
        "5\nKa1, B b1\nKe5",
        "5\nka1\nKe5",
        "5\nKA1\nKe5",
        "5\nKa1\nKe5\nBb2",
        "5\n\nKa1\nKe5",
        b"5\nKa1\nKe5\xff",
    ],
)
def test_read_board_refuses(tmp_path, text):
    path = tmp_path / "board.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(IOError):
        read_board(str(path))


def test_read_board_without_a_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_board(str(tmp_path / "none"))
    with pytest.raises(IOError):
        read_board(str(tmp_path))
    (tmp_path / "bad").write_text("5\nKa1, Bz9\nKe5")
    with pytest.raises(IOError, match="line 2: `Bz9` is outside a 5×5 board"):
        read_board(str(tmp_path / "bad"))


@pytest.mark.parametrize("text", [EXAMPLE, PINNED, MATE, STALEMATE, "26 / Kz26 / Ka26 Bz1"])
def test_save_board(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    Path("kept.txt").write_text("something else")
    assert save_board("kept.txt", board(text)) is None
    assert contents(read_board("kept.txt")) == contents(board(text))
    assert os.listdir() == ["kept.txt"]


def test_save_board_refuses(tmp_path):
    with pytest.raises(IOError):
        save_board(str(tmp_path), board(EXAMPLE))
    with pytest.raises(FileNotFoundError):
        save_board(str(tmp_path / "none" / "file"), board(EXAMPLE))


# find_black_move


@pytest.mark.parametrize(
    "text", [EXAMPLE, PINNED, STALEMATE, "26 / Ka1 / Kz26 By26 Bx26", "5 / / Kc3", "5 / Ka1 / Ke5 Bd5 Bc5"]
)
def test_find_black_move(text):
    B = board(text)
    piece, x, y = find_black_move(B)
    assert any(piece is other for other in B[1]) and piece.side is BLACK
    assert type(x) is int and type(y) is int
    assert piece.can_move_to(x, y, B)


def test_find_black_move_mates():
    B = board("3 / Ka1 / Kc1 Ba3 Bb3")
    piece, x, y = find_black_move(B)
    assert is_checkmate(WHITE, piece.move_to(x, y, B))


def test_find_black_move_without_any():
    with pytest.raises(ValueError):
        find_black_move(board("4 / Kb2 Ba2 Bd1 / Kb4"))


# conf2unicode


@pytest.mark.parametrize(
    "text, rows",
    [
        (EXAMPLE, [".♗♔..", "....♗", ".♚♝.♝", ".....", "...♗."]),
        (PINNED, ["...♝", "....", ".♗..", "♔..♚"]),
        (MATE, [".♝♝", "...", "♔.♚"]),
        (STALEMATE, [".♝.", "...", "♔.♚"]),
        ("3 / /", ["...", "...", "..."]),
        ("26 / Ka1 / Kz26", ["." * 25 + "♚"] + ["." * 26] * 24 + ["♔" + "." * 25]),
    ],
)
def test_conf2unicode(text, rows):
    assert conf2unicode(board(text)) == "\n".join(rows).replace(".", "\u2001")


# Boards that are none


@pytest.mark.parametrize(
    "B, error",
    [
        ((2, []), ValueError),
        ((27, []), ValueError),
        ((5, [Bishop(6, 1, True)]), ValueError),
        ((5, [Bishop(0, 1, True)]), ValueError),
        ((5, [Bishop(1, 1, True), King(1, 1, False)]), ValueError),
        ((5, [Piece(1, 1, True)]), TypeError),
        ((5, ["Ba1"]), TypeError),
        (5, TypeError),
        ((5,), (TypeError, ValueError)),
    ],
)
def test_strange_boards(B, error):
    with pytest.raises(error):
        is_check(WHITE, B)


# main

GAME = "4\nKa2, Bc1, Bb4\nKd1, Ba3\n"
ASK_FILE = "File name for initial configuration: "
START = "The initial configuration is:\n.♗..\n♝...\n♔...\n..♗♚\n".replace(".", "\u2001")
ROUND = (
    "The configuration after White's move is:\n....\n♗...\n♔...\n..♗♚\n"
    "Next move of Black is d1c2! The configuration after Black's move is:\n....\n♗...\n♔.♚.\n..♗.\n"
).replace(".", "\u2001").replace("!", ".")
MOVE = "Next move of White: "
SAVE = "File name to store the configuration: "


@pytest.mark.parametrize(
    "answers, expected",
    [
        (["QUIT"], ASK_FILE),
        ([], ASK_FILE),
        (["none", "QUIT"], ASK_FILE + "This is not a valid file. " + ASK_FILE),
        (["board"], ASK_FILE + START + MOVE),
        (["board", "b4a3"], ASK_FILE + START + MOVE + ROUND + MOVE),
        (["board", "x", "b4a3"], ASK_FILE + START + MOVE + "This is not a valid move. " + MOVE + ROUND + MOVE),
        (["board", "QUIT", "kept"], ASK_FILE + START + MOVE + SAVE + "The game configuration saved.\n"),
        (["over"], ASK_FILE + "The initial configuration is:\n.♝♝\n...\n♔.♚\n".replace(".", "\u2001") + "Game over. Black wins.\n"),
    ],
)
def test_main(tmp_path, monkeypatch, capsys, answers, expected):
    monkeypatch.chdir(tmp_path)
    Path("board").write_text(GAME)
    Path("over").write_text("3\nKa1\nKc1, Bc3, Bb3\n")
    remaining = iter(answers)

    def scripted(prompt):
        print(prompt, end="")
        try:
            return next(remaining)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", scripted)
    assert main() is None
    assert capsys.readouterr().out == expected
    assert Path("kept").exists() == ("kept" in answers)


def test_main_as_a_program(tmp_path):
    (tmp_path / "board").write_text(GAME)
    result = subprocess.run(
        [sys.executable, "-m", "chess_puzzle"],
        input="board\nb4a3\nQUIT\nkept\n".encode(),
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    )
    expected = ASK_FILE + START + MOVE + ROUND + MOVE + SAVE + "The game configuration saved.\n"
    assert result.stdout.decode() == expected and result.stderr == b""
    assert contents(read_board(str(tmp_path / "kept"))) == contents(board("4 / Ka2 Bc1 Ba3 / Kc2"))


def test_main_passes_on_what_input_raises(monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main()


# The stubs say what is there.


def test_stubs():
    stub = Path(chess_puzzle.__file__).with_name("__init__.pyi")
    tree = ast.parse(stub.read_text())
    checked = 0

    def compare(node, thing):
        nonlocal checked
        names = [argument.arg for argument in node.args.args]
        assert list(inspect.signature(thing).parameters) == names, node.name
        checked += 1

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            compare(node, getattr(chess_puzzle, node.name))
        elif isinstance(node, ast.ClassDef):
            kind = getattr(chess_puzzle, node.name)
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                    compare(method, getattr(kind, method.name))
    assert checked == 18
    assert chess_puzzle.Board == tuple[int, list[Piece]]
