"""Spark's DDL text: what `StructType.fromDDL`, `spark.read.schema` and a CREATE TABLE's list of columns take.

Read as Spark does: names of types in any case, strings with backslash escapes, comments. A DEFAULT is read and
written as a CREATE TABLE has it, because Spark's own `toDDL` does so too; `fromDDL` refuses it. DDL has no
field ids (fields are numbered, parents first) and no NOT NULL inside arrays and maps.
"""

from functools import partial

from airflow_provider_schemas.core import ids, types
from airflow_provider_schemas.core.atoms import AtomicType, DataType
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.core.types import Field, MapType, MultisetType, RowType
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.shared import Dumped, Loaded, Loss, table_losses, text_of
from airflow_provider_schemas.formats.spark import leaves
from airflow_provider_schemas.formats.spark.ddl_reader import Reader

# The text of 10,000 columns has an eighth of this.
MAX_DDL = 4_000_000

# Ours, Spark's, and what comes back.
LOSSY = tuple((ours, ddl, back) for ours, _, ddl, back in leaves.LOSSY)


# ---------------------------------------------------------------- reading


def load(source: str | bytes) -> Loaded:
    """Read a list of columns, or one STRUCT<...>."""
    reader = Reader(text_of(source, MAX_DDL))
    fields = reader.whole()
    if fields is None:
        raise FormatError.of(reader.faults)
    return Loaded(TableSchema(fields, ids.highest_id(fields)))


# ---------------------------------------------------------------- writing


def dump(schema: TableSchema) -> Dumped:
    """Write a list of columns, one a line."""
    losses, faults = list(table_losses(schema, "Spark's DDL")), list[Fault]()
    if ids.all_ids(schema.fields) != list(range(len(ids.all_ids(schema.fields)))):
        losses.append(Loss("", "ids", "Spark's DDL has no field ids; they read back as a count from 0."))
    lines = [collect(faults, partial(_column_text, one, losses), one.name) for one in schema.fields]
    if faults:
        raise FormatError.of(faults)
    return Dumped(",\n".join(lines) or "STRUCT<>", tuple(losses))


def _column_text(one: Field, losses: list[Loss]) -> str:
    default = "" if one.default is None else f" DEFAULT {one.default}"
    if one.default is not None and not _is_expression(one.default):
        losses.append(Loss(one.name, "default", f"{shown(one.default)} is no expression that DDL could hold."))
        default = ""
    strict = "" if one.type.nullable else " NOT NULL"
    return f"{quoted(one.name)} {type_text(one.type, one.name, losses)}{strict}{default}{_comment(one)}"


def _is_expression(text: str) -> bool:
    reader = Reader(text)
    try:
        return reader.expression() == text and reader.token.kind == "end"
    except FormatError:
        return False


def _comment(one: Field) -> str:
    if one.description is None:
        return ""
    return " COMMENT '" + one.description.replace("\\", "\\\\").replace("'", "\\'") + "'"


def quoted(name: str) -> str:
    """The name as DDL always takes it."""
    return "`" + name.replace("`", "``") + "`"


def type_text(kind: DataType, path: str, losses: list[Loss]) -> str:
    """The type as DDL, without its own nullability."""
    losses += [*leaves.container_losses(kind, path), *leaves.null_losses(kind, "ddl", path)]
    if isinstance(kind, AtomicType):
        leaf = leaves.written(kind.with_nullable(True), "ddl")
        losses += [Loss(path, leaf.what, leaf.message)] if leaf.what else []
        return leaf.text
    if isinstance(kind, RowType):
        return f"STRUCT<{', '.join(_field_text(one, f'{path}.{one.name}', losses) for one in kind.fields)}>"
    parts = [type_text(part, f"{path}.{word}", losses) for word, part in types.children(kind)]
    if isinstance(kind, MultisetType):
        parts.append("INT")
    return f"{'MAP' if isinstance(kind, MapType | MultisetType) else 'ARRAY'}<{', '.join(parts)}>"


def _field_text(one: Field, path: str, losses: list[Loss]) -> str:
    if one.default is not None:
        losses.append(Loss(path, "default", "Spark has defaults for columns only, not inside a struct."))
    strict = "" if one.type.nullable else " NOT NULL"
    return f"{quoted(one.name)}: {type_text(one.type, path, losses)}{strict}{_comment(one)}"
