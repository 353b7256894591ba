"""A table's versions as a log: when each was written, by whom, and what changed since the one before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.short_repr import ShortRepr
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.core.evolution.source_diff import source_diff
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.masking import masked_difference
from airflow_provider_schemas.render.sanitize import clean

Versions: TypeAlias = Mapping[str, Sequence[Version]]
"""The known versions of each table."""

NOTHING: Versions = MappingProxyType({})
OUTSIDE = "by an outside writer"
_MAIN = "main"


class VersionEntry(ShortRepr, Struct, frozen=True):
    """One version, and the one before it if it is known."""

    version: Version
    before: Version | None = None

    def _short_text(self) -> str:
        after = "with nothing known before it" if self.before is None else f"after v{self.before.number}"
        return f"v{self.version.number}: {when(self.version)}, {after}"

    def changes(self) -> tuple[tuple[SchemaChange, ...], tuple[Difference, ...]]:
        """Return what leads here from the version before: changes, and differences that no change can express."""
        if self.before is None:
            return (), ()
        if is_foreign(self.version.schema):
            return self._changes_of_source(self.before)
        try:
            diffed = diff(self.before.schema, self.version.schema)
        except SchemaError as error:
            return (), tuple(Difference(fault.path, fault.message) for fault in error.faults)
        past = provenance(self.version)
        if past is not None and past.restored is not None:  # restored columns keep their ids, which no change can express
            return diffed.changes, ()
        return diffed.changes, tuple(map(masked_difference, diffed.remainder))

    def _changes_of_source(self, before: Version) -> tuple[tuple[SchemaChange, ...], tuple[Difference, ...]]:
        """Return the same of a table that others keep: the ids that they give to new columns are no difference."""
        found = source_diff(before.schema, self.version.schema)
        changes = {short_text(masked_change(change)): change for change in found.changes}
        typed = tuple(changes[text] for text in found.texts if text in changes)
        return typed, tuple(Difference("", text) for text in found.texts if text not in changes)


def entries(versions: Iterable[Version]) -> list[VersionEntry]:
    """Return the versions with those before them, newest first, each branch by itself and the main one first."""
    newest_first = sorted(versions, key=lambda version: (version.branch != _MAIN, version.branch, -version.number))
    log: list[VersionEntry] = []
    for place, version in enumerate(newest_first):
        before = newest_first[place + 1] if place + 1 < len(newest_first) else None
        if before is not None and before.branch != version.branch:
            before = None
        log.append(VersionEntry(version, before))
    return log


def numbered(versions: Versions, report: Report) -> Version | None:
    """Return the version that a report is about, if it is known; the one of the main branch if there are several."""
    with_number = [version for version in versions.get(report.table, ()) if version.number == report.new]
    return min(with_number, key=lambda version: version.branch != _MAIN, default=None)


# ---------------------------------------------------------------- origin


def written(version: Version) -> datetime | None:
    """Return when the version was written; None if the file does not tell."""
    millis = version.schema.time_millis
    try:
        if millis > 0:
            return datetime.fromtimestamp(millis / 1000, UTC)
        return None
    except (OverflowError, ValueError, OSError):
        return None


def when(version: Version) -> str:
    """Return when the version was written, as text: 2026-11-18 01:12 UTC."""
    moment = written(version)
    if moment:
        return f"{moment:%Y-%m-%d %H:%M} UTC"
    return "at an unknown time"


def written_by(version: Version, report: Report) -> str:
    """Return when a judged version was written and by whom; empty where another catalog keeps the table, and a note tells what it knows."""
    if report.kept_elsewhere and not tells_origin(version):
        return ""
    return f"{when(version)} {origin(version)}"


def tells_origin(version: Version) -> bool:
    """Return whether a version tells when it was written, or by whom: of a mounted table `log` does, out of the table's past."""
    return not version.table_id or written(version) is not None


def origin(version: Version) -> str:
    """Return who wrote the version, and why: by ana (run nightly, approved by raj)."""
    source = provenance(version)
    if source is None or version.is_copied:
        return OUTSIDE
    author = f"by {clean(source.actor or 'somebody')}"
    reasons = ", ".join(_reasons(source))
    if reasons:
        return f"{author} ({reasons})"
    return author


def _reasons(source: Provenance) -> Iterator[str]:
    commit = short_revision(source.revision or "")
    for word, text in (("run", source.run), ("approved by", source.approval), ("policy", source.policy), ("commit", commit)):
        if text:
            yield f"{word} {clean(text)}"
    if source.restored is not None:
        yield f"version {source.restored} restored"


def provenance(version: Version) -> Provenance | None:
    """Return where the version comes from; None if an outside writer wrote it, or we cannot read it."""
    try:
        return version.provenance
    except SchemaError:
        return None
