"""Verdicts about schemas: the step from one to another, a table file against its table, and a schema by itself."""

from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from airflow_provider_schemas.cli import policy_option, registered_jobs
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import base, data, file_policy, missing_tables
from airflow_provider_schemas.cli.judging.compared import by_itself, name_of, table_version
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.compatibility.check import check, check_new
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.table_file.planning.source_places import with_places
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.store.table import Table

_MAX_NAMES = 20


def step(old: Operand, new: Operand, args: Namespace) -> ComparedReport:
    """Judge the step from the old operand to the new one."""
    report = about_file(_step_report(old, new, args), new)
    return ComparedReport(f"{name_of(new, args)} with {name_of(old, args)}", report)


def _step_report(old: Operand, new: Operand, args: Namespace) -> Report:
    table = old.table or new.table
    if table is None:
        return _file_step(old, new, args)
    return data.without_data(_table_step(old, new, table, args), table)


def _file_step(old: Operand, new: Operand, args: Namespace) -> Report:
    """Judge the step between two files by the policy of the line, else by that of the files."""
    policy = policy_option.read_policy(args) or file_policy.of_step(old.schema, new)
    if new.file is not None:
        return with_left_alone(table_file.plan(new.file, version_of(old), policy=policy))
    return _check(old, new, policy)


def _table_step(old: Operand, new: Operand, table: "Table", args: Namespace) -> Report:
    """Judge a step from or to a version of a table by the policy of the table, and against its jobs and its earlier versions."""
    history = _versions_before(old)
    policy = policy_option.combine(args, table.policy())
    jobs = registered_jobs.jobs_of(table)
    if new.file is None:
        report = _check(old, new, policy, history, jobs.blocking)
        report = _with_remedies(report, table, is_written=new.version is not None)
        return jobs.add_warnings(report, old.schema, new.schema, policy)
    plan = table_file.plan(new.file, version_of(old), policy=policy, history=history, contracts=jobs.blocking)
    report = with_left_alone(plan)
    if old.table is not None:
        report = replace(report, notes=(*report.notes, *_notes_about_data(old.table, old.schema, plan, args)))
    return jobs.add_warnings(report, old.schema, plan.result, policy)


def _check(
    old: Operand, new: Operand, policy: Judging | None, history: Sequence[Version] = (), contracts: "Sequence[Contract]" = ()
) -> Report:
    """Check one schema against another; by name, where the ids of columns do not belong to one table."""
    by_name = not (old.ids and new.ids) or old.name != new.name
    return check(old.judged, new.judged, policy, history=history, contracts=contracts, table=old.name or new.subject, by_name=by_name)


def _notes_about_data(table: "Table", old: TableSchema, plan: Plan, args: Namespace) -> Iterable[str]:
    """Compare a description that names another location with the files there, and return notes about that."""
    from airflow_provider_schemas.store.commit import compare_data

    return compare_data.compare(table.subject, old, plan.result, args.unchecked).notes


def _with_remedies(report: Report, table: "Table", *, is_written: bool) -> Report:
    from airflow_provider_schemas.store.commit import returning_columns
    from airflow_provider_schemas.store.versions.past import EarlierVersions

    if table.subject.is_mounted:
        head = table.latest()
        past = _before(table, head)
    else:
        *past, head = table.versions()
    if is_written:
        return returning_columns.with_remedies_afterwards(report, table.subject.typed, head.schema, head, EarlierVersions.of(past))
    return returning_columns.with_remedies(report, table.subject.typed, head, EarlierVersions.of(past))


def _versions_before(operand: Operand) -> list[Version]:
    """Return the versions of a table before one of them; a file has none."""
    if operand.table is None or operand.version is None:
        return []
    return _before(operand.table, operand.version)


def _before(table: "Table", version: Version) -> list[Version]:
    """Return the versions of a table that came before one of them, oldest first."""
    from airflow_provider_schemas.store.versions.heads import heads_of, versions_before

    return list(versions_before(table.versions(), version, heads_of(table.subject.versions)))


def version_of(operand: Operand) -> Version:
    """Return the version that was read, or the schema of a file as a version."""
    if operand.version is not None:
        return operand.version
    return Version.read(operand.schema.to_json().encode(), operand.schema.id)


# ---------------------------------------------------------------- table files


def table_file_step(operand: Operand, file: TableFile, args: Namespace, judged: Collection[str] = ()) -> ComparedReport:
    """Judge a table file against its table; by itself, where the line says that there is none.

    `judged` are the tables that the files of the line are about.
    """
    table = base.table_of(file, operand.label, args)
    policy = policy_option.read_policy(args)
    if table is None:
        plan = table_file.plan(file, None, policy=policy)
        findings = (*plan.report.findings, *missing_tables.misspelled(file, args, judged))
        report = replace(plan.report, findings=findings, notes=(*plan.report.notes, base.note_of(args)))
        report = about_file(report, operand)
        return ComparedReport(base.compared_with_nothing(file, operand.label, args), report)
    plan = table.plan(target=file, policy=policy, override=args.override, unchecked=args.unchecked)
    report = data.with_data_after(plan, with_left_alone(plan), table, policy_option.combine(args, table.policy()))
    return ComparedReport(compared_with_base(operand, plan, args), about_file(report, operand))


def about_file(report: Report, operand: Operand) -> Report:
    """Return the report with the file of an operand, and with the place of each finding where people wrote the file."""
    if operand.table is not None or operand.label == local_io.STANDARD_INPUT:
        return report
    if operand.file is not None:
        report = with_places(report, operand.file)
    return replace(report, file=operand.label)


def compared_with_base(operand: Operand, plan: Plan, args: Namespace) -> str:
    """Write on which version of a table of the store a plan was made."""
    if plan.base is None:
        return by_itself(operand.label)
    return f"{operand.label} with {table_version(plan.table, plan.base.number, args, plan.base.branch)}"


def with_left_alone(plan: Plan) -> Report:
    """Return the report with a note about the columns that the file does not mention: they stay."""
    if not plan.left_alone:
        return plan.report
    names = listed(plan.left_alone, _MAX_NAMES)
    note = f"{names}: not in the file, and left alone. What shall go stands under `dropped:`"
    return replace(plan.report, notes=(*plan.report.notes, note))


def with_file(report: Report, file: str) -> Report:
    """Return the report with the file that it is about."""
    return replace(report, file=file)


# ---------------------------------------------------------------- one schema


def alone(operand: Operand, args: Namespace) -> ComparedReport:
    """Judge a schema by itself; that of a table also against the jobs that are registered, and its files against each other."""
    if operand.table is None:
        report = check_new(operand.schema, policy_option.read_policy(args), table=operand.subject)
        report = about_file(replace(report, notes=(*report.notes, base.ALONE)), operand)
        return ComparedReport(by_itself(operand.label), report)
    return _table_alone(operand, operand.table, args)


def _table_alone(operand: Operand, table: "Table", args: Namespace) -> ComparedReport:
    from airflow_provider_schemas.store.common.table_findings import weighed

    policy = policy_option.combine(args, table.policy())
    jobs = registered_jobs.jobs_of(table)
    report = check_new(operand.schema, policy, contracts=jobs.fitted, table=operand.name)
    report = jobs.add_warnings(report, None, operand.schema, policy)
    history = table.inspect()
    notes = (*report.notes, *jobs.waiting, *history.notes)
    report = data.with_data(replace(report, notes=notes), operand, None, policy, jobs.fitted)
    known = {(finding.rule, finding.path, finding.message) for finding in report.findings}
    inspected = weighed(history.findings, policy)
    fresh = [finding for finding in inspected if (finding.rule, finding.path, finding.message) not in known]
    report = replace(report, findings=(*report.findings, *fresh))
    contracts = counted(len(jobs.fitted), "registered contract") if jobs.fitted else "no contract, as none is registered,"
    return ComparedReport(f"{name_of(operand, args)} with {contracts} and its other versions", report)
