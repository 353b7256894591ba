"""A schema as a table file, as people write one: a line for a column where it fits, and nothing that goes without saying."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.schema.field_attributes import without_alias
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key, attribute_object, checked_schema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, RowType, field, fold, rebuilt, row
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.base import Dumped, Loss, table_losses
from airflow_provider_schemas.formats.table_file.model import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import (
    OF_COLUMN,
    OF_TABLE,
    POLICY_OPTION,
    inline_policy,
    policy_text,
    said,
)
from airflow_provider_schemas.formats.table_file.parsing.entries import table_name
from airflow_provider_schemas.formats.user_file import policy_keys

# Longer ones are easier to read as a block.
_LONGEST_LINE = 120
# What parsers of YAML agree to be text inside brackets.
_SAFE = re.compile(r"""[\w ./()<>+$=`'"-]+""")
_PREFIX = attribute_key(0)[:-1]
_KEPT = ("partition keys", "primary key", "options", "comment")

Keys = dict[str, Any]


def write(schema: TableSchema, *, table: str) -> str:
    """The table file of a table that has this schema."""
    return written(schema, table).text


def written(schema: TableSchema, table: str) -> Dumped:
    """The table file, and what it has no keys for; planning from it leaves that alone."""
    losses: list[Loss] = []
    schema = checked_schema(schema)
    head = {"table": table_name(table), **_attributes(schema.options, None, "", losses)}
    tail = {key: head.pop(key) for key in ("location", "format") if key in head}
    comment = {} if schema.comment is None else {"comment": schema.comment}
    columns = [_column(one, schema, losses) for one in schema.fields]
    options = {key: value for key, value in schema.options.items() if not _is_own(key)}
    losses += _dangling(schema)
    keys = {"primary_key": list(schema.primary_keys), "partitioned_by": list(schema.partition_keys), "options": options}
    rest = {key: value for key, value in keys.items() if value} | tail | _policy(schema.options)
    text = "".join([yaml.write({**head, **comment}), *_column_lines(columns), *(_entry(key, value) for key, value in rest.items())])
    return Dumped(text, (*losses, *table_losses(schema, "a table file", _KEPT)))


# ---------------------------------------------------------------- what is said


def _column(one: Field, schema: TableSchema, losses: list[Loss]) -> Keys:
    texts = {"comment": one.description, "default": one.default}
    said_of_it = _without_own_name(_attributes(schema.options, one.id, one.name, losses), one.name) if schema.options else {}
    return {
        "name": one.name,
        "type": _type_text(one, losses),
        **{key: text for key, text in texts.items() if text is not None},
        **said_of_it,
    }


def _without_own_name(words: Keys, name: str) -> Keys:
    """What is said of a column; an alias that is its own name, as other writers may leave behind, says nothing."""
    return without_alias(words, name) if "alias" in words else words


def _type_text(one: Field, losses: list[Loss]) -> str:
    """The type as SQL text; without the defaults of fields inside, which nobody uses, where it would be read otherwise."""
    text = str(one.type)
    if type(one.wire) is str or _reads_back(text, one.type):
        return text
    losses.append(Loss(one.name, "default", "the default of a field inside cannot be written as SQL text."))
    return str(fold(one.type, _without_defaults))


def _reads_back(text: str, kind: DataType) -> bool:
    try:
        return numbered(parse_any(text)) == numbered(kind)
    except SchemaError:
        return False


def _without_defaults(kind: DataType, parts: list[DataType]) -> DataType:
    if not isinstance(kind, RowType):
        return rebuilt(kind, parts)
    fields = [field(one.id, one.name, part, one.description) for one, part in zip(kind.fields, parts, strict=True)]
    return row(fields).with_nullable(kind.nullable)


def _is_own(option: str) -> bool:
    return option in (attribute_key(None), POLICY_OPTION) or option.startswith(_PREFIX)


def _attributes(options: Mapping[str, str], number: int | None, path: str, losses: list[Loss]) -> Keys:
    """The attributes of a field or of the table that a table file has keys for, if they are what it would write there."""
    there = attribute_object(options.get(attribute_key(number), "{}"))
    if there is None:
        losses.append(Loss(path, "attributes", "the attributes are no JSON object."))
        return {}
    known = OF_TABLE if number is None else OF_COLUMN
    keys = {key: there[key] for key in known if key in there and _says(number, key, there)}
    other = sorted(there.keys() - keys.keys())
    losses += [Loss(path, "attribute", f"a table file has no key for {key!r} with this value.") for key in other]
    return keys


def _says(number: int | None, key: str, there: Keys) -> bool:
    """Whether the key, with this value, is read back as this attribute."""
    values = {one: there[one] for one in {key, "deprecated" if key == "reason" else key} if one in there}
    try:
        part = TableFile(table="a.b", **values) if number is None else Column(name="a", type="INT", **values)
    except (SchemaError, ValueError):
        return False
    return said(part, (key,)).get(key) == there[key] and (key != "reason" or bool(there.get("deprecated")))


def _dangling(schema: TableSchema) -> Iterator[Loss]:
    ids = {attribute_key(one.id) for one in schema.fields}
    for key in schema.options:
        if key.startswith(_PREFIX) and key not in ids:
            yield Loss(key, "attributes", "a table file has keys for the attributes of columns, and for no other field.")


def _policy(options: Mapping[str, str]) -> Keys:
    text = options.get(POLICY_OPTION)
    found = inline_policy(text)
    if found is not None and policy_text(found) == text:
        return {"policy": policy_keys(found)}
    return {} if text is None else {"policy": text}


# ---------------------------------------------------------------- the text


def _column_lines(columns: Sequence[Keys]) -> Iterator[str]:
    if columns:
        yield "columns:\n"
    for one in columns:
        line = _flow(one)
        yield f"  - {line}\n" if line else yaml.write({"columns": [one]}).split("\n", 1)[1]


def _entry(key: str, value: Any) -> str:
    line = _flow(value) if isinstance(value, list) else None
    return f"{key}: {line}\n" if line else yaml.write({key: value})


def _flow(value: Keys | list[str]) -> str | None:
    """A mapping or list on one line; None where it would be long, or hold more than short texts."""
    parts = [_word(one) for one in (value.values() if isinstance(value, dict) else value)]
    words = [one for one in parts if one is not None]
    if len(words) < len(parts):
        return None
    if isinstance(value, dict):
        line = "{" + ", ".join(f"{key}: {one}" for key, one in zip(value, words, strict=True)) + "}"
    else:
        line = f"[{', '.join(words)}]"
    return line if len(line) <= _LONGEST_LINE else None


def _word(value: Any) -> str | None:
    """A text inside brackets, where more characters mean something than outside; None for what has lines or parts."""
    if not isinstance(value, str | bool):
        return None
    text = yaml.write(value)[:-1]
    if "\n" in text:
        return None
    bare = isinstance(value, str) and not text.startswith(("'", '"'))
    return "'" + text.replace("'", "''") + "'" if bare and not _SAFE.fullmatch(text) else text
