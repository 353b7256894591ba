"""Run the pairs and write down what came out, then write the page.

python -m tests.truth           in an environment with pyspark and Java: some minutes
python -m tests.truth page      the page alone, from what was written down
python -m tests.truth 500 7     so many pairs of another seed, and nothing is written
"""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from tests.truth import summary
from tests.truth.page import PAGE, false_greens, page, share
from tests.truth.pairs import NUMBER, pairs
from tests.truth.verdicts import Judged, Outcome, judged

SEED = 2026


def main(arguments: list[str]) -> int:
    """Run, unless only the page is wanted; the exit code says whether a green was false."""
    if arguments == ["page"]:
        PAGE.write_text(page(summary.read()), "utf-8")
        return 0
    number, seed = map(int, arguments) if arguments else (NUMBER, SEED)
    found = _run(number, seed)
    if not arguments:
        summary.write(found)
        PAGE.write_text(page(found), "utf-8")
    print(*(f"{name:20} {count}" for name, count in found.confusion.items()), sep="\n")
    print(f"{share(found.confusion):.0%} run correctly, {false_greens(found.confusion)} greens are false")
    return int(false_greens(found.confusion) > 0)


def _run(number: int, seed: int) -> summary.Summary:
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        conf = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.warehouse.dir": folder}
        builder: Any = SparkSession.builder.master("local[1]").appName("truth")
        for key, value in {**conf, "spark.driver.memory": "2g", "spark.log.level": "OFF"}.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        try:
            several = _told(judged(session, pairs(seed, number)))
            return summary.summed(session.version, seed, several, summary.read() if summary.FILE.exists() else None)
        finally:
            session.stop()


def _told(several: Iterable[Judged]) -> Iterator[Judged]:
    """The pairs; each false green is printed as it comes, and where the run is."""
    for place, one in enumerate(several, 1):
        if one.green and one.outcome is not Outcome.RIGHT:
            print(f"FALSE GREEN {one.pair.number} {one.pair.job.name}: {one.pair.rule}, {one.outcome} {one.detail}", flush=True)
            print(f"  means {[str(field) for field in one.pair.mine]}\n  table {[str(field) for field in one.pair.theirs]}", flush=True)
        if place % 500 == 0:
            print(f"{place} pairs", flush=True)
        yield one


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
