"""Requests that change nothing: what is asked for holds already, or an earlier attempt with the same key has done it."""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, ConflictError
from airflow_provider_schemas.store.commit import idempotency
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.store.commit.evaluate import Wanted
from airflow_provider_schemas.store.commit.idempotency import BatchState
from airflow_provider_schemas.store.commit.verify import same_columns
from airflow_provider_schemas.store.mounts.source import changes_sign
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.facts import provenance_of
from airflow_provider_schemas.store.versions.mounted_versions import PastVersion
from airflow_provider_schemas.store.versions.past import EarlierVersions, has_key

# ---------------------------------------------------------------- by key


def find_by_key(key: str | None, past: EarlierVersions, head: Version) -> Version | None:
    """Return the version that an earlier attempt with this key has written."""
    done = past.with_key(key)
    if done is None and has_key(head, key):
        return head
    return done


def answer_applied(subject: Subject, done: Version, head: Version) -> Committed:
    """Return the answer for a request that an earlier attempt with the same key has carried out."""
    note = f"already applied as version {done.number}{_name_writer(done)}"
    if head.number != done.number:
        note += f"; the table is at version {head.number}"
    return answer(subject, done, CommitOutcome.APPLIED, note)


def check_same_changes(subject: Subject, wanted: Wanted, done: Version) -> None:
    """Raise ConflictError if the key was given to other changes before, as far as the version records them."""
    if not isinstance(wanted, Sequence) or _is_by(wanted, done) is not False:
        return
    if not _is_by(tuple(map(masked_change, wanted)), done):
        message = f"the key was given to other changes before, which are version {done.number}; these were not made."
        raise ConflictError(message, code="commit.key-used", path=str(subject.name), fix="Give these changes a key of their own.")


def _is_by(changes: Sequence[SchemaChange], done: Version) -> bool | None:
    """Return whether a version was made by these changes; None where it does not say."""
    if isinstance(done, PastVersion):
        return changes_sign([change.to_json() for change in changes]) == done.changes if done.changes else None
    provenance = provenance_of(done)
    if provenance is None or not provenance.changes:
        return None
    return idempotency.recorded(changes, done)


def check_same_result(subject: Subject, done: Version, plan: Plan) -> None:
    """Raise ConflictError if the version with the key of a plan is not what the plan says."""
    if not _is_result(subject, done.schema, plan.result):
        message = f"the key of this plan is that of version {done.number}, which is not what the plan says."
        raise ConflictError(message, code="commit.key-used", path=str(subject.name), fix="Apply it with a key of its own.")


def _is_result(subject: Subject, schema: TableSchema, result: TableSchema) -> bool:
    """Return whether a schema is the result of a plan. Those who keep a table give new fields ids of their own."""
    if subject.is_mounted:
        return same_columns(schema, result)
    return schema.content == result.content


# ---------------------------------------------------------------- by effect


def find_unchanged(subject: Subject, wanted: Wanted, head: Version, past: EarlierVersions) -> Committed | None:
    """Return the answer if all changes hold already, and None if none holds; raise ChangeError if a part of them does."""
    if not isinstance(wanted, Sequence):
        return None
    if not wanted:
        return answer(subject, head, CommitOutcome.UNCHANGED, "no change was asked for")
    effect = idempotency.effect(wanted, head, past)
    if effect.state is BatchState.PART:
        raise effect.refusal()
    if effect.state is BatchState.FRESH:
        return None
    return answer(subject, head, CommitOutcome.UNCHANGED, f"unchanged: {_explain_unchanged(wanted, head, past)}")


def _explain_unchanged(changes: Sequence[SchemaChange], head: Version, past: EarlierVersions) -> str:
    made = head if idempotency.recorded(changes, head) else past.made_by(changes)
    if made is None:
        return "all of it holds"
    return f"these changes are version {made.number}{_name_writer(made)}"


def answer_existing(subject: Subject, schema: TableSchema, head: Version, past: EarlierVersions) -> Committed:
    """Return the answer for a table that is to be created and is there; AlreadyThereError if it never was this definition."""
    if head.schema.content == schema.content:
        return answer(subject, head, CommitOutcome.UNCHANGED, "exists, and is this definition: nothing to do")
    same = past.same_as(schema)
    if same is None:
        message = f"{subject.name} exists at version {head.number}, and no version of it is this definition."
        raise AlreadyThereError(message, code="table.exists", path=str(subject.name), fix="Evolve it, or choose another name.")
    note = f"exists at version {head.number}; this definition is its version {same.number}: nothing to do"
    return answer(subject, head, CommitOutcome.UNCHANGED, note)


# ---------------------------------------------------------------- the answer


def answer(subject: Subject, version: Version, outcome: CommitOutcome, note: str, plan: Plan | None = None) -> Committed:
    """Return the answer to a request for which no version is written."""
    table = str(subject.name)
    report = Report(table=table, new=version.number) if plan is None else plan.report
    place = subject.versions.where(version.number)
    return Committed(table=table, version=version, outcome=outcome, report=report, plan=plan, place=place, notes=(note,))


def _name_writer(version: Version) -> str:
    """Return who wrote a version, in brackets; empty if the version does not say."""
    provenance = provenance_of(version)
    if provenance is None:
        return ""
    names: list[str] = []
    if provenance.run:
        names.append(f"run {provenance.run}")
    if provenance.actor:
        names.append(provenance.actor)
    return f" ({', '.join(names)})" if names else ""
