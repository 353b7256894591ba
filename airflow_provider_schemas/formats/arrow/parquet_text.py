"""The format `parquet-text`: the columns as the message of a Parquet file, for people and for the reference's JSON form.

It is written only: the text has no place for field ids and no quotes around names.
"""

import json
from typing import Any, NoReturn

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow import paimon_types, table
from airflow_provider_schemas.formats.arrow.model import ArrowSchema
from airflow_provider_schemas.formats.arrow.parquet import Node, tree_of
from airflow_provider_schemas.formats.base import Dumped, Loss

# Nothing is read back; what stands here is what Arrow would give back, which writes the files.
LOSSY = paimon_types.LOSSY


def load(source: str | bytes) -> NoReturn:
    """Refuse: the text says too little to make a table from."""
    del source
    fix = "Load the format 'arrow' with the bytes of pyarrow.parquet.read_schema(path).serialize()."
    raise FormatError("the text of Parquet is written and not read.", code="format.write-only", fix=fix)


def dump(schema: TableSchema) -> Dumped:
    """Write the columns as the message of the Parquet file that Arrow would write."""
    arrow, losses = table.of_table(schema)
    ids = Loss("", "ids", "the text of Parquet has no place for the ids of fields.")
    return Dumped(parquet_text(arrow), (*losses, ids))


def parquet_text(schema: ArrowSchema) -> str:
    """The message of a Parquet file."""
    root = tree_of(schema)
    return "\n".join([f"message {root.name} {{", *_lines(root.fields, 1), "}", ""])


def parquet_json(schema: ArrowSchema) -> str:
    """The same as JSON, on one line."""
    return json.dumps(_value(tree_of(schema)), ensure_ascii=False)


def _lines(nodes: tuple[Node, ...], depth: int) -> list[str]:
    found = []
    for one in nodes:
        length = "" if one.length is None else f" ({one.length})"
        words = [one.repetition, f"{one.physical or 'group'}{length}", _name(one.name), f"({one.logical})" if one.logical else ""]
        head = "  " * depth + " ".join(word for word in words if word)
        found += [f"{head};"] if one.physical else [f"{head} {{", *_lines(one.fields, depth + 1), "  " * depth + "}"]
    return found


def _name(name: str) -> str:
    """The name as it is; in quotes where it would look like more than a name."""
    return name if name.isprintable() and name.strip() == name and name else json.dumps(name, ensure_ascii=False)


def _value(node: Node) -> dict[str, Any]:
    length = "" if node.length is None else f"({node.length})"
    said: dict[str, Any] = {"name": node.name, "type": f"{node.physical}{length}" or "struct"}
    said |= {key: value for key, value in (("repetition", node.repetition), ("logicalType", node.logical)) if value}
    return said if node.physical else {**said, "fields": [_value(one) for one in node.fields]}
