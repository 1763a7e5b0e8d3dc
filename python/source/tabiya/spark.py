"""An index over more games than one machine can index, made by Apache Spark (pyspark 4.2 or later).

A collection (`tabiya.db.collect`, `tabiya db collect`) is several databases that are asked like one. `index` gives it an index over
all of them in which a position is in one file, however many games there are: its columns are described in docs/database.md.

```python
import pyspark.sql
import tabiya.db
import tabiya.spark

tabiya.db.collect("all.tdc", ["january.tdb", "february.tdb"])
spark = pyspark.sql.SparkSession.builder.master("spark://head:7077").getOrCreate()
tabiya.spark.index(spark, "all.tdc")
tabiya.db.Database("all.tdc").explore()
```

Every worker needs this package, and sees the folders by the same names. A worker that is lost changes nothing. Databases that are
added later are asked for themselves until `index` is called again, which leaves what is there as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Union
from urllib.parse import unquote, urlsplit

from ._tabiya import add_layer, explode_games, plan_layer

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["explode", "index"]

#: So many of the games of the strongest players are kept.
_BEST = 4
#: So many games become rows of positions at a time.
_PIECE = 2048
#: So many rows are a page of a file, of which one or two are read for a position.
_PAGE = 2048

_STEPS = "key bigint, move int, game bigint, result tinyint, date int, white_elo int, black_elo int"
_RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2, "*": 3}


def explode(games: DataFrame, firsts: Dict[str, int]) -> DataFrame:
    """A row for each position of games and what followed there, once for each game: the key of the position, the code of the move (0
    is the end of the game, 1 a null move, else two more than its number), the number of the game, its result (0 to 3 for 1-0, 1/2-1/2,
    0-1, *), date and ratings (0 if unknown). `games` are rows of the files whose first games have the numbers `firsts`."""

    def steps(batches: Iterable[Any]) -> Iterator[Any]:
        import numpy
        import pyarrow

        for whole in batches:
            for start in range(0, whole.num_rows, _PIECE):
                batch = whole.slice(start, _PIECE)
                column = {name: batch.column(name) for name in batch.schema.names}
                rows, keys, moves = explode_games(column["moves"].to_pylist(), column["fen"].to_pylist())
                files = (unquote(urlsplit(file).path) for file in column["file"].to_pylist())
                numbers = numpy.fromiter((firsts[file] for file in files), dtype=numpy.int64) + column["row"].to_numpy()
                results = numpy.fromiter((_RESULTS[result] for result in column["result"].to_pylist()), dtype=numpy.int8)

                def known(name: str) -> Any:
                    return column[name].fill_null(0).to_numpy()[rows]

                arrays = [keys, moves, numbers[rows], results[rows], known("date"), known("white_elo"), known("black_elo")]
                names = [field.split()[0] for field in _STEPS.split(", ")]
                yield pyarrow.RecordBatch.from_arrays([pyarrow.array(array) for array in arrays], names=names)

    from pyspark.sql import functions as F

    place = [F.col("_metadata.file_path").alias("file"), F.col("_metadata.row_index").alias("row")]
    wanted = games.select("moves", "fen", "result", "date", "white_elo", "black_elo", *place)
    return wanted.mapInArrow(steps, _STEPS)


def index(spark: SparkSession, collection: Union[str, os.PathLike[str]], *, bits: int = 8) -> int:
    """Gives those databases of a collection an index that have none yet: so many bits of the keys (1 to 16) tell the file. Tells how
    many databases these are. Nothing of the index is seen before it is whole."""
    from pyspark.sql import functions as F

    if not 1 <= bits <= 16:
        raise ValueError(f"{bits} bits tell no shard: between 1 and 16 do")
    plan = json.loads(plan_layer(os.fspath(collection)))
    if not plan["files"]:
        return 0
    firsts: Dict[str, int] = dict(plan["files"])
    rows = explode(spark.read.parquet(*(f"file://{path}" for path in firsts)), firsts)

    result, number = F.col("result"), F.col("game")
    strength = F.struct((F.col("white_elo") + F.col("black_elo")).alias("elo"), (-number).alias("first"))
    shard = F.shiftrightunsigned("key", 64 - bits).cast("int").alias("shard")
    sums = {
        "white": F.count_if(result == 0),
        "draws": F.count_if(result == 1),
        "black": F.count_if(result == 2),
        "white_elo": F.sum("white_elo"),
        "white_rated": F.count_if(F.col("white_elo") > 0),
        "black_elo": F.sum("black_elo"),
        "black_rated": F.count_if(F.col("black_elo") > 0),
        "newest": F.max("date"),
    }
    summed = rows.groupBy(shard, "key", "move").agg(
        F.count(F.lit(1)).alias("games"),
        *(column.alias(name) for name, column in sums.items()),
        F.max_by(number, strength, _BEST).alias("best"),
    )
    # What a single game sums up to the game tells itself.
    written = summed.select(
        "shard",
        "key",
        "move",
        "games",
        *(F.when(F.col("games") > 1, F.col(name)).alias(name) for name in sums),
        *(F.get("best", F.lit(at)).alias(f"best{at + 1}") for at in range(_BEST)),
    )
    try:
        (
            written.repartitionById(1 << bits, "shard")
            .sortWithinPartitions("shard", "key", "move")
            .write.partitionBy("shard")
            .option("compression", "zstd")
            .option("parquet.enable.dictionary", "false")
            .option("parquet.writer.version", "PARQUET_2_0")
            .option("parquet.page.row.count.limit", str(_PAGE))
            .parquet(f"file://{plan['folder']}")
        )
        add_layer(os.fspath(collection), json.dumps(plan), bits)
    except BaseException:
        shutil.rmtree(plan["folder"], ignore_errors=True)
        raise
    return len(plan["games"])
