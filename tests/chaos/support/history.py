"""What processes did to a table, each in a file of its own: asked when, answered when and what, on the one clock that all of them share.

A process that is killed leaves a question without an answer: what it asked for may have happened, or not.
"""

import itertools
import json
import os
import time
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Answer(StrEnum):
    """What was answered."""

    CREATED = "created"
    APPLIED = "applied"  # an earlier attempt did it, and this is its version
    HOLDS = "holds"  # it was done before, and this is the newest version, which shows it
    READ = "read"
    REFUSED = "refused"  # nothing was written
    DONE = "done"  # a drop or a rename took place
    MISSING = "missing"  # there is no such table, or no such version of it
    EXISTS = "exists"  # a table has that name
    GONE = "gone"  # the table was dropped, renamed or made anew while the change was written: nothing of it holds
    UNKNOWN = "unknown"  # an error that says neither, or no answer at all


class Operation(Struct, frozen=True):
    """One question and its answer. A read asks for nothing; a write asks for one change, which may be asked for again.

    In a history of whole tables, what is asked is the key of the attempt, and each operation says which action on which table.
    """

    actor: str
    asked: str
    invoked: int
    returned: int | None = None
    answer: Answer = Answer.UNKNOWN
    number: int | None = None
    digest: str | None = None
    said: str = ""
    action: str = ""
    table: str = ""
    target: str = ""
    """The new name of a table."""
    version: int | None = None
    """The version that is restored."""
    key: str | None = None
    """By whom the version is that was answered with."""
    columns: tuple[str, ...] = ()
    """The columns of that version."""

    @property
    def writes(self) -> bool:
        return bool(self.asked)


class Written(Struct, frozen=True):
    """One version, as it lies there in the end; the change that it made, if it says so."""

    number: int
    digest: str
    change: str = ""
    parent_number: int | None = None
    parent_digest: str | None = None


class Recorder:
    """Writes down what one process does. A line is out before the question is asked, and another once it is answered."""

    def __init__(self, folder: str | Path, actor: str) -> None:
        self.actor = actor
        self._numbers = itertools.count()
        self._file = os.open(Path(folder) / f"{actor}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def ask(self, asked: str = "", **about: Any) -> int:
        """Say what is asked for; the number of the question."""
        number = next(self._numbers)
        self._write({"question": number, "actor": self.actor, "asked": asked, "invoked": time.monotonic_ns(), **about})
        return number

    def answer(
        self, question: int, answer: Answer, number: int | None = None, digest: str | None = None, said: str = "", **about: Any
    ) -> None:
        """Say what was answered."""
        found = {"answer": answer, "number": number, "digest": digest, "said": said[:500], **about}
        self._write({"question": question, "returned": time.monotonic_ns(), **found})

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")


def recorded(folder: str | Path) -> list[Operation]:
    """What all processes did, in the order in which they asked."""
    found = [one for path in sorted(Path(folder).glob("*.jsonl")) for one in _of_process(path.read_text().splitlines())]
    return sorted(found, key=lambda one: one.invoked)


def _of_process(lines: Iterable[str]) -> list[Operation]:
    questions: dict[int, dict[str, Any]] = {}
    for line in lines:
        said = json.loads(line)
        questions.setdefault(said.pop("question"), {}).update(said)
    return [msgspec.convert(one, Operation) for one in questions.values()]
