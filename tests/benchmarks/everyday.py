"""What everybody pays: a command as a process, imports, unusual files, verdicts. Each goal with ours, its limit, and whether it is met.

    python -m tests.benchmarks.everyday [--rounds 9] [--quick]

It is the last part of `make bench`. Clocks are those of processors, and the least of interleaved rounds counts. Times are for reading:
whatever they are, the command succeeds.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core import TableSchema
from tests.benchmarks.contest import Call, Case, Op
from tests.benchmarks.inputs import SHAPES, Batch, Input
from tests.benchmarks.subjects.judging import FILES, SUBJECT
from tests.benchmarks.timing import Effort, measure, pin
from tests.benchmarks.verdicts import Verdict

TOP = Path(__file__).parents[2]
TABLE = """table: shop.orders
columns:
  - {{name: order_id, type: {kind} NOT NULL}}
  - {{name: amount, type: "DECIMAL(10, 2)"}}
  - {{name: status, type: STRING}}
primary_key: [order_id]
"""
LIBRARIES = "import msgspec, pydantic, yaml"
MODEL = "import msgspec, yaml, pydantic\nclass Model(pydantic.BaseModel): name: str = ''"
AIRFLOW = "import airflow.sdk; from airflow.utils.cli import suppress_logs_and_warning"
ALONE = ("-m", "airflow_provider_schemas.cli")


class Ratio(NamedTuple):
    """A goal: ours is at most so many times the limit."""

    goal: str
    most: float
    ours: float
    limit: float

    def verdict(self) -> Verdict:
        times = self.ours / self.limit
        figures = f"{times:.2f}x, ours {self.ours * 1e3:.2f} ms, the limit {self.limit * 1e3:.2f} ms"
        return Verdict(f"{self.goal}: at most {self.most:g}x", times <= self.most, figures)


def main() -> None:
    """Measure, and print a line a goal."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.everyday", description="What everybody pays.")
    parser.add_argument("--rounds", type=int, default=9, help="how often each process runs")
    parser.add_argument("--quick", action="store_true", help="a round only, and without Airflow")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    effort = Effort(rounds=2, seconds=0.1) if options.quick else Effort(rounds=25, seconds=2)
    pin()
    print(f"Python {sys.version.split()[0]}, load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    verdicts = [*processes(rounds), *reading(effort), *judging(effort), *([] if options.quick else connection(rounds))]
    print(*verdicts, sep="\n")


# ---------------------------------------------------------------- processes


def processor_time(arguments: Sequence[str], folder: str, more: Mapping[str, str]) -> float:
    """Run Python with these arguments; the seconds of the processor that it took, its end included. The folder keeps what it compiles."""
    environment = {**os.environ, "PYTHONPATH": str(TOP), "PYTHONPYCACHEPREFIX": f"{folder}/compiled", **more}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    process = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=nothing)
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def least(commands: Mapping[str, Sequence[str]], rounds: int, folder: str, more: Mapping[str, str]) -> dict[str, float]:
    """The least that each takes; before the rounds, every command runs once and compiles what it imports."""
    for command in commands.values():
        processor_time(command, folder, more)
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(processor_time(command, folder, more))
    return {name: min(times) for name, times in found.items()}


def processes(rounds: int) -> list[Verdict]:
    """`check` of two table files, beside a process that only imports what it needs of others."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("old.yaml", "new.yaml")]
        for file, kind in zip(files, ("INT", "BIGINT"), strict=True):
            file.write_text(TABLE.format(kind=kind), "utf-8")
        commands = {"check": (*ALONE, "check", *map(str, files)), "libraries": ("-c", LIBRARIES), "model": ("-c", MODEL)}
        times = least(commands, rounds, folder, {})
    goal = "check of two table files, as a process, beside one that imports msgspec, pydantic and yaml"
    return [
        Ratio(goal, 1.6, times["check"], times["libraries"]).verdict(),
        Ratio(f"{goal}, and makes one model", 1.6, times["check"], times["model"]).verdict(),
    ]


def connection(rounds: int) -> list[Verdict]:
    """A command with --conn, beside Airflow's own import."""
    with tempfile.TemporaryDirectory() as folder:
        host = json.dumps({"conn_type": "schema_store", "host": folder})
        more = {"AIRFLOW_HOME": folder, "AIRFLOW__CORE__LOAD_EXAMPLES": "False", "AIRFLOW_CONN_LAKE": host}
        times = least({"ours": (*ALONE, "ls", "--conn", "lake"), "airflow": ("-c", AIRFLOW)}, min(rounds, 5), folder, more)
    seconds = times["ours"] - times["airflow"]
    figures = f"{seconds:.2f} s, ours {times['ours']:.2f} s, Airflow alone {times['airflow']:.2f} s"
    return [Verdict("--conn: at most 0.8 s beyond Airflow's own import", seconds <= 0.8, figures)]


# ---------------------------------------------------------------- reading


def unusual(source: dict[str, Any], **members: Any) -> bytes:
    """The file with other members in one of its columns."""
    fields = [{**one, **members} if number == 3 else one for number, one in enumerate(source["fields"])]
    return json.dumps({**source, "fields": fields}, indent=2).encode()


def reading(effort: Effort) -> list[Verdict]:
    """Files of 1,000 columns that differ from what is written most in one thing, beside the same file without it."""
    one = Input(SHAPES[0], 1_000)
    source = one.document
    files = {
        "strict": one.file,
        "an unknown top-level key": json.dumps({**source, "engine": {"x": 1}}, indent=2).encode(),
        "an unknown key in a column": unusual(source, engine={"x": 1}),
        "decimal(10,2)": unusual(source, type="decimal(10,2)"),
        "a backslash": unusual(source, description="a \\ b"),
        "a null description": unusual(source, description=None),
    }
    times = _least({name: partial(TableSchema.from_json, file) for name, file in files.items()}, effort)
    verdicts = [Ratio(f"reading {name}", 2, times[name], times["strict"]).verdict() for name in files if name != "strict"]
    return [*verdicts, _deep_key(effort)]


def _deep_key(effort: Effort) -> Verdict:
    """A key that nobody knows, two ROWs deep in a nested file of 1,000 fields."""
    one = Input(SHAPES[1], 1_000)
    source = json.loads(one.file)
    source["fields"][3]["type"]["fields"][1]["type"]["fields"][0]["engine"] = {"x": 1}
    files = {"strict": one.file, "deep": json.dumps(source, indent=2).encode()}
    times = _least({name: partial(TableSchema.from_json, file) for name, file in files.items()}, effort)
    return Ratio("reading an unknown key in a field of a ROW", 2, times["deep"], times["strict"]).verdict()


def _least(calls: Mapping[str, Call], effort: Effort) -> dict[str, float]:
    cases = {name: Case(Op.DECODE, "flat", name, 1_000) for name in calls}
    timings = measure({cases[name]: [call] for name, call in calls.items()}, effort)
    return {name: timings[case].least for name, case in cases.items()}


# ---------------------------------------------------------------- verdicts


GOALS = ((Op.VERDICT, Batch.WIDEN, 1_000, 2), (Op.VERDICT, Batch.WIDEN, 100, 4), (Op.VERDICT_100, Batch.MIXED_100, 1_000, 5))


def judging(effort: Effort) -> list[Verdict]:
    """Two files to a verdict, beside typed msgspec of both and a comparison by id."""
    verdicts = []
    for op, batch, size, most in GOALS:
        for shape in SHAPES:
            calls: dict[str, Call] = {who: maker(Input(shape, size)) for who, maker in SUBJECT.makers[op].items()}
            times = _least(calls, effort)
            ours = next(time for who, time in times.items() if who != FILES)
            verdicts.append(Ratio(f"a verdict at {size:,} columns, {batch}, {shape.name}", most, ours, times[FILES]).verdict())
    return verdicts


if __name__ == "__main__":
    main()
