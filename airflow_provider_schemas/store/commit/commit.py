"""A commit: read the newest version, propose the next one, create its file; and start again where another writer was first.

Nothing is locked and nothing is overwritten. A writer who comes second is judged anew, against what the first one has written.

`commit_steps.reached` does nothing: at these places tests stop, delay or kill a writer.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import VERDICT_WORDS, Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import ListingEntry, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import contended, pauses
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.version_log import Versions

# How often a name may be taken under which no version is found, until something else has to lie there.
_MOST_UNSEEN = 5


class CommitOutcome(StrEnum):
    """What a commit did."""

    CREATED = "created"
    UNCHANGED = "unchanged"  # what was asked for holds
    APPLIED = "already applied"  # an earlier attempt with the same key did it


class Committed(ShortRepr, Struct, frozen=True, kw_only=True):
    """The answer to a request for a change, whether or not it led to a commit.

    `version` is what was written, or what holds already and made writing needless: `outcome` says which, and `created`.
    """

    table: str
    version: Version
    outcome: CommitOutcome = CommitOutcome.CREATED
    report: Report = Report()
    plan: Plan | None = None
    attempts: int = 1
    late: tuple[Report, ...] = ()
    """Contracts that were registered during the commit, and that the version breaks."""
    guarantee: str = ""
    place: str = ""
    """The file that was written, or that holds."""
    notes: tuple[str, ...] = ()

    def _short_text(self) -> str:
        branch = "" if self.branch == "main" else f" of branch {named(self.branch)}"
        late = f"breaks {counted(len(self.late), 'late contract')}" if self.late else ""
        return f"{named(self.table)} v{self.number}{branch}: {joined(self.outcome.value, VERDICT_WORDS[self.report.verdict], late)}"

    def with_notes(self, notes: Iterable[str]) -> "Committed":
        """Return the same answer, with these notes first."""
        return msgspec.structs.replace(self, notes=(*notes, *self.notes))

    @property
    def created(self) -> bool:
        """Whether a version was written."""
        return self.outcome is CommitOutcome.CREATED

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


class NextVersion(Struct, frozen=True, kw_only=True):
    """The version that is to follow the head, judged and allowed."""

    schema: TableSchema
    report: Report = Report()
    plan: Plan | None = None
    notes: tuple[str, ...] = ()
    check_late: Callable[[Version], tuple[Report, ...]]
    """Judges the contracts that were registered during the commit; called once the version is written."""
    keep_checkpoint: Callable[[], None]
    """Writes what makes the next commit cheap; called once the version is written."""


Proposal = NextVersion | Committed
"""The version to write; or at once the answer of the commit, where what is wanted holds already and nothing is to be written."""


def commit(subject: Subject, propose: Callable[[Version | None], Proposal]) -> Committed:
    """Write the version that `propose` wants after the head; start again where another writer was first.

    1. List the versions and read the newest one, the head; 2. check that the registry is the one of this table; 3. propose what
    follows the head: judge it, or find it done; 4. check that no other writer is at the place; 5. name the registry in the new
    version; 6. create its file exclusively; 7. write what goes with it, and look for contracts that came during the commit.
    """
    listed = subject.look() or None  # an empty folder is listed again: another writer may be there by now
    subject.check_writable()
    race = _Race(subject.versions, listed)
    for attempt, pause in enumerate(pauses(), 1):
        head = race.read_head()
        registry = registry_in_use.check_for_commit(subject, head)
        proposal = propose(head)
        if isinstance(proposal, Committed):  # it holds already: nothing is written
            return msgspec.structs.replace(proposal, attempts=attempt)
        subject.check_alone(head)
        schema, notes = registry_in_use.name_registry(subject, head, proposal.schema, registry)
        commit_steps.reached(commit_steps.JUDGED)
        try:
            version, guarantee = race.versions.create(schema, head)
        except PathTaken:
            race.note_taken(head)
            time.sleep(pause)
            continue
        written = Committed(table=str(subject.name), version=version, attempts=attempt, guarantee=guarantee, notes=notes)
        return _finish(subject, race.versions, proposal, written)
    raise contended(race.versions.files.url, race.versions.numbered.folder)


class _Race:
    """The attempts of one commit to be the first after the head."""

    def __init__(self, versions: Versions, listed: Mapping[int, ListingEntry] | None) -> None:
        self.versions = versions
        self._listed = listed
        """The listing that was made for this commit just now: good for the first attempt."""
        self._taken_number: int | None = None
        """The number that the last attempt wanted, and whose name was taken; so the next head has it at least."""
        self._unseen_versions = 0
        """How often in a row a name was taken under which no version is found."""

    def read_head(self) -> Version | None:
        """Return the newest version; raise StorageError if something else has the next name."""
        head = self.versions.latest(self._taken_number, self._listed)
        self._listed = None
        # A writer who was first leaves a version that is found, and the next number is free. Only what is no version stays unseen.
        is_unseen = self._taken_number == _number_after(head)
        self._unseen_versions = self._unseen_versions + 1 if is_unseen else 0
        if self._unseen_versions > _MOST_UNSEEN:
            raise self.versions.in_the_way(self._taken_number)
        commit_steps.reached(commit_steps.LISTED)
        return head

    def note_taken(self, head: Version | None) -> None:
        """Remember that the name of the version after the head is taken, most often by another writer."""
        self._taken_number = _number_after(head)


def _number_after(head: Version | None) -> int:
    return 0 if head is None else head.number + 1


def _finish(subject: Subject, versions: Versions, proposal: NextVersion, written: Committed) -> Committed:
    """Write what goes with a new version, and return the answer of the commit."""
    versions.sweep(written.number)
    proposal.keep_checkpoint()
    late, late_notes = find_late_contracts(proposal, written.version)
    if written.number == 0:
        subject.refuse_twin()
    metadata_notes = subject.after_commit(written.version)
    return msgspec.structs.replace(
        written,
        report=proposal.report,
        plan=proposal.plan,
        place=versions.where(written.number),
        notes=(*proposal.notes, *written.notes, *late_notes, *metadata_notes),
        late=late,
    )


def find_late_contracts(proposal: NextVersion, version: Version) -> tuple[tuple[Report, ...], tuple[str, ...]]:
    """Return the reports of contracts that came during the commit and that it breaks, and notes. The version is written in any case."""
    try:
        reports = proposal.check_late(version)
    except SchemaError as error:
        return (), (f"whether a contract that came meanwhile fits could not be read: {error}",)
    late: list[Report] = []
    notes: list[str] = []
    for report in reports:
        if report.fits:
            notes += report.notes
        else:
            late.append(report)
    return tuple(late), tuple(notes)
