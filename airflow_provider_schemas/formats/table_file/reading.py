"""The text of a table file, read: every fault at once, each with file and line."""

from airflow_provider_schemas.errors import TableFileError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.written_file import opened


def read(source: str | bytes, file: str = "") -> TableFile:
    """The table file in a text; file is its name, for messages."""
    return TableFile.of(opened(source, file, TableFileError))
