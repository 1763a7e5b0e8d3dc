"""Tables of endings: made, asked, interrupted; and Syzygy's names."""

import threading

import pytest

import tabiya
import tabiya.syzygy
import tabiya.tables

ROOK = "8/8/8/8/8/8/3k4/K6R w - - 0 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    steps = []
    tabiya.tables.make(3, folder, threads=1, progress=lambda *step: steps.append(step))
    names = {"KPvK", "KNvK", "KBvK", "KRvK", "KQvK"}
    assert {name for name, _, _ in steps} == names
    assert ("KPvK", 24, 24) in steps
    return folder


def test_what_is_known(folder):
    tables = tabiya.tables.open(folder)
    assert tables.most_men == 3 and tables.problems == [] and tables.syzygy() == []
    longest = {table.name: table.longest_mate for table in tables.own()}
    assert longest == {"KBvK": 0, "KNvK": 0, "KRvK": 16, "KQvK": 10, "KPvK": 28}
    board = tabiya.Board(ROOK)
    entry = tables.probe(board)
    assert entry.result == 2 and entry.plies_to_mate == 2 * entry.mate - 1
    assert str(entry) == f"mates in {entry.mate}"
    # The best move keeps the mate as short as it is.
    moves = tables.moves(board)
    assert {move for move, _ in moves} == set(board.legal_moves)
    assert moves[0][1].mate == entry.mate
    board.push(moves[0][0])
    assert tables.probe(board).plies_to_mate == entry.plies_to_mate - 1
    assert tables.probe(board).result == -2
    # A rook that can be taken is a draw, and with the clock at 90 the mate comes too late.
    draws = [entry for move, entry in moves if entry.result == 0]
    assert len(draws) == 3
    assert all(entry.mate is None and str(entry) == "draws" for entry in draws)
    late = tables.moves(tabiya.Board("8/8/8/3k4/8/8/8/K6R w - - 90 100"))
    assert late[0][1].result == 1


def test_what_is_not_known(folder):
    tables = tabiya.tables.open(folder, folder / "nowhere")
    for fen, error in [
        (tabiya.STARTING_FEN, KeyError),
        ("8/8/8/3k4/8/8/8/KR5R w - - 0 1", tabiya.tables.MissingTableError),
        ("8/8/8/3k4/8/8/8/4K2R w K - 0 1", KeyError),
        ("8/8/8/3k4/8/8/8/7R w - - 0 1", KeyError),
    ]:
        with pytest.raises(error):
            tables.probe(tabiya.Board(fen))
        assert tables.get(tabiya.Board(fen)) is None
        assert tables.get(tabiya.Board(fen), 5) == 5
    (folder / "KRvKB.tabiya-table").write_bytes(b"no table")
    try:
        assert "KRvKB" in tabiya.tables.open(folder).problems[0]
    finally:
        (folder / "KRvKB.tabiya-table").unlink()
    with pytest.raises(ValueError, match="names no ending"):
        tabiya.tables.make("KQX", folder)
    for men in (2, 6, "KQRRKR"):
        with pytest.raises(ValueError, match="tables are made of 3 to 5"):
            tabiya.tables.make(men, folder)


def test_making_is_stopped_and_goes_on(folder, tmp_path):
    class Enough(Exception):
        pass

    def stop(name, done, of):
        raise Enough  # at the first word

    with pytest.raises(Enough):
        tabiya.tables.make("KPK", tmp_path, threads=1, progress=stop)
    assert not (tmp_path / "KPvK.tabiya-table").exists()
    tabiya.tables.make("KPK", tmp_path, threads=2)
    name = "KPvK.tabiya-table"
    assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_tables_are_asked_by_many_threads(folder):
    tables = tabiya.tables.open(folder)
    expected = tables.probe(tabiya.Board(ROOK))
    seen = []

    def ask():
        board = tabiya.Board(ROOK)
        seen.extend(tables.probe(board) == expected for _ in range(500))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 2000


def test_names_of_endings():
    syzygy = tabiya.syzygy
    assert [len(list(syzygy.tablenames(piece_count=men))) for men in (3, 4, 5)] == [5, 35, 145]
    assert syzygy.normalize_tablename("KPvKRN") == "KRNvKP"
    assert syzygy.normalize_tablename("KRNvKP", mirror=True) == "KPvKRN"
    assert syzygy.is_tablename("KRNvKP") and not syzygy.is_tablename("KPvKRN")
    assert syzygy.is_tablename("KPvKRN", normalized=False)
    assert not syzygy.is_tablename("KvK") and not syzygy.is_tablename("notes")
    assert set(syzygy.dependencies("KPvK")) == {"KQvK", "KRvK", "KBvK", "KNvK"}
    assert set(syzygy.all_dependencies(["KPvK"])) == {"KPvK", "KQvK", "KRvK", "KBvK", "KNvK"}
    with pytest.raises(ValueError, match="names no ending"):
        syzygy.normalize_tablename("notes")


def test_files_that_are_no_tables(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"no table")
    (tmp_path / "notes.txt").write_text("KQvK")
    (tmp_path / "KvKQ.rtbw").write_bytes(b"misnamed")
    board = tabiya.Board("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
    with tabiya.syzygy.open_tablebase(str(tmp_path)) as tables:
        with pytest.raises(OSError, match="KQvK.rtbw: this file is damaged"):
            tables.probe_wdl(board)
        with pytest.raises(OSError, match="KQvK.rtbw: this file is damaged"):
            tables.probe_wdl_table(board)
        with pytest.raises(tabiya.syzygy.MissingTableError):
            tables.probe_dtz_table(board, 2)
    with tabiya.syzygy.Tablebase() as tables:
        assert tables.add_directory(str(tmp_path), load_wdl=False) == 0
        assert tables.add_directory(str(tmp_path)) == 1
        tables.close()
        with pytest.raises(tabiya.syzygy.MissingTableError):
            tables.probe_wdl_table(board)
        assert tables.get_wdl(board, 3) == 3
    assert tabiya.syzygy.dtz_before_zeroing(-1) == -101
