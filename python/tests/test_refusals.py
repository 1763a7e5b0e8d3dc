"""What cannot be is refused in a sentence, by the same class of exception as in python-chess, and never ends Python."""

import subprocess
import sys
import threading

import chess
import numpy as np
import pytest

import tabiya
import tabiya.arrays

# What is asked of a module, and what the sentence says.
BOTH_REFUSE = [
    (lambda m: m.Board().piece_at(300), "from 0 to 63, not 300"),
    (lambda m: m.Board().piece_at(64), "from 0 to 63, not 64"),
    (lambda m: m.Board().piece_at("e4"), "a square is a number from 0 to 63, not 'e4'"),
    (lambda m: m.Board().piece_type_at(1000), "not 1000"),
    (lambda m: m.Board().color_at(2**70), "not 1180591620717411303424"),
    (lambda m: m.Board().attacks(64), "not 64"),
    (lambda m: m.Board().attackers(True, 64), "not 64"),
    (lambda m: m.Board().is_pinned(True, 64), "not 64"),
    (lambda m: m.Board().set_piece_at(64, m.Piece(1, True)), "not 64"),
    (lambda m: m.square_name(64), "not 64"),
    (lambda m: m.piece_name(7), "from 1 .* to 6 .*, not 7"),
    (lambda m: m.parse_square("j9"), "'j9' is not the name of a square"),
    (lambda m: m.Piece.from_symbol("x"), '"x" is not the letter of a piece'),
    (lambda m: m.Move.from_uci("e2e"), "expected a move like e2e4"),
    (lambda m: m.Board().pop(), "no move to take back"),
    (lambda m: m.Board().peek(), "no move"),
    (lambda m: m.Board("8/8"), "8 ranks"),
    (lambda m: m.Board().set_chess960_pos(960), "0 to 959, not 960"),
    (lambda m: m.SquareSet().pop(), "empty"),
    (lambda m: m.SquareSet().remove(5), "5"),
    (lambda m: m.Board().epd(**{"1": 2}), "cannot be the name of an operation"),
]


@pytest.mark.parametrize("number", range(len(BOTH_REFUSE)))
def test_both_refuse(number):
    ask, sentence = BOTH_REFUSE[number]
    with pytest.raises(Exception) as theirs:
        ask(chess)
    kind = type(theirs.value)
    with pytest.raises(getattr(tabiya, kind.__name__, kind), match=sentence):
        ask(tabiya)


# What python-chess does not have, or makes something of these that is no move, square or clock.
WE_REFUSE = [
    (lambda: tabiya.parse_file("z"), ValueError, "'z' is not the letter of a file"),
    (lambda: tabiya.parse_rank("9"), ValueError, "'9' is not the digit of a rank"),
    (lambda: tabiya.Move(-1, 5), IndexError, "from 0 to 63, not -1"),
    (lambda: tabiya.Move(5, 300), IndexError, "from 0 to 63, not 300"),
    (lambda: tabiya.Board().pieces(9, True), ValueError, "from 1 .* to 6 .*, not 9"),
    (lambda: tabiya.Move(5, 6, 9), ValueError, "from 1 .* to 6 .*, not 9"),
    (lambda: tabiya.Piece(0, True), ValueError, "from 1 .* to 6 .*, not 0"),
    (lambda: tabiya.Board().piece_at(-1), IndexError, "not -1"),
    (lambda: setattr(tabiya.Board(), "ep_square", 64), IndexError, "not 64"),
    (lambda: setattr(tabiya.Board(), "halfmove_clock", -1), ValueError, "clock of fifty moves .* not -1"),
    (lambda: setattr(tabiya.Board(), "fullmove_number", "x"), TypeError, "number of the move .* not x"),
    (lambda: delattr(tabiya.Board(), "turn"), AttributeError, "readonly"),
    (lambda: tabiya.Board().perft(65), ValueError, "at most, not 65"),
    (lambda: tabiya.Board().perft_divide(65), ValueError, "at most, not 65"),
    (
        lambda: tabiya.arrays.planes([tabiya.Board(), tabiya.Board(None)]),
        ValueError,
        "the board 1 is no position of a game: .*king",
    ),
    (lambda: tabiya.arrays.planes([3]), TypeError, "a FEN, a Board, a game or a node of one, not 3"),
]


@pytest.mark.parametrize("number", range(len(WE_REFUSE)))
def test_we_refuse(number):
    ask, kind, sentence = WE_REFUSE[number]
    with pytest.raises(kind, match=sentence):
        ask()


def test_attributes_that_are_set_are_what_is_read_and_played():
    board = tabiya.Board()
    board.turn = tabiya.BLACK
    assert board.turn is False and board.push_san("e5").uci() == "e7e5"
    assert (board.turn, board.fullmove_number, board.halfmove_clock) == (True, 2, 0)
    board.pop()
    assert (board.turn, board.fullmove_number, board.ep_square) == (False, 1, None)
    board.castling_rights = tabiya.BB_A1 | tabiya.BB_H8
    assert board.castling_xfen() == "Qk" and board.castling_rights == tabiya.BB_A1 | tabiya.BB_H8
    board.castling_rights = tabiya.BB_B1  # not in the table of those of ordinary chess
    assert board.castling_rights == 2
    board.ep_square, board.halfmove_clock, board.fullmove_number = tabiya.E3, 7, 1000
    assert board.fen(en_passant="fen").endswith(" e3 7 1000")
    assert (board.ep_square, board.halfmove_clock, board.fullmove_number) == (tabiya.E3, 7, 1000)
    board.chess960 = True
    assert board.chess960 and board.copy().chess960 and not tabiya.Board().chess960
    board.note = "mine"
    assert board.note == "mine"
    del board.note
    assert not hasattr(board, "note")
    for rights in range(16):
        mask = sum(1 << at for bit, at in enumerate((0, 7, 56, 63)) if rights >> bit & 1)
        board.castling_rights = mask
        assert board.castling_rights == mask and board.copy().castling_rights == mask


def test_sets_and_boards_take_themselves():
    squares = tabiya.SquareSet(tabiya.BB_FILE_A)
    squares |= squares
    squares &= squares
    squares.update(squares, [tabiya.B1])
    assert len(squares) == 9
    squares.intersection_update(squares)
    squares.symmetric_difference_update(squares)
    assert not squares
    squares |= tabiya.BB_ALL
    squares -= squares
    assert not squares
    board = tabiya.Board()
    # The function looks at the board that is being turned.
    board.apply_transform(lambda mask: mask if board.turn else 0)
    assert board == tabiya.Board()


def test_arrays_that_do_not_fit_are_refused():
    code = (
        "import resource, tabiya\n"
        "from tabiya import arrays\n"
        "positions = arrays.Positions.from_fens([tabiya.STARTING_FEN] * 300_000)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "for make in (positions.legal_masks, lambda: positions.planes(dtype='float32', extra=True)):\n"
        "    try:\n        make()\n"
        "    except MemoryError as error:\n        print(error)\n"
        "print(len(positions), positions.bitboards().shape)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0 and lines[-1] == "300000 (300000, 12)", ran.stderr
    assert len(lines) == 3 and "300000, 4672" in lines[0]


@pytest.mark.parametrize("count", ["perft(30)", "perft_divide(30)"])
def test_interrupts_end_a_count(count):
    code = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import _thread, threading, tabiya\n"
        "threading.Timer(0.5, _thread.interrupt_main).start()\n"
        f"try:\n    tabiya.Board().{count}\n"
        "except KeyboardInterrupt:\n    print('ended')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "ended\n", ran.stderr


def test_counts_in_parts_are_whole():
    kiwipete = tabiya.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert kiwipete.perft(5) == 193690690
    kingless = tabiya.Board("8/8/8/3P4/8/8/8/8 w - - 0 1")
    assert [kingless.perft(depth) for depth in range(7)] == [1, 1, 0, 0, 0, 0, 0]


def test_threads_share_a_board_without_harm():
    """They may hear that it is busy, and nothing worse."""
    board, errors = tabiya.Board(), []

    def work():
        for _ in range(3000):
            try:
                board.push_san("Nf3")
                board.pop()
            except (tabiya.IllegalMoveError, IndexError, RuntimeError) as error:
                errors.append(type(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while board.stack_size():
        board.pop()
    assert board == tabiya.Board()
    assert np.array_equal(tabiya.arrays.planes([board]), tabiya.arrays.planes([tabiya.Board()]))
