"""Verdicts about schemas: the step from one to another, a table file against its table, and a schema by itself."""

from argparse import Namespace
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from airflow_provider_schemas.cli import policy_option, registered_jobs
from airflow_provider_schemas.cli.judging import base, data, file_policy, missing_tables
from airflow_provider_schemas.cli.judging.compared import by_itself, name_of, table_version
from airflow_provider_schemas.cli.judging.verdicts import Judged
from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.core.compatibility.check import check, check_new
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

_LEFT_ALONE = 20


def step(old: Thing, new: Thing, args: Namespace) -> Judged:
    """Judge the step from the old one to the new one."""
    report, table = _step(old, new, args), old.table or new.table
    rests = report if table is None else data.of_schemas(report, table)
    return Judged(f"{name_of(new, args)} with {name_of(old, args)}", rests)


def _step(old: Thing, new: Thing, args: Namespace) -> Report:
    table = old.table or new.table
    before = () if old.table is None or old.version is None else _before(old.table, old.version)
    own = None if table is None else policy_option.of_table(args, table.policy())
    policy: Judging | None = own or _of_files(old, new, args)
    jobs = None if table is None else registered_jobs.of(table)
    contracts = () if jobs is None else jobs.blocking
    if new.file is not None:
        plan = table_file.plan(new.file, version_of(old), policy=policy, history=before, contracts=contracts)
        report = _with_left_alone(plan)
        if old.table is not None:
            report = replace(report, notes=(*report.notes, *_of_the_data(old.table, old.schema, plan, args)))
        return report if jobs is None else jobs.told(report, old.schema, plan.result, own)
    name = old.name or new.subject
    by_name = not (old.ids and new.ids) or (old.name != new.name)
    report = check(old.judged, new.judged, policy, history=before, contracts=contracts, table=name, by_name=by_name)
    if table is not None:
        report = _with_remedies(report, table, is_written=new.version is not None)
    return report if jobs is None else jobs.told(report, old.schema, new.schema, own)


def _of_files(old: Thing, new: Thing, args: Namespace) -> Judging | None:
    """Return the policy of the line, else that of the files."""
    return policy_option.wanted(args) or file_policy.of_step(old.schema, new)


def _of_the_data(table: "Table", old: TableSchema, plan: Plan, args: Namespace) -> Iterable[str]:
    """Compare a description that names another place with the files there."""
    from airflow_provider_schemas.store.commit import compare_data

    return compare_data.compare(table.subject, old, plan.result, args.unchecked).notes


def _with_remedies(report: Report, table: "Table", *, is_written: bool) -> Report:
    from airflow_provider_schemas.store.commit import returning_columns
    from airflow_provider_schemas.store.versions.past import Past

    *past, head = table.versions()
    if is_written:
        return returning_columns.with_remedies_afterwards(report, table.subject.typed, head.schema, head, Past.of(past))
    return returning_columns.with_remedies(report, table.subject.typed, head, Past.of(past))


def _before(table: "Table", version: Version) -> list[Version]:
    return [earlier for earlier in table.versions() if earlier.number < version.number]


def version_of(operand: Thing) -> Version:
    """Return the version that a file stands for."""
    if operand.version is not None:
        return operand.version
    return Version.read(operand.schema.to_json().encode(), operand.schema.id)


# ---------------------------------------------------------------- table files


def table_file_step(operand: Thing, file: TableFile, args: Namespace, judged: Collection[str] = ()) -> Judged:
    """Judge a table file against its table; by itself, where the line says that there is none.

    Judged are the tables that the files of the line are about.
    """
    table = base.table_of(file, operand.label, args)
    if table is None:
        plan = table_file.plan(file, None, policy=policy_option.wanted(args))
        found = (*plan.report.findings, *missing_tables.misspelled(file, args, judged))
        report = replace(plan.report, findings=found, notes=(*plan.report.notes, base.note_of(args)))
        return Judged(base.compared_with_nothing(file, operand.label, args), report)
    plan = table.plan(target=file, policy=policy_option.wanted(args), override=args.override, unchecked=args.unchecked)
    about_data = data.of_planned(_with_left_alone(plan), table, plan, policy_option.of_table(args, table.policy()))
    return Judged(compared_with_base(operand, plan, args), about_data)


def compared_with_base(operand: Thing, plan: Plan, args: Namespace) -> str:
    """Say on which version of a table of the store a plan was made."""
    if plan.base is None:
        return by_itself(operand.label)
    return f"{operand.label} with {table_version(plan.table, plan.base.number, args, plan.base.branch)}"


def _with_left_alone(plan: Plan) -> Report:
    """Return the report, and in it the columns that the file does not mention: they stay."""
    if not plan.left_alone:
        return plan.report
    names = listed(plan.left_alone, _LEFT_ALONE)
    note = f"{names}: not in the file, and left alone. What shall go stands under `dropped:`"
    return replace(plan.report, notes=(*plan.report.notes, note))


# ---------------------------------------------------------------- one schema


def alone(operand: Thing, args: Namespace) -> Judged:
    """Judge a schema by itself; that of a table also against the jobs that are registered, and its files against each other."""
    if operand.table is None:
        report = check_new(operand.schema, policy_option.wanted(args), table=operand.subject)
        return Judged(by_itself(operand.label), replace(report, notes=(*report.notes, base.ALONE)))
    policy = policy_option.of_table(args, operand.table.policy())
    jobs = registered_jobs.of(operand.table)
    report = check_new(operand.schema, policy, contracts=jobs.fitted, table=operand.name)
    report, seen = jobs.told(report, None, operand.schema, policy), operand.table.inspect()
    notes = (*report.notes, *jobs.waiting, *seen.notes)
    report = data.with_data(replace(report, findings=(*report.findings, *seen.findings), notes=notes), operand, None, policy, jobs.fitted)
    known = counted(len(jobs.fitted), "registered contract") if jobs.fitted else "no contract, as none is registered,"
    return Judged(f"{name_of(operand, args)} with {known} and its other versions", report)
