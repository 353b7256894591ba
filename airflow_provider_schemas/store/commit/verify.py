"""Is a table what a plan said it would be? Asked after an engine has carried out a plan that the store must not commit."""

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field


def same_columns(schema: TableSchema, other: TableSchema) -> bool:
    """Return whether two schemas have the same columns, whatever their ids are."""
    return [_without_id(field) for field in schema.fields] == [_without_id(field) for field in other.fields]


def _without_id(field: Field) -> tuple[str, str, str | None, str | None]:
    return field.name, str(field.type), field.description, field.default


_FIX = "Make the plan again, and run what is missing."


def verified(plan: Plan, head: Version, table: str, *, kept_by_others: bool = False) -> Report:
    """Return an empty report if the head is what the plan wanted, else one with a finding for each difference.

    Those who keep a table give new fields ids of their own.
    """
    base = None if plan.base is None else plan.base.number
    report = Report(table=table, old=base, new=head.number)
    if head.schema.content == plan.result.content or (kept_by_others and same_columns(head.schema, plan.result)):
        return msgspec.structs.replace(report, notes=(f"version {head.number} is what the plan wanted",))
    difference = diff(head.schema, plan.result)
    missing = [("table", short_text(masked_change(change))) for change in difference.changes]
    missing += [(finding.path, finding.message) for finding in difference.remainder]
    return msgspec.structs.replace(report, findings=tuple(_missing(head, path, text) for path, text in missing))


def _missing(head: Version, path: str, text: str) -> Finding:
    message = f"the plan wanted this, and version {head.number} does not have it: {text}"
    return Finding("VERSION_NOT_SUCCESSOR", path, message, _FIX, Verdict.BREAK)
