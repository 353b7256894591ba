"""The format `arrow`: a table's schema as a schema of Arrow.

As text it is the JSON that Arrow's project defines; bytes that Arrow wrote (a message, a stream, a file) are
read as well. Field ids lie in the metadata of the fields under the key that Parquet's writers keep, comments
where pypaimon keeps them.
"""

from typing import TYPE_CHECKING, Any

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
    return table.to_table(json_form.schema_of(json_value(source)))


def dump(schema: TableSchema) -> Dumped:
    """Write a schema as Arrow's JSON, a line a column."""
    arrow, losses = table.of_table(schema)
    return Dumped(json_form.text_of_schema(arrow), losses)


def to_arrow(schema: TableSchema) -> "pyarrow.Schema":
    """The schema as pyarrow holds it, with field ids and comments in the metadata of the fields."""
    arrow, _ = table.of_table(checked_schema(schema))
    return made(arrow)


def from_arrow(schema: "pyarrow.Schema") -> Loaded:
    """The schema of a table for one of pyarrow's."""
    return table.to_table(_library().read(schema))


def made(schema: ArrowSchema) -> "pyarrow.Schema":
    """A schema of our values as pyarrow holds it."""
    return _library().made(schema)


def read(schema: "pyarrow.Schema") -> ArrowSchema:
    """A schema of pyarrow as our values."""
    found: ArrowSchema = _library().read(schema)
    return found


def _library() -> Any:
    try:
        from airflow_provider_schemas.formats.arrow import library
    except ImportError:
        raise missing("Arrow's schemas cannot be made", "pyarrow", "arrow") from None
    return library
