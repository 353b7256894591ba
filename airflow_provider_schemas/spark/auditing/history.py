"""What the versions of one table show, read from the oldest to the newest: files that changed, ids that were given out twice,
and in what the files of earlier versions differ from what is read today.

However many versions there are, only what tells them apart is kept.
"""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import compress, count
from operator import ne
from typing import Final

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.store.versions.changes_since import inspected

# How many earlier schemas are asked what an id inside a struct was before.
_REMEMBERED: Final = 200

Difference = tuple[object, ...]


class Past:
    """The versions up to the newest one, as far as they matter to it. By name is whether anybody finds columns in files by their names."""

    def __init__(self, head: Version, *, by_name: bool) -> None:
        self.head, self.by_name = head, by_name
        self.findings: dict[Finding, None] = {}
        self.count = 0
        self._fields = {one.id: one for one in head.schema.fields}
        self._names = {one.name: one.id for one in head.schema.fields} if by_name else {}
        self._required = frozenset(one.id for one in head.schema.fields if not one.type.nullable)
        self._before: Version | None = None
        self._met: dict[int, tuple[Field, TableSchema]] = {}
        self._schemas: deque[TableSchema] = deque(maxlen=_REMEMBERED)
        self._groups: dict[tuple[Difference, ...], list[int]] = {}
        self._differences: tuple[Difference, ...] = ()

    def add(self, version: Version, *, follows: bool = False) -> None:
        """The next version. Follows says that it is known to stand on the one before it."""
        before, self._before = self._before, version
        self.count += 1
        if before is not None and not follows:
            self._note(inspected((before, version)).findings)
        schema, old = version.schema, None if before is None else before.schema
        first = 0 if old is None else _common(old.fields, schema.fields)
        same = old is not None and first == len(old.fields) == len(schema.fields)
        if not same:
            self._look_at_ids(schema, old, first)
        if old is None or not same or _keys(old) != _keys(schema):
            self._differences = tuple(self._differing(schema))
        if self._differences:
            self._groups.setdefault(self._differences, []).append(version.number)

    def _note(self, findings: Collection[Finding]) -> None:
        self.findings.update(dict.fromkeys(findings))

    # ------------------------------------------------------------ ids

    def _look_at_ids(self, schema: TableSchema, old: TableSchema | None, first: int) -> None:
        """Whether an id has come to mean another field. First is the place of the first field that is not as it was."""
        fresh = schema.fields[first:]
        if old is not None:
            known = {one.id for one in old.fields[first:]}
            suspects = tuple(one for one in fresh if self._is_suspect(one, old.highest_field_id, known))
            if suspects:
                self._suspected(suspects, schema, old)
        self._met.update((one.id, (one, schema)) for one in fresh)
        self._schemas.append(schema)

    def _is_suspect(self, one: Field, highest: int, known: Collection[int]) -> bool:
        if type(one.wire) is not str or one.id not in self._met:
            return type(one.wire) is not str or one.id <= highest
        met = self._met[one.id][0]
        return (met.name != one.name and met.wire != one.wire) or one.id not in known

    def _suspected(self, suspects: Sequence[Field], schema: TableSchema, old: TableSchema) -> None:
        met = [self._met[one.id][1] for one in suspects if one.id in self._met]
        nested = self._schemas if any(type(one.wire) is not str for one in suspects) else ()
        found = check(old, schema, history=(*nested, *met)).findings
        self._note([one for one in found if one.rule == "FIELD_ID_REUSED"])

    # ------------------------------------------------------------ files

    def _differing(self, schema: TableSchema) -> Iterator[Difference]:
        """In what files of this schema differ from those of the newest one, other than that columns are not there yet, or no more."""
        for one in schema.fields[_common(self.head.schema.fields, schema.fields) :]:
            now = self._fields.get(one.id)
            if now is not None and now.wire != one.wire:
                yield one.id, str(one.type)
            if self.by_name and now is not None and now.name != one.name:
                yield one.id, one.name
            if self._names.get(one.name, one.id) != one.id:
                yield one.name, one.id
        if self._required:
            yield from ((number,) for number in self._required - {one.id for one in schema.fields})
        if _keys(schema) != _keys(self.head.schema):
            yield _keys(schema)

    def differing(self, live: Collection[int] | None) -> Iterator[int]:
        """Versions that show every difference between them, each in the newest version that counts; all do, if live is unknown."""
        groups = [(max(counting), found) for found, numbers in self._groups.items() if (counting := _counting(numbers, live))]
        shown = set[Difference]()
        for number, found in sorted(groups, reverse=True):
            if not shown.issuperset(found):
                yield number
            shown.update(found)

    @property
    def differs(self) -> bool:
        """Whether files of any earlier version are to be read otherwise than they were written."""
        return bool(self._groups)


def _common(one: Sequence[Field], other: Sequence[Field]) -> int:
    """How many fields are the same at the start of both."""
    return next(compress(count(), map(ne, one, other)), min(len(one), len(other)))


def _counting(numbers: Collection[int], live: Collection[int] | None) -> Collection[int]:
    return numbers if live is None else [one for one in numbers if one in live]


def _keys(schema: TableSchema) -> Difference:
    return schema.partition_keys, schema.primary_keys
