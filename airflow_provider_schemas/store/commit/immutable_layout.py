"""What data fixes: how rows were laid out does not change once there are any, whether changes say so or a schema to be reached.

A change is refused by itself where the table holds data. A schema that shall be reached is compared only, so
the changes that lead there are tried twice, and what is refused because of the data alone is told.
"""

import msgspec

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
    """The report about a table that holds no rows: what only data would fix can be changed still, and is worth a word."""
    findings = tuple(_allowed(one) if one.rule == _FIXED_BY_DATA else one for one in report.findings)
    note = "the table holds no rows yet, so that what data fixes can be changed"
    return msgspec.structs.replace(report, findings=findings, notes=(*report.notes, note))


def _allowed(one: Finding) -> Finding:
    message = f"{one.path} changes from {one.old or 'nothing'} to {one.new or 'nothing'}."
    fix = "Nothing has to be done; once there are rows, it stays as it is."
    answers = Answers(writers=Verdict.WARN)
    said = msgspec.structs.replace(one, message=message, fix=fix, verdict=Verdict.WARN, verdicts=answers)
    return msgspec.structs.replace(said, data=Verdict.OK, jobs=Verdict.OK, writers=Verdict.WARN, changes=())


def check_kept(old: TableSchema, new: TableSchema) -> None:
    """ChangeError if rows that were written under the old schema would be laid out wrongly under the new one."""
    try:
        changes = diff(old, new).changes
        empty, filled = (
            [fault for refusal in attempt(old, changes, has_snapshots=data)[1] for fault in refusal.faults] for data in (False, True)
        )
    except SchemaError:  # two columns of one name, say: the comparison tells it better
        return
    held: list[Fault] = [fault for fault in filled if fault not in empty]
    if held:
        raise ChangeError.of(held)
