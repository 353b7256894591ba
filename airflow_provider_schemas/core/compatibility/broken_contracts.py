"""Whom a change breaks: the contracts that the old schema fulfils and the new one does not, and the difference that explains each."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract

_ADDED = ("FIELD_ADDED_NULLABLE", "FIELD_ADDED_WRITE_DEFAULT", "FIELD_ADDED_REQUIRED", "FIELD_READDED", "FIELD_UNDELETED")
_RENAMED = ("FIELD_RENAMED", "FIELD_RENAMED_CASE", "FIELD_RENAMED_ALIASED", "PARTITION_FIELD_RENAMED", "FIELD_MOVED")
_TYPES = tuple(one for one in RULES if RULES[one].code[0] in "TC")
_NULLS = tuple(one for one in RULES if one.startswith("NULLABILITY"))

# Which differences explain that a contract is broken; the first that fits gets the victim.
EXPLAINED_BY: Mapping[str, tuple[str, ...]] = {
    "EXPECT_FIELD_MISSING": ("FIELD_DROPPED", *_RENAMED, *_TYPES, "FIELD_READDED", *_ADDED),  # added in another case
    "EXPECT_FIELD_RENAMED": (*_RENAMED, "FIELD_DROPPED"),  # of an alias
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
        self,
        old: TableSchema,
        new: TableSchema,
        contracts: "Sequence[Contract]",
        seen: Sequence[Observation],
        *,
        now: datetime,
        engines: Sequence[Reader] = (),
    ) -> None:
        self.old, self.new, self.now, self.engines = Lookup(old), Lookup(new), now, engines
        self.of: dict[int, list[Finding]] = {}
        self.unexplained: list[Finding] = []
        self.fitting: list[Contract] = []
        """Those that the new schema fulfils, as far as the step goes."""
        if not contracts or not seen:
            return
        places = _Places(seen)
        touched = frozenset(_in_any_case([*places.columns, *self._called(seen)]))
        for contract in contracts:
            for lack in self._broken(contract, touched):
                number = places.explanation(lack)
                if number is None:
                    self.unexplained.append(lack)
                else:
                    self.of.setdefault(number, []).append(lack)

    def _called(self, seen: Sequence[Observation]) -> Iterator[str | int]:
        """How else contracts may call the columns that differ: by id, by an alias, as a key."""
        for one in seen:
            inside = all_ids([one.before]) if isinstance(one.before, Field) else []
            for number in dict.fromkeys((one.where.column, one.id, *inside)):
                if number is None:
                    continue
                yield number
                yield from (*self.old.alias_of(number), *self.new.alias_of(number))
            if one.rule == "PRIMARY_KEY_CHANGED":
                yield from (*self.old.schema.primary_keys, *self.new.schema.primary_keys)
            elif one.rule == "PARTITION_KEYS_CHANGED":
                yield from (*self.old.schema.partition_keys, *self.new.schema.partition_keys)

    def _broken(self, contract: "Contract", touched: frozenset[str | int]) -> Iterator[Finding]:
        # Where no job has a contract, nothing that judges contracts is loaded.
        from airflow_provider_schemas.core.contracts.check_contract import unfit

        found = unfit(self.new, contract, seen=self.old, names=touched, now=self.now, engines=self.engines)
        lacks = [one for one in found if one.verdict is Verdict.BREAK]
        if not lacks:
            self.fitting.append(contract)
            return
        found = unfit(self.old, contract, seen=self.old, names=touched, now=self.now, engines=self.engines)
        before = {(one.rule, one.path) for one in found if one.verdict is Verdict.BREAK}
        yield from (one for one in lacks if (one.rule, one.path) not in before)


def _in_any_case(names: Iterable[str | int]) -> Iterator[str | int]:
    """The names as they are and in lower case, as contracts may spell them."""
    for name in names:
        yield name
        if isinstance(name, str):
            yield name.lower()


class _Places:
    """Where the differences are, for the contracts that look for what explains them."""

    def __init__(self, seen: Sequence[Observation]) -> None:
        self.seen = seen
        self.columns: dict[str, list[int]] = {}
        self.at: dict[str, list[int]] = {}
        self.under: dict[str, list[int]] = {}
        self.of_field: dict[int | None, list[int]] = {}
        self.first: dict[str, int] = {}
        self.small: dict[str, list[int]] = {}
        for number, one in enumerate(seen):
            self._add(number, one)

    def _add(self, number: int, one: Observation) -> None:
        paths = {plain(path) for path in one.paths}
        for name in {top(path) for path in one.paths}:
            self.columns.setdefault(name, []).append(number)
        for path in paths:
            self.at.setdefault(path, []).append(number)
            self.small.setdefault(path.lower(), []).append(number)
        for outer in {outer for path in paths for outer in _around(path)}:
            self.under.setdefault(outer, []).append(number)
        self.of_field.setdefault(one.id, []).append(number)
        self.first.setdefault(one.rule, number)

    def explanation(self, lack: Finding) -> int | None:
        """The difference that explains the most: at the very place, around or inside it, in its column, or anywhere."""
        rules = EXPLAINED_BY[lack.rule]
        for numbers in self._near(lack):
            fitting = [number for number in numbers if self.seen[number].rule in rules]
            if fitting:
                return min(fitting, key=lambda number: rules.index(self.seen[number].rule))
        return None

    def _near(self, lack: Finding) -> Iterator[Sequence[int]]:
        path = plain(lack.path)
        yield self.at.get(path, ())
        yield [*(number for outer in _around(path) for number in self.at.get(outer, ())), *self.under.get(path, ())]
        # A column may have a dot in its own name.
        yield self.columns.get(lack.path) or self.columns.get(top(lack.path)) or ()
        yield self.of_field.get(lack.id, ()) if lack.id is not None else ()
        if lack.rule == "EXPECT_FIELD_MISSING":
            yield self.small.get(path.lower(), ())
        yield [self.first[rule] for rule in EXPLAINED_BY[lack.rule] if rule in self.first] if lack.rule in _ANYWHERE else ()


def _around(path: str) -> Iterator[str]:
    """The paths of everything that it is inside."""
    yield from (path[:place] for place, mark in enumerate(path) if mark == ".")


def top(path: str) -> str:
    """The column in which a path lies."""
    quoted = _QUOTED.match(path)
    if quoted:
        return quoted[1].replace("``", "`")
    return path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0]


def plain(path: str) -> str:
    """The path without the marks of lists and maps."""
    return _MARKS.sub("", path)


_QUOTED = re.compile(r"`((?:[^`]|``)*)`")
_MARKS = re.compile(r"\[\]|\{\}|\{key\}")
