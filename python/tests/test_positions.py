"""Positions of games, and their way to Arrow and Parquet in batches."""

import pytest

import tabiya
import tabiya.arrays
import tabiya.pgn

GAMES = (
    '[White "A"]\n[WhiteElo "2000"]\n[Result "1-0"]\n\n1. e4 e5 (1... c5) 2. Nf3 1-0\n\n'
    '[White "B"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Kd7 *\n\n'
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def test_positions_of_games(path):
    scanned = list(tabiya.pgn.scan(path))
    with open(path) as handle:
        trees = [tabiya.pgn.read_game(handle) for _ in range(2)]
    expected = []
    for tree in trees:
        board = tree.board()
        expected.append(board.fen())
        for move in tree.mainline_moves():
            board.push(move)
            expected.append(board.fen())
    assert len(expected) == 7
    assert tabiya.arrays.positions(scanned).fens() == tabiya.arrays.positions(trees).fens() == expected
    assert [game.end_fen() for game in scanned] == [expected[3], expected[6]]
    # From a node, a side line, and all kinds together.
    side = trees[0][0].variations[1]
    assert tabiya.arrays.positions(side).fens() == [side.board().fen()]
    mixed = [scanned[1], trees[0].end(), tabiya.Board(), tabiya.STARTING_FEN]
    start = tabiya.STARTING_FEN
    assert tabiya.arrays.positions(mixed).fens() == [*expected[4:], expected[3], start, start]
    assert tabiya.arrays.planes(trees[0]).shape == (4, 8, 8, 12)


def test_games_in_batches(path):
    path.write_text(GAMES * 25)
    batches = list(tabiya.arrays.game_batches(path, 20, tags=["White", "ECO"]))
    assert [batch.num_rows for batch in batches] == [20, 20, 10]
    assert batches[0].schema.names == ["White", "ECO", "moves", "plies"]
    assert tabiya.arrays.table(path, tags=["White"]).column("White").to_pylist() == ["A", "B"] * 25


def test_positions_in_parquet(path, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "positions.parquet"
    assert tabiya.arrays.write_positions(path, target, relative=False) == 5
    rows = parquet.read_table(target).to_pylist()
    assert [row["ply"] for row in rows] == [0, 1, 2, 0, 1] and [row["game"] for row in rows] == [0, 0, 0, 1, 1]
    assert [row["points"] for row in rows] == [1.0, 1.0, 1.0, None, None]
    assert [row["white_elo"] for row in rows] == [2000] * 3 + [0] * 2
    for row in rows:
        board = tabiya.Board(row["fen"])
        assert row["white_to_move"] == board.turn
        assert row["bitboards"] == [
            board.pieces_mask(kind, color) for color in tabiya.COLORS for kind in tabiya.PIECE_TYPES
        ]
        assert board.is_legal(tabiya.arrays.index_to_move(board, row["move"]))
    assert not [entry for entry in tmp_path.iterdir() if entry.suffix == ".part"]


def test_nothing_is_written_if_reading_fails(tmp_path):
    with pytest.raises(OSError):
        tabiya.arrays.write_positions("nowhere.pgn", tmp_path / "positions.parquet")
    assert not list(tmp_path.iterdir())


def test_games_that_are_kept_do_not_need_their_block(path):
    """A scan lets its block go; what is kept of it stays whole."""
    path.write_text(GAMES * 20_000)
    kept = [game for game in tabiya.pgn.scan(path, threads=2) if game.number % 5000 == 1]
    assert len(kept) == 8 and {game.headers["White"] for game in kept} == {"A"}
    assert all(game.uci() == "e2e4 e7e5 g1f3" and game.points == 1.0 for game in kept)
