"""A crowd of writers and readers of one table, as a program: `python -m tests.chaos.support.writers` with a Race as JSON on its input.

Each writer adds columns that nobody else adds, and writes down what it asked and what it was told.
"""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import ConflictError, SchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.commit.commit import CommitOutcome
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Parent, PathTaken
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.chaos.support.history import Answer, Recorder
from tests.support import crowd

TOP = Path(__file__).parents[3]
SEED = int(os.environ.get("CHAOS_SEED", time.time_ns() % 1_000_000))
"""Of what is left to chance in this run; every test prints it."""
ANSWERS = {CommitOutcome.CREATED: Answer.CREATED, CommitOutcome.APPLIED: Answer.APPLIED, CommitOutcome.UNCHANGED: Answer.HOLDS}


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
    careless: bool = False
    """Create a file as so many do: look whether it is there, then rename one over it."""
    deadly: float = 0.0
    """How likely a writer is killed while it adds a column; then another one tries again."""

    def store(self) -> SchemaStore:
        """The store, opened anew."""
        return SchemaStore(self.url, storage_options=self.storage_options, layout=self.layout)


def started(race: Race) -> None:
    """Run the race in processes of its own; what went wrong with one of them goes wrong here."""
    command = [sys.executable, "-W", "error::DeprecationWarning", "-m", "tests.chaos.support.writers"]
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
        column = f"{actor}_{place}"
        if chance.random() < 0.2:
            table = race.store().table(race.table)  # one that remembers nothing
        if race.deadly:
            _until_somebody_survives(race, recorder, column, chance)
        else:
            ask(recorder, table, column)


def _until_somebody_survives(race: Race, recorder: Recorder, column: str, chance: random.Random) -> None:
    """Have it done by processes that may die of it, one after the other, all with the same key."""
    code = -signal.SIGKILL
    while code == -signal.SIGKILL:
        question = recorder.ask(column)
        phase = chance.choice(commit_steps.ALL) if chance.random() < race.deadly else None
        code = crowd.alone(partial(_mortal, race, recorder, question, column, phase))
    if code:
        raise RuntimeError(f"{column}: ended with {code}")


def _mortal(race: Race, recorder: Recorder, question: int, column: str, phase: str | None) -> None:
    if phase:
        dies_at(phase)
    answered(recorder, question, race.store().table(race.table), column, key=f"key of {column}")


def dies_at(phase: str) -> None:
    """Have this process killed when it comes to this step of a commit."""
    commit_steps.listen(lambda reached: os.kill(os.getpid(), signal.SIGKILL) if reached == phase else None)


def be_careless() -> None:
    """Replace the exclusive create of local disks in this process by what looks like one."""

    def create(self: LocalFiles, path: str, data: bytes, parent: Parent | None = None) -> None:  # it does not care
        if self.exists(path):
            raise PathTaken(path)
        time.sleep(0.005)  # as long as a busy machine may take
        self.put(path, data)

    LocalFiles.create = create  # type: ignore[method-assign]  # the point of it


def ask(recorder: Recorder, table: Table, column: str) -> None:
    """Ask for one column, and write down the answer."""
    answered(recorder, recorder.ask(column), table, column)


def answered(recorder: Recorder, question: int, table: Table, column: str, key: str | None = None) -> None:
    """Have the column added, and write down the answer."""
    try:
        done = table.evolve([change(column)], key=key, actor=recorder.actor)
    except ConflictError as error:  # says that nothing was written
        recorder.answer(question, Answer.REFUSED, said=str(error))
    except StorageError as error:
        recorder.answer(question, Answer.UNKNOWN, said=str(error))
    else:
        recorder.answer(question, ANSWERS[done.outcome], done.number, done.digest, said=f"{done.attempts} attempts")


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
    if race.careless:
        be_careless()
    ended = crowd.run(
        [partial(write, race, number) for number in range(race.writers)],
        [partial(watch, race, number) for number in range(race.readers)],
    )
    return max(map(abs, ended), default=0)


if __name__ == "__main__":
    sys.exit(main())
