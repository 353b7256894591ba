"""Attributes of a field that checks understand: earlier names that stay valid, deprecation, and what values mean."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.common.deadlines import ended, readable
from airflow_provider_schemas.core.common.strict_json import JsonValue
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError

# What says how values are understood: when it changes, the bytes stay and their meaning changes.
MEANING = ("unit", "tags", "pii", "codes", "semantic")

_PREFIX = attribute_key(0)[:-1]
_ALIAS = "alias"


def attributes(schema: TableSchema, number: int) -> Mapping[str, Any]:
    """Return the attributes of a field; none where they cannot be read, which validity reports."""
    try:
        return schema.attributes(number)
    except SchemaError:
        return {}


def aliases(schema: TableSchema, number: int, now: datetime | None = None) -> dict[str, str]:
    """Return the earlier names that stay valid, each with its last day, if it has one; with `now`, without those that ended."""
    if not schema.options:
        return {}
    ends = _ends(attributes(schema, number).get(_ALIAS))
    if now is None:
        return ends
    return {name: until for name, until in ends.items() if not over(until, now)}


def aliases_by_field(schema: TableSchema) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the aliases of a schema, field by field."""
    for key, text in schema.options.items():
        if key.startswith(_PREFIX) and _ALIAS in text:
            number = key.removeprefix(_PREFIX)
            if number.isdecimal():
                yield int(number), aliases(schema, int(number))


def with_alias(attributes: Mapping[str, Any], name: str, until: str) -> dict[str, Any]:
    """Return the attributes of a field with one alias more; the others keep their ends."""
    return {**attributes, _ALIAS: {**_ends(attributes.get(_ALIAS)), name: until}}


def without_alias(attributes: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the attributes of a field without this alias."""
    alias = attributes.get(_ALIAS)
    names = [alias] if isinstance(alias, str) else alias
    if not names or name not in names:
        return dict(attributes)
    left = [other for other in names if other != name]
    if not left:
        return {key: value for key, value in attributes.items() if key != _ALIAS}
    if isinstance(alias, Mapping):
        return {**attributes, _ALIAS: {other: alias[other] for other in left}}
    return {**attributes, _ALIAS: left}


def over(until: str, now: datetime) -> bool:
    """Return whether an alias with this end has ended; an end that cannot be read is no end."""
    return readable(until) and ended(until, now)


def _ends(alias: JsonValue) -> dict[str, str]:
    """Return each name of an alias as it is written with its end: a text, a list, or a mapping of names and ends."""
    if isinstance(alias, str):
        return {alias: ""}
    if isinstance(alias, Mapping):
        return {name: until if isinstance(until, str) else "" for name, until in alias.items()}
    if not isinstance(alias, Iterable):
        return {}
    return {name: "" for name in alias if isinstance(name, str)}


def deprecation(attributes: Mapping[str, Any]) -> str:
    """Return since when, or until when, a field is deprecated, and why; empty if it is not."""
    since = attributes.get("deprecated")
    if not since:
        return ""
    reason = attributes.get("reason")
    until = f" ({since})" if isinstance(since, str) else ""
    if isinstance(reason, str):
        return f"{until}: {reason}"
    return until or " "
