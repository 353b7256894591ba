"""A change judged with everything that the store knows: the table's policy, its history, registered jobs, waivers, live versions."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import RemoveOption, SchemaChange, SetOption
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.evolution.evolve import HELD_BY_DATA, evolve
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Against, Policy, policy_of
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, RefusedNameError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.store.commit import compare_data, immutable_layout, option_effects, refusals, returning_columns
from airflow_provider_schemas.store.common import arguments, table_findings
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import contracts, policies, policy_strictness, stale_contracts, waived_jobs, waivers
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.past import EarlierVersions

Wanted = Sequence[SchemaChange] | TableSchema | TableFile
"""What somebody wants of a table: changes, the schema itself, or what a table file says."""

_LENIENT = {"data": "warn", "jobs": "warn", "writers": "warn"}


class Terms(Struct, frozen=True):
    """On which terms a change is asked for."""

    policy: Policy | Mapping[str, Any] | None = None
    override: str = ""
    evidence: tuple[Any, ...] = ()
    now: datetime | None = None
    unchecked: str = ""
    """Why a description is not compared with data that it names anew."""

    def __post_init__(self) -> None:
        for name in ("override", "unchecked"):
            force_setattr(self, name, arguments.text(getattr(self, name), name).strip())


class Surroundings:
    """What the registry and the data say of a table, looked up once; anew by who was overtaken, for what may have come with the other."""

    def __init__(self, subject: Subject, terms: Terms, *, note: bool = True) -> None:
        self.subject, self.terms = subject, terms
        self.note = note
        self._judged_on: str | None = None

    def judge_on(self, head: Version | None) -> None:
        """Have a step judged on this version: contracts, policies and data are looked up anew, if it was judged on another before."""
        digest = "" if head is None else head.digest
        if self._judged_on not in (None, digest):
            for name in ("contracts", "policies", "has_snapshots"):
                self.__dict__.pop(name, None)
        self._judged_on = digest

    @cached_property
    def contracts(self) -> contracts.Contracts:
        """What jobs have registered; whatever comes later is met after the commit."""
        return contracts.listed(self.subject.registry, self.subject.name)

    @cached_property
    def waivers(self) -> waivers.Waivers:
        """What is let through."""
        return waivers.active(
            self.subject.registry, self.subject.name, may_write=self.note and self.subject.roots.may_write, now=self.terms.now
        )

    @cached_property
    def policies(self) -> policies.Policies:
        """The policies of the registry."""
        return policies.Policies(self.subject.registry, self.subject.name)

    @cached_property
    def has_snapshots(self) -> bool:
        """Whether Paimon has written data."""
        return self.subject.has_snapshots()

    def is_empty(self) -> bool:
        """Whether it is known that there are no rows: a Paimon table without a snapshot."""
        return self.subject.place.layout is Layout.PAIMON and not self.has_snapshots


class Judged(Struct, frozen=True):
    """A plan, and whom it was judged for."""

    plan: Plan
    jobs: contracts.Contracts
    notes: tuple[str, ...] = ()
    """What there is to say of data that lie elsewhere, and of options that have no effect."""
    unchecked: bool = False
    """Whether a description was not compared with data, for a reason."""

    @property
    def noted(self) -> Plan:
        """The plan with these notes, for whoever sees nothing else."""
        return with_notes(self.plan, self.notes) if self.notes else self.plan

    def refuse(self, *, approved: bool = False, override: str = "") -> None:
        """An error if it breaks what is protected, if its result makes no sense, or if a contract that it may break cannot be read."""
        refusals.refuse_breaks(self.plan, approved=approved or bool(override))
        if self.jobs.unreadable and not override:
            raise ContractError.of(
                fault if fault.path == one.path else fault._replace(message=f"{one.path}: {fault.message}")
                for one in self.jobs.unreadable
                for fault in one.error.faults
            )


def asks_for_data(wanted: Wanted) -> bool:
    """Return whether it matters if there are data; what a schema or a table file changes is known later."""
    return not isinstance(wanted, Sequence) or any(isinstance(change, HELD_BY_DATA) for change in wanted)


def judged(around: Surroundings, head: Version | None, past: EarlierVersions, wanted: Wanted) -> Judged:
    """The plan for what is wanted, on the head."""
    check_table(around.subject, wanted)
    around.judge_on(head)
    excused = _policy(around, head, past, wanted).excused(around.waivers.waivers)
    policy = waived_jobs.among(excused, lambda: around.contracts)
    plan = _made(around, _healed(head, past), past, wanted, policy)
    if head is not None:
        plan = _guarded(around, head, _laid_out(around, head, wanted, plan))
    report = _of_stale_jobs(around, head, plan, policy)
    if head is not None:
        report = returning_columns.with_remedies(report, around.subject.typed, head, past)
    noted = with_notes(msgspec.structs.replace(plan, report=report), _said(around, head, past, policy))
    if noted.verdict is Verdict.INVALID:
        return Judged(noted, around.contracts)
    return _elsewhere(around, head, past, Judged(noted, around.contracts), policy)


def _elsewhere(around: Surroundings, head: Version | None, past: EarlierVersions, judged: Judged, policy: Policy) -> Judged:
    """The same, with what data that lie elsewhere say; an error where they contradict, or where an option means something else."""
    subject, old, new = around.subject, None if head is None else head.schema, judged.plan.result
    no_effect = option_effects.check(str(subject.name), subject.place.layout, old, new, past.had_value)
    subject.check_apart(head, new)
    found = compare_data.compared(subject, old, new, around.terms.unchecked)
    plan = _with_unseen(judged.plan, str(subject.name), found, policy, around.terms.now)
    return msgspec.structs.replace(judged, plan=plan, notes=(*found.notes, *no_effect), unchecked=found.unchecked)


def _with_unseen(plan: Plan, table: str, found: compare_data.Compared, policy: Policy, now: datetime | None) -> Plan:
    """The plan, whose report says that nothing was seen at the other place that it names."""
    if not found.unseen:
        return plan
    unseen = table_findings.ruled([table_findings.not_looked_at(table, found.unseen, found.fix)], policy, now)
    return msgspec.structs.replace(plan, report=msgspec.structs.replace(plan.report, findings=(*plan.report.findings, *unseen)))


def _made(around: Surroundings, head: Version | None, past: EarlierVersions, wanted: Wanted, policy: Policy) -> Plan:
    """The plan, judged against every version; and again against those that are live, where it makes a difference."""
    subject, terms = around.subject, around.terms
    jobs = contracts.active(around.contracts, terms.now).blocking
    about: dict[str, Any] = {"policy": policy, "history": past.history, "contracts": jobs, "evidence": terms.evidence, "now": terms.now}

    def against(live: Collection[int] | None) -> Plan:
        if isinstance(wanted, TableFile):
            return table_file.plan(wanted, head, live=live, **about)
        snapshots = head is not None and asks_for_data(wanted) and around.has_snapshots
        return Plan.of(head, wanted, live=live, has_snapshots=snapshots, table=str(subject.name), **about)

    plan = against(None)
    live = subject.live(note=around.note) if head is not None and _asks_for_live(policy, plan.report) else None
    return plan if live is None else against(live)


def _laid_out(around: Surroundings, head: Version, wanted: Wanted, plan: Plan) -> Plan:
    """The plan, as far as the rows that there are allow it."""
    if isinstance(wanted, TableFile | TableSchema) and not plan.unchanged and around.has_snapshots:
        immutable_layout.check_kept(head.schema, plan.result)
    if immutable_layout.is_fixed_by_data(plan.report) and around.is_empty():
        return msgspec.structs.replace(plan, report=immutable_layout.while_empty(plan.report))
    return plan


def _of_stale_jobs(around: Surroundings, head: Version | None, plan: Plan, policy: Policy) -> Report:
    """The report, with what jobs would lack that have not been seen for long."""
    now = around.terms.now
    old = None if head is None else head.schema
    return stale_contracts.told(plan.report, contracts.active(around.contracts, now).stale, old, plan.result, policy=policy, now=now)


def _said(around: Surroundings, head: Version | None, past: EarlierVersions, policy: Policy) -> Iterator[str]:
    """What has to be said beside the findings."""
    yield from around.waivers.said
    yield from _ignored(policy, around.terms)
    yield from _unguarded(around)
    yield from _doubts(past, head)
    yield from (f"a contract cannot be read: {one}" for one in around.contracts.unreadable)


def _unguarded(around: Surroundings) -> Iterator[str]:
    """That the registry which was named holds nothing: a misspelled one protects nothing."""
    named = around.subject.roots.registry_named and not around.contracts.registered and not around.policies.there
    if named and not around.subject.registry.list(""):
        yield f"the registry {around.subject.registry.url} is empty: no policy, no contract and no waiver counts"


def _healed(head: Version | None, past: EarlierVersions) -> Version | None:
    """The head, with the highest id that was ever given out: an outside writer may have let it fall."""
    highest = past.highest_field_id
    if head is None or head.schema.highest_field_id >= highest:
        return head
    return msgspec.structs.replace(head, schema=msgspec.structs.replace(head.schema, highest_field_id=highest))


def _doubts(past: EarlierVersions, head: Version | None) -> Iterator[str]:
    """That the history does not hold together, so that what was judged against it may not be what was there."""
    found = [] if head is None else past.mutated(head)
    if found:
        yield f"the history does not hold together: {found[0].message}" + (f" (+{len(found) - 1} more)" if len(found) > 1 else "")


def _guarded(around: Surroundings, head: Version | None, found: Plan) -> Plan:
    """The plan; where it makes the table's own policy weaker, so that the step after it could do anything, it says so and is refused."""
    if head is None or all(one.path != POLICY_OPTION for one in found.report.findings):
        return found
    terms, layout = around.terms, around.subject.place.layout
    less = policies.weaker_by(around.policies, head.schema, found.result, layout, terms.now)
    verdict = Verdict.WARN if terms.override else Verdict.BREAK
    report = policy_strictness.told(found.report, POLICY_OPTION, less, verdict) if less else found.report
    return msgspec.structs.replace(found, report=report)


def _ignored(policy: Policy, terms: Terms) -> Iterator[str]:
    """That a caller asked for less than the table's policy, and said no reason."""
    if terms.policy is not None and not terms.override:
        less = policy_strictness.weakened(policy, policy_of(terms.policy), moment(terms.now))
        if less:
            yield f"judged by the table's own policy as well, which only an override weakens: {'; '.join(less)}"


def check_table(subject: Subject, wanted: Wanted) -> None:
    """RefusedNameError if a table file is about another table."""
    if isinstance(wanted, TableFile) and wanted.table != str(subject.name):
        message = f"the table file is about {wanted.table}, and not about {subject.name}."
        raise RefusedNameError(message, code="table-file.other-table", path=str(subject.name), fix="Name the table that it is about.")


def with_notes(found: Plan, notes: Iterable[str]) -> Plan:
    """The plan, saying more."""
    notes = tuple(dict.fromkeys([*found.report.notes, *notes]))
    return msgspec.structs.replace(found, report=msgspec.structs.replace(found.report, notes=notes))


def _asks_for_live(policy: Policy, report: Report) -> bool:
    """Whether it matters which of the older versions lie in files: where nothing is wrong with all of them, it does not."""
    lives = any(one.against is Against.LIVE for one in policy.joined())
    return lives and any(one.data is not Verdict.OK for one in report.findings)


def _policy(around: Surroundings, head: Version | None, past: EarlierVersions, wanted: Wanted) -> Policy:
    subject, terms = around.subject, around.terms
    old, new = _step(subject, head, past, wanted)
    about: dict[str, Any] = {"layout": subject.place.layout, "override": terms.override, "there": around.policies}
    own = policies.for_step(subject.registry, subject.name, old, new, **about)
    asked = terms.policy
    if asked is None and terms.override.strip():
        asked = Policy(name=own.name, protect=_LENIENT, against=own.against, readers=own.readers)  # type: ignore[arg-type]  # read from plain values
    return own.for_caller(asked, override=terms.override)


def _step(subject: Subject, head: Version | None, past: EarlierVersions, wanted: Wanted) -> tuple[TableSchema, TableSchema]:
    """The schemas before and after, as far as a policy may depend on them."""
    if isinstance(wanted, TableSchema):
        return (wanted if head is None else head.schema), wanted
    if isinstance(wanted, TableFile):
        if head is None:
            created = wanted.create()
            return created, created
        if not (wanted.mentions("policy") or wanted.mentions("format")):
            return head.schema, head.schema
        return head.schema, table_file.changes_of(wanted, head.schema, past.history).target
    if head is None:
        raise subject.missing()
    touching = [one for one in wanted if isinstance(one, SetOption | RemoveOption) and one.key in (POLICY_OPTION, "schemas.table")]
    return head.schema, evolve(head.schema, touching) if touching else head.schema


# ---------------------------------------------------------------- afterwards


def late(subject: Subject, judged_for: contracts.Contracts, head: Version | None, version: Version, terms: Terms) -> tuple[Report, ...]:
    """What was registered since the judgement, and does not fit the version that was written; and, as notes, what cannot be read."""
    known = {(one.team, one.consumer, one.number) for one in judged_for}
    listed = contracts.listed(subject.registry, subject.name, known)
    since = [one for one in listed if not one.pending]
    lost = [one for one in listed.unreadable if one.path not in {other.path for other in judged_for.unreadable}]
    unread = [Report(table=str(subject.name), new=version.number, notes=contracts.Contracts(unreadable=tuple(lost)).said)] if lost else []
    if not since:
        return tuple(unread)
    about: dict[str, Any] = {"seen": None if head is None else head.schema, "policy": _excused(subject, terms)}
    about |= {"table": str(subject.name), "version": version.number, "now": terms.now}
    about["policy"] = policies.with_readers(about["policy"], policies.readers_of(version.schema, subject.place.layout))
    reports = [check_contract(version.schema, one.contract, **about) for one in since]
    return (*(one for one in reports if not one.fits), *unread)


def _excused(subject: Subject, terms: Terms) -> Policy:
    """The waivers that count, and nothing that a policy leaves out: whoever came late is told of."""
    excused = Policy().excused(waivers.active(subject.registry, subject.name, may_write=False, now=terms.now).waivers)
    return waived_jobs.for_jobs(excused, subject.registry, subject.name)


def read_changes(changes: Any) -> tuple[SchemaChange, ...]:
    """The changes that a caller wants; one alone need not stand in a list."""
    if isinstance(changes, str | Mapping) or (isinstance(changes, Struct) and not isinstance(changes, TableSchema)):
        changes = [changes]
    return tuple(parse_changes(changes))
