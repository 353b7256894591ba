"""A crowd that creates, changes, restores, renames and drops the same two tables, as a program.

It is `python -m tests.chaos.support.catalog_writers`, with Lives as JSON on its input.

Each writer takes its steps by chance, from a seed, and writes down what it asked and what it was told. Every attempt has a key of
its own, which stands in the version that it writes.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, ConflictError, NotThereError, StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from tests.chaos.support.catalog import FIRST_COLUMN, Stored
from tests.chaos.support.history import Answer, Recorder
from tests.chaos.support.writers import TOP
from tests.support import crowd

TABLES = ("db.t", "db.u")
OUTCOMES = {CommitOutcome.CREATED: Answer.CREATED, CommitOutcome.UNCHANGED: Answer.HOLDS}
# How often each action is taken by somebody who does all of them; and by who takes tables away and makes them anew.
ANYTHING = {"change": 8, "read": 4, "create": 4, "restore": 4, "rename": 3, "drop": 3}
CHANGES = {"change": 6, "restore": 1, "read": 1}
# Seconds that a table lives which is made again and again, and that a writer waits for the next one.
_LONGEST_LIFE = 0.02
_PAUSE = 0.001


class Lives(Struct, frozen=True):
    """Who does what to the tables of which store."""

    url: str
    records: str
    writers: int
    each: int
    layout: str = "paimon"
    storage_options: dict[str, Any] = {}
    seed: int = 0
    recreates: bool = False
    """Whether one more writer drops and creates one table again and again, while all others only change it."""

    def store(self) -> SchemaStore:
        """The store, opened anew."""
        if "://" not in self.url:  # those who drop and read may come before the first table
            Path(self.url).mkdir(parents=True, exist_ok=True)
        return SchemaStore(self.url, storage_options=self.storage_options, layout=self.layout)


def started(lives: Lives) -> None:
    """Run the crowd in processes of its own; what went wrong with one of them goes wrong here."""
    command = [sys.executable, "-W", "error::DeprecationWarning", "-m", "tests.chaos.support.catalog_writers"]
    done = subprocess.run(command, input=msgspec.json.encode(lives), cwd=TOP, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"seed {lives.seed}: {done.stderr.decode(errors='replace')[-5_000:]}")


def stored(store: SchemaStore) -> dict[str, list[Stored]]:
    """What lies there in the end."""
    there = [name for name in TABLES if store.exists(name)]
    return {name: [_stored(version) for version in store.table(name).versions()] for name in there}


def _stored(version: Version) -> Stored:
    past = version.provenance
    key, parent = (past.key, past.parent_sha256) if past else (None, None)
    return Stored(version.number, version.digest, key, version.schema.names, parent)


# ---------------------------------------------------------------- one step


def act(recorder: Recorder, store: SchemaStore, action: str, table: str, *, key: str = "", target: str = "", version: int = 0) -> None:
    """Take one step, and write down what was asked and answered."""
    asked = {"action": action, "table": table, "target": target, "version": version}
    question = recorder.ask(key, **asked)
    try:
        answer, found = _ACTIONS[action](store, table, key=key, target=target, version=version)
    except NotThereError as error:
        recorder.answer(question, Answer.MISSING, said=str(error))
    except AlreadyThereError as error:
        # The folder of a table that somebody is making, or has left half made, is in the way as well, and is no table.
        recorder.answer(question, Answer.REFUSED if "a folder" in str(error) else Answer.EXISTS, said=str(error))
    except ConflictError as error:
        gone = error.code == "commit.table-gone"
        recorder.answer(question, Answer.GONE if gone else Answer.UNKNOWN, said=f"{error.code}: {error}")
    except StorageError as error:
        recorder.answer(question, Answer.UNKNOWN, said=f"{error.code}: {error}")
    else:
        _answered(recorder, question, answer, found)


def _answered(recorder: Recorder, question: int, answer: Answer, found: Version | None) -> None:
    if found is None:
        recorder.answer(question, answer)
        return
    past = found.provenance
    recorder.answer(question, answer, found.number, found.digest, key=past.key if past else None, columns=found.schema.names)


def _create(store: SchemaStore, table: str, *, key: str, **_: Any) -> tuple[Answer, Version | None]:
    return _committed(store.create_table(table, f"{FIRST_COLUMN} BIGINT, {key} STRING", key=key))


def _change(store: SchemaStore, table: str, *, key: str, **_: Any) -> tuple[Answer, Version | None]:
    return _committed(store.table(table).evolve([f"ADD COLUMN {key} STRING"], key=key))


def _restore(store: SchemaStore, table: str, *, key: str, version: int, **_: Any) -> tuple[Answer, Version | None]:
    return _committed(store.table(table).restore(version, key=key, override="chaos"))


def _committed(done: Committed) -> tuple[Answer, Version | None]:
    return OUTCOMES[done.outcome], done.version


def _rename(store: SchemaStore, table: str, *, target: str, **_: Any) -> tuple[Answer, Version | None]:
    store.rename_table(table, target)
    return Answer.DONE, None


def _drop(store: SchemaStore, table: str, **_: Any) -> tuple[Answer, Version | None]:
    store.drop_table(table)
    return Answer.DONE, None


def _read(store: SchemaStore, table: str, **_: Any) -> tuple[Answer, Version | None]:
    return Answer.READ, store.table(table).latest()


_ACTIONS: dict[str, Callable[..., tuple[Answer, Version | None]]] = {
    "create": _create,
    "change": _change,
    "restore": _restore,
    "rename": _rename,
    "drop": _drop,
    "read": _read,
}


# ---------------------------------------------------------------- a crowd


def live(lives: Lives, number: int, signals: crowd.Signals) -> None:
    """Take the steps of one writer."""
    chance = random.Random(f"{lives.seed} life {number}")
    recorder, store = Recorder(lives.records, f"writer_{number}"), lives.store()
    signals.wait()
    for place in range(lives.each):
        action = chance.choices(list(ANYTHING), list(ANYTHING.values()))[0]
        table, target = chance.sample(TABLES, 2)
        key = f"k{number}_{place}" if action in ("create", "change", "restore") else ""
        act(recorder, store, action, table, key=key, target=target if action == "rename" else "", version=chance.randrange(2))


def recreate(lives: Lives, signals: crowd.Signals) -> None:
    """Create one table and drop it, again and again."""
    chance = random.Random(f"{lives.seed} recreates")
    recorder, store = Recorder(lives.records, "recreator"), lives.store()
    signals.wait()
    for place in range(lives.each):
        act(recorder, store, "create", TABLES[0], key=f"new_{place}")
        time.sleep(chance.uniform(0, _LONGEST_LIFE))
        act(recorder, store, "drop", TABLES[0])


def change(lives: Lives, number: int, signals: crowd.Signals) -> None:
    """Change that table, for as long as it is made anew."""
    chance = random.Random(f"{lives.seed} changes {number}")
    recorder, store = Recorder(lives.records, f"writer_{number}"), lives.store()
    signals.wait()
    place = 0
    while not signals.stopped():
        action = chance.choices(list(CHANGES), list(CHANGES.values()))[0]
        act(recorder, store, action, TABLES[0], key="" if action == "read" else f"k{number}_{place}")
        place += 1
        if not store.exists(TABLES[0]):
            time.sleep(_PAUSE)


def main() -> int:
    lives = msgspec.json.decode(sys.stdin.buffer.read(), type=Lives)
    if "://" in lives.url:
        fsspec.get_filesystem_class(lives.url.split("://")[0])  # imported once, and not in each of them
    numbers = range(lives.writers)
    if lives.recreates:
        ended = crowd.run([partial(recreate, lives)], [partial(change, lives, number) for number in numbers])
    else:
        ended = crowd.run([partial(live, lives, number) for number in numbers])
    return max(map(abs, ended), default=0)


if __name__ == "__main__":
    sys.exit(main())
