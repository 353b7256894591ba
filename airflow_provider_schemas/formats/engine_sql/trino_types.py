"""Types and names as Trino writes them, whichever connector keeps the table."""

from collections.abc import Mapping, Sequence

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import RowType, children, fold
from airflow_provider_schemas.formats.engine_sql.words import inexpressible, trino_name, trino_path


def alter(table: Sequence[str], rest: str) -> str:
    """Return a statement that alters a table."""
    return f"ALTER TABLE {trino_path(table)} {rest}"


def type_text(kind: DataType, leaves: Mapping[Root, str], keeper: str) -> str:
    """Return a type without its own NOT NULL. `leaves` are the types without parts that the keeper of the table has."""

    def write(part: DataType, inner: list[str]) -> str:
        return _type_of_parts(part, inner, leaves, keeper)

    return fold(kind, write)


def _type_of_parts(kind: DataType, inner: list[str], leaves: Mapping[Root, str], keeper: str) -> str:
    if any(not part.nullable for _, part in children(kind)):
        raise inexpressible("Trino has no NOT NULL inside a type.")
    if isinstance(kind, RowType):
        return f"ROW({', '.join(_fields(kind, inner))})"
    if kind.root is Root.ARRAY or kind.root is Root.MAP:
        return f"{kind.root.value}({', '.join(inner)})"
    text = leaves.get(kind.root)
    if text is None:
        raise inexpressible(f"Trino has no type {kind.root.value} in tables of {keeper}, or only its newest versions have.")
    return text.format(precision=getattr(kind, "precision", None), scale=getattr(kind, "scale", None))


def _fields(kind: RowType, texts: list[str]) -> list[str]:
    if not kind.fields:
        raise inexpressible("Trino has no ROW without fields.")
    if any(field.description is not None or field.default is not None for field in kind.fields):
        raise inexpressible("Trino has no comments and defaults inside a ROW.")
    return [f"{new_name(field.name)} {text}" for field, text in zip(kind.fields, texts, strict=True)]


def new_name(name: str) -> str:
    """Write the name of something new."""
    if name != name.lower():
        raise inexpressible(f"Trino writes new names in lower case, and {name!r} is not.")
    return trino_name(name)
