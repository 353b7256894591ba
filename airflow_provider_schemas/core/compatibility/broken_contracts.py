"""Which contracts a change breaks: those that the old schema fulfils and the new one does not; and which difference explains each."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.report import Consumer, Finding, Verdict, each_once
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract

_ADDED = (
    "FIELD_ADDED_NULLABLE",
    "FIELD_ADDED_DEFAULTED",
    "FIELD_ADDED_WRITE_DEFAULT",
    "FIELD_ADDED_REQUIRED",
    "FIELD_READDED",
    "FIELD_UNDELETED",
)
_RENAMED = ("FIELD_RENAMED", "FIELD_RENAMED_CASE", "FIELD_RENAMED_ALIASED", "PARTITION_FIELD_RENAMED", "FIELD_MOVED")
_TYPES = tuple(rule.id for rule in RULES.values() if rule.code[0] in "TC")
_NULLS = tuple(rule for rule in RULES if rule.startswith("NULLABILITY"))

# Which differences explain that a contract is broken; the first that fits gets the blame.
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
# What these rules say concerns the table, or all columns: an observation at any path explains it.
_ANYWHERE = frozenset({"EXPECT_ORDER", "EXPECT_KEY_CHANGED", "EXPECT_PARTITION_MISSING"})


class BrokenReaders(NamedTuple):
    """Whom an observation breaks."""

    consumers: tuple[Consumer, ...] = ()
    writes: bool = False
    """Whether writers are among them."""


NOBODY = BrokenReaders()


class BrokenContracts:
    """The contracts that one step breaks, by the index of the observation that explains it."""

    def __init__(
        self,
        old: Lookup,
        new: Lookup,
        contracts: "Sequence[Contract]",
        observations: Sequence[Observation],
        *,
        now: datetime,
        readers: Sequence[Reader] = (),
    ) -> None:
        self.unexplained: list[Finding] = []
        self.fitting: list[Contract] = []
        """The contracts that the new schema fulfils, as far as the step goes: of these some may be mended."""
        self._old = old
        self._new = new
        self._now = now
        self._readers = readers
        self._lacks_by_index: dict[int, list[Finding]] = {}
        if contracts and observations:
            self._explain(contracts, observations)

    def readers_broken_by(self, index: int) -> BrokenReaders:
        """Return whom the observation at this index breaks."""
        lacks = self._lacks_by_index.get(index)
        if not lacks:
            return NOBODY
        consumers = each_once(list(chain.from_iterable(lack.consumers for lack in lacks)))
        return BrokenReaders(consumers, any(lack.writers is Verdict.BREAK for lack in lacks))

    def _explain(self, contracts: "Sequence[Contract]", observations: Sequence[Observation]) -> None:
        """Judge each contract, and find the observation that explains each of its new lacks."""
        finder = _ObservationFinder(observations)
        touched = frozenset(_in_any_case([*finder.columns, *self._other_names(observations)]))
        for contract in contracts:
            for lack in self._new_lacks(contract, touched):
                index = finder.find_explanation(lack)
                if index is None:
                    self.unexplained.append(lack)
                else:
                    self._lacks_by_index.setdefault(index, []).append(lack)

    def _other_names(self, observations: Sequence[Observation]) -> Iterator[str | int]:
        """Yield how else contracts may call the columns that differ: by id, by an alias, as a key."""
        for observation in observations:
            inside = all_ids([observation.before]) if isinstance(observation.before, Field) else []
            for field_id in dict.fromkeys((observation.where.column, observation.id, *inside)):
                if field_id is None:
                    continue
                yield field_id
                yield from (*self._old.alias_of(field_id), *self._new.alias_of(field_id))
            if observation.rule == "PRIMARY_KEY_CHANGED":
                yield from (*self._old.schema.primary_keys, *self._new.schema.primary_keys)
            elif observation.rule == "PARTITION_KEYS_CHANGED":
                yield from (*self._old.schema.partition_keys, *self._new.schema.partition_keys)

    def _new_lacks(self, contract: "Contract", touched: frozenset[str | int]) -> list[Finding]:
        """Return what breaks the contract under the new schema, and did not under the old one."""
        lacks = self._lacks(self._new, contract, touched)
        if not lacks:
            self.fitting.append(contract)
            return []
        # The step is not to blame for what a contract lacked before, so such a contract may be neither broken nor fitting: it still
        # lacks something, so that the step does not mend it either.
        known = {(lack.rule, lack.path) for lack in self._lacks(self._old, contract, touched)}
        return [lack for lack in lacks if (lack.rule, lack.path) not in known]

    def _lacks(self, schema: Lookup, contract: "Contract", touched: frozenset[str | int]) -> list[Finding]:
        # Where no job has a contract, nothing that judges contracts is loaded.
        from airflow_provider_schemas.core.contracts.check_contract import unfit

        found = unfit(schema, contract, seen=self._old, names=touched, now=self._now, engines=self._readers)
        return [lack for lack in found if lack.verdict is Verdict.BREAK]


def _in_any_case(names: Iterable[str | int]) -> Iterator[str | int]:
    """Yield the names as they are and in lower case, as contracts may spell them."""
    for name in names:
        yield name
        if isinstance(name, str):
            yield name.lower()


class _ObservationFinder:
    """The indexes of observations by column, path, field and rule, to find the one that explains what a contract lacks."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        self.observations = observations
        self.columns: dict[str, list[int]] = {}
        self._at_path: dict[str, list[int]] = {}
        self._below_path: dict[str, list[int]] = {}
        self._at_lower_path: dict[str, list[int]] = {}
        self._of_field: dict[int | None, list[int]] = {}
        self._first_of_rule: dict[str, int] = {}
        for index, observation in enumerate(observations):
            self._add(index, observation)

    def _add(self, index: int, observation: Observation) -> None:
        paths = {plain(path) for path in observation.paths}
        for column in {top(path) for path in observation.paths}:
            self.columns.setdefault(column, []).append(index)
        for path in paths:
            self._at_path.setdefault(path, []).append(index)
            self._at_lower_path.setdefault(path.lower(), []).append(index)
        for outer in set(chain.from_iterable(map(_around, paths))):
            self._below_path.setdefault(outer, []).append(index)
        self._of_field.setdefault(observation.id, []).append(index)
        self._first_of_rule.setdefault(observation.rule, index)

    def find_explanation(self, lack: Finding) -> int | None:
        """Return the index of the observation that explains a lack best: at its path, around or inside it, in its column, anywhere."""
        rules = EXPLAINED_BY[lack.rule]
        for indexes in self._candidates(lack):
            fitting = [index for index in indexes if self.observations[index].rule in rules]
            if fitting:
                return min(fitting, key=lambda index: rules.index(self.observations[index].rule))
        return None

    def _candidates(self, lack: Finding) -> Iterator[Sequence[int]]:
        """Yield the indexes of observations near the lack, the nearest first."""
        path = plain(lack.path)
        yield self._at_path.get(path, ())
        around = chain.from_iterable(self._at_path.get(outer, ()) for outer in _around(path))
        yield [*around, *self._below_path.get(path, ())]
        # A column may have a dot in its own name.
        yield self.columns.get(lack.path) or self.columns.get(top(lack.path)) or ()
        if lack.id is not None:
            yield self._of_field.get(lack.id, ())
        if lack.rule == "EXPECT_FIELD_MISSING":
            yield self._at_lower_path.get(path.lower(), ())
        if lack.rule in _ANYWHERE:
            yield [self._first_of_rule[rule] for rule in EXPLAINED_BY[lack.rule] if rule in self._first_of_rule]


def _around(path: str) -> Iterator[str]:
    """Yield the paths of everything that a path is inside."""
    yield from (path[:place] for place, mark in enumerate(path) if mark == ".")


def top(path: str) -> str:
    """Return the column in which a path lies."""
    quoted = _QUOTED.match(path)
    if quoted:
        return quoted[1].replace("``", "`")
    return path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0]


def plain(path: str) -> str:
    """Return the path without the marks of lists and maps."""
    return _MARKS.sub("", path)


_QUOTED = re.compile(r"`((?:[^`]|``)*)`")
_MARKS = re.compile(r"\[\]|\{\}|\{key\}")
