"""Write a schema as a table file, as people do: a line for a column where it fits, and no key with its default."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.field_attributes import without_alias
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, RowType, fold, rebuilt
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.base import Dumped, Loss, table_losses
from airflow_provider_schemas.formats.table_file.model import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import (
    OF_COLUMN,
    OF_TABLE,
    POLICY_OPTION,
    attribute_values,
    inline_policy,
    policy_text,
)
from airflow_provider_schemas.formats.table_file.parsing.entries import read_table_name
from airflow_provider_schemas.formats.user_file import policy_keys

# Longer lines are easier to read as a block.
_MAX_LINE = 120
# Characters that all parsers of YAML read as text inside brackets.
_SAFE = re.compile(r"""[\w ./()<>+$=`'"-]+""")
_PREFIX = attribute_key(0)[:-1]
_KEPT = ("partition keys", "primary key", "options", "comment")

Keys = dict[str, Any]


def write(schema: TableSchema, *, table: str) -> str:
    """Return the table file of a table that has this schema."""
    return write_with_losses(schema, table).text


def write_with_losses(schema: TableSchema, table: str) -> Dumped:
    """Return the table file, and the losses: what it has no keys for. Planning from it leaves that alone."""
    losses: list[Loss] = []
    schema = checked_schema(schema)
    head = {"table": read_table_name(table), **_attributes(schema.options, None, "", losses)}
    tail = {key: head.pop(key) for key in ("location", "format") if key in head}
    if schema.comment is not None:
        head["comment"] = schema.comment
    columns = [_column(field, schema, losses) for field in schema.fields]
    losses += _dangling_attributes(schema)
    keys = {
        "primary_key": list(schema.primary_keys),
        "partitioned_by": list(schema.partition_keys),
        "options": {key: value for key, value in schema.options.items() if not _has_own_key(key)},
    }
    rest = {key: value for key, value in keys.items() if value} | tail | _policy(schema.options)
    text = "".join([yaml.write(head), *_column_lines(columns), *(_entry(key, value) for key, value in rest.items())])
    return Dumped(text, (*losses, *table_losses(schema, "a table file", _KEPT)))


# ---------------------------------------------------------------- columns


def _column(field: Field, schema: TableSchema, losses: list[Loss]) -> Keys:
    attributes = _attributes_of_column(field, schema, losses) if schema.options else {}
    column: Keys = {"name": field.name, "type": _type_text(field, losses)}
    if field.description is not None:
        column["comment"] = field.description
    if field.default is not None:
        column["default"] = field.default
    return column | attributes


def _attributes_of_column(field: Field, schema: TableSchema, losses: list[Loss]) -> Keys:
    """Return the attributes of a column, without an alias that is its own name, as other writers may leave behind."""
    attributes = _attributes(schema.options, field.id, field.name, losses)
    if "alias" in attributes:
        return without_alias(attributes, field.name)
    return attributes


def _type_text(field: Field, losses: list[Loss]) -> str:
    """Return the type as SQL text; without the defaults of fields inside, which have no effect, where it would be read otherwise."""
    text = str(field.type)
    if type(field.wire) is str or _reads_back(text, field.type):
        return text
    losses.append(Loss(field.name, "default", "the default of a field inside cannot be written as SQL text."))
    return str(fold(field.type, _without_defaults))


def _reads_back(text: str, kind: DataType) -> bool:
    try:
        return numbered(parse_any(text)) == numbered(kind)
    except SchemaError:
        return False


def _without_defaults(kind: DataType, parts: list[DataType]) -> DataType:
    if not isinstance(kind, RowType):
        return rebuilt(kind, parts)
    fields = [nested.field(inner.id, inner.name, part, inner.description) for inner, part in zip(kind.fields, parts, strict=True)]
    return nested.row(fields).with_nullable(kind.nullable)


# ---------------------------------------------------------------- attributes and policy


def _has_own_key(option: str) -> bool:
    return option in (attribute_key(None), POLICY_OPTION) or option.startswith(_PREFIX)


def _attributes(options: Mapping[str, str], number: int | None, path: str, losses: list[Loss]) -> Keys:
    """Return the attributes of a field or of the table that a table file has keys for, and that it would read back."""
    stored = attribute_object(options.get(attribute_key(number), "{}"))
    if stored is None:
        losses.append(Loss(path, "attributes", "the attributes are no JSON object."))
        return {}
    known = OF_TABLE if number is None else OF_COLUMN
    keys = {key: stored[key] for key in known if key in stored and _is_read_back(number, key, stored)}
    other = sorted(stored.keys() - keys.keys())
    losses += [Loss(path, "attribute", f"a table file has no key for {key!r} with this value.") for key in other]
    return keys


def _is_read_back(number: int | None, key: str, stored: Keys) -> bool:
    """Return whether the key, with this value, is read back as this attribute."""
    values = {key: stored[key]}
    if key == "reason":  # a reason without a deprecation is a fault
        if not stored.get("deprecated"):
            return False
        values["deprecated"] = stored["deprecated"]
    try:
        part = TableFile(table="a.b", **values) if number is None else Column(name="a", type="INT", **values)
    except (SchemaError, ValueError):
        return False
    return bool(attribute_values(part, (key,)).get(key) == stored[key])


def _dangling_attributes(schema: TableSchema) -> Iterator[Loss]:
    """Yield a loss for each attribute of a field that is not a column."""
    columns = {attribute_key(field.id) for field in schema.fields}
    for key in schema.options:
        if key.startswith(_PREFIX) and key not in columns:
            yield Loss(key, "attributes", "a table file has keys for the attributes of columns, and for no other field.")


def _policy(options: Mapping[str, str]) -> Keys:
    text = options.get(POLICY_OPTION)
    if text is None:
        return {}
    policy = inline_policy(text)
    if policy is not None and policy_text(policy) == text:
        return {"policy": policy_keys(policy)}
    return {"policy": text}


# ---------------------------------------------------------------- the text


def _column_lines(columns: Sequence[Keys]) -> Iterator[str]:
    if columns:
        yield "columns:\n"
    for column in columns:
        line = _mapping_line(column)
        yield f"  - {line}\n" if line else yaml.write({"columns": [column]}).split("\n", 1)[1]


def _entry(key: str, value: Any) -> str:
    if isinstance(value, list):
        line = _list_line(value)
        if line:
            return f"{key}: {line}\n"
    return yaml.write({key: value})


def _mapping_line(value: Keys) -> str:
    """Write a mapping on one line; empty where it would be long, or hold more than short texts."""
    words = [_word(part) for part in value.values()]
    if not all(words):
        return ""
    pairs = ", ".join(f"{key}: {word}" for key, word in zip(value, words, strict=True))
    return _unless_long(f"{{{pairs}}}")


def _list_line(value: Sequence[object]) -> str:
    """Write a list on one line; empty where it would be long, or hold more than short texts."""
    words = [_word(part) for part in value]
    if not all(words):
        return ""
    return _unless_long(f"[{', '.join(words)}]")


def _unless_long(line: str) -> str:
    if len(line) > _MAX_LINE:
        return ""
    return line


def _word(value: object) -> str:
    """Write a text inside brackets, where more characters have a meaning than outside; empty for a value with lines or parts."""
    if not isinstance(value, str | bool):
        return ""
    text = yaml.write(value)[:-1]
    if "\n" in text:
        return ""
    is_bare = isinstance(value, str) and not text.startswith(("'", '"'))
    if is_bare and not _SAFE.fullmatch(text):
        return "'" + text.replace("'", "''") + "'"
    return text
