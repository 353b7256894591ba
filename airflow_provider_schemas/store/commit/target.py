"""What a caller wants a table to be: a schema, SQL text, a table file, or the path of one; and where the schemas of a new table lie."""

from os import PathLike
from pathlib import Path

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import AlreadyThereError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.table_state import Subject

Target = TableSchema | TableFile | str | PathLike[str]
"""A schema, a table file, SQL text, or the path of a table file."""


def is_table_file_path(target: object) -> bool:
    """Return whether a target is the path of a table file."""
    return isinstance(target, PathLike) or (isinstance(target, str) and target.endswith((".yaml", ".yml")))


def read_target(target: Target) -> TableSchema | TableFile:
    """Return a schema or table file as it is, SQL text as a schema, and what lies at a path."""
    if isinstance(target, TableSchema | TableFile):
        return target
    if is_table_file_path(target):
        path = Path(target)
        return table_file.read(LocalFiles(path.parent).read(path.name), str(path))
    return TableSchema.create(target)  # type: ignore[arg-type]  # a path was read above


# ---------------------------------------------------------------- where the schemas of a new table lie


def lies_elsewhere(wanted: TableSchema | TableFile) -> bool:
    """Return whether the data lie at a location of their own, and not beside the schemas of a Paimon table."""
    schema = wanted.create() if isinstance(wanted, TableFile) else wanted
    data_format = schema.table_attributes.get("format")
    return bool(location_of(schema)) and data_format not in ("paimon", None)


def subject_in_registry(roots: Roots, name: TableName) -> Subject:
    """Return a table whose schemas lie in the registry; raise if a table of its name has them beside its data."""
    place = roots.registered(name)
    beside = roots.beside(name)
    if beside != place and Subject(roots, name, place=beside).exists():
        message = f"{name} has its schemas in {beside.files.url}/{beside.folder} already."
        raise AlreadyThereError(message, code="table.twice", path=str(name), fix="Choose another name.")
    return Subject(roots, name, place=place)
