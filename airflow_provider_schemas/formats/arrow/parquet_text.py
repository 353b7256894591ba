"""The format `parquet-text`: the columns as the message of a Parquet file, for users, and in the reference's JSON form.

It is written only: the text has no place for field ids and no quotes around names.
"""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow import paimon_types, table
from airflow_provider_schemas.formats.arrow.model import ArrowSchema
from airflow_provider_schemas.formats.arrow.parquet import ParquetField, to_tree
from airflow_provider_schemas.formats.base import Dumped, Loss

# Nothing is read back from the text; this is what Arrow, which writes the files, would read back.
LOSSY = paimon_types.LOSSY


def load(source: str | bytes) -> NoReturn:
    """Refuse: the text says too little to make a table from."""
    del source
    fix = "Load the format 'arrow' with the bytes of pyarrow.parquet.read_schema(path).serialize()."
    raise FormatError("the text of Parquet is written and not read.", code="format.write-only", fix=fix)


def dump(schema: TableSchema) -> Dumped:
    """Write the columns as the message of the Parquet file that Arrow would write."""
    arrow, losses = table.from_table(schema)
    ids = Loss("", "ids", "the text of Parquet has no place for the ids of fields.")
    return Dumped(parquet_text(arrow), (*losses, ids))


def parquet_text(schema: ArrowSchema) -> str:
    """Return the message of a Parquet file."""
    root = to_tree(schema)
    return "\n".join([f"message {root.name} {{", *_lines(root.fields, 1), "}", ""])


def parquet_json(schema: ArrowSchema) -> str:
    """Return the message of a Parquet file as JSON, on one line."""
    return json.dumps(_to_json(to_tree(schema)), ensure_ascii=False)


def _lines(fields: tuple[ParquetField, ...], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for field in fields:
        head = indent + _head(field)
        if field.physical:
            yield f"{head};"
            continue
        yield f"{head} {{"
        yield from _lines(field.fields, depth + 1)
        yield indent + "}"


def _head(field: ParquetField) -> str:
    length = "" if field.length is None else f" ({field.length})"
    logical = f"({field.logical})" if field.logical else ""
    words = [field.repetition, f"{field.physical or 'group'}{length}", _quoted_name(field.name), logical]
    return " ".join(word for word in words if word)


def _quoted_name(name: str) -> str:
    """Return the name as it is; in quotes where it would look like more than a name."""
    if name and name.isprintable() and name.strip() == name:
        return name
    return json.dumps(name, ensure_ascii=False)


def _to_json(field: ParquetField) -> dict[str, Any]:
    length = "" if field.length is None else f"({field.length})"
    value: dict[str, Any] = {"name": field.name, "type": f"{field.physical}{length}" or "struct"}
    if field.repetition:
        value["repetition"] = field.repetition
    if field.logical:
        value["logicalType"] = field.logical
    if not field.physical:
        value["fields"] = [_to_json(member) for member in field.fields]
    return value
