"""An index over several databases, made on a Spark cluster of one master and two workers: it is what the databases have, also when a
worker is killed half-way. Needs PySpark, DuckDB and Java 17: python/with_spark runs it."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pyarrow.compute
import pyarrow.dataset
import pyspark
import pytest
from pyspark.sql import SparkSession

import tabiya
import tabiya.db
import tabiya.spark

DATABASES = 3
FILES = 3
SPARK = Path(pyspark.__file__).parent
LATE = "k7/8/8/8/8/8/P7/K7 w - - 0 60"


def played(dice, number):
    """A game of chance, most of them alike in the beginning."""
    start = LATE if number % 11 == 0 else None
    board = tabiya.Board(start) if start else tabiya.Board()
    tags = {
        "White": dice.choice(["Tal", "Ada", "Bob"]),
        "Black": dice.choice(["Carlsen", "Kérès"]),
        "Event": f"Match {number}",
        "Date": dice.choice(["????.??.??", "1990.??.??", f"{dice.randrange(1991, 2026)}.05.{dice.randrange(10, 29)}"]),
        "Result": dice.choice(["1-0", "0-1", "1/2-1/2", "*"]),
    }
    if dice.random() < 0.6:
        tags["WhiteElo"] = str(dice.randrange(2000, 2100))
    if dice.random() < 0.6:
        tags["BlackElo"] = str(dice.randrange(2000, 2100))
    if start:
        tags.update(SetUp="1", FEN=start)
    fens, sans = [board.fen()], []
    # Some go back and forth, so that a position comes twice in a game.
    back_and_forth = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2 if number % 7 == 0 and not start else []
    for ply in range(dice.randrange(50)):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        move = board.parse_san(back_and_forth[ply]) if ply < len(back_and_forth) else dice.choice(moves[: 2 if dice.random() < 0.6 else None])
        sans.append(board.san(move))
        board.push(move)
        fens.append(board.fen())
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    moves = f"{60 if start else 1}. " + " ".join(sans) if sans else ""
    return f"{text}\n{moves} {tags['Result']}\n\n", fens


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    """Databases of games of chance, in a folder whose name is not easy; and their positions."""
    folder = tmp_path_factory.mktemp("50% é of all")
    dice = random.Random(1)
    fens = set()
    folders = [folder / f"{at}.tdb" for at in range(DATABASES)]
    for at, database in enumerate(folders):
        for part in range(FILES):
            games = [played(dice, number) for number in range(150)]
            pgn = folder / f"{at}-{part}.pgn"
            pgn.write_text("".join(text for text, _ in games), encoding="utf-8")
            assert tabiya.db.add(database, pgn).bad == []
            fens.update(fen for _, all in games for fen in all)
    return folders, sorted(fens)


class Cluster:
    """A master and two workers, each a process group of its own on loopback."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []

    def begin(self):
        self.master = self.start("Master", "--port", "0", "--webui-port", "0")
        self.url = self.told("Master", r"Starting Spark master at (spark://\S+)")
        self.workers = []
        for name in ("one", "two"):
            place = ["--webui-port", "0", "--cores", "1", "--memory", "2g", "--work-dir", str(self.folder / name)]
            self.workers.append(self.start("Worker", *place, self.url, log=name))
        for name in ("one", "two"):
            self.told(name, "Successfully registered with master")

    def start(self, kind, *arguments, log=None):
        program = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind.lower()}.{kind}", "--host", "127.0.0.1"]
        environment = {**os.environ, "SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
        with open(self.folder / f"{log or kind}.log", "w") as out:
            process = subprocess.Popen(
                [*program, *arguments], stdout=out, stderr=out, env=environment, start_new_session=True
            )
        self.processes.append(process)
        return process

    def told(self, log, pattern):
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            text = (self.folder / f"{log}.log").read_text()
            if found := re.search(pattern, text):
                return found[found.re.groups]
            assert all(process.poll() is None for process in self.processes), text[-2000:]
            time.sleep(0.1)
        raise TimeoutError(text[-2000:])

    @staticmethod
    def kill(process):
        """As if the machine were lost: what it has started dies too."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.begin()
        yield cluster
    finally:
        for process in reversed(cluster.processes):
            cluster.kill(process)


@pytest.fixture(scope="module")
def spark(cluster):
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "600m",
        "spark.executor.memory": "600m",
        "spark.executor.cores": "1",
        "spark.cores.max": "2",
        # Each file is a task, and both workers take part from the beginning.
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "300s",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "6",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.files.maxPartitionBytes": "1m",
        "spark.shuffle.io.maxRetries": "1",
        "spark.shuffle.io.retryWait": "1s",
        "spark.local.dir": str(cluster.folder),
    }
    builder = SparkSession.builder.master(cluster.url).appName("tabiya")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def rows(collection):
    """All rows of the indexes of a collection, in order."""
    files = sorted(str(file) for file in collection.glob("positions-*/shard=*/*.parquet"))
    table = pyarrow.dataset.dataset(files).to_table()
    return table.sort_by([("key", "ascending"), ("move", "ascending")])


def test_an_index_made_by_spark_is_that_of_the_databases(databases, spark, cluster, tmp_path):
    folders, fens = databases
    plain, whole, cut = tmp_path / "plain.tdc", tmp_path / "whole.tdc", tmp_path / "cut.tdc"
    for collection in (plain, whole, cut):
        assert tabiya.db.collect(collection, folders[:2]) == 2
    assert tabiya.spark.index(spark, whole, bits=4) == 2

    # Each row is what the databases have, and there are as many; `check` compares them by their own indexes.
    games = tabiya.db.Database(whole)
    assert games.check(rebuild=True) == []
    table = rows(whole)
    info = games.info()
    assert info["layers"] == 1 and info["databases"] == 2
    assert pyarrow.compute.sum(table["games"]).as_py() == info["steps"]
    assert len(table) > 5000 and pyarrow.compute.max(table["games"]).as_py() > 64
    # And so is every answer.
    other = tabiya.db.Database(plain)
    assert games.info()["games"] == other.info()["games"] == len(games)
    for fen in fens:
        ours, theirs = games._core.explore(fen), other._core.explore(fen)
        assert ours == theirs, fen
    assert games.explore(player="tal").games == other.explore(player="tal").games > 0

    # Another program counts the same in the same files.
    board = tabiya.Board()
    shards = f"{whole}/positions-*/*/*.parquet"
    key, games_there = tabiya.db.key(board), games.explore(board).games
    question = f"SELECT sum(games)::bigint, sum(white)::bigint FROM read_parquet('{shards}') WHERE key = {key} AND move > 0"
    counted = duckdb.connect().execute(question).fetchone()
    assert counted == (games_there - games.explore(board).ended, sum(games.explore(board).moves.column("white").to_pylist()))

    # A worker is killed while positions are being counted: the index is the same.
    tracker = spark.sparkContext.statusTracker()
    failed = []

    def make():
        try:
            assert tabiya.spark.index(spark, cut, bits=4) == 2
        except BaseException as error:
            failed.append(error)

    job = threading.Thread(target=make)
    job.start()
    done = 0
    while done < FILES and job.is_alive():
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        done = max([stage.numCompletedTasks for stage in stages if stage], default=0)
        time.sleep(0.01)
    assert job.is_alive() and not failed, failed
    cluster.kill(cluster.workers[0])
    assert tabiya.db.Database(cut).info()["layers"] == 0
    job.join()
    assert not failed, failed
    assert rows(cut).equals(table)
    assert tabiya.db.Database(cut).check(rebuild=True) == []

    # More databases: an index of their own, and what was there stays as it is.
    assert tabiya.db.collect(cut, folders) == 3
    between = tabiya.db.Database(cut)
    answers = [between._core.explore(fen) for fen in fens]
    first = sorted(str(file) for file in cut.glob("positions-*"))
    assert tabiya.spark.index(spark, cut, bits=2) == 1
    after = tabiya.db.Database(cut)
    assert between.is_outdated() and after.info()["layers"] == 2 and after.check(rebuild=True) == []
    assert [after._core.explore(fen) for fen in fens] == answers
    assert sorted(str(file) for file in cut.glob("positions-*"))[:1] == first
    assert tabiya.spark.index(spark, cut) == 0

    # An index of games that have become more says so.
    assert tabiya.db.Database(whole).check() == []
    (tmp_path / "more.pgn").write_text("1. g4 g5 1-0\n")
    tabiya.db.add(folders[0], tmp_path / "more.pgn")
    with pytest.raises(ValueError, match="was made of"):
        tabiya.db.Database(whole)
