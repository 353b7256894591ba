"""The versions of a table as rows: when, who, which run, who approved, and what changed since the version before."""

from collections.abc import Iterable, Sequence
from itertools import repeat

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.history import changed, name
from airflow_provider_schemas.render.html.pictures.plain_text import plain
from airflow_provider_schemas.render.version_entries import VersionEntry, tells_origin
from airflow_provider_schemas.render.wording import counted

_CHANGES = 12
"""So many changes of a version stand in the timeline; the diff has all of them."""


class TableHistory(Struct, frozen=True):
    """Versions of a table, each with the one before it, and what has to be known besides."""

    table: str
    entries: tuple[VersionEntry, ...]
    notes: tuple[str, ...] = ()


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


def history_title(history: TableHistory) -> str:
    """Return the title of a page about a history: shop.orders: 3 versions."""
    return f"{plain(history.table) or 'the table'}: {counted(len(history.entries), 'version')}"


def timeline_rows(entries: Iterable[VersionEntry], origins: Sequence[Origin] = ()) -> list[TimelineRow]:
    """Return a row for each version, in their order.

    Origins, one for each entry, are those of a table that others keep: its versions do not tell who wrote them.
    """
    given = origins or repeat(None)
    return [_row(entry, origin) for entry, origin in zip(entries, given, strict=False)]


def _row(entry: VersionEntry, given: Origin | None) -> TimelineRow:
    version = entry.version
    origin = given
    if origin is None and tells_origin(version):
        origin = Origin.of(version)
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
