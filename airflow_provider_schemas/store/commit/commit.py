"""A commit: the head, what shall follow it, the exclusive create; and all of it again where somebody else was first.

Whoever comes second judges anew, against what the first one has written. Nothing is locked, nothing is
overwritten, and what was acknowledged is there.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import ListingEntry, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import contended, pauses
from airflow_provider_schemas.store.versions.version_log import Versions

# How often a name may be taken under which no version is found, until something else has to lie there.
_MOST_IN_VAIN = 5


class Outcome(StrEnum):
    """What became of a wish to change a table."""

    CREATED = "created"
    UNCHANGED = "unchanged"  # what was asked for holds
    APPLIED = "already applied"  # an earlier attempt with the same key did it


class Committed(Struct, frozen=True, kw_only=True):
    """The answer to a wish to change a table: the version that holds, or that did it."""

    table: str
    version: Version
    outcome: Outcome = Outcome.CREATED
    report: Report = Report()
    plan: Plan | None = None
    attempts: int = 1
    late: tuple[Report, ...] = ()
    """What was registered while this was written, and does not fit."""
    guarantee: str = ""
    place: str = ""
    """The file that was written, or that holds."""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Committed({self.table!r}, version={self.number}, outcome={self.outcome.value!r}, verdict={self.report.verdict.value!r})"

    def with_notes(self, notes: Iterable[str]) -> "Committed":
        """The same answer, with this said first."""
        return msgspec.structs.replace(self, notes=(*notes, *self.notes))

    @property
    def created(self) -> bool:
        """Whether a version was written."""
        return self.outcome is Outcome.CREATED

    @property
    def number(self) -> int:
        return self.version.number

    @property
    def digest(self) -> str:
        return self.version.digest

    @property
    def schema(self) -> TableSchema:
        return self.version.schema

    @property
    def branch(self) -> str:
        return self.version.branch

    @property
    def provenance(self) -> Provenance | None:
        return self.version.provenance


class Next(Struct, frozen=True, kw_only=True):
    """What shall follow the head."""

    schema: TableSchema
    report: Report = Report()
    plan: Plan | None = None
    notes: tuple[str, ...] = ()
    late: Callable[[Version], tuple[Report, ...]] = lambda _: ()
    """What has come meanwhile that this breaks; asked once it is written."""
    keep: Callable[[], None] = lambda: None
    """Writes what makes the next commit cheap; called once the version is written."""


Proposal = Next | Committed
"""What to write; or, where nothing is to be written, the answer."""


def commit(
    table: str, versions: Versions, propose: Callable[[Version | None], Proposal], listed: Mapping[int, ListingEntry] | None = None
) -> Committed:
    """Ask what shall follow the head, and write it; from the beginning where somebody else was first.

    Listed is what lies there, if that was listed for this commit just now.
    """
    taken: int | None = None
    in_vain = 0
    for attempt, pause in enumerate(pauses(), 1):
        head = versions.latest(taken, listed if attempt == 1 else None)
        in_vain = in_vain + 1 if taken == _after(head) else 0
        if in_vain > _MOST_IN_VAIN:
            raise versions.in_the_way(taken)
        commit_steps.reached(commit_steps.LISTED)
        proposal = propose(head)
        if isinstance(proposal, Committed):
            return msgspec.structs.replace(proposal, attempts=attempt)
        commit_steps.reached(commit_steps.JUDGED)
        try:
            version, promise = versions.create(proposal.schema, head)
        except PathTaken:
            taken = _after(head)
            time.sleep(pause)
            continue
        versions.sweep(version.number)
        proposal.keep()
        late, notes = _come_late(proposal, version)
        return Committed(
            table=table,
            version=version,
            report=proposal.report,
            plan=proposal.plan,
            attempts=attempt,
            guarantee=promise,
            place=versions.where(version.number),
            notes=(*proposal.notes, *notes),
            late=late,
        )
    raise contended(versions.files.url, versions.numbered.folder)


def _after(head: Version | None) -> int:
    return 0 if head is None else head.number + 1


def _come_late(proposal: Next, version: Version) -> tuple[tuple[Report, ...], tuple[str, ...]]:
    """What has come meanwhile that the version breaks. It is written, whether or not that can be read."""
    try:
        found = proposal.late(version)
    except SchemaError as error:
        return (), (f"whether a contract that came meanwhile fits could not be read: {error}",)
    late = tuple(one for one in found if not one.fits)
    return late, tuple(note for one in found if one.fits for note in one.notes)
