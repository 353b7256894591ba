"""What data fixes: how rows were laid out can't change once there are any, whether changes say so or a schema to be reached.

A change is refused by itself where the table holds data. A schema that is to be reached is only compared, so the changes that
lead there are tried twice, and what is refused because of the data alone is the fault.
"""

from collections.abc import Sequence

import msgspec

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ChangeError, Fault, SchemaError

_FIXED_BY_DATA = "OPTION_IMMUTABLE_CHANGED"


def is_fixed_by_data(report: Report) -> bool:
    """Return whether a report speaks of what only data fix."""
    return any(finding.rule == _FIXED_BY_DATA for finding in report.findings)


def while_empty(report: Report) -> Report:
    """Return the report about a table that holds no rows: what only data would fix can still be changed, and is noted."""
    findings = tuple(_allow(finding) if finding.rule == _FIXED_BY_DATA else finding for finding in report.findings)
    note = "the table holds no rows yet, so that what data fixes can be changed"
    return msgspec.structs.replace(report, findings=findings, notes=(*report.notes, note))


def _allow(finding: Finding) -> Finding:
    """Return the finding as a warning for writers: there are no data yet."""
    message = f"{finding.path} changes from {finding.old or 'nothing'} to {finding.new or 'nothing'}."
    fix = "Nothing has to be done; once there are rows, it stays as it is."
    return msgspec.structs.replace(
        finding,
        message=message,
        fix=fix,
        verdict=Verdict.WARN,
        verdicts=Answers(writers=Verdict.WARN),
        data=Verdict.OK,
        jobs=Verdict.OK,
        writers=Verdict.WARN,
        changes=(),
    )


def check_kept(old: TableSchema, new: TableSchema) -> None:
    """Raise ChangeError if rows that were written under the old schema would be laid out wrongly under the new one."""
    try:
        changes = diff(old, new).changes
        faults_without_data = _faults(old, changes, has_snapshots=False)
        faults_with_data = _faults(old, changes, has_snapshots=True)
    except SchemaError:  # two columns of one name, say: the comparison explains it better
        return
    faults = [fault for fault in faults_with_data if fault not in faults_without_data]
    if faults:
        raise ChangeError.of(faults)


def _faults(old: TableSchema, changes: Sequence[SchemaChange], *, has_snapshots: bool) -> list[Fault]:
    """Return why changes are refused."""
    faults: list[Fault] = []
    for refusal in attempt(old, changes, has_snapshots=has_snapshots)[1]:
        faults += refusal.faults
    return faults
