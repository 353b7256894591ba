"""A thousand deferred sensors on one triggerer: what they ask of the storage, how soon they notice, and what that costs its loop.

    python -m tests.benchmarks.deferred_sensors [--sensors 1000] [--poll 10] [--seconds 30] [--changes 100] [--slow 30]
                                                [--contracts | --watchers]

Every sensor waits for a table of its own, as the triggerer runs it: one process, one loop, with its watchdog beside, which
wakes every tenth of a second and warns when it came 0.2 s late. Another process changes some of the tables at random
moments. `--slow` is how many milliseconds a listing takes longer than on this disk. A latency is what lies between the
new version's commit and the event, from which Airflow resumes the task with its next heartbeat: half a poll is to be
expected, and a poll at worst. Nothing fails for time.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

WARNED_SECONDS = 0.2
_BEAT = 0.1


def main() -> None:
    """Measure, and print a line for each figure."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="deferred-") as folder:
        os.environ |= {
            "AIRFLOW_HOME": f"{folder}/airflow",
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__LOGGING__LOGGING_LEVEL": "ERROR",
        }
        lake = Path(folder) / "lake"
        os.environ["AIRFLOW_CONN_LAKE"] = json.dumps({"conn_type": "schema_store", "host": lake.as_uri()})
        seen = _tables(lake, options.sensors)
        print(asyncio.run(_Run(options, lake).measured(seen)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.deferred_sensors", description="What a thousand deferred sensors cost."
    )
    parser.add_argument("--sensors", type=int, default=1000, help="how many wait")
    parser.add_argument("--poll", type=float, default=10.0, help="seconds between two looks of each")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long nothing happens before the first change")
    parser.add_argument("--changes", type=int, default=100, help="how many tables get a version")
    parser.add_argument("--slow", type=float, default=0.0, help="milliseconds that a listing takes longer")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--contracts", action="store_true", help="sensors that wait for a column")
    kind.add_argument("--watchers", action="store_true", help="watchers of assets")
    return parser.parse_args()


def _tables(lake: Path, count: int) -> dict[str, tuple[int, str]]:
    from airflow_provider_schemas.store import SchemaStore

    store = SchemaStore(lake, actor="benchmark")
    columns = "order_id BIGINT NOT NULL, " + ", ".join(f"c{number} STRING" for number in range(20))
    names = [f"shop.t{number}" for number in range(count)]
    return {name: (0, store.create_table(name, columns).digest) for name in names}


class _Run:
    """One measurement."""

    def __init__(self, options: argparse.Namespace, lake: Path) -> None:
        self.options, self.lake = options, lake
        self.events: dict[str, float] = {}
        self.gaps: list[float] = []
        self.looks = 0

    def _trigger(self, table: str, seen: tuple[int, str]) -> Any:
        from airflow_provider_schemas.triggers import SchemaContractTrigger, SchemaVersionEventTrigger, SchemaVersionTrigger

        about: dict[str, Any] = {"conn_id": "lake", "branch": None, "poll": self.options.poll}
        if self.options.watchers:
            return SchemaVersionEventTrigger(table=table, **about)
        if self.options.contracts:
            reads = {table: {"columns": [{"name": "coupon", "type": "STRING"}]}}
            asked: dict[str, Any] = {"reads": reads, "until": "schema", "partition": None, "policy": None, "consumer": "d.t", "since": {}}
            return SchemaContractTrigger(**asked, **about)
        return SchemaVersionTrigger(table=table, version=seen[0], digest=seen[1], **about)

    async def _wait(self, table: str, trigger: Any) -> None:
        async for _ in trigger.run():
            self.events[table] = time.time()
            return

    async def _watchdog(self) -> None:
        """As that of the triggerer."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(_BEAT)
            self.gaps.append(time.monotonic() - before - _BEAT)

    async def measured(self, seen: dict[str, tuple[int, str]]) -> str:
        self._count_looks()
        watchdog = asyncio.create_task(self._watchdog())
        began, cpu = time.monotonic(), time.process_time()
        waiting: list[asyncio.Task[None]] = []
        for table, one in seen.items():
            waiting.append(asyncio.create_task(self._wait(table, self._trigger(table, one))))
            await asyncio.sleep(0)  # as the triggerer does
        while self.looks < len(seen):
            await asyncio.sleep(0.05)
        first = time.monotonic() - began, time.process_time() - cpu
        self.starting, self.gaps = max(self.gaps, default=0.0), []
        steady = await self._steady()
        late = await self._changed()
        for task in (*waiting, watchdog):
            task.cancel()
        await asyncio.gather(*waiting, watchdog, return_exceptions=True)
        return self._told(first, steady, late)

    async def _steady(self) -> dict[str, float]:
        """What happens while nothing happens, when each has looked once or twice."""
        await asyncio.sleep(self.options.poll * 1.5)
        asked, looks, cpu, began = self._asked(), self.looks, time.process_time(), time.monotonic()
        await asyncio.sleep(self.options.seconds)
        lists, gets = (now - then for now, then in zip(self._asked(), asked, strict=True))
        passed, looked = time.monotonic() - began, max(1, self.looks - looks)
        return {"looks": looked / passed, "lists": lists / looked, "gets": gets / looked, "cpu": (time.process_time() - cpu) / passed}

    async def _changed(self) -> list[float]:
        """How late each change was noticed."""
        line = [
            sys.executable,
            "-c",
            _CHANGES,
            str(self.lake),
            str(self.options.sensors),
            str(self.options.changes),
            str(self.options.poll),
        ]
        process = await asyncio.create_subprocess_exec(*line, stdout=subprocess.PIPE)
        output, _ = await process.communicate()
        made: dict[str, float] = json.loads(output)
        deadline = time.monotonic() + 3 * self.options.poll + 10
        while not made.keys() <= self.events.keys() and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        self.missed = len(made.keys() - self.events.keys())
        return sorted(self.events[table] - when for table, when in made.items() if table in self.events)

    def _asked(self) -> tuple[int, int]:
        from airflow_provider_schemas.triggers import store_cache

        count = store_cache.store("lake").warehouse.count
        return count.lists, count.gets

    def _count_looks(self) -> None:
        from airflow_provider_schemas.triggers import contract_poller, version_poller

        for kind in (version_poller.VersionLook, version_poller.WatchLook, contract_poller.ContractLook):
            kind.look = self._counted(kind.look)  # type: ignore[method-assign]  # for this process only

    def _counted(self, real: Any) -> Any:
        def look(this: Any, *args: Any) -> Any:
            time.sleep(self.options.slow / 1000)
            found = real(this, *args)
            self.looks += 1
            return found

        return look

    def _told(self, first: tuple[float, float], steady: dict[str, float], late: list[float]) -> str:
        kind = "watchers" if self.options.watchers else "contract sensors" if self.options.contracts else "version sensors"
        gaps = [*self.gaps, 0.0]
        shares = quantiles(late, n=20) if len(late) > 1 else [0.0] * 19
        warned = f"{sum(one > WARNED_SECONDS for one in gaps)} above the {WARNED_SECONDS * 1000:.0f} ms of which the triggerer warns"
        spread = f"{mean(late):8.2f} s mean, {shares[9]:.2f} median, {shares[18]:.2f} p95, {late[-1]:.2f} worst of {len(late)}"
        block = f"longest block {self.starting * 1000:.0f} ms"
        poll, count = self.options.poll, self.options.sensors
        return "\n".join((
            f"{count} {kind}, poll {poll:g} s, listing {self.options.slow:g} ms slower; load of the machine {os.getloadavg()[0]:.1f}",
            f"first look of all       {first[0]:8.2f} s, of which {first[1]:.2f} s of processor; {block}",
            f"looks                   {steady['looks']:8.1f} a second",
            f"requests a look         {steady['lists']:8.3f} lists, {steady['gets']:.3f} gets",
            f"processor               {steady['cpu'] * 100:8.1f} % of one core, {steady['cpu'] / steady['looks'] * 1000:.2f} ms a look",
            f"longest block           {max(gaps) * 1000:8.0f} ms, {warned}",
            f"version to event        {spread}",
            f"missed                  {self.missed:8d}",
        ))  # fmt: skip


_CHANGES = """
import json, random, sys, time
from airflow_provider_schemas.store import SchemaStore
store, names = SchemaStore(sys.argv[1], actor="benchmark"), [f"shop.t{one}" for one in range(int(sys.argv[2]))]
made = {}
for name in random.sample(names, min(len(names), int(sys.argv[3]))):
    store.table(name).evolve(["ADD COLUMN coupon STRING"])
    made[name] = time.time()
    time.sleep(random.uniform(0, 2 * float(sys.argv[4]) / int(sys.argv[3])))
print(json.dumps(made))
"""


if __name__ == "__main__":
    main()
