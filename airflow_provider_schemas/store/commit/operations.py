"""What shall follow the head of a table: a new table, changes, a plan, or an old version. Each operation is one proposal.

The way of each: `evolve` here hands `_propose_evolved` to `commit.commit`, which reads the head and calls it with that; called again, if
another writer was first. A proposal recognises what is done already, by its key or by its effect: then it is the answer, and nothing is
written. Else it judges the step (`evaluate`), refuses what breaks something that is protected, and is the next version, which
`commit.commit` writes.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.plan import Base, Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, ConflictError, IncompatibleSchemaError, PlanError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import already_done, evaluate, refusals, returning_columns
from airflow_provider_schemas.store.commit.already_done import answer, answer_applied, find_by_key
from airflow_provider_schemas.store.commit.by_source import change as by_source
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed, NextVersion, Proposal, commit
from airflow_provider_schemas.store.commit.evaluate import CommitTerms, EvaluatedPlan, TableContext, Wanted
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.common.author import Author
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.changes_since import Seen, digest_of, number_of
from airflow_provider_schemas.store.versions.checkpoints import Following
from airflow_provider_schemas.store.versions.past import EarlierVersions

# Beyond this a version does not say by which changes it was made: they would outgrow the schema.
_MOST_CHANGES = 1_000
_MOST_BYTES = 1_000_000


class CommitRequest(Struct, frozen=True):
    """Who wants a table changed, on which terms, and what the table is expected to be."""

    author: Author
    terms: CommitTerms = CommitTerms()
    expected: Seen | None = None


class RestoreTarget(NamedTuple):
    """The version to which a table goes back; with some of its columns only, if they are named."""

    number: int
    columns: tuple[str, ...] = ()


# ---------------------------------------------------------------- creating


def create(subject: Subject, wanted: TableSchema | TableFile, request: CommitRequest) -> Committed:
    """Write the first version; nothing, where the table is there and this is a version of it."""
    subject = subject.foreseen(step=True, new=True)
    propose = partial(_propose_first, TableContext(subject, request.terms), wanted, request)
    return commit(subject, propose)


def _propose_first(context: TableContext, wanted: TableSchema | TableFile, request: CommitRequest, head: Version | None) -> Proposal:
    subject = context.subject
    evaluate.check_table(subject, wanted)
    past = subject.past(head)
    if head is None:
        evaluated = evaluate.evaluate(context, None, past, wanted)
        evaluated.refuse(approved=bool(request.author.approval), override=request.author.override)
        return _next_version(subject, None, past, evaluated, request)
    done = find_by_key(request.author.key, past, head)
    if done is not None:
        return answer(subject, done, CommitOutcome.APPLIED, f"already applied as version {done.number}")
    schema = wanted.create() if isinstance(wanted, TableFile) else wanted
    return already_done.answer_existing(subject, schema, head, past)


# ---------------------------------------------------------------- evolving


def evolve(subject: Subject, wanted: Wanted, request: CommitRequest) -> Committed:
    """Write the version that these changes, this schema, or this table file make of the table."""

    def foresee(table: Subject) -> Subject:
        return table.foreseen(step=True, data=evaluate.asks_for_data(wanted))

    return _commit(subject, foresee, lambda table: partial(_propose_evolved, TableContext(table, request.terms), wanted, request))


def _propose_evolved(context: TableContext, wanted: Wanted, request: CommitRequest, head: Version | None) -> Proposal:
    subject = context.subject
    if head is None:
        raise subject.missing()
    past = subject.past(head)
    done = find_by_key(request.author.key, past, head)
    if done is not None:
        already_done.check_same_changes(subject, wanted, done)
        return answer_applied(subject, done, head)
    try:
        unchanged = already_done.find_unchanged(subject, wanted, head, past)
    except ChangeError:
        _check_expected(subject, request.expected, head)  # what came in between explains a half-done batch better
        raise
    if unchanged is not None:
        return unchanged
    _check_expected(subject, request.expected, head)
    evaluated = evaluate.evaluate(context, head, past, wanted)
    if evaluated.plan.unchanged:
        return answer(subject, head, CommitOutcome.UNCHANGED, "nothing to change", evaluated.plan)
    _refuse(evaluated, request)
    return _next_version(subject, head, past, evaluated, request)


def make_plan(context: TableContext, head: Version | None, past: EarlierVersions, wanted: Wanted) -> Plan:
    """Return the plan for what is wanted; one that changes nothing, where it holds already."""
    unchanged = None if head is None else already_done.find_unchanged(context.subject, wanted, head, past)
    if unchanged is None:
        return evaluate.evaluate(context, head, past, wanted).noted
    return evaluate.with_notes(evaluate.evaluate(context, head, past, ()).plan, unchanged.notes)


# ---------------------------------------------------------------- applying a plan


def apply(subject: Subject, plan: Plan, request: CommitRequest) -> Committed:
    """Write what a plan says, if the table is still what it was made on and nobody else would break."""

    def foresee(table: Subject) -> Subject:
        return table.foreseen(step=True, data=evaluate.asks_for_data(plan.changes or plan.result))

    return _commit(subject, foresee, lambda table: partial(_propose_planned, TableContext(table, request.terms), plan, request))


def _propose_planned(context: TableContext, plan: Plan, request: CommitRequest, head: Version | None) -> Proposal:
    subject = context.subject
    author = request.author
    if plan.table not in ("", str(subject.name)):
        message = f"the plan is about {plan.table}, and not about {subject.name}."
        raise PlanError(message, code="plan.other-table", path=str(subject.name), fix="Apply it to the table that it is about.")
    past = subject.past(head)
    done = None if head is None else _find_applied_plan(subject, plan, author.key, past, head)
    if done is not None:
        return done
    _check_expected(subject, request.expected, head)
    result = plan.apply(head)
    refusals.refuse_breaks(plan, approved=bool(author.approval or author.override))
    evaluated = evaluate.evaluate(context, head, past, plan.changes or result)
    _check_as_planned(subject, plan, result, evaluated, request)
    # What is written is what was made here: the plan may come from anywhere.
    planned = msgspec.structs.replace(evaluated, plan=msgspec.structs.replace(plan, result=evaluated.plan.result))
    # What breaks was approved with the plan; whether all contracts can be read was not.
    planned.refuse_unreadable(override=author.override)
    accepted = refusals.accepted(evaluated.plan.report, plan.report)
    return _next_version(subject, head, past, planned, request, note=accepted, accepted=accepted)


def _find_applied_plan(subject: Subject, plan: Plan, key: str | None, past: EarlierVersions, head: Version) -> Committed | None:
    """Return the answer for a plan that was applied before, or that changes nothing."""
    done = find_by_key(key, past, head)
    if done is not None:
        already_done.check_same_result(subject, done, plan)
        return answer_applied(subject, done, head)
    if plan.unchanged and plan.base == Base.of(head):
        return answer(subject, head, CommitOutcome.UNCHANGED, "the plan changes nothing", plan)
    return None


def _check_as_planned(subject: Subject, plan: Plan, result: TableSchema, evaluated: EvaluatedPlan, request: CommitRequest) -> None:
    """Raise if the changes do not lead to the plan's result, if that is invalid, or if the plan breaks more today than it says."""
    if evaluated.plan.result.content != result.content:
        if _has_other_ids(subject, evaluated, result):
            message = "columns came and went since the plan was made, so that its columns would get other ids."
            raise PlanError(message, code="plan.base-moved", path=str(subject.name), fix="Make the plan again, and have it approved again.")
        message = "the plan's changes do not lead to its result."
        raise PlanError(message, code="plan.tampered", path=str(subject.name), fix="Make the plan again.")
    # The plan's own report may come from anywhere; what makes no sense today is written for no reason.
    refusals.refuse_breaks(evaluated.plan, approved=True)
    worse = refusals.newly_broken(evaluated.plan.report, plan.report, request.terms.now)
    if worse and not request.author.override:
        raise refusals.outdated(evaluated.plan.report, worse)


def _has_other_ids(subject: Subject, evaluated: EvaluatedPlan, result: TableSchema) -> bool:
    """Return whether a table that others keep is back at the schema of the plan, and has given ids to columns since."""
    moved = evaluated.plan.result.highest_field_id != result.highest_field_id
    return moved and by_source.is_changeable(subject)


# ---------------------------------------------------------------- restoring


def restore(subject: Subject, target: RestoreTarget, request: CommitRequest) -> Committed:
    """Write a new version with the fields and ids of an old one."""

    def foresee(table: Subject) -> Subject:
        return table.foreseen(step=True, data=True)

    return _commit(subject, foresee, lambda table: partial(_propose_restored, TableContext(table, request.terms), target, request))


def _propose_restored(context: TableContext, target: RestoreTarget, request: CommitRequest, head: Version | None) -> Proposal:
    subject = context.subject
    if head is None:
        raise subject.missing()
    past = subject.past(head)
    done = find_by_key(request.author.key, past, head)
    if done is not None:
        return answer_applied(subject, done, head)
    evaluated = evaluate_restore(context, target, head, past)
    columns = ", ".join(target.columns)
    if evaluated.plan.result.content == head.schema.content:
        state = f"the table has {columns} already" if columns else f"the table is what version {target.number} was"
        note = f"unchanged: {state}"
        return answer(subject, head, CommitOutcome.UNCHANGED, note, evaluated.plan)
    _check_expected(subject, request.expected, head)
    _refuse(evaluated, request)
    if columns:
        return _next_version(subject, head, past, evaluated, request, note=f"back from version {target.number}: {columns}")
    note = f"version {target.number} restored"
    return _next_version(subject, head, past, evaluated, request, note=note, restored=target.number)


def evaluate_restore(context: TableContext, target: RestoreTarget, head: Version, past: EarlierVersions) -> EvaluatedPlan:
    """Judge the step back: the old fields with the old ids, while no id is ever given out again. With columns, of those alone."""
    old = head if target.number == head.number else past.version(target.number)
    if old is None:
        raise context.subject.missing_version(target.number)
    schema = old.schema
    notes: tuple[str, ...] = ()
    context.back_to = None if target.columns else target.number
    if target.columns and by_source.is_changeable(context.subject):
        message = f"{context.subject.name} is kept by others, who know no way to give single columns their old ids back."
        fix = "Bring the whole schema back, or add columns anew."
        raise ChangeError(message, code="mount.restore-columns", path=str(context.subject.name), fix=fix)
    if target.columns:
        schema = returning_columns.with_columns(head.schema, old, target.columns, past)
        notes = returning_columns.newer(old, target.columns, past)
    # The highest id of all versions: an outside writer may have let it fall.
    highest = max(past.highest_field_id, head.schema.highest_field_id)
    restored = msgspec.structs.replace(schema, highest_field_id=highest, unknown=(), version=head.schema.version)
    evaluated = evaluate.evaluate(context, head, past, restored)
    return msgspec.structs.replace(evaluated, notes=(*evaluated.notes, *notes))


# ---------------------------------------------------------------- what they share


def _commit(subject: Subject, foresee: Callable[[Subject], Subject], judge: Callable[[Subject], by_source.Propose]) -> Committed:
    """Commit what `judge` proposes: to our own files, or to a table that others keep."""
    if subject.is_mounted:
        return by_source.commit(subject, foresee, judge)
    seen = foresee(subject)
    return commit(seen, judge(seen))


def _check_expected(subject: Subject, expected: Seen | None, head: Version | None) -> None:
    """Raise ConflictError if the head is not the version that the caller expects."""
    if expected is None:
        return
    number = number_of(expected)
    digest = digest_of(expected)
    if head is not None and head.number == number and digest in (None, head.digest):
        return
    now = "there is none" if head is None else f"it is at version {head.number} ({head.digest[:8]})"
    was = f"version {number} ({digest[:8]})" if digest else f"version {number}"
    message = f"{subject.name} was expected at {was}, and {now}."
    raise ConflictError(message, code="commit.expected-version", path=str(subject.name), fix="Look what was changed since, and ask again.")


def _refuse(evaluated: EvaluatedPlan, request: CommitRequest) -> None:
    """Raise if this must not be written. An approval counts only for a head that the approver has seen."""
    is_approved = bool(request.author.approval)
    is_seen = request.expected is not None
    try:
        evaluated.refuse(approved=is_approved and is_seen, override=request.author.override)
    except IncompatibleSchemaError as error:
        if not is_approved or is_seen:
            raise
        fix = "An approval is of what somebody has seen: apply the plan, or say with expected_version on which version it was seen."
        raise IncompatibleSchemaError.about(error.report, error.message, fix=fix) from None


def _next_version(
    subject: Subject,
    head: Version | None,
    past: EarlierVersions,
    evaluated: EvaluatedPlan,
    request: CommitRequest,
    *,
    note: str = "",
    accepted: str = "",
    restored: int | None = None,
) -> NextVersion:
    """Return the proposal for a plan that is judged, and that nothing forbids."""
    plan = evaluated.plan
    report = plan.report
    following = Following()
    origin: dict[str, Any] = {"restored": restored}
    if head is not None:
        following = subject.following(past, head, plan.result)
        origin |= {"parent_id": head.number, "parent_sha256": head.digest, "checkpoint": following.name}
        report = returning_columns.with_remedies_afterwards(report, subject.typed, plan.result, head, past)
    return NextVersion(
        schema=_with_provenance(evaluated, request.author, accepted, origin),
        report=report,
        plan=msgspec.structs.replace(plan, report=report),
        notes=(note, *evaluated.notes) if note else evaluated.notes,
        check_late=partial(evaluate.check_late, subject, evaluated.jobs, head, terms=request.terms),
        keep_checkpoint=partial(subject.checkpoints.keep, following),
    )


def _with_provenance(evaluated: EvaluatedPlan, author: Author, accepted: str, origin: dict[str, Any]) -> TableSchema:
    """Return the result of a plan with the record of who writes it, why, when, and by which changes."""
    plan = evaluated.plan
    if not evaluated.unchecked:  # a reason for what was not done is none
        author = msgspec.structs.replace(author, unchecked="")
    reasons = [author.reason, accepted or refusals.waived(plan.report), refusals.proven(plan.report)]
    policy = "; ".join(filter(None, reasons)) or None
    changes = _changes_to_record(plan.changes)
    provenance = author.provenance(commit=clock.unique(), changes=changes, policy=policy, **origin)
    return provenance.on(msgspec.structs.replace(plan.result, time_millis=clock.now_millis()))


def _changes_to_record(changes: Sequence[SchemaChange]) -> tuple[dict[str, Any], ...]:
    """Return the changes as a version records them, without secrets; none, if they are too many or too large."""
    if len(changes) > _MOST_CHANGES:
        return ()
    recorded = tuple(masked_change(change).to_json() for change in changes)
    if len(msgspec.json.encode(recorded)) > _MOST_BYTES:
        return ()
    return recorded
