"""Judge a step with everything that the store knows: the table's policy, its history, registered jobs, waivers, live versions, data.

`evaluate` shows the order. The result is a plan with a report, and `EvaluatedPlan.refuse` decides whether it may be written.
"""

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
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.evolution.evolve import HELD_BY_DATA, evolve
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Against, Policy, policy_of
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, Fault, RefusedNameError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.store.commit import compare_data, immutable_layout, option_effects, refusals, returning_columns
from airflow_provider_schemas.store.commit.by_source import unbearable
from airflow_provider_schemas.store.common import arguments, table_findings
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import (
    contracts,
    given_contracts,
    policies,
    policy_strictness,
    replaced_pins,
    stale_contracts,
    waived_jobs,
    waivers,
)
from airflow_provider_schemas.store.registry.json_records import others
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.past import EarlierVersions

Wanted = Sequence[SchemaChange] | TableSchema | TableFile
"""What somebody wants of a table: changes, the schema itself, or what a table file says."""

_LENIENT = {"data": "warn", "jobs": "warn", "writers": "warn"}
# The options on which the policy of a table depends.
_POLICY_OPTIONS = (POLICY_OPTION, "schemas.table")


class CommitTerms(Struct, frozen=True):
    """The terms on which a change is asked for."""

    policy: Policy | Mapping[str, Any] | None = None
    override: str = ""
    evidence: tuple[Any, ...] = ()
    now: datetime | None = None
    unchecked: str = ""
    """Why a description is not compared with data that it names anew."""
    jobs: tuple[Contract, ...] = ()
    """Contracts that count as registered, in place of what the same jobs have registered."""

    def __post_init__(self) -> None:
        for name in ("override", "unchecked"):
            force_setattr(self, name, arguments.text(getattr(self, name), name).strip())


class TableContext:
    """What the registry and the data say of a table, looked up once a head: another writer's version may have come with a contract."""

    def __init__(self, subject: Subject, terms: CommitTerms, *, note: bool = True) -> None:
        self.subject = subject
        self.terms = terms
        self.note = note
        """Whether what is found out on the way may be written down."""
        self.back_to: int | None = None
        """The number of the old version that is to come back, where that is what is asked for."""
        self._judged_on: str | None = None

    def judge_on(self, head: Version | None) -> None:
        """Judge the step on this head: look contracts, policies and data up anew, if it was judged on another head before."""
        digest = "" if head is None else head.digest
        if self._judged_on not in (None, digest):
            # Not the waivers: the first look at one that has ended writes that down, and a second look would no longer note it.
            for name in ("contracts", "policies", "has_snapshots"):
                self.__dict__.pop(name, None)
        self._judged_on = digest

    @cached_property
    def contracts(self) -> contracts.Contracts:
        """The contracts that jobs have registered; those that come later are met after the commit."""
        listed = contracts.listed(self.subject.registry, self.subject.name)
        if self.subject.is_mounted:
            listed = replaced_pins.all_matched_again(listed, self.subject.latest())
        return given_contracts.with_given(listed, self.terms.jobs, self.subject.roots.team)

    @cached_property
    def waivers(self) -> waivers.Waivers:
        """The waivers of the table that count."""
        may_write = self.note and self.subject.roots.may_write
        return waivers.active(self.subject.registry, self.subject.name, may_write=may_write, now=self.terms.now)

    @cached_property
    def policies(self) -> policies.Policies:
        """The policies of the registry."""
        return policies.Policies(self.subject.registry, self.subject.name)

    @cached_property
    def has_snapshots(self) -> bool:
        """Whether Paimon has written data."""
        return self.subject.has_snapshots()

    def is_empty(self) -> bool:
        """Return whether it is known that there are no rows: a Paimon table without a snapshot."""
        return self.subject.place.layout is Layout.PAIMON and not self.has_snapshots


class EvaluatedPlan(Struct, frozen=True):
    """A plan, and the contracts by which it was judged."""

    plan: Plan
    jobs: contracts.Contracts
    notes: tuple[str, ...] = ()
    """Notes about data that lie elsewhere, and about options that have no effect."""
    unchecked: bool = False
    """Whether a description was not compared with data, for a reason."""

    @property
    def noted(self) -> Plan:
        """The plan with these notes, for callers that see nothing else."""
        return with_notes(self.plan, self.notes) if self.notes else self.plan

    def refuse(self, *, approved: bool = False, override: str = "") -> None:
        """Raise if it breaks what is protected, if its result is invalid, or if a contract that it may break cannot be read."""
        refusals.refuse_breaks(self.plan, approved=approved or bool(override))
        self.refuse_unreadable(override=override)

    def refuse_unreadable(self, *, override: str = "") -> None:
        """Raise ContractError if a contract that it may break cannot be read: no approval is of that."""
        if self.jobs.unreadable and not override:
            raise ContractError.of(_unreadable_faults(self.jobs))


def _unreadable_faults(jobs: contracts.Contracts) -> Iterator[Fault]:
    for unreadable in jobs.unreadable:
        for fault in unreadable.error.faults:
            if fault.path == unreadable.path:
                yield fault
            else:
                yield fault._replace(message=f"{unreadable.path}: {fault.message}")


# ---------------------------------------------------------------- the order of a judgement


def evaluate(context: TableContext, head: Version | None, past: EarlierVersions, wanted: Wanted) -> EvaluatedPlan:
    """Return the plan for what is wanted on the head, judged: policy, plan, layout, stale jobs, returning columns, options, data."""
    check_table(context.subject, wanted)
    context.judge_on(head)
    policy = _policy_of_step(context, head, past, wanted).excused(context.waivers.waivers)
    policy = waived_jobs.among(policy, lambda: context.contracts)
    plan = _plan(context, _with_highest_id(head, past), past, wanted, policy)
    if head is not None:
        plan = unbearable.with_findings(context.subject, plan, context.back_to)
        plan = _check_layout(context, head, wanted, plan)
        plan = _report_weaker_policy(context, head, plan)
    report = _warn_stale_jobs(context, head, plan, policy)
    if head is not None:
        report = returning_columns.with_remedies(report, context.subject.typed, head, past)
    plan = with_notes(msgspec.structs.replace(plan, report=report), _notes(context, head, past, policy))
    evaluated = EvaluatedPlan(plan, context.contracts)
    if plan.verdict is Verdict.INVALID:
        return evaluated
    return _check_data(context, head, past, evaluated, policy)


def _plan(context: TableContext, head: Version | None, past: EarlierVersions, wanted: Wanted, policy: Policy) -> Plan:
    """Return the plan, judged against every version; and again against those that are live, where it makes a difference."""
    subject = context.subject
    terms = context.terms
    jobs = contracts.active(context.contracts, terms.now).blocking
    about: dict[str, Any] = {
        "policy": policy,
        "history": past.history,
        "contracts": jobs,
        "evidence": terms.evidence,
        "now": terms.now,
    }

    def plan_against(live: Collection[int] | None) -> Plan:
        if isinstance(wanted, TableFile):
            return table_file.plan(wanted, head, live=live, **about)
        snapshots = head is not None and asks_for_data(wanted) and context.has_snapshots
        return Plan.of(head, wanted, live=live, has_snapshots=snapshots, table=str(subject.name), **about)

    plan = plan_against(None)
    if head is None or not _asks_for_live(policy, plan.report):
        return plan
    live = subject.references(note=context.note).live
    return plan if live is None else plan_against(live)


def _asks_for_live(policy: Policy, report: Report) -> bool:
    """Return whether it matters which older versions lie in files: where nothing is wrong with all of them, it does not."""
    if all(finding.data is Verdict.OK for finding in report.findings):
        return False
    return any(rules.against is Against.LIVE for rules in policy.joined())


def _with_highest_id(head: Version | None, past: EarlierVersions) -> Version | None:
    """Return the head with the highest id that was ever given out: an outside writer may have let it fall."""
    highest = past.highest_field_id
    if head is None or head.schema.highest_field_id >= highest:
        return head
    return msgspec.structs.replace(head, schema=msgspec.structs.replace(head.schema, highest_field_id=highest))


def _check_layout(context: TableContext, head: Version, wanted: Wanted, plan: Plan) -> Plan:
    """Return the plan, as far as the rows that there are allow it."""
    if isinstance(wanted, TableFile | TableSchema) and not plan.unchanged and context.has_snapshots:
        immutable_layout.check_kept(head.schema, plan.result)
    if immutable_layout.is_fixed_by_data(plan.report) and context.is_empty():
        return msgspec.structs.replace(plan, report=immutable_layout.while_empty(plan.report))
    return plan


def _warn_stale_jobs(context: TableContext, head: Version | None, plan: Plan, policy: Policy) -> Report:
    """Return the report, with warnings about jobs that have not been seen for long."""
    now = context.terms.now
    stale = contracts.active(context.contracts, now).stale
    return stale_contracts.with_warnings(plan.report, stale, _schema_of(head), plan.result, policy=policy, now=now)


def _check_data(
    context: TableContext, head: Version | None, past: EarlierVersions, evaluated: EvaluatedPlan, policy: Policy
) -> EvaluatedPlan:
    """Compare the plan with data that lie elsewhere; raise where they contradict it, or where an option means another change."""
    subject = context.subject
    plan = evaluated.plan
    old = _schema_of(head)
    no_effect = option_effects.check(str(subject.name), subject.place.layout, old, plan.result, past.had_value)
    subject.check_apart(head, plan.result)
    comparison = compare_data.compare(subject, old, plan.result, context.terms.unchecked)
    if comparison.unseen:
        finding = table_findings.not_looked_at(str(subject.name), comparison.unseen, comparison.fix)
        plan = _with_findings(plan, table_findings.ruled([finding], policy, context.terms.now))
    notes = (*comparison.notes, *no_effect)
    return msgspec.structs.replace(evaluated, plan=plan, notes=notes, unchecked=comparison.unchecked)


def _schema_of(head: Version | None) -> TableSchema | None:
    return None if head is None else head.schema


def _with_findings(plan: Plan, findings: Iterable[Finding]) -> Plan:
    report = plan.report
    return msgspec.structs.replace(plan, report=msgspec.structs.replace(report, findings=(*report.findings, *findings)))


# ---------------------------------------------------------------- notes


def _notes(context: TableContext, head: Version | None, past: EarlierVersions, policy: Policy) -> Iterator[str]:
    """Yield what has to be said beside the findings."""
    yield from context.waivers.said
    yield from _note_ignored_policy(policy, context.terms)
    yield from _note_empty_registry(context)
    mutated = [] if head is None else past.mutated(head)
    if mutated:
        yield f"the history does not hold together: {mutated[0].message}{others(len(mutated))}"
    for unreadable in context.contracts.unreadable:
        yield f"a contract cannot be read: {unreadable}"


def _note_empty_registry(context: TableContext) -> Iterator[str]:
    """Yield a note if the registry that was named holds nothing: a misspelled one protects nothing."""
    subject = context.subject
    if not subject.roots.registry_named or context.contracts.registered or context.policies.there:
        return
    if not subject.registry.list(""):
        yield f"the registry {subject.registry.url} is empty: no policy, no contract and no waiver counts"


def _note_ignored_policy(policy: Policy, terms: CommitTerms) -> Iterator[str]:
    """Yield a note if the caller asked for less than the table's policy, and gave no reason."""
    if terms.policy is None or terms.override:
        return
    weaker = policy_strictness.weakened(policy, policy_of(terms.policy), moment(terms.now))
    if weaker:
        yield f"judged by the table's own policy as well, which only an override weakens: {'; '.join(weaker)}"


def with_notes(plan: Plan, notes: Iterable[str]) -> Plan:
    """Return the plan with more notes in its report."""
    notes = tuple(dict.fromkeys([*plan.report.notes, *notes]))
    return msgspec.structs.replace(plan, report=msgspec.structs.replace(plan.report, notes=notes))


# ---------------------------------------------------------------- the policy of a step


def _policy_of_step(context: TableContext, head: Version | None, past: EarlierVersions, wanted: Wanted) -> Policy:
    """Return the policy by which a step is judged: the table's own, and the stricter of both where the step changes it."""
    subject = context.subject
    terms = context.terms
    old, new = _schemas_for_policy(subject, head, past, wanted)
    own = policies.for_step(context.policies, old, new, layout=subject.place.layout, override=terms.override)
    asked = terms.policy
    if asked is None and terms.override.strip():
        asked = Policy(name=own.name, protect=_LENIENT, against=own.against, readers=own.readers)  # type: ignore[arg-type]  # read from plain values
    return own.for_caller(asked, override=terms.override)


def _schemas_for_policy(subject: Subject, head: Version | None, past: EarlierVersions, wanted: Wanted) -> tuple[TableSchema, TableSchema]:
    """Return the schemas before and after a step, as far as a policy may depend on them."""
    if isinstance(wanted, TableSchema):
        return _schema_of(head) or wanted, wanted
    if isinstance(wanted, TableFile):
        return _schemas_of_table_file(wanted, head, past)
    if head is None:
        raise subject.missing()
    changes = [change for change in wanted if isinstance(change, SetOption | RemoveOption) and change.key in _POLICY_OPTIONS]
    if not changes:
        return head.schema, head.schema
    return head.schema, evolve(head.schema, changes)


def _schemas_of_table_file(wanted: TableFile, head: Version | None, past: EarlierVersions) -> tuple[TableSchema, TableSchema]:
    if head is None:
        created = wanted.create()
        return created, created
    if not (wanted.mentions("policy") or wanted.mentions("format")):
        return head.schema, head.schema
    return head.schema, table_file.changes_of(wanted, head.schema, past.history).target


def _report_weaker_policy(context: TableContext, head: Version, plan: Plan) -> Plan:
    """Return the plan; one that makes the table's own policy weaker says so and is refused, since the step after it could do anything."""
    if all(finding.path != POLICY_OPTION for finding in plan.report.findings):
        return plan
    terms = context.terms
    weaker = policies.weaker_by(context.policies, head.schema, plan.result, context.subject.place.layout, terms.now)
    if not weaker:
        return plan
    verdict = Verdict.WARN if terms.override else Verdict.BREAK
    return msgspec.structs.replace(plan, report=policy_strictness.with_verdict(plan.report, POLICY_OPTION, weaker, verdict))


# ---------------------------------------------------------------- after the commit


def check_late(
    subject: Subject, judged_by: contracts.Contracts, head: Version | None, version: Version, terms: CommitTerms
) -> tuple[Report, ...]:
    """Judge the written version by the contracts that were registered since it was judged; note those that cannot be read."""
    known = {(contract.team, contract.consumer, contract.number) for contract in judged_by}
    listed = contracts.listed(subject.registry, subject.name, known)
    if not listed.registered and not listed.unreadable:
        return ()
    known_unreadable = {unreadable.path for unreadable in judged_by.unreadable}
    unreadable = tuple(late for late in listed.unreadable if late.path not in known_unreadable)
    newer = [contract for contract in listed if not contract.pending]
    table = str(subject.name)
    reports: list[Report] = []
    if newer:
        policy = policies.with_readers(_late_policy(subject, terms), policies.readers_of(version.schema, subject.place.layout))
        about: dict[str, Any] = {"seen": _schema_of(head), "policy": policy, "table": table, "version": version.number, "now": terms.now}
        reports = [check_contract(version.schema, contract.contract, **about) for contract in newer]
    broken = [report for report in reports if not report.fits]
    if unreadable:
        broken.append(Report(table=table, new=version.number, notes=contracts.Contracts(unreadable=unreadable).said))
    return tuple(broken)


def _late_policy(subject: Subject, terms: CommitTerms) -> Policy:
    """Return the waivers that count as a policy that leaves nothing else out: every job that came late is named."""
    active = waivers.active(subject.registry, subject.name, may_write=False, now=terms.now)
    return waived_jobs.for_jobs(Policy().excused(active.waivers), subject.registry, subject.name)


# ---------------------------------------------------------------- what callers want


def read_changes(changes: Any) -> tuple[SchemaChange, ...]:
    """Return the changes that a caller wants; a single one need not stand in a list."""
    if isinstance(changes, str | Mapping) or (isinstance(changes, Struct) and not isinstance(changes, TableSchema)):
        changes = [changes]
    return tuple(parse_changes(changes))


def asks_for_data(wanted: Wanted) -> bool:
    """Return whether it matters if there are data; what a schema or a table file changes is known later."""
    return not isinstance(wanted, Sequence) or any(isinstance(change, HELD_BY_DATA) for change in wanted)


def check_table(subject: Subject, wanted: Wanted) -> None:
    """Raise RefusedNameError if a table file is about another table."""
    if isinstance(wanted, TableFile) and wanted.table != str(subject.name):
        message = f"the table file is about {wanted.table}, and not about {subject.name}."
        raise RefusedNameError(message, code="table-file.other-table", path=str(subject.name), fix="Name the table that it is about.")
