"""The format `arrow`: a table's schema as a schema of Arrow.

The text is the JSON that Arrow's project defines; bytes that Arrow wrote (a message, a stream, a file) are
read as well. The metadata of the fields hold the field ids, under the key that Parquet's writers use, and the
comments, under the key of pypaimon.
"""

from types import ModuleType
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.formats.arrow import BEGINNINGS, json_form, paimon_types, table
from airflow_provider_schemas.formats.arrow.model import ArrowSchema
from airflow_provider_schemas.formats.base import Dumped, Loaded, json_value, missing

if TYPE_CHECKING:
    import pyarrow

# Ours, Arrow's, and what comes back.
LOSSY = paimon_types.LOSSY


def load(source: "str | bytes | pyarrow.Schema") -> Loaded:
    """Read a schema from Arrow's JSON, from bytes that Arrow wrote, or from a schema of pyarrow."""
    if type(source).__module__.partition(".")[0] == "pyarrow":
        return from_arrow(source)
    if isinstance(source, bytes | bytearray) and bytes(source[:8]).startswith(BEGINNINGS):
        return table.to_table(_library().read_message(bytes(source)))
    return table.to_table(json_form.parse_schema(json_value(source)))


def dump(schema: TableSchema) -> Dumped:
    """Write a schema as Arrow's JSON, a line a column."""
    arrow, losses = table.from_table(schema)
    return Dumped(json_form.text_of_schema(arrow), losses)


def to_arrow(schema: TableSchema) -> "pyarrow.Schema":
    """Return the schema as pyarrow's, with field ids and comments in the metadata of the fields."""
    arrow, _ = table.from_table(checked_schema(schema))
    return to_pyarrow(arrow)


def from_arrow(schema: "pyarrow.Schema") -> Loaded:
    """Return the schema of a table for one of pyarrow's."""
    return table.to_table(_library().read(schema))


def to_pyarrow(schema: ArrowSchema) -> "pyarrow.Schema":
    """Return pyarrow's schema for one of our values."""
    return _library().to_pyarrow(schema)


def read(schema: "pyarrow.Schema") -> ArrowSchema:
    """Return a schema of pyarrow as our values."""
    arrow: ArrowSchema = _library().read(schema)
    return arrow


def _library() -> ModuleType:
    try:
        from airflow_provider_schemas.formats.arrow import library
    except ImportError:
        raise missing("Arrow's schemas cannot be made", "pyarrow", "arrow") from None
    return library
