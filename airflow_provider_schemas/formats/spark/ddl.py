"""Spark's DDL text: what `StructType.fromDDL`, `spark.read.schema` and a CREATE TABLE's list of columns take.

It is read as Spark reads it: names of types in any case, strings with backslash escapes, comments. A DEFAULT is read and
written as a CREATE TABLE has it, because Spark's own `toDDL` does so too; `fromDDL` refuses it. DDL has no
field ids (fields are numbered, parents first) and no NOT NULL inside arrays and maps.
"""

from functools import partial

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import field_ids
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss, table_losses, text_of
from airflow_provider_schemas.formats.spark.ddl_reader import DdlReader
from airflow_provider_schemas.formats.spark_types import leaves
from airflow_provider_schemas.formats.spark_types.ddl_text import comment_text, quoted, type_text

# The text of 10,000 columns has an eighth of this.
MAX_DDL = 4_000_000

# Ours, Spark's, and what comes back.
LOSSY = tuple((ours, ddl, back) for ours, _, ddl, back in leaves.LOSSY)


# ---------------------------------------------------------------- reading


def load(source: str | bytes) -> Loaded:
    """Read a list of columns, or one STRUCT<...>."""
    reader = DdlReader(text_of(source, MAX_DDL))
    fields = reader.read_columns()
    if fields is None:
        raise FormatError.of(reader.faults)
    return Loaded(TableSchema(fields, field_ids.highest_id(fields)))


# ---------------------------------------------------------------- writing


def dump(schema: TableSchema) -> Dumped:
    """Write a list of columns, one a line."""
    losses = list(table_losses(schema, "Spark's DDL"))
    ids = field_ids.all_ids(schema.fields)
    if ids != list(range(len(ids))):
        losses.append(Loss("", "ids", "Spark's DDL has no field ids; they read back as a count from 0."))
    faults: list[Fault] = []
    lines = [collect(faults, partial(_column_text, column, losses), column.name) for column in schema.fields]
    if faults:
        raise FormatError.of(faults)
    return Dumped(",\n".join(lines) or "STRUCT<>", tuple(losses))


def _column_text(column: Field, losses: list[Loss]) -> str:
    default = _default_text(column, losses)
    not_null = "" if column.type.nullable else " NOT NULL"
    return f"{quoted(column.name)} {type_text(column.type, column.name, losses)}{not_null}{default}{comment_text(column)}"


def _default_text(column: Field, losses: list[Loss]) -> str:
    if column.default is None:
        return ""
    if _is_expression(column.default):
        return f" DEFAULT {column.default}"
    losses.append(Loss(column.name, "default", f"{shown(column.default)} is no expression that DDL could hold."))
    return ""


def _is_expression(text: str) -> bool:
    reader = DdlReader(text)
    try:
        return reader.expression() == text and reader.token.kind == "end"
    except FormatError:
        return False
