"""Databases of games: what is explored and found is what is in the games."""

import importlib

import pyarrow
import pytest

import tabiya
import tabiya.db

GAMES = """[White "Tal, M"]
[Black "Botvinnik"]
[Date "1960.03.15"]
[WhiteElo "2700"]
[BlackElo "2720"]

1. e4 c6 2. d4 d5 1-0

[White "Botvinnik"]
[Black "Tal, M"]
[Date "1961"]

1. d4 d5 {closed} 0-1

[White "Bad"]

1. e4 Ke5 *

[White "Ada"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O Kd7 2. a8=Q 1-0
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "some.pgn").write_text(GAMES)
    imported = tabiya.db.add(tmp_path / "games.tdb", tmp_path / "some.pgn")
    assert imported[:2] == (3, 0)
    assert len(imported.bad) == 1 and imported.bad[0].startswith("line 17: ")
    assert tabiya.db.add(tmp_path / "games.tdb", tmp_path / "some.pgn").duplicates == 3
    return tmp_path / "games.tdb"


def number(games, name):
    return games.find(white=name).column("game").to_pylist()[0]


def test_exploring(folder):
    games = tabiya.db.Database(folder)
    assert len(games) == games.info()["games"] == 3
    here = games.explore()
    assert (here.games, here.white, here.draws, here.black) == (2, 1, 0, 1)
    rows = here.moves.to_pylist()
    assert [(row["san"], row["games"], row["average_rating"]) for row in rows] == [("d4", 1, None), ("e4", 1, 2700)]
    assert rows[1]["top"] == [number(games, "tal")]
    board = tabiya.Board()
    board.push_san("e4")
    assert games.explore(board).moves.column("uci").to_pylist() == ["c7c6"]
    assert games.explore(player="tal", color=tabiya.BLACK).moves.column("san").to_pylist() == ["d4"]
    assert games.explore(elo=(2600, None), since=1960).games == 1
    with pytest.raises(ValueError):
        games.explore("no position")
    with pytest.raises(ValueError, match="colour"):
        games.explore(colour=True)


def test_finding(folder):
    games = tabiya.db.Database(folder)
    assert games.find(material="KQRvK").to_pylist() == [{"game": number(games, "ada"), "ply": 3}]
    assert games.find(pattern="*/*/*/*/???PP*").to_pylist() == [{"game": number(games, "tal"), "ply": 3}]
    assert len(games.find(tabiya.Board())) == 2
    with pytest.raises(ValueError):
        games.find(pattern="x")


def test_rows_and_records(folder):
    games = tabiya.db.Database(folder)
    rows = {row["white"]: row for row in games.games().to_pylist()}
    assert rows["Tal, M"]["date"] == 19600315 and rows["Tal, M"]["white_elo"] == 2700
    assert tabiya.db.unpack(rows["Tal, M"]["moves"]) == ["e2e4", "c7c6", "d2d4", "d7d5"]
    assert tabiya.db.unpack(rows["Ada"]["moves"], rows["Ada"]["fen"]) == ["e1g1", "e8d7", "a7a8q"]
    some = games.games([number(games, "botvinnik")], columns=["black"])
    assert some.column_names == ["game", "black"] and some.column("black").to_pylist() == ["Tal, M"]
    assert len(games.games(white="nobody")) == 0
    assert "{closed}" in games.pgn(number(games, "botvinnik"))
    for wrong in (0, 4):
        with pytest.raises(IndexError):
            games.pgn(wrong)
        with pytest.raises(IndexError):
            games.games([wrong])
    with pytest.raises(ValueError):
        tabiya.db.unpack(b"\xf0")
    with pytest.raises(OSError, match="no database of games"):
        tabiya.db.Database(folder / "nothing")


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_other_tables(folder, kind):
    other = importlib.import_module(kind)
    games = tabiya.db.Database(folder, frames=kind)
    assert isinstance(games.explore().moves, other.DataFrame)
    assert isinstance(games.games(), other.DataFrame) and len(games.find()) == 3
    with pytest.raises(ValueError):
        tabiya.db.Database(folder, frames="lists")


def test_several_as_one(folder, tmp_path):
    (tmp_path / "more.pgn").write_text('[White "Eve"]\n\n1. e4 e5 0-1\n')
    assert tabiya.db.add(tmp_path / "more.tdb", tmp_path / "more.pgn").added == 1
    assert tabiya.db.collect(tmp_path / "all.tdc", [folder, tmp_path / "more.tdb"]) == 2
    games = tabiya.db.Database(tmp_path / "all.tdc")
    assert len(games) == 4 and games.info()["databases"] == 2
    assert games.check(rebuild=True) == []
    assert number(games, "eve") == 4 and "1. e4 e5 0-1" in games.pgn(4)
    rows = games.explore().moves.to_pylist()
    assert [(row["san"], row["games"], row["black"]) for row in rows] == [("e4", 2, 1), ("d4", 1, 1)]
    # A position is known by the same key however it came about.
    board = tabiya.Board()
    before = tabiya.db.key(board)
    for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(san)
    assert tabiya.db.key(board) == before == tabiya.db.key()
    with pytest.raises(OSError, match="no database of games"):
        tabiya.db.collect(tmp_path / "all.tdc", [tmp_path / "nothing"])
