"""Reads deviations.toml: the vectors that we answer differently on purpose, and what we answer.

An entry covers the rows that its `when` describes, a predicate on the input by its name, in its `groups`;
or, without one, the rows of its `ids`. In both cases `ids` are the rows of our own files that it covers.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.conformance.harness import Answer, Deviation, Refused
from tests.conformance.paimon.answers import ANSWERS
from tests.conformance.paimon.predicates import WHEN
from tests.conformance.rows import Content

FILE = Path(__file__).parent / "deviations.toml"
_KEYS = {"name", "groups", "when", "refused", "answer", "ids", "reason"}


def load(path: Path = FILE) -> list[Deviation]:
    """The deviations of the file."""
    return [_deviation(entry) for entry in tomllib.loads(path.read_text("utf-8")).get("deviation", ())]


def _deviation(entry: Mapping[str, Any]) -> Deviation:
    if unknown := entry.keys() - _KEYS:
        raise ValueError(f"the deviation {entry.get('name')!r} has keys that mean nothing: {', '.join(sorted(unknown))}")
    ids = frozenset(entry["ids"])
    return Deviation(entry["name"], frozenset(entry["groups"]), _when(entry, ids), _answer(entry), ids, entry["reason"])


def _when(entry: Mapping[str, Any], ids: frozenset[str]) -> Callable[[Content], bool]:
    return WHEN[entry["when"]] if "when" in entry else lambda row: str(row.get("id")) in ids


def _answer(entry: Mapping[str, Any]) -> Callable[[Content], Answer]:
    return (lambda row: Refused(entry["refused"])) if "refused" in entry else ANSWERS[entry["answer"]]
