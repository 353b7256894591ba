"""Is a table what a plan said it would be? Asked after an engine did what we may not do ourselves."""

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version

_FIX = "Make the plan again, and run what is missing."


def verified(plan: Plan, head: Version, table: str) -> Report:
    """Nothing, if the newest version says what the plan wanted; else a finding for each difference."""
    number = None if plan.base is None else plan.base.number
    about = Report(table=table, old=number, new=head.number)
    if head.schema.content == plan.result.content:
        return msgspec.structs.replace(about, notes=(f"version {head.number} is what the plan wanted",))
    found = diff(head.schema, plan.result)
    if not found.changes and not found.remainder:
        return about
    missing = [("table", short_text(masked_change(one))) for one in found.changes]
    missing += [(one.path, one.message) for one in found.remainder]
    findings = tuple(
        Finding(
            "VERSION_NOT_SUCCESSOR", path, f"the plan wanted this, and version {head.number} does not have it: {text}", _FIX, Verdict.BREAK
        )
        for path, text in missing
    )
    return msgspec.structs.replace(about, findings=findings)
