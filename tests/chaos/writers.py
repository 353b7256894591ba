"""A crowd of writers and readers of one table, as a program: `python -m tests.chaos.writers` with a Race as JSON on its input.

Each writer adds columns that nobody else adds, and writes down what it asked and what it was told.
"""

import random
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import ConflictError, SchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore, Table
from tests.chaos import crowd
from tests.chaos.history import Answer, Recorder

TOP = Path(__file__).parents[2]


class Race(Struct, frozen=True):
    """Who does what to which table."""

    url: str
    records: str
    writers: int
    each: int
    readers: int = 1
    reads: int = 200
    table: str = "db.t"
    layout: str = "paimon"
    storage_options: dict[str, Any] = {}
    seed: int = 0

    def store(self) -> SchemaStore:
        """The store, opened anew."""
        return SchemaStore(self.url, storage_options=self.storage_options, layout=self.layout)


def started(race: Race) -> None:
    """Run the race in processes of its own; what went wrong with one of them goes wrong here."""
    command = [sys.executable, "-W", "error::DeprecationWarning", "-m", "tests.chaos.writers"]
    done = subprocess.run(command, input=msgspec.json.encode(race), cwd=TOP, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"seed {race.seed}: {done.stderr.decode(errors='replace')[-5_000:]}")


def change(column: str) -> str:
    """The change that a writer asks for."""
    return f"ADD COLUMN {column} STRING"


def write(race: Race, number: int, signals: crowd.Signals) -> None:
    """Add columns, one commit each."""
    chance = random.Random(f"{race.seed} writer {number}")
    actor = f"writer_{number}"
    recorder, table = Recorder(race.records, actor), race.store().table(race.table)
    signals.wait()
    for place in range(race.each):
        if chance.random() < 0.2:
            table = race.store().table(race.table)  # one that remembers nothing
        ask(recorder, table, f"{actor}_{place}")


def ask(recorder: Recorder, table: Table, column: str, key: str | None = None) -> None:
    """Ask for one column, and write down the answer."""
    question = recorder.ask(column)
    try:
        done = table.evolve([change(column)], key=key, actor=recorder.actor)
    except ConflictError as error:  # says that nothing was written
        recorder.answer(question, Answer.REFUSED, said=str(error))
    except StorageError as error:
        recorder.answer(question, Answer.UNKNOWN, said=str(error))
    else:
        answer = Answer.CREATED if done.created else Answer.HOLDS
        recorder.answer(question, answer, done.number, done.digest, said=f"{done.attempts} attempts")


def watch(race: Race, number: int, signals: crowd.Signals) -> None:
    """Ask for the newest version, until the writers have finished."""
    recorder, table = Recorder(race.records, f"reader_{number}"), race.store().table(race.table)
    signals.wait()
    for _ in range(race.reads):
        question = recorder.ask()
        try:
            latest = table.latest()
        except SchemaError as error:
            recorder.answer(question, Answer.UNKNOWN, said=repr(error))
            raise
        recorder.answer(question, Answer.READ, latest.number, latest.digest)
        if signals.stopped():
            return


def main() -> int:
    race = msgspec.json.decode(sys.stdin.buffer.read(), type=Race)
    if "://" in race.url:
        fsspec.get_filesystem_class(race.url.split("://")[0])  # imported once, and not in each of them
    random.seed(race.seed)
    ended = crowd.run(
        [partial(write, race, number) for number in range(race.writers)],
        [partial(watch, race, number) for number in range(race.readers)],
    )
    return max(map(abs, ended), default=0)


if __name__ == "__main__":
    sys.exit(main())
