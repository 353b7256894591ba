"""The table file as a format among others: load a schema from it, and dump a schema into it.

The name of the table belongs to the file and not to the schema: a dumped file has a placeholder.
"""

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.base import Dumped, Loaded
from airflow_provider_schemas.formats.table_file.reader import read
from airflow_provider_schemas.formats.table_file.writer import write_with_losses

# Types are written exactly: none is read back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()
PLACEHOLDER = "database.table"


def load(source: str | bytes) -> Loaded:
    """Return the schema that a table file describes, of a table that is not there yet."""
    return Loaded(read(source).create())


def dump(schema: TableSchema) -> Dumped:
    """Write a table file with a placeholder for the name of its table."""
    return write_with_losses(schema, PLACEHOLDER)
