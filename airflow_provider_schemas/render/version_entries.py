"""A table's versions as a log: when each was written, by whom, and what changed since the one before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.masking import masked_difference
from airflow_provider_schemas.render.sanitize import clean

Versions: TypeAlias = Mapping[str, Sequence[Version]]
"""The versions of each table, as far as they are known."""

NOTHING: Versions = MappingProxyType({})
OUTSIDE = "by an outside writer"


class Entry(Struct, frozen=True):
    """One version, and the one before it as far as it is known."""

    version: Version
    before: Version | None = None

    def changes(self) -> tuple[tuple[SchemaChange, ...], tuple[Difference, ...]]:
        """What leads here from the version before: changes, and what no change can say."""
        if self.before is None:
            return (), ()
        try:
            found = diff(self.before.schema, self.version.schema)
        except SchemaError as error:
            return (), tuple(Difference(one.path, one.message) for one in error.faults)
        past = provenance(self.version)
        if past is not None and past.restored is not None:  # columns that came back did so with their ids, which no change can say
            return found.changes, ()
        return found.changes, tuple(map(masked_difference, found.remainder))


def entries(versions: Iterable[Version]) -> list[Entry]:
    """The versions with those before them, newest first, each branch by itself and the main one first."""
    found = sorted(versions, key=lambda one: (one.branch != "main", one.branch, -one.number))
    before = zip_longest(found, found[1:])
    return [Entry(one, two if two and two.branch == one.branch else None) for one, two in before if one]


def numbered(versions: Versions, report: Report) -> Version | None:
    """The version that a report is about, if it is among those that are known; on the main branch if there are several."""
    found = [one for one in versions.get(report.table, ()) if one.number == report.new]
    return min(found, key=lambda one: one.branch != "main", default=None)


# ---------------------------------------------------------------- origin


def written(version: Version) -> datetime | None:
    """When the version was written; None if the file does not say."""
    millis = version.schema.time_millis
    try:
        return datetime.fromtimestamp(millis / 1000, UTC) if millis > 0 else None
    except (OverflowError, ValueError, OSError):
        return None


def when(version: Version) -> str:
    """2026-11-18 01:12 UTC."""
    found = written(version)
    return f"{found:%Y-%m-%d %H:%M} UTC" if found else "at an unknown time"


def origin(version: Version) -> str:
    """by ana (run nightly, approved by raj)."""
    found = provenance(version)
    if found is None:
        return OUTSIDE
    about = ", ".join(_about(found))
    return f"by {clean(found.actor or 'somebody')}" + (f" ({about})" if about else "")


def _about(found: Provenance) -> Iterator[str]:
    for word, text in (("run", found.run), ("approved by", found.approval), ("policy", found.policy)):
        if text:
            yield f"{word} {clean(text)}"
    if found.restored is not None:
        yield f"version {found.restored} restored"


def provenance(version: Version) -> Provenance | None:
    """Where the version comes from; None if an outside writer wrote it, or what we cannot read."""
    try:
        return version.provenance
    except SchemaError:
        return None
