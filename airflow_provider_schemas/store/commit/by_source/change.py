"""A commit to a table that others keep: judge a step on its current schema, let the source carry it out, and start again where
another writer was first.

The same judge decides as for our own tables. Each try sees the table, its contracts and its policies anew. A source whose answer was lost
finds out whether it has written; if nobody can tell, there is no further try.
"""

import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import ChangeError, Fault, ReadOnlyError, SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.commit.commit import Committed, NextVersion, Proposal, find_late_contracts
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.mounts.mounted_files import READ_ONLY
from airflow_provider_schemas.store.mounts.source import ChangeableSource, MountedVersion, SchemaAttempt, SchemaStep, TableLook
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.numbered_files import contended, pauses
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions

# How often a step is sent again whose answer was lost and of which nothing has come: at most one of them can land.
_MOST_UNCLEAR = 3
_GUARANTEE = "the catalog takes a commit only on what it was judged on"

Propose = Callable[[Version | None], Proposal]


def commit(subject: Subject, foresee: Callable[[Subject], Subject], judge: Callable[[Subject], Propose]) -> Committed:
    """Carry out what `judge` proposes for the table as it is, and again where another writer was first."""
    source = changeable(subject)
    tries = _Tries(source, clock.unique())
    for attempt, pause in enumerate(pauses(), 1):
        seen = foresee(subject)
        versions = _versions(seen)
        head = versions.latest()
        commit_steps.reached(commit_steps.LISTED)
        written = tries.landed(versions.look())
        if written is None:
            registry = registry_in_use.check_for_commit(seen, head)
            proposal = judge(seen)(head)
            if isinstance(proposal, Committed):
                return msgspec.structs.replace(proposal, attempts=attempt)
            if subject.roots.is_rehearsal:
                return tries.rehearse(seen, versions, proposal, registry)
            written = tries.send(versions, proposal, registry)
        if written is not None:
            return _finish(seen, versions, tries, written, attempt)
        time.sleep(pause)
    raise contended(source.url, str(subject.name))


class _Tries:
    """The tries of one commit: all bear one id, by which the source finds what became of a lost answer."""

    def __init__(self, source: ChangeableSource, commit_id: str) -> None:
        self._source = source
        self._commit_id = commit_id
        self._last = SchemaAttempt()
        self._unclear = 0
        self.proposal: NextVersion | None = None
        self.note = Provenance()
        self.table_id = ""

    def landed(self, look: TableLook | None) -> MountedVersion | None:
        """Return what an earlier try has written after all: a request may be repeated on its way, and then meets itself."""
        if self.proposal is None or look is None:
            return None
        past = self._source.past_commit(look, commit=self._commit_id)
        return None if past is None or past.number is None else look.version(past.number)

    def rehearse(self, subject: Subject, versions: MountedVersions, proposal: NextVersion, registry: str) -> Committed:
        """Return the answer for a step that the source could carry out, and that is not sent; its version is the one that stays."""
        look = versions.look_there()
        make_step(self._source, look, proposal, _note(proposal, self._commit_id, registry))
        head = subject.latest()
        if head is None:
            raise subject.missing()
        return Committed(table=str(subject.name), version=head, report=proposal.report, plan=proposal.plan, notes=proposal.notes)

    def send(self, versions: MountedVersions, proposal: NextVersion, registry: str) -> MountedVersion | None:
        """Return what the source has written; None where it has to be judged again."""
        look = versions.look_there()
        self.table_id = look.table_id
        self.proposal = proposal
        self.note = _note(proposal, self._commit_id, registry)
        step = make_step(self._source, look, proposal, self.note)
        commit_steps.reached(commit_steps.JUDGED)
        self._last = self._source.commit(versions.table, look, step, self._last)
        if self._last.unclear is not None:
            self._unclear += 1
            if self._unclear >= _MOST_UNCLEAR:
                raise self._last.unclear
        return self._last.written


def _versions(subject: Subject) -> MountedVersions:
    versions = subject.mounted_versions
    if versions is None:
        raise AssertionError("the table is mounted")
    return versions


def _note(proposal: NextVersion, commit_id: str, registry: str) -> Provenance:
    """Return the note that goes with the step."""
    note = Provenance.of(proposal.schema) or Provenance()
    return msgspec.structs.replace(note, commit=commit_id, registry=registry or None, checkpoint=None)


def _finish(subject: Subject, versions: MountedVersions, tries: _Tries, written: MountedVersion, attempt: int) -> Committed:
    """Return the answer of the commit, with the contracts that came meanwhile."""
    proposal = tries.proposal
    if proposal is None:
        raise AssertionError("a step was sent")
    if subject.roots.snapshot is not None:
        subject.roots.snapshot.ended = True  # what comes now is asked anew
    version = Version(written.number, written.digest, tries.note.on(written.schema), subject.branch, tries.table_id)
    late, late_notes = find_late_contracts(proposal, version)
    report = msgspec.structs.replace(proposal.report, new=version.number)
    return Committed(
        table=str(subject.name),
        version=version,
        report=report,
        plan=proposal.plan,
        attempts=attempt,
        late=late,
        guarantee=_GUARANTEE,
        place=versions.where(version.number),
        notes=(*proposal.notes, *late_notes),
    )


# ---------------------------------------------------------------- what may be changed


def is_changeable(subject: Subject) -> bool:
    """Return whether the table is one that others keep, and that may be changed through its mount."""
    source = subject.roots.mounts.get(subject.name.database)
    return source is not None and source.evolve and isinstance(source, ChangeableSource)


def changeable(subject: Subject) -> ChangeableSource:
    """Return the source of a table; raise ReadOnlyError if the table must not be changed through it."""
    source = subject.roots.mounts[subject.name.database]
    if not isinstance(source, ChangeableSource) or not source.evolve:
        fix = "Mount it with evolve, or run the engine's own statements."
        raise ReadOnlyError(f"{subject.name} is mounted to be read.", code=READ_ONLY, path=str(subject.name), fix=fix)
    if subject.roots.read_only:
        message = f"the store was opened to be read only, so that {subject.name} is not changed."
        raise ReadOnlyError(message, path=str(subject.name), fix="Open it without read_only.")
    if subject.branch != MAIN:
        message = f"{subject.name} has one schema for all branches, and a branch of {source.kind} cannot be given another one."
        fix = "Change the table itself: each branch is then read with its new schema."
        raise ReadOnlyError(message, code="mount.branch", path=subject.typed, fix=fix)
    return source


# ---------------------------------------------------------------- the step


def make_step(source: ChangeableSource, look: TableLook, proposal: NextVersion, note: Provenance) -> SchemaStep:
    """Return the step to what was judged: an old schema becomes the current one again, or changes are made."""
    judged = proposal.schema
    changes = () if proposal.plan is None else proposal.plan.changes
    if note.restored is not None:
        back = SchemaStep((), judged, note, back_to=note.restored)
        faults = source.refused(look, back) if note.restored in look.numbers else (_gone(note.restored),)
        if not faults:
            return back
        if not changes:
            raise _no_way_back(look, note.restored, faults)
    if not changes:
        raise ChangeError(
            "no changes lead from the current schema to this one.",
            code="change.not-expressible",
            fix="Ask for changes that do: add, drop, rename, widen; or make another table and fill it.",
        )
    return SchemaStep(changes, judged, note)


def _gone(number: int) -> Fault:
    return Fault("version.not-there", str(number), "the metadata hold this schema no more.")


def _no_way_back(look: TableLook, number: int, faults: Sequence[Fault]) -> SchemaError:
    """Return the error about an old schema that cannot come back, with the lines that come nearest."""
    lines = "; ".join(short_text(change) for change in _nearest(look, number))
    reasons = "; ".join(str(fault._replace(fix="")) for fault in faults[:5])
    message = f"schema {number} cannot be the current one again: {reasons}"
    fix = f"These changes come nearest: {lines}." if lines else "Change the table forward, to what its readers need."
    return ChangeError(message, code="mount.no-way-back", path=str(number), fix=fix)


def _nearest(look: TableLook, number: int) -> Iterator[SchemaChange]:
    """Yield the changes that lead nearest to an old schema."""
    if number in look.numbers:
        yield from diff(look.version(look.head).schema, look.version(number).schema).changes
