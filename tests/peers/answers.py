"""What the checkers said: one answer a change and judge, and the file in which they are kept."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("answers.json")
SILENT = "cannot say it"


class Answer(NamedTuple):
    """The word of a checker, and what it said beside it; or that the change cannot be said in its language, and why."""

    word: str
    says: str = ""


class CannotSayError(Exception):
    """The language of a checker has no words for a table, with the reason."""


def silent(reason: str) -> Answer:
    """The answer for a change that cannot be said in the checker's language."""
    return Answer(SILENT, reason)


class Judge(NamedTuple):
    """A question that a peer's own checker answers, and ours that it comes closest to."""

    peer: str
    asks: str
    question: str

    @property
    def name(self) -> str:
        return f"{self.peer} {self.asks}"


# The distributions, by the name under which pages speak of them.
PEERS = {"Avro": "avro", "pyiceberg": "pyiceberg", "datacontract": "datacontract-cli"}
BACKWARD = Judge("Avro", "BACKWARD", "data_by_name")
FORWARD = Judge("Avro", "FORWARD", "jobs")
UPDATE = Judge("pyiceberg", "update", "data_by_id")
APPEND = Judge("pyiceberg", "append", "writers")
CONSUMER = Judge("datacontract", "consumer", "jobs")
PRODUCER = Judge("datacontract", "producer", "writers")
JUDGES = (BACKWARD, FORWARD, UPDATE, APPEND, CONSUMER, PRODUCER)

# Whether a word lets the change through.
WORDS: Mapping[str, bool] = {
    "compatible": True,
    "incompatible": False,
    "accepted": True,
    "refused": False,
    "no change": True,
    "info": True,
    "warning": True,
    "error": False,
}


class Record(NamedTuple):
    """One run: when, with which versions, and every answer by change and judge."""

    measured: str
    versions: Mapping[str, str]
    answers: Mapping[str, Mapping[str, Answer]]


def write(record: Record, file: Path = FILE) -> None:
    """A line a change, so that a difference between two runs shows."""
    head = f'"measured": {_text(record.measured)},\n"versions": {_text(record.versions)}'
    lines = ",\n".join(f"{_text(key)}: {_text(by)}" for key, by in record.answers.items())
    file.write_text(f'{{\n{head},\n"answers": {{\n{lines}\n}}\n}}\n', "utf-8")


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(file: Path = FILE) -> Record:
    found = json.loads(file.read_text("utf-8"))
    answers = {change: {judge: Answer(*one) for judge, one in by.items()} for change, by in found["answers"].items()}
    return Record(found["measured"], found["versions"], answers)
