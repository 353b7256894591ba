"""The answer about one table: its version, the policy for the job, and the report on what the job needs."""

from concurrent.futures import Future
from functools import partial
from typing import Any

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, NotThereError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.check_data import with_data
from airflow_provider_schemas.store.check_since import came_since
from airflow_provider_schemas.store.checking.job_policy import find_policy
from airflow_provider_schemas.store.checking.judgement import TableAnswer
from airflow_provider_schemas.store.checking.questions import REGISTERED, JobTerms, Question, read_contract
from airflow_provider_schemas.store.commit import new_warehouse, registry_in_use
from airflow_provider_schemas.store.common.table_findings import ruled
from airflow_provider_schemas.store.layout.identifiers import on_branch
from airflow_provider_schemas.store.layout.paths import Layout, schema_folder
from airflow_provider_schemas.store.registry import contracts
from airflow_provider_schemas.store.registry.contract_record import Registered
from airflow_provider_schemas.store.registry.fulfilled_contracts import as_fulfilled
from airflow_provider_schemas.store.registry.replaced_pins import matched_again
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.heads import all_in_order, heads_of, origin_note, versions_before

_NO_REGISTRY = "registry: none (it has no id and no version names one, so nobody would notice that it is not there)"
_MISSING_MEANS = {"fail": Verdict.BREAK, "warn": Verdict.WARN, "ok": Verdict.OK}


def answer(question: Question, registry: "Future[str]", terms: JobTerms) -> TableAnswer:
    """Return the answer about one table. The id of the registry is read meanwhile, and waited for after the first read of the table."""
    table = question.table
    try:
        head = table.latest() if question.number is None else table.version(question.number)
    except NotThereError as error:
        registry_id = registry.result()  # a registry that is not there is no reason to go on without a table
        if not table.subject.is_mounted:  # of such a one its source tells whether it is there
            new_warehouse.check_begun(table.subject.roots)
            new_warehouse.check_not_empty(table.subject.roots, registry_id)
        return TableAnswer(table=table.name, report=_report_missing(error, table.name, terms.on_missing), writes=question.writes)
    registry_id = registry.result()
    registry_in_use.check(table.subject, head, registry_id)
    policy, origin, notes = find_policy(question, head, terms)
    registered = _find_registered(question, terms.consumer)
    report = _report(question, head, policy, registered, terms)
    all_notes = dict.fromkeys([*report.notes, *notes, *_origin(table, head, report)])
    if not registry_id:
        all_notes[_NO_REGISTRY] = None
    report = msgspec.structs.replace(report, table=on_branch(table.name, head.branch), new=head.number, notes=tuple(all_notes))
    return TableAnswer(
        table=table.name,
        report=report,
        version=head,
        writes=question.writes,
        place=_where(table),
        layout=table.place.layout,
        registered=registered,
        policy=origin,
    )


def _origin(table: Table, head: Version, report: Report) -> tuple[str, ...]:
    """Return since when the schema of a mounted table is current and by whom, where it does not fit: its log is read for nothing else."""
    if report.fits or not table.subject.is_mounted:
        return ()
    note = origin_note(table.subject.versions.heads(), head)
    return (note,) if note else ()


def _where(table: Table) -> str:
    """Return the folder of the schema files of a table; of a mounted one, where it is at its source."""
    place = table.place
    inside = table.table if place.layout is Layout.MOUNTED else schema_folder(place.folder, table.branch_name)
    return f"{place.files.url.rstrip('/')}/{inside}"


def _report_missing(error: NotThereError, table: str, on_missing: str) -> Report:
    """Report what it means that a table is not there."""
    rule = RULES["TABLE_MISSING"]
    finding = Finding(
        rule.id,
        "table",
        error.message,
        error.fix,
        _MISSING_MEANS[on_missing],
        verdicts=rule.answers(),
        data=Verdict.BREAK,
        jobs=Verdict.BREAK,
        writers=Verdict.BREAK,
    )
    return Report((finding,), table=table)


def _find_registered(question: Question, consumer: str) -> Registered | None:
    """Return the contract that the job has registered, however long ago it was seen: now it is there."""
    if not question.asks_for_registered:
        return None
    if not consumer:
        message = f"{REGISTERED} is the contract of a job, and which job is not said."
        raise ContractError(message, code="contract.no-name", path="consumer", fix="Pass consumer, the name of the job.")
    return contracts.found(question.table.registry, question.table.id, consumer, home=question.home)


# ---------------------------------------------------------------- the report


def _report(question: Question, head: Version, policy: Policy, registered: Registered | None, terms: JobTerms) -> Report:
    """Report what breaks the job: what came since it looked, or what its contract lacks; and what the data add."""
    table = question.table
    now = terms.now
    looking: dict[str, Any] = {"policy": policy, "allowed": question.look, "now": now}
    if question.need is None:
        report = came_since(table, head, question.since, policy, pinned=question.number is not None, now=now)
        return with_data(report, table, head, None, writes=question.writes, **looking)
    about: dict[str, Any] = {"policy": policy, "table": table.name, "version": head.number, "now": now}
    if registered is not None:
        registered, questions = matched_again(registered, head)
        registered, notes = as_fulfilled(registered, head, partial(all_in_order, table.subject.versions), policy, now)
        report = check_contract(head.schema, registered.contract, **about)
        if not report.fits and table.subject.is_mounted and registered.seen is not None and not registered.contract.pins:
            report = _explain(question, head, registered.contract, report, about)  # the table mapped no columns at that time
        findings = (*ruled(questions, policy, now), *report.findings) if questions else report.findings
        report = msgspec.structs.replace(report, findings=findings, notes=(*report.notes, *notes))
        return with_data(report, table, head, registered.contract, **looking)
    contract, questions = _pinned_as_before(question, head, read_contract(question, terms.consumer), terms.consumer)
    report = check_contract(head.schema, contract, **about)
    report = msgspec.structs.replace(report, findings=(*ruled(questions, policy, now), *report.findings))
    if not report.fits:
        report = _explain(question, head, contract, report, about)
    return with_data(report, table, head, contract, **looking)


def _pinned_as_before(question: Question, head: Version, contract: Contract, consumer: str) -> tuple[Contract, tuple[Finding, ...]]:
    """Return the contract, pinned to the fields that the job meant when it registered the same needs; and what is to be asked."""
    if not (consumer and question.may_be_pinned):
        return contract, ()
    try:
        known = contracts.found(question.table.registry, question.table.id, consumer, team=question.home)
    except (NotThereError, RefusedNameError):
        return contract, ()
    if known.given.columns != contract.columns:
        return contract, ()
    known, questions = matched_again(known, head)
    return contract.model_copy(update={"columns": known.contract.columns}), questions


def _explain(question: Question, head: Version, contract: Contract, report: Report, about: dict[str, Any]) -> Report:
    """Return the report seen from the newest version that the contract did fit: what was renamed since is then named as a rename."""
    fitting = _last_fitting(question, head, contract, about)
    if fitting is None:
        return report
    report = check_contract(head.schema, contract, seen=fitting.schema, **about)
    note = f"version {fitting.number} did fit"
    return msgspec.structs.replace(report, old=fitting.number, notes=(*report.notes, note))


def _last_fitting(question: Question, head: Version, contract: Contract, about: dict[str, Any]) -> Version | None:
    """Return the newest version that the contract fits; None if an old one cannot be read."""
    try:
        versions = question.table.versions()
        earlier = versions_before(versions, head, heads_of(question.table.subject.versions))
    except SchemaError:
        return None
    for version in reversed(earlier):
        if check_contract(version.schema, contract, **{**about, "version": version.number}).fits:
            return version
    return None
