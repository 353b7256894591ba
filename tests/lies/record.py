"""What came out, in a file beside the code, so that the page can be made, and a run be compared, without asking again."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.lies import ours, plain
from tests.lies.cases import SHAPES, TYPES, Case
from tests.lies.probes import PROBES

FILE = Path(__file__).with_name("answers.json")
# New York, so that a wall clock and an instant differ, in winter by five hours.
ZONE = "America/New_York"
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": ZONE,
    "spark.sql.shuffle.partitions": "1",
}


class Record(NamedTuple):
    """A run: which Spark, and what each reader made of each case."""

    spark: str
    answers: dict[str, dict[str, str]]


def key(case: Case) -> str:
    """What tells a case from the others."""
    return " · ".join(part for part in (case.title, case.conf) if part)


def gathered(folder: Path) -> Record:
    """Every case, in one session."""
    spark = _session()
    try:
        found = {key(case): _asked(spark, case, folder / str(number)) for number, case in enumerate((*TYPES, *SHAPES))}
        found |= {probe.title: probe.ask(spark, folder / f"probe-{number}") for number, probe in enumerate(PROBES)}
        return Record(spark.version, found)
    finally:
        spark.stop()


def _asked(spark: Any, case: Case, folder: Path) -> dict[str, str]:
    table, refused = ours.made(spark, case, folder)
    return plain.answers(spark, case, table, folder) | ours.answers(spark, case, table, refused)


def _session() -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("lies")
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def write(record: Record, file: Path = FILE) -> None:
    file.write_text(json.dumps(record._asdict(), indent=1, ensure_ascii=False) + "\n", "utf-8")


def read() -> Record:
    return Record(**json.loads(FILE.read_text("utf-8")))
