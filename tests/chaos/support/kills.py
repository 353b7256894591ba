"""Writers that are killed at a step of a commit, as a program: `python -m tests.chaos.support.kills` with Cases as JSON on its input.

It answers how each of them ended. All are forks of one process, which has everything imported.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct

from airflow_provider_schemas.store import SchemaStore
from tests.chaos.support.writers import TOP, change, dies_at
from tests.support import crowd

TABLE = "db.t"
RENAMED = "db.u"
KEY = "the key of the writer that was killed"
COLUMN = "killed"
FIRST = "id BIGINT, name STRING"


class Case(Struct, frozen=True):
    """A writer in a warehouse of its own, and the step at which it is killed."""

    folder: str
    layout: str
    creates: bool
    phase: str
    action: str = ""
    """What is done to a table of several versions, where it is not one more column."""

    def store(self) -> SchemaStore:
        """The store, opened anew."""
        return SchemaStore(self.folder, layout=self.layout)


def killed(cases: list[Case]) -> list[int]:
    """Kill these writers; how each ended: -9 if it was killed, 0 if it never came to that step."""
    command = [sys.executable, "-m", "tests.chaos.support.kills"]
    done = subprocess.run(command, input=msgspec.json.encode(cases), cwd=TOP, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-5_000:])
    return msgspec.json.decode(done.stdout, type=list[int])


def commit(case: Case) -> None:
    """What the writer does."""
    if case.action:
        _ACTIONS[case.action](case.store())
    elif case.creates:
        case.store().create_table(TABLE, FIRST, key=KEY)
    else:
        case.store().table(TABLE).evolve([change(COLUMN)], key=KEY)


_ACTIONS: dict[str, Callable[[SchemaStore], object]] = {
    "drop": lambda store: store.drop_table(TABLE, override="chaos"),
    "rename": lambda store: store.rename_table(TABLE, RENAMED, override="its jobs know"),
    "restore": lambda store: store.table(TABLE).restore(0, key=KEY, override="chaos"),
}


def _until(case: Case) -> None:
    dies_at(case.phase)
    commit(case)


def main() -> None:
    cases = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Case])
    ended = []
    for case in cases:
        os.makedirs(case.folder)  # noqa: PTH103  # text, as it came
        if not case.creates:
            case.store().create_table(TABLE, FIRST)
        if case.action:
            case.store().table(TABLE).evolve([change("more")])
            case.store().table(TABLE).register("id BIGINT", consumer="job")
        ended.append(crowd.alone(partial(_until, case)))
    sys.stdout.buffer.write(msgspec.json.encode(ended))


if __name__ == "__main__":
    main()
