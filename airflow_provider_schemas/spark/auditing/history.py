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
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark.auditing.chain import Columns, Link
from airflow_provider_schemas.store.versions.inspect_history import inspect_history

# How many earlier versions are asked what an id inside a struct was before.
_REMEMBERED: Final = 200

Difference = tuple[object, ...]


class VersionHistory:
    """The versions up to the newest one, as far as they matter to it. `by_name` is whether an engine finds columns in files by name."""

    def __init__(self, head: Version, *, by_name: bool) -> None:
        self.head = head
        self.by_name = by_name
        self.findings: dict[Finding, None] = {}
        self.count = 0
        fields = head.schema.fields
        self._keys = (head.schema.partition_keys, head.schema.primary_keys)
        self._fields = {field.id: field for field in fields}
        self._names = {field.name: field.id for field in fields} if by_name else {}
        self._required = frozenset(field.id for field in fields if not _takes_null(field))
        self._before: Link | None = None
        self._met: dict[int, tuple[Field, Link]] = {}
        self._as_head = 0
        """How many columns are the same at the start of the last version and of the newest one."""
        self._links: deque[Link] = deque(maxlen=_REMEMBERED)
        self._groups: dict[tuple[Difference, ...], list[int]] = {}
        self._differences: tuple[Difference, ...] = ()

    def add(self, link: Link) -> None:
        """Add the next version."""
        before = self._before
        self._before = link
        self.count += 1
        if before is not None and not link.follows:
            self._note(inspect_history((before.version, link.version)).findings)
        first = 0 if before is None else _count_common(before.columns, link.columns)
        same = before is not None and first == len(before.columns) == len(link.columns)
        if not same:
            self._check_ids(link, before, first)
        if before is None or not same or before.keys != link.keys:
            self._as_head = self._count_as_head(link, first)
            self._differences = tuple(self._differences_of(link))
        if self._differences:
            self._groups.setdefault(self._differences, []).append(link.number)

    def _note(self, findings: Collection[Finding]) -> None:
        self.findings.update(dict.fromkeys(findings))

    # ------------------------------------------------------------ ids

    def _check_ids(self, link: Link, before: Link | None, first: int) -> None:
        """Note ids that have come to mean another field. `first` is the place of the first field that is not as it was."""
        fresh = link.columns[first:]
        if before is not None and fresh:
            known = {field.id for field in before.columns[first:]}
            suspects = [field for field in fresh if self._is_suspect(field, before.highest, known)]
            if suspects:
                self._check_suspects(suspects, link, before)
        for field in fresh:
            self._met[field.id] = (field, link)
        self._links.append(link)

    def _is_suspect(self, field: Field, highest: int, known: Collection[int]) -> bool:
        if type(field.wire) is not str:  # fields inside it have ids of their own
            return True
        if field.id not in self._met:
            return field.id <= highest
        met = self._met[field.id][0]
        return (met.name != field.name and met.wire != field.wire) or field.id not in known

    def _check_suspects(self, suspects: Sequence[Field], link: Link, before: Link) -> None:
        met = [self._met[field.id][1] for field in suspects if field.id in self._met]
        nested = self._links if any(type(field.wire) is not str for field in suspects) else ()
        history = [earlier.version.schema for earlier in (*nested, *met)]
        findings = check(before.version.schema, link.version.schema, history=history).findings
        self._note([finding for finding in findings if finding.rule == "FIELD_ID_REUSED"])

    # ------------------------------------------------------------ files

    def _count_as_head(self, link: Link, first: int) -> int:
        """Count the columns that are the same at the start of this version and of the newest one.

        `first` is how many columns this version has in common with the last one.
        """
        if first > self._as_head:
            return self._as_head
        return first + _count_common(self.head.schema.fields[first:], link.columns[first:])

    def _differences_of(self, link: Link) -> Iterator[Difference]:
        """Yield in what files of this version differ from those of the newest one, other than that columns were added or dropped."""
        for field in link.columns[self._as_head :]:
            newest = self._fields.get(field.id)
            if newest is not None and newest.wire != field.wire:
                yield field.id, str(field.type)
            if self.by_name and newest is not None and newest.name != field.name:
                yield field.id, field.name
            if self._names.get(field.name, field.id) != field.id:
                yield field.name, field.id
        if self._required:
            yield from ((number,) for number in self._required - {field.id for field in link.columns})
        if link.keys != self._keys:
            yield link.keys

    def differing(self, live: Collection[int] | None) -> Iterator[int]:
        """Yield versions that show every difference between them, each in its newest version of those in `live`; None counts them all."""
        groups = []
        for differences, numbers in self._groups.items():
            counted = numbers if live is None else [number for number in numbers if number in live]
            if counted:
                groups.append((max(counted), differences))
        shown = set[Difference]()
        for number, differences in sorted(groups, reverse=True):
            if not shown.issuperset(differences):
                yield number
            shown.update(differences)

    @property
    def differs(self) -> bool:
        """Return whether files of any earlier version are to be read otherwise than they were written."""
        return bool(self._groups)


def _takes_null(field: Field) -> bool:
    """Return whether a column takes NULL. Most types are one canonical text, which ends in NOT NULL where they do not."""
    if isinstance(field.wire, str):
        return not field.wire.endswith(" NOT NULL")
    return field.type.nullable


def _count_common(columns: Columns, others: Columns) -> int:
    """Count the fields that are the same at the start of both."""
    shorter = min(len(columns), len(others))
    for same in (shorter, shorter - 1):  # nearly always: columns are added at the end, or the last one changes
        if columns[:same] == others[:same]:
            return same
    return next(compress(count(), map(ne, columns, others)))
