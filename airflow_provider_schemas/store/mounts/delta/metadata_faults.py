"""Say what is wrong with the metadata of a table itself, or not known to us."""

from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.core.report import Answers, Finding, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.delta import Protocol, TableMetadata
from airflow_provider_schemas.formats.delta.features import unknown_features

_RULE: Final = "TABLE_INVALID"
# What is read today is right.
_WARNINGS: Final = frozenset({"delta.low-max-column-id"})


def faults(table: TableMetadata, protocol: Protocol | None) -> tuple[Finding, ...]:
    """Return what is wrong with the metadata of a table."""
    return (*_mapping(table), *_features(protocol))


def _mapping(table: TableMetadata) -> Iterator[Finding]:
    for fault in table.mapping_faults():
        yield _finding(Verdict.WARN if fault.code in _WARNINGS else Verdict.BREAK, fault)


def _features(protocol: Protocol | None) -> Iterator[Finding]:
    unknown = unknown_features(protocol)
    if not unknown:
        return
    message = f"the table asks its readers for {', '.join(unknown)}, which nobody here knows: the schema may not say all."
    fix = "Look up what the feature changes; the columns themselves are judged as the log has them."
    yield _finding(Verdict.WARN, Fault("delta.unknown-feature", "protocol", message, fix))


def _finding(verdict: Verdict, fault: Fault) -> Finding:
    """Return a finding about the data of a table, which is what a policy weighs it by."""
    answers = Answers(data_by_id=verdict, data_by_name=verdict)
    return Finding(_RULE, fault.path, fault.message, fault.fix, verdict, fault=fault.code, verdicts=answers, data=verdict)
