"""Say what is wrong with the metadata of a table itself: what its schemas cannot tell, since each of them may be sound."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from airflow_provider_schemas.core.compatibility.id_audit import metadata_finding
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.iceberg import IcebergMetadata

_MOST: Final = 100
"""As many columns with a type that Iceberg does not allow are told."""


def faults(metadata: IcebergMetadata) -> tuple[Finding, ...]:
    """Return what is wrong with the metadata of a table."""
    return (*_ids_given_twice(metadata), *_low_last_column(metadata), *_refused_types(metadata))


def _ids_given_twice(metadata: IcebergMetadata) -> Iterator[Finding]:
    for number in metadata.duplicate_ids:
        message = f"the metadata holds two schemas of the id {number}: nobody knows which of them a file was written with."
        fix = "Find the writer that made the second one, and read what it wrote by the ids of its fields before anybody reads it."
        yield metadata_finding(Fault("iceberg.schema-id-twice", f"schemas.{number}", message, fix), versions=(number,))


def _low_last_column(metadata: IcebergMetadata) -> Iterator[Finding]:
    highest = metadata.highest_given_id
    if highest <= metadata.last_column_id:
        return
    message = (
        f"last-column-id is {metadata.last_column_id}, and a schema has a field of id {highest}: the next new column gets an id in use."
    )
    fix = f"Add no column before last-column-id is {highest} or more: values of another column would show up in it."
    yield metadata_finding(Fault("iceberg.low-last-column-id", "last-column-id", message, fix))


def _refused_types(metadata: IcebergMetadata) -> Iterator[Finding]:
    """Yield the columns whose type was changed as Iceberg never allows: files of then cannot be read as the type of now."""
    if metadata.current_schema_id in metadata.duplicate_ids:
        return
    for step in islice(metadata.refused_steps(), _MOST):
        before = f"schema {step.numbers[0]}"
        message = (
            f"{step.name} (field id {step.id}) is {step.now}, and {step.before} in {before}: Iceberg allows no such change, "
            f"so that engines refuse files that were written with {before}, or cut their values."
        )
        fix = f"Have {step.name} made {step.before} again, or have these files written anew, before anybody reads them."
        finding = metadata_finding(Fault("iceberg.refused-type-change", step.name, message, fix), versions=step.numbers)
        yield replace(finding, old=step.before, new=step.now, id=step.id)


def head_by_listing(name: str, files: int) -> Finding:
    """Return what has to be known of a head that no catalog was asked for."""
    message = f"{name} was taken for the current metadata because it is the newest of {files} files: no catalog was asked."
    fix = "Mount the table through its catalog: a writer that failed may have left a newer file that never counted."
    return metadata_finding(Fault("iceberg.head-by-listing", "metadata", message, fix))


def head_by_file(name: str) -> Finding:
    """Return what has to be known of a table that is mounted by one of its metadata files."""
    message = f"the table is judged as {name} says, which is mounted by its own address: what was committed since is in another file."
    fix = "Mount the table through its catalog, or the folder that it lies in."
    return metadata_finding(Fault("iceberg.head-by-file", "metadata", message, fix))
