"""What a caller wants a table to be: a schema, SQL text, a table file, or the path of one."""

from os import PathLike
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.storage.local import LocalFiles


def wanted_of(target: Any) -> TableSchema | TableFile:
    """A schema or table file as it is, SQL text as a schema, and what lies at a path."""
    if isinstance(target, TableSchema | TableFile):
        return target
    if isinstance(target, PathLike) or (isinstance(target, str) and target.endswith((".yaml", ".yml"))):
        path = Path(target)
        return table_file.read(read_local(path), str(path))
    return TableSchema.create(target)


def read_local(path: Path) -> bytes:
    """The bytes of a file that a caller names."""
    return LocalFiles(path.parent).read(path.name)
