"""What shall follow the head of a table: after changes, after a plan, after a step back.

Each is a proposal, made anew where somebody else was first. Whatever was done already is recognised, by its
key or by its effect, and is not done twice.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.plan import Base, Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import AlreadyThereError, ChangeError, ConflictError, IncompatibleSchemaError, PlanError, SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import evaluate, idempotency, refusals, registry_in_use, returning_columns
from airflow_provider_schemas.store.commit.commit import Committed, Next, Outcome, Proposal, commit
from airflow_provider_schemas.store.commit.evaluate import Judged, Surroundings, Terms, Wanted
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.common.author import Author
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.changes_since import Seen, digest_of, number_of
from airflow_provider_schemas.store.versions.checkpoints import Following
from airflow_provider_schemas.store.versions.past import EarlierVersions, has_key

# Beyond this a version does not say by which changes it was made: they would outgrow the schema.
_MOST_CHANGES = 1_000
_MOST_BYTES = 1_000_000


class Wish(Struct, frozen=True):
    """Who wants a table changed, on which terms, and what the table is expected to be."""

    author: Author
    terms: Terms = Terms()
    expected: Seen | None = None


class Return(NamedTuple):
    """To which version a table goes back; with some of its columns only, if they are named."""

    number: int
    columns: tuple[str, ...] = ()


# ---------------------------------------------------------------- creating


def create(subject: Subject, wanted: TableSchema | TableFile, wish: Wish) -> Committed:
    """Write the first version; nothing, where the table is there and this is a version of it."""
    subject = subject.foreseen(step=True, new=True)
    return _commit(subject, partial(_created, subject, wanted, wish, Surroundings(subject, wish.terms)))


def _created(subject: Subject, wanted: TableSchema | TableFile, wish: Wish, around: Surroundings, head: Version | None) -> Proposal:
    evaluate.check_table(subject, wanted)
    if head is None:
        judged = evaluate.judged(around, None, EarlierVersions.of(()), wanted)
        judged.refuse(approved=bool(wish.author.approval), override=wish.author.override)
        return _next(subject, None, EarlierVersions.of(()), judged, wish)
    schema = wanted.create() if isinstance(wanted, TableFile) else wanted
    past = subject.past(head)
    done = _written_by(wish.author.key, past, head)
    if done is not None:
        return _done(subject, done, Outcome.APPLIED, f"already applied as version {done.number}")
    same = head if head.schema.content == schema.content else past.same_as(schema)
    if same is None:
        message = f"{subject.name} exists at version {head.number}, and no version of it is this definition."
        raise AlreadyThereError(message, code="table.exists", path=str(subject.name), fix="Evolve it, or choose another name.")
    which = "this definition" if same is head else f"exists at version {head.number}; this definition is its version {same.number}"
    return _done(
        subject, head, Outcome.UNCHANGED, f"{which}: nothing to do" if same is not head else "exists, and is this definition: nothing to do"
    )


# ---------------------------------------------------------------- evolving


def evolve(subject: Subject, wanted: Wanted, wish: Wish) -> Committed:
    """Write the version that comes of these changes, of this schema, or of what a table file says."""
    subject = subject.foreseen(step=True, data=evaluate.asks_for_data(wanted))
    return _commit(subject, partial(_evolved, subject, wanted, wish, Surroundings(subject, wish.terms)))


def _evolved(subject: Subject, wanted: Wanted, wish: Wish, around: Surroundings, head: Version | None) -> Proposal:
    there, past = _head(subject, head)
    if (done := _written_by(wish.author.key, past, there)) is not None:
        _check_changes(subject, wanted, done)
        return _done(subject, done, Outcome.APPLIED, _applied(done, there))
    try:
        unchanged = _holds(subject, wanted, there, past) if isinstance(wanted, Sequence) else None
    except ChangeError:
        _check_expected(subject, wish.expected, there)  # what came in between explains a half-done batch better
        raise
    if unchanged is not None:
        return unchanged
    _check_expected(subject, wish.expected, there)
    judged = evaluate.judged(around, there, past, wanted)
    if judged.plan.unchanged:
        return _done(subject, there, Outcome.UNCHANGED, "nothing to change", judged.plan)
    _refuse(judged, wish)
    return _next(subject, there, past, judged, wish)


def planned(around: Surroundings, head: Version | None, past: EarlierVersions, wanted: Wanted) -> Plan:
    """The plan for what is wanted; one that changes nothing, where it holds already."""
    held = _holds(around.subject, wanted, head, past) if head is not None and isinstance(wanted, Sequence) else None
    if held is None:
        return evaluate.judged(around, head, past, wanted).noted
    return evaluate.with_notes(evaluate.judged(around, head, past, ()).plan, held.notes)


def _holds(subject: Subject, changes: Sequence[SchemaChange], head: Version, past: EarlierVersions) -> Committed | None:
    """The answer, if the changes hold already; a ChangeError if a part of them does."""
    if not changes:
        return _done(subject, head, Outcome.UNCHANGED, "no change was asked for")
    found = idempotency.effect(changes, head, past)
    if found.outcome is idempotency.Outcome.PART:
        raise found.refusal()
    if found.outcome is idempotency.Outcome.FRESH:
        return None
    made = head if idempotency.recorded(changes, head) else past.made_by(changes)
    said = f": these changes are version {made.number}{_by(made)}" if made else ": all of it holds"
    return _done(subject, head, Outcome.UNCHANGED, f"unchanged{said}")


def _past(version: Version) -> Provenance | None:
    try:
        return version.provenance
    except SchemaError:
        return None


def _by(version: Version) -> str:
    past = _past(version)
    said = [part for part in ((past.run and f"run {past.run}"), past.actor) if part] if past else []
    return f" ({', '.join(said)})" if said else ""


def _check_changes(subject: Subject, wanted: Wanted, done: Version) -> None:
    """ConflictError if a key was given to other changes before, as far as the version says so."""
    past = _past(done)
    if not isinstance(wanted, Sequence) or past is None or not past.changes:
        return
    if not idempotency.recorded(wanted, done) and not idempotency.recorded(tuple(map(masked_change, wanted)), done):
        message = f"the key was given to other changes before, which are version {done.number}; these were not made."
        raise ConflictError(message, code="commit.key-used", path=str(subject.name), fix="Give these changes a key of their own.")


def _applied(done: Version, head: Version) -> str:
    later = f"; the table is at version {head.number}" if head.number != done.number else ""
    return f"already applied as version {done.number}{_by(done)}{later}"


# ---------------------------------------------------------------- applying a plan


def apply(subject: Subject, plan: Plan, wish: Wish) -> Committed:
    """Write what a plan says, if the table is still what it was made on and nobody else would break."""
    subject = subject.foreseen(step=True, data=evaluate.asks_for_data(plan.changes or plan.result))
    return _commit(subject, partial(_apply, subject, plan, wish, Surroundings(subject, wish.terms)))


def _apply(subject: Subject, plan: Plan, wish: Wish, around: Surroundings, head: Version | None) -> Proposal:
    if plan.table not in ("", str(subject.name)):
        message = f"the plan is about {plan.table}, and not about {subject.name}."
        raise PlanError(message, code="plan.other-table", path=str(subject.name), fix="Apply it to the table that it is about.")
    past = EarlierVersions.of(()) if head is None else subject.past(head)
    if head is not None:
        done = _written_by(wish.author.key, past, head)
        if done is not None:
            _check_result(subject, done, plan)
            return _done(subject, done, Outcome.APPLIED, _applied(done, head))
        if plan.unchanged and plan.base == Base.of(head):
            return _done(subject, head, Outcome.UNCHANGED, "the plan changes nothing", plan)
    _check_expected(subject, wish.expected, head)
    result = plan.apply(head)
    refusals.refuse_breaks(plan, approved=bool(wish.author.approval or wish.author.override))
    again = evaluate.judged(around, head, past, plan.changes or result)
    if again.plan.result.content != result.content:
        message = "the plan's changes do not lead to its result."
        raise PlanError(message, code="plan.tampered", path=str(subject.name), fix="Make the plan again.")
    worse = refusals.newly_broken(again.plan.report, plan.report, wish.terms.now)
    if worse and not wish.author.override:
        raise refusals.outdated(again.plan.report, worse)
    # What is written is what was made here: the plan may come from anywhere.
    approved = msgspec.structs.replace(again, plan=msgspec.structs.replace(plan, result=again.plan.result))
    # What breaks was approved with the plan; whether all contracts can be read was not.
    approved.refuse(approved=bool(wish.author.approval), override=wish.author.override)
    accepted = refusals.accepted(again.plan.report, plan.report)
    return _next(subject, head, past, approved, wish, *filter(None, [accepted]), accepted=accepted)


def _check_result(subject: Subject, done: Version, plan: Plan) -> None:
    """ConflictError if the version with the key of a plan is not what the plan says."""
    if done.schema.content != plan.result.content:
        message = f"the key of this plan is that of version {done.number}, which is not what the plan says."
        raise ConflictError(message, code="commit.key-used", path=str(subject.name), fix="Apply it with a key of its own.")


# ---------------------------------------------------------------- going back


def restore(subject: Subject, back: Return, wish: Wish) -> Committed:
    """Write a new version with the fields and ids of an old one."""
    subject = subject.foreseen(step=True, data=True)
    return _commit(subject, partial(_restored, subject, back, wish, Surroundings(subject, wish.terms)))


def _restored(subject: Subject, back: Return, wish: Wish, around: Surroundings, head: Version | None) -> Proposal:
    there, past = _head(subject, head)
    if (done := _written_by(wish.author.key, past, there)) is not None:
        return _done(subject, done, Outcome.APPLIED, _applied(done, there))
    judged = judged_restore(around, back, there, past)
    if judged.plan.result.content == there.schema.content:
        said = f"the table has {', '.join(back.columns)}" if back.columns else f"the table is what version {back.number} was"
        return _done(subject, there, Outcome.UNCHANGED, said, judged.plan)
    _check_expected(subject, wish.expected, there)
    _refuse(judged, wish)
    if back.columns:
        return _next(subject, there, past, judged, wish, f"back from version {back.number}: {', '.join(back.columns)}")
    return _next(subject, there, past, judged, wish, f"version {back.number} restored", restored=back.number)


def judged_restore(around: Surroundings, back: Return, head: Version, past: EarlierVersions) -> Judged:
    """The plan that goes back: the old fields with the old ids, while no id is ever given out again. With columns, of those alone."""
    old = head if back.number == head.number else past.version(back.number)
    if old is None:
        raise around.subject.missing_version(back.number)
    # Of all versions: an outside writer may have let it fall.
    highest = max(past.highest_field_id, head.schema.highest_field_id)
    schema = returning_columns.with_columns(head.schema, old, back.columns, past) if back.columns else old.schema
    target = msgspec.structs.replace(schema, highest_field_id=highest, unknown=(), version=head.schema.version)
    judged = evaluate.judged(around, head, past, target)
    newer = returning_columns.newer(old, back.columns, past) if back.columns else ()
    return msgspec.structs.replace(judged, notes=(*judged.notes, *newer))


# ---------------------------------------------------------------- what they share


def _commit(subject: Subject, propose: Callable[[Version | None], Proposal]) -> Committed:
    """The commit, and what was registered meanwhile."""
    listed = subject.look()
    subject.check_writable()
    done = commit(str(subject.name), subject.versions, lambda head: _allowed(subject, head, propose), listed)
    if done.created and done.number == 0:
        subject.check_once()
    notes = subject.after_commit(done.version) if done.created else ()
    return msgspec.structs.replace(done, notes=(*done.notes, *notes)) if notes else done


def _allowed(subject: Subject, head: Version | None, propose: Callable[[Version | None], Proposal]) -> Proposal:
    there = registry_in_use.met(subject.roots)
    registry_in_use.check(subject, head, there)
    if head is None or not there:
        registry_in_use.check_neighbours(subject.roots, there, subject.name.database)
    proposal = propose(head)
    if isinstance(proposal, Committed):
        return proposal
    subject.check_alone(head)
    subject.check_apart(head, proposal.schema)
    return registry_in_use.naming(subject, head, proposal, there)


def _head(subject: Subject, head: Version | None) -> tuple[Version, EarlierVersions]:
    if head is None:
        raise subject.missing()
    return head, subject.past(head)


def _written_by(key: str | None, past: EarlierVersions, head: Version) -> Version | None:
    """The version that an earlier attempt with this key has written."""
    return past.with_key(key) or (head if has_key(head, key) else None)


def _check_expected(subject: Subject, expected: Seen | None, head: Version | None) -> None:
    if expected is None:
        return
    number, digest = number_of(expected), digest_of(expected)
    if head is not None and head.number == number and digest in (None, head.digest):
        return
    now = "there is none" if head is None else f"it is at version {head.number} ({head.digest[:8]})"
    was = f"version {number}" + (f" ({digest[:8]})" if digest else "")
    message = f"{subject.name} was expected at {was}, and {now}."
    raise ConflictError(message, code="commit.expected-version", path=str(subject.name), fix="Look what was changed since, and ask again.")


def _done(subject: Subject, version: Version, outcome: Outcome, note: str, plan: Plan | None = None) -> Committed:
    """The answer where nothing is to be written."""
    table, place = str(subject.name), subject.versions.where(version.number)
    report = Report(table=table, new=version.number) if plan is None else plan.report
    return Committed(table=table, version=version, outcome=outcome, report=report, plan=plan, place=place, notes=(note,))


def _next(
    subject: Subject,
    head: Version | None,
    past: EarlierVersions,
    judged: Judged,
    wish: Wish,
    *notes: str,
    accepted: str = "",
    restored: int | None = None,
) -> Next:
    """The proposal that a judgement comes to, and that nothing forbids."""
    plan, author = judged.plan, wish.author
    if not judged.unchecked:  # a reason for what was not done is none
        author = msgspec.structs.replace(author, unchecked="")
    reasons = filter(None, [author.reason, accepted or refusals.waived(plan.report), refusals.proven(plan.report)])
    about: dict[str, Any] = {"changes": _worth_saying(plan.changes), "policy": "; ".join(reasons) or None, "restored": restored}
    following = Following()
    if head is not None:
        following = subject.following(past, head, plan.result)
        about |= {"parent_id": head.number, "parent_sha256": head.digest, "checkpoint": following.name}
    provenance = author.provenance(commit=clock.unique(), **about)
    schema = provenance.on(msgspec.structs.replace(plan.result, time_millis=clock.now_millis()))
    late = partial(evaluate.late, subject, judged.jobs, head, terms=wish.terms)
    keep = partial(subject.checkpoints.keep, following)
    if head is not None:
        report = returning_columns.with_remedies_afterwards(plan.report, subject.typed, plan.result, head, past)
        plan = msgspec.structs.replace(plan, report=report)
    return Next(schema=schema, report=plan.report, plan=plan, notes=(*notes, *judged.notes), late=late, keep=keep)


def _refuse(judged: Judged, wish: Wish) -> None:
    """An error if this must not be written. What was approved has to be what comes: the head is the one that was seen."""
    approval, seen = bool(wish.author.approval), wish.expected is not None
    try:
        judged.refuse(approved=approval and seen, override=wish.author.override)
    except IncompatibleSchemaError as error:
        if not approval or seen:
            raise
        fix = "An approval is of what somebody has seen: apply the plan, or say with expected_version on which version it was seen."
        raise IncompatibleSchemaError.about(error.report, error.message, fix=fix) from None


def _worth_saying(changes: Sequence[SchemaChange]) -> tuple[dict[str, Any], ...]:
    """The changes as a version records them, without secrets; none, if they are too many or too large."""
    if len(changes) > _MOST_CHANGES:
        return ()
    found = tuple(masked_change(one).to_json() for one in changes)
    return found if len(msgspec.json.encode(found)) <= _MOST_BYTES else ()
