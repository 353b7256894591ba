"""Findings about a plan for a table that others keep: what its format, or its readers, cannot bear."""

from collections.abc import Sequence

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.evolve import evolve
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.store.commit.by_source.change import is_changeable
from airflow_provider_schemas.store.common import table_findings
from airflow_provider_schemas.store.mounts.source import ChangeableSource, SchemaStep, TableLook
from airflow_provider_schemas.store.table_state import Subject

_RULE = "FORMAT_FORBIDS"


def with_findings(subject: Subject, plan: Plan, back_to: int | None) -> Plan:
    """Return the plan; where the table could be changed and cannot bear this, with findings that no approval lifts.

    Back to is the number of an old schema that is to be the current one again; where that is not possible, changes may lead there.
    """
    if plan.unchanged or not is_changeable(subject):
        return plan
    faults = _faults(subject, plan, back_to)
    if not faults:
        return plan
    findings = tuple(_finding(fault) for fault in faults)
    return msgspec.structs.replace(plan, report=msgspec.structs.replace(plan.report, findings=(*plan.report.findings, *findings)))


def _faults(subject: Subject, plan: Plan, back_to: int | None) -> tuple[Fault, ...]:
    versions = subject.mounted_versions
    source = subject.roots.mounts[subject.name.database]
    if versions is None or not isinstance(source, ChangeableSource):
        return ()
    look = versions.look_there()
    if back_to is not None and back_to in look.numbers:
        in_the_way = source.refused(look, SchemaStep((), plan.result, Provenance(), back_to=back_to))
        if not in_the_way or not plan.changes:
            return in_the_way
        if not source.refused(look, _step(plan.changes, plan.result)):
            return ()
        fix = _nearest(source, look, plan.changes)
        return tuple(fault._replace(fix=fix) for fault in in_the_way)
    return source.refused(look, _step(plan.changes, plan.result))


def _step(changes: tuple[SchemaChange, ...], result: TableSchema) -> SchemaStep:
    return SchemaStep(changes, result, Provenance())


def _nearest(source: ChangeableSource, look: TableLook, changes: Sequence[SchemaChange]) -> str:
    """Return what to do where neither the old schema nor all changes to it are possible: the changes that are."""
    lines = [short_text(masked_change(change)) for change in changes if _is_possible(source, look, change)]
    if not lines:
        return "Change the table forward, to what its readers need."
    return f"These changes come nearest: {', '.join(lines)}."


def _is_possible(source: ChangeableSource, look: TableLook, change: SchemaChange) -> bool:
    try:
        result = evolve(look.version(look.head).schema, [change])
    except SchemaError:
        return False
    return not source.refused(look, _step((change,), result))


def _finding(fault: Fault) -> Finding:
    finding = table_findings.of_table(_RULE, fault.path, fault.message, fault.fix)
    return msgspec.structs.replace(finding, fault=fault.code)
