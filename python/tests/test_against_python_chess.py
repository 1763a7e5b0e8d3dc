"""Tabiya beside python-chess: the same boards, moves, texts and refusals on random games and damaged ones."""

import io
import random

import chess
import chess.pgn
import pytest

import tabiya
import tabiya.pgn

QUESTIONS = [
    "is_check", "is_checkmate", "is_stalemate", "is_insufficient_material", "is_seventyfive_moves",
    "is_fifty_moves", "is_repetition", "is_fivefold_repetition", "can_claim_draw", "is_game_over",
    "was_into_check", "is_valid", "ply", "fen", "board_fen", "epd", "castling_xfen",
    "castling_shredder_fen", "clean_castling_rights", "has_legal_en_passant",
    "has_pseudo_legal_en_passant", "has_chess960_castling_rights", "chess960_pos", "result", "unicode",
    "shredder_fen", "checkers_mask", "__str__", "__repr__",
]  # fmt: skip
STARTS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/8/3K4/PPPPPPPP/8 b - - 99 80",
    "PPPPPPPP/8/8/2n1n3/8/8/8/pppppppp w - - 0 1",
    "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
]


def questions(ours, theirs):
    for name in QUESTIONS:
        assert getattr(ours, name)() == getattr(theirs, name)(), (name, theirs.fen())
    assert int(ours.status()) == int(theirs.status()), theirs.fen()


def moves(board):
    """In check, python-chess begins with the king's."""
    return sorted(move.uci() for move in board.legal_moves)


@pytest.mark.parametrize("fen", STARTS)
@pytest.mark.parametrize("seed", range(3))
def test_games(fen, seed):
    chance = random.Random(seed)
    ours, theirs = tabiya.Board(fen), chess.Board(fen)
    for _ in range(60):
        questions(ours, theirs)
        assert moves(ours) == moves(theirs)
        pseudo = [move.uci() for move in theirs.pseudo_legal_moves]
        assert [move.uci() for move in ours.pseudo_legal_moves] == pseudo
        captures = {move.uci() for move in theirs.generate_legal_captures()}
        assert {move.uci() for move in ours.generate_legal_captures()} == captures
        legal = list(theirs.legal_moves)
        if not legal:
            break
        for move in legal:
            same = tabiya.Move.from_uci(move.uci())
            san = theirs.san(move)
            assert ours.san(same) == san and ours.lan(same) == theirs.lan(move)
            assert ours.parse_san(san) == same == ours.parse_uci(move.uci())
            assert ours.gives_check(same) == theirs.gives_check(move)
            assert ours.is_irreversible(same) == theirs.is_irreversible(move)
        move = chance.choice(legal)
        ours.push_uci(move.uci())
        theirs.push(move)
    while theirs.move_stack:
        assert ours.pop().uci() == theirs.pop().uci()
        assert ours.fen() == theirs.fen()


@pytest.mark.parametrize("seed", range(20))
def test_chess960_games(seed):
    chance = random.Random(seed)
    number = chance.randrange(960)
    ours, theirs = tabiya.Board.from_chess960_pos(number), chess.Board.from_chess960_pos(number)
    for _ in range(80):
        questions(ours, theirs)
        assert moves(ours) == moves(theirs)
        legal = list(theirs.legal_moves)
        if not legal:
            break
        # Castling is rare: take it when it is there.
        castling = [move for move in legal if theirs.is_castling(move)]
        move = chance.choice(castling or legal)
        assert ours.san(tabiya.Move.from_uci(move.uci())) == theirs.san(move)
        ours.push_uci(move.uci())
        theirs.push(move)


@pytest.mark.parametrize("seed", range(300))
def test_boards_on_which_anything_stands(seed):
    chance = random.Random(seed)
    ours, theirs = tabiya.Board(None), chess.Board(None)
    for _ in range(chance.randrange(40)):
        square, kind, color = chance.randrange(64), chance.randrange(1, 7), chance.random() < 0.5
        if kind == chess.KING and theirs.king(color) is not None:
            continue
        ours.set_piece_at(square, tabiya.Piece(kind, color))
        theirs.set_piece_at(square, chess.Piece(kind, color))
    for board in (ours, theirs):
        board.turn = seed % 2 == 0
        board.castling_rights = [0, 0x8100000000000081, 0xFF][seed % 3]
        board.ep_square = [None, 16 + seed % 8, 40 + seed % 8][seed // 3 % 3]
    questions(ours, theirs)
    assert moves(ours) == moves(theirs)
    for square in range(64):
        for color in (True, False):
            assert int(ours.attackers(color, square)) == int(theirs.attackers(color, square))
            assert int(ours.pin(color, square)) == int(theirs.pin(color, square))
    mirrored = theirs.mirror()
    assert ours.mirror().fen() == mirrored.fen()
    flip = (tabiya.flip_horizontal, chess.flip_horizontal)
    assert ours.transform(flip[0]).fen() == theirs.transform(flip[1]).fen()


def refusal(make, module, text):
    """What becomes of a text: a value, or the name of the error."""
    try:
        return make(module, text)
    except (module.IllegalMoveError, module.InvalidMoveError, module.AmbiguousMoveError) as error:
        return type(error).__name__
    except ValueError:
        return "ValueError"


def fen_of(module, text):
    return module.Board(text).fen()


def test_damaged_fens():
    chance = random.Random(5)
    letters = "rnbqkpRNBQKP/12345678 wb-KQkqe3x~"
    seen = set()
    for _ in range(3000):
        text = list(chance.choice(STARTS))
        for _ in range(chance.randrange(1, 4)):
            text[chance.randrange(len(text))] = chance.choice(letters)
        text = "".join(text)
        expected = refusal(fen_of, chess, text)
        assert refusal(fen_of, tabiya, text) == expected, text
        seen.add(expected == "ValueError")
    assert seen == {True, False}


def test_damaged_sans():
    chance = random.Random(6)
    letters = "NBRQKabcdefgh12345678x-=+#O0!"
    for fen in STARTS[:4]:
        sans = [chess.Board(fen).san(move) for move in chess.Board(fen).legal_moves]
        for _ in range(1500):
            text = list(chance.choice(sans))
            text[chance.randrange(len(text))] = chance.choice(letters)
            text = "".join(text)

            def parse(module, text):
                return module.Board(fen).parse_san(text).uci()

            assert refusal(parse, tabiya, text) == refusal(parse, chess, text), (fen, text)


def random_pgn(seed):
    """A game with variations, comments and judgements."""
    chance = random.Random(seed)
    game = chess.pgn.Game()
    game.headers["White"] = f"Player {seed}"
    nodes = [game]
    for _ in range(60):
        node = chance.choice(nodes[-4:])
        legal = [move for move in node.board().legal_moves if not node.has_variation(move)]
        if not legal:
            continue
        node = node.add_variation(chance.choice(legal))
        if chance.random() < 0.2:
            node.comment = chance.choice(["good", "[%clk 0:01:02] so", "two words"])
        if chance.random() < 0.2:
            node.nags.add(chance.choice([1, 2, 3, 14]))
        nodes.append(node)
    return str(game)


def outline(node):
    """All of a tree, without recursion."""
    found, todo = [], [(node, 0)]
    while todo:
        node, depth = todo.pop()
        move = node.move.uci() if node.move else ""
        found.append((depth, move, node.comment, node.starting_comment, sorted(node.nags)))
        todo += [(child, depth + 1) for child in reversed(node.variations)]
    return found


@pytest.mark.parametrize("seed", range(30))
def test_records(seed):
    text = random_pgn(seed)
    ours = tabiya.pgn.read_game(io.StringIO(text))
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert not ours.errors and not theirs.errors
    assert dict(ours.headers) == dict(theirs.headers)
    assert outline(ours) == outline(theirs)
    assert str(ours) == str(theirs) == text
    visited = tabiya.pgn.read_game(io.StringIO(text), Visitor=lambda: tabiya.pgn.GameBuilder())
    assert outline(visited) == outline(ours) and dict(visited.headers) == dict(ours.headers)


def test_damaged_records_never_end_a_file():
    chance = random.Random(7)
    letters = "(){};$!?*[]\"eNxO-0123456789 \n"
    for seed in range(150):
        text = list(random_pgn(seed % 30))
        for _ in range(chance.randrange(1, 6)):
            text[chance.randrange(len(text))] = chance.choice(letters)
        # Whatever is in front, the last game is read.
        handle = io.StringIO("".join(text) + "\n}\n\n\n" + '[White "Last"]\n\n1. e4 e5 *\n')
        games = list(iter(lambda: tabiya.pgn.read_game(handle), None))
        assert str(games[-1].mainline_moves()) == "1. e4 e5"


def damaged(seed):
    chance = random.Random(seed)
    text = list(random_pgn(seed % 30))
    for _ in range(chance.randrange(1, 4)):
        text[chance.randrange(len(text))] = chance.choice("(){};$!?*[]\"eNxO-0123456789 \n")
    return "".join(text)


def read(pgn, text):
    """Tags, tree and errors of each game."""
    handle = io.StringIO(text)
    games = list(iter(lambda: pgn.read_game(handle), None))
    return [(dict(game.headers), outline(game), game.errors) for game in games]


# Where both differ on damaged records, and who is right by the rules.
PYTHON_CHESS_FAILS = "python-chess raises IndexError where parentheses are not in pairs"
A_REMARK = "python-chess forgets what stands behind a semicolon"
A_RESULT_IN_A_VARIATION = "python-chess takes a result that stands in a variation for a move that is wrong"
AFTER_A_BAD_VARIATION = "python-chess plays on with the board of a variation in which a move was wrong"


def test_damaged_records():
    reasons = [PYTHON_CHESS_FAILS, A_REMARK, A_RESULT_IN_A_VARIATION, AFTER_A_BAD_VARIATION]
    seen = {reason: 0 for reason in ["same", "same with errors", *reasons]}
    for seed in range(250):
        text = damaged(seed)
        ours = read(tabiya.pgn, text)
        try:
            theirs = read(chess.pgn, text)
        except IndexError:
            assert ours, text
            seen[PYTHON_CHESS_FAILS] += 1
            continue
        assert [tags for tags, _, _ in ours] == [tags for tags, _, _ in theirs], text
        for (_, our_tree, our_errors), (_, their_tree, their_errors) in zip(ours, theirs):
            results = [f"invalid san: {result!r}" for result in ("*", "1-0", "0-1", "1/2-1/2")]
            if any(result in str(error) for error in their_errors for result in results):
                seen[A_RESULT_IN_A_VARIATION] += 1
                continue
            our_errors = [type(error).__name__ for error in our_errors]
            their_errors = [type(error).__name__ for error in their_errors]
            # The first error is the same.
            assert our_errors[:1] == their_errors[:1], text
            if (our_tree, our_errors) == (their_tree, their_errors):
                seen["same with errors" if our_errors else "same"] += 1
            elif ";" in text and not their_errors:
                seen[A_REMARK] += 1
            else:
                assert their_errors and any(depth > 1 for depth, *_ in our_tree), text
                # What comes before it is the same.
                assert our_tree[:2] == their_tree[:2], text
                seen[AFTER_A_BAD_VARIATION] += 1
    assert all(seen.values()), seen


def test_a_bad_variation_does_not_end_the_main_line():
    """By the rules 2. Nf3 follows 1... e5, whatever stands in the parentheses."""
    text = "1. e4 e5 (1... c5 2. Ke4) 2. Nf3 Nc6 *"
    game = tabiya.pgn.read_game(io.StringIO(text))
    assert str(game.mainline_moves()) == "1. e4 e5 2. Nf3 Nc6" and len(game.errors) == 1


def test_a_tag_that_cannot_be_read_is_passed_over():
    text = '[White"x"]\n; a remark\n[Black "B"]\n[broken\n[Round "3"]\n\n1. e4 *\n'
    ours, theirs = (dict(pgn.read_game(io.StringIO(text)).headers) for pgn in (tabiya.pgn, chess.pgn))
    assert ours == theirs and (ours["Black"], ours["Round"]) == ("B", "3")


def test_scans_and_trees_say_the_same(tmp_path):
    """A scan refuses games that `read_game` reads as far as it can; what it takes is the same."""
    path = tmp_path / "games.pgn"
    texts = [random_pgn(seed) for seed in range(30)] + [damaged(seed) for seed in range(250)]
    taken = 0
    for number, text in enumerate(texts):
        path.write_text(text + "\n\n")
        scan = tabiya.pgn.scan(path, threads=1)
        games = list(scan)
        with open(path) as handle:
            trees = list(iter(lambda: tabiya.pgn.read_game(handle), None))
        if number < 30:
            assert len(games) == len(trees) == 1 and not scan.errors
        if scan.errors or len(games) != 1 or len(trees) != 1 or trees[0].errors:
            continue
        [game], [tree] = games, trees
        assert game.moves == list(tree.mainline_moves()), text
        for name, value in game.headers.items():
            assert tree.headers[name] == value, text
        # Where a game has no result behind its moves, one has been damaged.
        assert game.result == tree.headers["Result"] or number >= 30, text
        taken += 1
    assert taken > 60
