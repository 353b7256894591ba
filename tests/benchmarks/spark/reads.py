"""The fixed price of a read, beside plain Spark over the same rows in the newest schema, by processor time of all processes.

    python -m tests.benchmarks.spark.reads [--files 2000] [--generations 16] [--rounds 5] [--folder DIR]

Little data, so that what is measured is what comes before the rows: listing, footers, planning. Each goal stands with ours and the limit.
What `infer` takes for a hundred text columns stands beside one plain aggregation of them.
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airflow_provider_schemas.spark import infer, read_table
from airflow_provider_schemas.spark.files import footers
from airflow_provider_schemas.store import SchemaStore
from tests.benchmarks.spark import processor
from tests.benchmarks.spark.audits import _session

_COLUMNS = 20
_PRICE, _GENERATIONS, _FOOTERS, _INFER = 0.15, 1.3, 1.3, 3
_TEXTS, _ROWS = 100, 20_000
# Texts that are numbers, words, days, amounts and truths, a fifth each.
_KINDS = (
    "cast(id * {0} as string)",
    "concat('word ', id % {0})",
    "cast(date_add(date'2020-01-01', cast(id % 700 as int)) as string)",
    "cast(cast(id / {0} as decimal(12, 3)) as string)",
    "if(id % 2 = 0, 'true', 'false')",
)
_NAME = "shop.orders"


def described(root: Path, generations: int, files: int) -> tuple[SchemaStore, Path, Path]:
    """A table with files of each generation, a column more in each; and the same rows in the newest schema."""
    import pyarrow
    from pyarrow import parquet

    store, data, plain = SchemaStore(root / "registry", layout="registry", actor="somebody"), root / "data", root / "plain"
    names = [f"c{number}" for number in range(_COLUMNS)]
    store.adopt(_NAME, str(data), ", ".join(f"{name} BIGINT" for name in names))
    data.mkdir()
    plain.mkdir()
    for generation in range(generations):
        if generation:
            names.append(f"more{generation}")
            store.table(_NAME).evolve(f"ADD COLUMN more{generation} BIGINT")
        one = root / f"{generation}.parquet"
        parquet.write_table(pyarrow.table({name: pyarrow.array([1], pyarrow.int64()) for name in names}), one)
        for number in range(generation, files, generations):
            shutil.copy(one, data / f"{number}.parquet")
    for number in range(files):
        shutil.copy(one, plain / f"{number}.parquet")
    return store, data, plain


def _least(spark: Any, store: SchemaStore, plain: Path, rounds: int, *, anew: bool = False, merge: bool = False) -> dict[str, float]:
    """Ours and plain Spark's; anew forgets footers each time, merge has Spark find out the columns of each file."""

    def ours() -> None:
        if anew:
            footers._remembered.clear()
        read_table(spark, store.table(_NAME)).where("c1 = 1").collect()

    def beside() -> None:
        spark.read.option("mergeSchema", str(merge).lower()).parquet(str(plain)).where("c1 = 1").collect()

    return processor.least({"ours": ours, "beside": beside}, rounds)


def goals(spark: Any, root: Path, files: int, generations: int, rounds: int) -> Iterator[str]:
    """Each goal of reads, with ours and the limit."""
    store, _, plain = described(root / "one", 1, 4)
    spent = _least(spark, store, plain, rounds)
    price = spent["ours"] - spent["beside"]
    kept = "kept" if price <= _PRICE else "NOT KEPT"
    yield f"  the fixed price of a read beyond plain Spark: {price:.3f} s of at most {_PRICE:g} ({kept})"
    store, _, plain = described(root / "many", generations, 2 * generations)
    spent = _least(spark, store, plain, rounds)
    yield processor.goal(f"{generations} generations, beside plain Spark", spent["ours"], spent["beside"], _GENERATIONS)
    store, data, _ = described(root / "files", 2, files)
    spent = _least(spark, store, data, rounds, anew=True, merge=True)
    yield processor.goal(f"{files:,} files, beside Spark's own mergeSchema", spent["ours"], spent["beside"], _FOOTERS)
    spent = _of_texts(spark, root / "texts", rounds)
    yield processor.goal(f"infer, {_TEXTS} text columns, beside max() of each", spent["ours"], spent["beside"], _INFER)


def _of_texts(spark: Any, path: Path, rounds: int) -> dict[str, float]:
    """A look at all values of many text columns, and one plain aggregation of them."""
    columns = [f"{_KINDS[place % len(_KINDS)].format(place + 1)} as c{place}" for place in range(_TEXTS)]
    spark.range(_ROWS).selectExpr(*columns).coalesce(2).write.parquet(str(path))
    frame = spark.read.parquet(str(path))
    most = [f"max({name})" for name in frame.columns]
    return processor.least({"ours": lambda: infer(frame), "beside": lambda: frame.selectExpr(*most).collect()}, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.spark.reads", description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--generations", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the files are made, and taken away again")
    options = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="schemas-reads-", dir=options.folder))
    spark = _session()
    try:
        print(f"goals of reads, least processor time of {options.rounds} rounds")
        for line in goals(spark, root, options.files, options.generations, options.rounds):
            print(line, flush=True)
    finally:
        spark.stop()
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
