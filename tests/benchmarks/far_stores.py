"""What every door asks of a storage that is far away: requests, how many of them waited for each other, and the time that takes.

    python -m tests.benchmarks.far_stores [--tables 1 5 50 200] [--versions 10 1000 10000] [--latency 30] [--at-once 64] [--requests]

The real s3fs asks a server of ours on the loopback, each request takes its milliseconds, and so many are answered at once. Every
line is a store that was opened just now, as the process of a task opens it, and everything is as it was yesterday: nothing is new
to be registered. Waits are the longest chain of requests of which each came after the one before it was answered.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from functools import partial
from io import BytesIO, StringIO
from itertools import count as count_up
from typing import Any, NamedTuple

from tests.benchmarks import far_commits
from tests.benchmarks.verdicts import Verdict
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import Asked, Far, slow_s3

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, " + ", ".join(f"c{number} STRING" for number in range(58))
NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"


class Goal(NamedTuple):
    """What a gate may take."""

    tables: int
    waits: int | None
    seconds: float | None


GOALS = (Goal(1, 4, None), Goal(5, 4, None), Goal(50, None, 0.5), Goal(200, None, 1.6))

FORCED = {"listing": 2, "inspect": 3, "plan": 3, "evolve": 6, "create": 4}
"""How many waits the storage forces on a door: each name that is asked for stands in an answer, and what is written is read after it.

The listing of the roots, that of the database or the table, the newest version; then the older ones that a change is made on, the write,
and what was written.
"""
_BEYOND = 4
_MANY_TABLES = 1_000
_MOST_FOR_MANY = 1_010
_DEEP = 3
_ROUNDS = 5
# For so long nothing more comes before what waits is answered, where waits are counted.
_QUIET = 0.25


class Scene:
    """A warehouse of so many tables on a server that is far away, with a job that has registered what it needs of each."""

    def __init__(self, far: Far, count: int) -> None:
        self.far, self.bucket, self.numbers = far, far.bucket(), count_up()
        self.names = tuple(f"shop.t{number}" for number in range(count))
        store = self.opened()
        store.create_table(self.names[0], COLUMNS)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda name: store.create_table(name, COLUMNS), self.names[1:]))
        os.environ["AIRFLOW_CONN_FAR"] = _connection(self.bucket)
        self.gate()

    def opened(self) -> Any:
        """The store, as a process opens it that knows nothing yet."""
        from airflow_provider_schemas.store import SchemaStore

        return SchemaStore(self.bucket.url("lake"), storage_options=self.bucket.storage_options, actor="benchmark")

    # ------------------------------------------------------------ doors

    def gate(self) -> None:
        """The gate of a task."""
        self._gate()

    def gate_without_registering(self) -> None:
        """A gate that registers nothing."""
        self._gate(register=False)

    def gate_as_registered(self) -> None:
        """A gate that asks by what is registered."""
        self._gate(need="@registered")

    def _gate(self, need: Any = NEEDS, **said: Any) -> None:
        from airflow.sdk import DAG

        from airflow_provider_schemas.operators import SchemaGateOperator
        from tests.provider.conftest import StandIn, context_of

        with DAG("reports", schedule=None) as dag:
            gate = SchemaGateOperator(task_id="gate", conn_id="far", reads=dict.fromkeys(self.names, need), **said)
        dag.fileloc = __file__
        assert gate.execute(context_of(dag, gate, StandIn("reports", "gate"), None))["fits"]  # type: ignore[arg-type]

    def sensor(self) -> None:
        """A look of a sensor that waits for columns."""
        from airflow_provider_schemas.store import judge

        assert judge(self.opened(), dict.fromkeys(self.names, NEEDS), consumer="reports.sensor").fits

    def check(self) -> None:
        """The command `check`, for one job."""
        assert self._typed("check", self.names[0], "--for=reports.gate") == 0

    def plan(self) -> None:
        """A plan for one table."""
        assert not self.opened().table(self.names[0]).plan("ADD COLUMN more STRING").unchanged

    def evolve(self) -> None:
        """One column more, committed."""
        assert self.opened().table(self.names[0]).evolve(f"ADD COLUMN more_{next(self.numbers)} STRING").created

    def create(self) -> None:
        """A new table."""
        self.opened().create_table(f"other.t{next(self.numbers)}", COLUMNS)

    def listing(self) -> None:
        """The names of the tables."""
        assert len(self.opened().tables("shop")) >= len(self.names)

    def long_listing(self) -> None:
        """The command `ls --long`."""
        assert self._typed("ls", "--long", "shop") == 0

    def describe(self, deep: int) -> None:
        """Make a table that is only described, with one file below so many partition folders."""
        import pyarrow as pa
        from pyarrow import parquet

        from airflow_provider_schemas.core.schema.table_schema import TableSchema

        out, keys = BytesIO(), [f"k{number}" for number in range(deep)]
        parquet.write_table(pa.table({"order_id": [1], "cust_id": [2]}), out)
        path = "/".join([f"{self.bucket.name}/landed_{deep}", *(f"{key}=a" for key in keys), "part-0.parquet"])
        self.bucket.filesystem().pipe_file(path, out.getvalue())
        columns = ", ".join(["order_id BIGINT", "cust_id BIGINT", *(f"{key} STRING" for key in keys)])
        schema = TableSchema.create(columns, partition_keys=keys)
        self.opened().adopt(f"shop.landed_{deep}", self.bucket.url(f"landed_{deep}"), schema)

    def footer(self, deep: int) -> None:
        """A judgement that looks at the newest file of a described table."""
        from airflow_provider_schemas.store import judge

        judgement = judge(self.opened(), {f"shop.landed_{deep}": "order_id BIGINT"}, consumer="reports.sensor")
        assert judgement.tables[0].judged_by.startswith("footer")

    def inspect(self) -> None:
        """What does not fit together in a history."""
        assert self.opened().table(self.names[0]).inspect().fits

    def _typed(self, *words: str) -> int:
        from airflow_provider_schemas.cli.main import main

        options = [f"--storage-option={key}={json.dumps(value) if isinstance(value, dict) else value}" for key, value in self._options()]
        with redirect_stdout(StringIO()):
            return main([*words, f"--store={self.bucket.url('lake')}", *options])

    def _options(self) -> Iterator[tuple[str, Any]]:
        yield from self.bucket.storage_options.items()


MANY = ("gate", "gate_without_registering", "gate_as_registered", "sensor", "listing", "long_listing")
ONE = ("check", "plan", "evolve", "create", "inspect")


def _connection(bucket: Bucket) -> str:
    options = bucket.storage_options
    client = options.pop("client_kwargs")
    return json.dumps({"conn_type": "schema_store", "host": bucket.url("lake"), "extra": json.dumps({"storage_options": options | client})})


def main() -> None:
    """Measure, and print a line for each door and number of tables."""
    options = _options()
    settings = {"latency": options.latency / 1000, "at_once": options.at_once}
    with tempfile.TemporaryDirectory(prefix="far-") as folder:
        os.environ |= {"AIRFLOW_HOME": folder, "AIRFLOW__CORE__LOAD_EXAMPLES": "False", "AIRFLOW__LOGGING__LOGGING_LEVEL": "ERROR"}
        print(f"{'door':28}{'tables':>8}{'requests':>10}{'waits':>8}{'seconds':>9}{'processor':>11}")
        with slow_s3() as far:
            verdicts = [one for count in options.tables for one in _measured(Scene(far, count), count, settings, options.requests)]
            verdicts += _of_footers(Scene(far, 1), settings)
            verdicts += _of_many(far, settings)
            for versions in options.versions:
                verdicts += far_commits.measured(far, versions, settings, requests=options.requests)
    print("\nBudgets of a store that is far away", *verdicts, sep="\n")


def _measured(scene: Scene, count: int, settings: dict[str, float], requests: bool) -> Iterator[Verdict]:
    for name in (*MANY, *(ONE if count == 1 else ())):
        asked = _best(scene.far, getattr(scene, name), settings)
        _print(name.replace("_", " "), count, asked)
        if requests:
            print(asked.told())
        if name == "gate":
            yield from _kept(count, asked, _in_rounds(scene.far, scene.gate).waits)
        if name in FORCED and count == 1:
            waits = _in_rounds(scene.far, getattr(scene, name)).waits
            most = FORCED[name] + _BEYOND
            yield Verdict(f"{name} waits at most {_BEYOND} times beyond what the storage forces: {most}", waits <= most, str(waits))


def _of_footers(scene: Scene, settings: dict[str, float]) -> Iterator[Verdict]:
    """What a look at a footer adds: the listings of the folders on the way to the newest file, and its end."""
    without = _in_rounds(scene.far, scene.sensor).waits
    for deep in range(_DEEP + 1):
        scene.describe(deep)
        door = partial(scene.footer, deep)
        _print(f"footer, {deep} partition folders", 1, _best(scene.far, door, settings))
        more = _in_rounds(scene.far, door).waits - without
        yield Verdict(f"a look at a footer below {deep} partition folders adds at most 2 waits", more <= 2, str(more))


def _of_many(far: Far, settings: dict[str, float]) -> Iterator[Verdict]:
    """What a long listing of many tables asks."""
    scene = Scene(far, 1)
    files = scene.bucket.filesystem()
    first = f"{scene.bucket.name}/lake/shop.db/t0/schema/schema-0"
    data = files.cat_file(first)
    files.pipe({first.replace("/t0/", f"/t{number}/"): data for number in range(1, _MANY_TABLES)})
    asked = _best(far, scene.long_listing, settings)
    _print("long listing", _MANY_TABLES, asked)
    about = f"a long listing of {_MANY_TABLES:,} tables asks at most {_MOST_FOR_MANY:,} requests"
    yield Verdict(about, asked.requests <= _MOST_FOR_MANY, f"{asked.requests:,}")


def _print(door: str, count: int, asked: Asked) -> None:
    print(f"{door:28}{count:8,}{asked.requests:10,}{asked.waits:8}{asked.seconds:9.2f}{asked.processor:11.2f}", flush=True)


def _in_rounds(far: Far, door: Callable[[], None]) -> Asked:
    """The same in rounds, whose number is the number of waits on a busy machine as well."""
    with far.watched(quiet=_QUIET) as asked:
        door()
    return asked


def _best(far: Far, door: Callable[[], None], settings: dict[str, float]) -> Asked:
    """The quickest of several: the machine may be busy."""
    found = []
    for _ in range(_ROUNDS):
        with far.watched(**settings) as asked:
            door()
        found.append(asked)
    return min(found, key=lambda one: one.seconds)


def _kept(count: int, asked: Asked, waits: int) -> Iterator[Verdict]:
    """The goals for a gate of so many tables. Waits are counted in rounds: on a busy machine a request may come late by itself."""
    most = 4 * count + 6
    yield Verdict(f"a gate of {count} tables asks at most {most:,} requests", asked.requests <= most, f"{asked.requests:,}")
    for goal in GOALS:
        if goal.tables == count and goal.waits is not None:
            yield Verdict(f"a gate of {count} tables waits at most {goal.waits} times", waits <= goal.waits, str(waits))
        if goal.tables == count and goal.seconds is not None:
            told = f"{asked.seconds:.2f} s, {asked.processor:.2f} s of it processor time"
            yield Verdict(f"a gate of {count} tables takes at most {goal.seconds} s", asked.seconds <= goal.seconds, told)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.far_stores", description="What doors ask of a storage far away.")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 5, 50, 200], help="how many tables a gate has")
    parser.add_argument(
        "--versions", type=int, nargs="*", default=[10, 1_000, 10_000], help="how many versions a table has before a commit"
    )
    parser.add_argument("--latency", type=float, default=30.0, help="milliseconds a request")
    parser.add_argument("--at-once", type=int, default=64, help="how many requests are answered at once")
    parser.add_argument("--requests", action="store_true", help="print every request")
    return parser.parse_args()


if __name__ == "__main__":
    main()
