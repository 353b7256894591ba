"""Measures which lossless changes of a column's type Spark can read out of old files, and compares with core/engines/readers.

Each type's extremes are written to a file, read as the wider type, and compared with Spark's own cast.
usage: python -m tools.measure_readers, in an environment with pyspark 4 and Java 17.
"""

import importlib
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.engines.readers import Outcome, outcomes
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.formats.spark_types.leaves import written

DIGITS = [(3, 0), (5, 2), (9, 0), (9, 2), (10, 0), (10, 2), (12, 4), (18, 0), (18, 2), (19, 0), (20, 0), (22, 2), (38, 0), (38, 10)]
VALUES: dict[str, list[str]] = {
    **{name: [str(-(2**bits)), "0", str(2**bits - 1)] for name, bits in {"TINYINT": 7, "SMALLINT": 15, "INT": 31, "BIGINT": 63}.items()},
    **{f"DECIMAL({digits}, {scale})": [f"{sign}{10**digits - 1}e-{scale}" for sign in ("-", "")] for digits, scale in DIGITS},
    "FLOAT": ["0.1", "-3.4028235E38", "1.4E-45"],
    "DOUBLE": ["0.1", "4.9E-324"],
    "DATE": ["0001-01-01", "1969-12-31", "9999-12-31"],
    "TIMESTAMP(6)": ["0001-01-01 00:00:00", "1969-12-31 23:59:59.999999"],
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": ["2024-01-02 03:04:05.123456"],
    "CHAR(5)": ["abcde"],
    **{name: ["", "é", "a"] for name in ("VARCHAR(5)", "VARCHAR(7)", "STRING")},
    "BYTES": ["", "abc"],
    "BOOLEAN": ["true", "false"],
}
# A format of files, whether it is read in vectors, and the column of the table.
READS = (
    ("parquet", "true", "spark-4-parquet vectorized"),
    ("parquet", "false", "spark-4-parquet row"),
    ("orc", "true", "spark-4-orc"),
    ("orc", "false", "spark-4-orc"),
)


def main() -> int:
    """Print each pair for which Spark and the table disagree; the exit code says whether there is one."""
    spark = importlib.import_module("pyspark.sql").SparkSession.builder.master("local[1]").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    with tempfile.TemporaryDirectory() as folder:
        cells = list(measured(spark, Path(folder)))
    wrong = [
        f"{part}: {source} as {target} is {'exact' if seen else 'not exact'}" for part, source, target, seen, said in cells if seen != said
    ]
    print(*wrong, f"Spark {spark.version}: {len(cells)} cells measured, {len(wrong)} of them otherwise than in the table", sep="\n")
    return bool(wrong)


def measured(spark: Any, folder: Path) -> Iterator[tuple[str, AtomicType, AtomicType, bool, bool]]:
    """A part of a reader, a lossless pair, whether it reads exactly, and whether the table says so."""
    kinds = [kind for kind in map(parse_ddl, VALUES) if isinstance(kind, AtomicType)]
    for name, source in product(("parquet", "orc"), kinds):
        write(spark, str(folder / name / str(source)), name, source)
    for (name, vectorized, part), source, target in product(READS, kinds, kinds):
        if lossless(source, target):
            spark.conf.set(f"spark.sql.{name}.enableVectorizedReader", vectorized)
            seen = exact(spark, str(folder / name / str(source)), name, source, target)
            yield part, source, target, seen, outcomes(part.partition(" ")[0], source, target)[part] is Outcome.EXACT


def write(spark: Any, path: str, name: str, kind: AtomicType) -> None:
    values = " UNION ALL ".join(f"SELECT CAST('{value}' AS {column(kind)}) v" for value in VALUES[str(kind)])
    spark.sql(values).coalesce(1).write.format(name).save(path)


def exact(spark: Any, path: str, name: str, source: AtomicType, target: AtomicType) -> bool:
    """Whether the file, read as the target type, has the values that a cast gives."""
    error = importlib.import_module("py4j.protocol").Py4JError, importlib.import_module("pyspark.errors").PySparkException
    cast = spark.read.schema(f"v {column(source)}").format(name).load(path).selectExpr(f"CAST(v AS {column(target)}) v").collect()
    try:
        return bool(spark.read.schema(f"v {column(target)}").format(name).load(path).collect() == cast)
    except error:
        return False


def column(kind: AtomicType) -> str:
    text = written(kind, "ddl").text
    return "STRING" if text.startswith(("CHAR", "VARCHAR")) else text


if __name__ == "__main__":
    sys.exit(main())
