"""Names and texts in statements, quoted so that nothing in them can end the quotes, in a parser or in a command line.

Command lines of engines look for semicolons, quotes and comments before the parser does, and ignore back-quotes;
Spark also replaces `${...}` everywhere. A name with any of these is refused.
"""

import re
from collections.abc import Sequence

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import RowType, fold
from airflow_provider_schemas.errors import FormatError

_UNSAFE = re.compile(r"""[\x00-\x1f\x7f-\x9f\u2028\u2029;'"\\]|--|/\*|\*/|\$\{""")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MOST_PARTS = 10  # a catalog, the levels of a namespace, a table
_PART = re.compile(r"\w+(?:[ -]\w+)*")


def inexpressible(reason: str) -> FormatError:
    """Return the error of a change that has no statement."""
    return FormatError(reason, code="format.unsaid", fix="Make the change by other means.")


def table_parts(table: object) -> tuple[str, ...]:
    """Return the parts of the name of a table. Parts that come one by one may hold dots: others gave the table its name."""
    if isinstance(table, tuple | list) and 1 <= len(table) <= _MOST_PARTS and all(isinstance(part, str) and part.strip() for part in table):
        return tuple(table)
    parts = tuple(table.split(".")) if isinstance(table, str) else ()
    if not 1 <= len(parts) <= 3 or not all(map(_PART.fullmatch, parts)):
        fix = "Write it as 'db.table' or 'catalog.db.table', with letters, digits, '_' and '-'."
        raise FormatError(f"{shown(table)} is no name of a table that a statement can hold.", code="format.table-name", fix=fix)
    return parts


def quoted(name: str) -> str:
    """Return a name in back-quotes."""
    if _UNSAFE.search(name):
        raise inexpressible(f"the name {shown(name)} holds what command lines take for the end of a statement, or replace.")
    return "`" + name.replace("`", "``") + "`"


def path(names: Sequence[str]) -> str:
    """Return a path, or the name of a table, with each part quoted."""
    return ".".join(map(quoted, names))


def check_names(kind: DataType) -> None:
    """Refuse a type with a name inside it that cannot be written."""

    def visit(part: DataType, inner: list[None]) -> None:
        if isinstance(part, RowType):
            for field in part.fields:
                quoted(field.name)

    fold(kind, visit)


def spark_text(text: str) -> str:
    """Return a text in quotes, as Spark's parser reads it back."""
    return "'" + spark_escapes(text.replace("\\", "\\\\").replace("'", "\\'")) + "'"


def spark_escapes(text: str) -> str:
    """Escape the characters that are safe in a statement only in escaped form. They occur in strings only: names hold none of them."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text).replace("${", "\\u0024{")


def flink_text(text: str) -> str:
    """Return a text in quotes, as Flink's parser reads it back, which knows no escape but the doubled quote."""
    return _doubled(text, "Flink")


def trino_text(text: str) -> str:
    """Return a text in quotes, as Trino's parser reads it back: its plain texts have no escape but the doubled quote."""
    return _doubled(text, "Trino")


def _doubled(text: str, engine: str) -> str:
    if _CONTROL.search(text):
        raise inexpressible(f"a text runs over several lines or holds control characters, and {engine} has no escapes for them.")
    return "'" + text.replace("'", "''") + "'"


def trino_name(name: str) -> str:
    """Return a name in double quotes."""
    quoted(name)
    return f'"{name}"'


def trino_path(names: Sequence[str]) -> str:
    """Return a path, or the name of a table, with each part in double quotes."""
    return ".".join(map(trino_name, names))
