"""Types and names of fields as text of Spark's DDL, for the language of DDL and for the ALTER TABLE statements of Spark."""

from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.spark_types import leaves


def comment_text(field: Field) -> str:
    """Write the comment of a field as DDL; nothing if the field has none."""
    if field.description is None:
        return ""
    return " COMMENT '" + field.description.replace("\\", "\\\\").replace("'", "\\'") + "'"


def quoted(name: str) -> str:
    """Write a name as DDL always takes it."""
    return "`" + name.replace("`", "``") + "`"


def type_text(kind: DataType, path: str, losses: list[Loss]) -> str:
    """Write a type as DDL, without the nullability of the type itself."""
    losses += [*leaves.container_losses(kind, path), *leaves.null_losses(kind, "ddl", path)]
    if isinstance(kind, AtomicType):
        leaf = leaves.written(kind.with_nullable(True), "ddl")
        if leaf.what:
            losses.append(Loss(path, leaf.what, leaf.message))
        return leaf.text
    if isinstance(kind, RowType):
        fields = (_field_text(field, f"{path}.{field.name}", losses) for field in kind.fields)
        return f"STRUCT<{', '.join(fields)}>"
    parts = [type_text(part, f"{path}.{word}", losses) for word, part in nested.children(kind)]
    if isinstance(kind, MultisetType):
        parts.append("INT")
    name = "MAP" if isinstance(kind, MapType | MultisetType) else "ARRAY"
    return f"{name}<{', '.join(parts)}>"


def _field_text(field: Field, path: str, losses: list[Loss]) -> str:
    if field.default is not None:
        losses.append(Loss(path, "default", "Spark has defaults for columns only, not inside a struct."))
    not_null = "" if field.type.nullable else " NOT NULL"
    return f"{quoted(field.name)}: {type_text(field.type, path, losses)}{not_null}{comment_text(field)}"
