"""Whom a change breaks: the contracts that the old schema fulfils and the new one does not, and the difference that explains each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.field_attributes import aliases
from airflow_provider_schemas.core.fitting import unfit
from airflow_provider_schemas.core.observation import Observation
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema import TableSchema

_ADDED = ("FIELD_ADDED_NULLABLE", "FIELD_ADDED_WRITE_DEFAULT", "FIELD_ADDED_REQUIRED", "FIELD_READDED", "FIELD_UNDELETED")
_RENAMED = ("FIELD_RENAMED", "FIELD_RENAMED_CASE", "FIELD_RENAMED_ALIASED", "PARTITION_FIELD_RENAMED", "FIELD_MOVED")
_TYPES = tuple(one for one in RULES if RULES[one].code[0] in "TC")
_NULLS = tuple(one for one in RULES if RULES[one].code[0] == "N" and one.startswith("NULLABILITY"))

# Which differences explain that a contract is broken; the first that fits gets the victim.
EXPLAINED_BY: Mapping[str, tuple[str, ...]] = {
    "EXPECT_FIELD_MISSING": ("FIELD_DROPPED", *_RENAMED, *_TYPES, "FIELD_READDED"),
    "EXPECT_FIELD_RENAMED": _RENAMED,
    "EXPECT_TYPE_UNSAFE": (*_TYPES, "FIELD_READDED"),
    "EXPECT_TYPE_MISMATCH": (*_TYPES, "FIELD_READDED"),
    "EXPECT_MAY_BE_NULL": (*_NULLS, *_ADDED),
    "EXPECT_EXTRA_FIELD": _ADDED,
    "EXPECT_ORDER": ("FIELD_REORDERED", *_ADDED, "FIELD_DROPPED"),
    "EXPECT_KEY_CHANGED": ("PRIMARY_KEY_CHANGED",),
    "EXPECT_PARTITION_MISSING": ("PARTITION_KEYS_CHANGED",),
    "EXPECT_STALE_PIN": ("FIELD_READDED", "FIELD_DROPPED"),
}
# These are about the table, or about all columns: any place will do.
_ANYWHERE = frozenset({"EXPECT_ORDER", "EXPECT_KEY_CHANGED", "EXPECT_PARTITION_MISSING"})


class Victims:
    """The broken contracts of one step, by the number of the observation that explains them."""

    def __init__(
        self, old: TableSchema, new: TableSchema, contracts: Sequence[Contract], seen: Sequence[Observation], now: datetime
    ) -> None:
        self.of: dict[int, list[Finding]] = {}
        self.unexplained: list[Finding] = []
        if not contracts or not seen:
            return
        tops = _by_column(seen)
        touched = frozenset([*tops, *_called(old, new, seen)])
        for contract in contracts:
            for lack in _broken(old, new, contract, touched, now):
                number = _explanation(lack, seen, tops)
                if number is None:
                    self.unexplained.append(lack)
                else:
                    self.of.setdefault(number, []).append(lack)


def _called(old: TableSchema, new: TableSchema, seen: Sequence[Observation]) -> Iterator[str | int]:
    """How else contracts may call the columns that differ: by id, by an alias, as a key."""
    for one in seen:
        number = one.where.column if one.where.column is not None else one.id
        if number is not None:
            yield number
            yield from (name for schema in (old, new) for name in aliases(schema, number))
        if one.rule == "PRIMARY_KEY_CHANGED":
            yield from (*old.primary_keys, *new.primary_keys)
        elif one.rule == "PARTITION_KEYS_CHANGED":
            yield from (*old.partition_keys, *new.partition_keys)


def _broken(old: TableSchema, new: TableSchema, contract: Contract, touched: frozenset[str | int], now: datetime) -> Iterator[Finding]:
    lacks = [one for one in unfit(new, contract, seen=old, names=touched, now=now) if one.verdict is Verdict.BREAK]
    if not lacks:
        return
    before = {(one.rule, one.path) for one in unfit(old, contract, names=touched, now=now) if one.verdict is Verdict.BREAK}
    yield from (one for one in lacks if (one.rule, one.path) not in before)


def top(path: str) -> str:
    """The column in which a path lies."""
    quoted = _QUOTED.match(path)
    if quoted:
        return quoted[1].replace("``", "`")
    return path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0]


def _by_column(seen: Sequence[Observation]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, one in enumerate(seen):
        for name in {top(path) for path in one.paths}:
            found.setdefault(name, []).append(number)
    return found


def _explanation(lack: Finding, seen: Sequence[Observation], tops: Mapping[str, list[int]]) -> int | None:
    # A column may have a dot in its own name.
    numbers = range(len(seen)) if lack.rule in _ANYWHERE else tops.get(lack.path) or tops.get(top(lack.path), [])
    rules = EXPLAINED_BY[lack.rule]
    fitting = [number for number in numbers if seen[number].rule in rules]
    return min(fitting, key=lambda number: (_apart(lack.path, seen[number]), rules.index(seen[number].rule)), default=None)


def plain(path: str) -> str:
    """The path without the marks of lists and maps."""
    return _MARKS.sub("", path)


def _apart(path: str, one: Observation) -> int:
    """How far the paths are from each other: 0 the same, 1 one inside the other, 2 neither. Contracts look through lists and maps."""
    mine = plain(path)
    theirs = [plain(other) for other in one.paths]
    within = any(mine.startswith(f"{other}.") or other.startswith(f"{mine}.") for other in theirs)
    return 0 if mine in theirs else 1 if within else 2


_QUOTED = re.compile(r"`((?:[^`]|``)*)`")
_MARKS = re.compile(r"\[\]|\{\}|\{key\}")
