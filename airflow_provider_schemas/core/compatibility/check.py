"""Two schemas, a policy, and what is known about files and jobs -> what breaks, for whom, why, and what to do.

The comparison sees what differs; the rules say what that means for data, jobs and writers; the policy says
what blocks. Old data is judged against every version that counts, since each of them may lie in files: what
changed in this step must be readable from all of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.comparison.added_and_dropped import came_and_went
from airflow_provider_schemas.core.comparison.fields import Comparison, new_structs
from airflow_provider_schemas.core.comparison.options import means_rows
from airflow_provider_schemas.core.comparison.table_properties import table_observations
from airflow_provider_schemas.core.compatibility.inputs import (
    checked_history,
    contracts_about,
    evidence_about,
    live_versions,
    number_of,
    schema_of,
)
from airflow_provider_schemas.core.compatibility.judge import Case, Judge
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas
from airflow_provider_schemas.core.compatibility.unrepresentable import unrepresentable
from airflow_provider_schemas.core.difference import Observation, word
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.policies.given_policy import judging
from airflow_provider_schemas.core.policies.levels import Against
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.validation.case_collisions import collisions
from airflow_provider_schemas.core.validation.validity import table_validity, validity

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence


def check(
    old: TableSchema | Version,
    new: TableSchema | Version,
    policy: Judging | Mapping[str, Any] | None = None,
    *,
    history: History | Iterable[TableSchema | Version] = (),
    contracts: "Iterable[Contract | Any]" = (),
    evidence: "Iterable[Evidence | Mapping[str, Any]]" = (),
    live: Collection[int] | None = None,
    table: str = "",
    by_name: bool = False,
    now: datetime | None = None,
) -> Report:
    """Report what the step from the old schema to the new one means, under a policy.

    History is the schemas before the old one, in any order. Live is the numbers of those that files, snapshots
    or pinned readers still use; None is unknown, and then all count. Contracts are those of jobs that are
    registered for the table. By name is for schemas whose ids mean nothing.
    """
    before = schema_of(old)
    after = schema_of(new)
    whole_policy = judging(policy)
    if before is after or _same_file(old, new):
        return Report(table=table, old=number_of(old), new=number_of(new))
    if by_name or (has_ids(before) and not has_ids(after)):
        after, _ = matched_by_name(before, after)
    step = _CheckedStep(
        before,
        after,
        checked_history(history, before),
        contracts_about(contracts, table),
        evidence_about(evidence, table),
        live_versions(live),
    )
    at = moment(now)
    report = strictest([_report_step(step, single_policy, at) for single_policy in whole_policy.joined()])
    return msgspec.structs.replace(report, table=table, old=number_of(old), new=number_of(new))


def check_new(
    schema: TableSchema,
    policy: Judging | Mapping[str, Any] | None = None,
    *,
    contracts: "Iterable[Contract | Any]" = (),
    table: str = "",
    now: datetime | None = None,
) -> Report:
    """Report what is wrong with the first schema of a table: by itself, for the listed engines, and for readers that wait for it."""
    after = checked_schema(schema)
    whole_policy = judging(policy)
    policies = list(whole_policy.joined())
    waiting = contracts_about(contracts, table)
    findings: list[Finding] = list(validity(after).findings)
    findings += _unrepresentable_columns(after, policies)
    notes = dict.fromkeys(chain.from_iterable(Ruling(single_policy, moment(now)).notes() for single_policy in policies))
    for report in _contract_reports(after, waiting, whole_policy, now):
        findings += report.findings
        notes |= dict.fromkeys(report.notes)
    return Report(tuple(findings), table=table, new=after.id, contracts=len(waiting), notes=tuple(notes))


def _unrepresentable_columns(schema: TableSchema, policies: Iterable[Judging]) -> Iterator[Finding]:
    """Yield a finding for each column that an engine of the policies cannot hold."""
    readers = tuple(dict.fromkeys(chain.from_iterable(policy.profiles for policy in policies)))
    for column in schema.fields:
        yield from unrepresentable(column.type, word(column.name), column.id, readers)


def _contract_reports(schema: TableSchema, contracts: "tuple[Contract, ...]", policy: Judging, now: datetime | None) -> Iterator[Report]:
    """Yield the report of each contract about the schema."""
    if not contracts:
        return
    from airflow_provider_schemas.core.contracts.check_contract import check_contract

    for contract in contracts:
        yield check_contract(schema, contract, policy=policy, now=now)


# ---------------------------------------------------------------- one step under one policy


class _CheckedStep(NamedTuple):
    """The step that is judged, and what is known about its table."""

    old: TableSchema
    new: TableSchema
    history: History
    contracts: "tuple[Contract, ...]"
    evidence: "tuple[Evidence, ...]"
    live: frozenset[int] | None


def _report_step(step: _CheckedStep, policy: Judging, now: datetime) -> Report:
    """Compare the schemas, then judge each difference under the policy; faults of the new schema come last."""
    compared = Comparison(step.old, step.new, now)
    files = _files_to_read(step, policy)
    observations = tuple(_observations(compared, step.history, files.counted_history))
    faults = _new_faults(compared)
    case = Case(
        step.old,
        step.new,
        # Where only the highest id differs, there is nothing to say about any row.
        observations or (Observation(rule="NO_CHANGE"),),
        files,
        step.contracts,
        step.evidence,
        step.history,
        live_history=step.history.only(step.live),
        sound=not faults,
    )
    judge = Judge(case, policy, now)
    findings = (*judge.findings(), *faults)
    return Report(findings, old=step.old.id, new=step.new.id, contracts=len(step.contracts), notes=tuple(judge.notes()))


def _files_to_read(step: _CheckedStep, policy: Judging) -> FileSchemas:
    """Return the schemas under which files may have been written that the policy wants to stay readable."""
    if policy.against is Against.PREVIOUS:
        return FileSchemas(step.history.only(()), step.old)
    if policy.against is Against.ALL or step.live is None:
        return FileSchemas(step.history, step.old)
    newest = step.old if step.old.id in step.live else None
    return FileSchemas(step.history.only(step.live), newest)


def _observations(compared: Comparison, history: History, counted_history: History) -> Iterator[Observation]:
    """Yield every difference, fields first. The history says whose an id was; a name returns where files that count have it."""
    yield from compared.observations
    yield from came_and_went(compared, history, counted_history)
    yield from collisions([*compared.structs_with_new_names, *new_structs(compared)])
    yield from table_observations(compared)


# ---------------------------------------------------------------- faults of the new schema

# Another value of the option, or none, is the next break.
_COLUMN_BACK = "Keep the column that the option names: another value of the option, or none, gives the same files other rows."


def _new_faults(compared: Comparison) -> list[Finding]:
    """Return what makes the new schema invalid and was not wrong with the old one already."""
    faults = table_validity(compared.new, same_names=compared.same_names)
    if not faults:
        return []
    known = {(fault.fault, fault.path) for fault in table_validity(compared.old)}
    return [_with_step_fix(fault, compared) for fault in faults if (fault.fault, fault.path) not in known]


def _with_step_fix(fault: Finding, compared: Comparison) -> Finding:
    """Return the fault with a fix for the step that made it: where an option stayed, its column is gone."""
    stayed = compared.old.options.get(fault.path) == compared.new.options.get(fault.path)
    if fault.rule != "OPTION_DANGLING_FIELD" or not stayed or not means_rows(fault.path):
        return fault
    return msgspec.structs.replace(fault, fix=_COLUMN_BACK)


def _same_file(old: object, new: object) -> bool:
    return isinstance(old, Version) and isinstance(new, Version) and old.identity == new.identity
