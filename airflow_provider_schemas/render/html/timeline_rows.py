"""The versions of a table as rows: when, who, which run, who approved, and what changed since the version before."""

from collections.abc import Iterable

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.history import changed, name
from airflow_provider_schemas.render.html.plain_text import plain
from airflow_provider_schemas.render.version_entries import VersionEntry, tells_origin

_CHANGES = 12
"""So many changes of a version stand in the timeline; the diff has all of them."""


class TimelineRow(Struct, frozen=True):
    """One version."""

    name: str
    number: int
    before: int | None
    """The version that it is compared with; None for the earliest one that is known."""
    origin: Origin | None
    """None where another catalog keeps the table, and does not tell."""
    changes: tuple[str, ...]
    is_restored: bool = False
    is_outside: bool = False
    is_unreadable: bool = False
    """Whether the file says who wrote it in a way that cannot be read."""


def timeline_rows(entries: Iterable[VersionEntry]) -> list[TimelineRow]:
    """Return a row for each version, in their order."""
    return [_row(entry) for entry in entries]


def _row(entry: VersionEntry) -> TimelineRow:
    version = entry.version
    origin = origin_of(version) if tells_origin(version) else None
    return TimelineRow(
        name=name(version),
        number=version.number,
        before=entry.before.number if entry.before else None,
        origin=origin,
        changes=tuple(plain(change.text) for change in changed(entry, _CHANGES)),
        is_restored=origin is not None and origin.restored is not None,
        is_outside=origin is not None and origin.is_outside,
        is_unreadable=_is_unreadable(entry),
    )


def _is_unreadable(entry: VersionEntry) -> bool:
    try:
        _ = entry.version.provenance
    except SchemaError:
        return True
    return False
