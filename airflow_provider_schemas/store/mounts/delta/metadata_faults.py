"""Say what is wrong with the metadata of a table itself, or not known to us."""

from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.core.compatibility.id_audit import metadata_finding
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.delta import DeltaMetadata, Protocol
from airflow_provider_schemas.formats.delta.features import unknown_features

# Where columns are found by name, a column without an id is found nevertheless.
_NO_ID: Final = "delta.no-column-id"
_BY_NAME: Final = "name"
_NAMED: Final = "named"


def faults(table: DeltaMetadata, protocol: Protocol | None) -> tuple[Finding, ...]:
    """Return what is wrong with the metadata of a table."""
    return (*_mapping(table), *_features(protocol))


def _mapping(table: DeltaMetadata) -> Iterator[Finding]:
    for fault in table.mapping_faults():
        is_named = fault.code == _NO_ID and table.mode == _BY_NAME
        yield metadata_finding(fault, _NAMED if is_named else "")


def _features(protocol: Protocol | None) -> Iterator[Finding]:
    unknown = unknown_features(protocol)
    if not unknown:
        return
    message = f"the table asks its readers for {', '.join(unknown)}, which nobody here knows: the schema may not say all."
    fix = "Look up what the feature changes; the columns themselves are judged as the log has them."
    yield metadata_finding(Fault("delta.unknown-feature", "protocol", message, fix))
