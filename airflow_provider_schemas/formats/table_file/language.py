"""The table file as a format among others: a schema out of it, and a schema as one.

The name of the table belongs to the file and not to the schema: what is written here bears a placeholder.
"""

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.base import Dumped, Loaded
from airflow_provider_schemas.formats.table_file.reader import read
from airflow_provider_schemas.formats.table_file.writer import written

# A type is said exactly: none comes back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()
PLACEHOLDER = "database.table"


def load(source: str | bytes) -> Loaded:
    """The schema that a table file describes, of a table that is not there yet."""
    return Loaded(read(source).create())


def dump(schema: TableSchema) -> Dumped:
    """Write a table file, whose table has to be named."""
    return written(schema, PLACEHOLDER)
