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
from io import StringIO
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
        print(f"{'door':28}{'tables':>8}{'requests':>10}{'waits':>8}{'seconds':>9}")
        with slow_s3() as far:
            verdicts = [one for count in options.tables for one in _measured(Scene(far, count), count, settings, options.requests)]
            for versions in options.versions:
                verdicts += far_commits.measured(far, versions, settings, requests=options.requests)
    print("\nBudgets of a store that is far away", *verdicts, sep="\n")


def _measured(scene: Scene, count: int, settings: dict[str, float], requests: bool) -> Iterator[Verdict]:
    for name in (*MANY, *(ONE if count == 1 else ())):
        asked = _best(scene.far, getattr(scene, name), settings)
        print(f"{name.replace('_', ' '):28}{count:8,}{asked.requests:10,}{asked.waits:8}{asked.seconds:9.2f}", flush=True)
        if requests:
            print(asked.told())
        if name == "gate":
            yield from _kept(count, asked)


def _best(far: Far, door: Callable[[], None], settings: dict[str, float]) -> Asked:
    """The quickest of three: the machine may be busy."""
    found = []
    for _ in range(3):
        with far.watched(**settings) as asked:
            door()
        found.append(asked)
    return min(found, key=lambda one: one.seconds)


def _kept(count: int, asked: Asked) -> Iterator[Verdict]:
    """The goals for a gate of so many tables."""
    most = 4 * count + 6
    yield Verdict(f"a gate of {count} tables asks at most {most:,} requests", asked.requests <= most, f"{asked.requests:,}")
    for goal in GOALS:
        if goal.tables == count and goal.waits is not None:
            yield Verdict(f"a gate of {count} tables waits at most {goal.waits} times", asked.waits <= goal.waits, str(asked.waits))
        if goal.tables == count and goal.seconds is not None:
            yield Verdict(
                f"a gate of {count} tables takes at most {goal.seconds} s", asked.seconds <= goal.seconds, f"{asked.seconds:.2f} s"
            )


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
