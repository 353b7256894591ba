"""Attributes of a field that the judge understands: earlier names that stay valid, deprecation, and what values mean."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.common.deadlines import ended, readable
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key
from airflow_provider_schemas.errors import SchemaError

# What says how values are to be understood: when it changes, the bytes stay and their meaning does not.
MEANING = ("unit", "tags", "pii", "codes", "semantic")

_PREFIX = attribute_key(0)[:-1]
_ALIAS = "alias"


def attributes(schema: TableSchema, number: int) -> Mapping[str, Any]:
    """The attributes of a field; none, where they cannot be read, which validity tells."""
    try:
        return schema.attributes(number)
    except SchemaError:
        return {}


def aliases(schema: TableSchema, number: int, now: datetime | None = None) -> dict[str, str]:
    """The earlier names that stay valid, each with the day until which it does; empty if nobody said. Now leaves out those that ended."""
    found = _aliases(schema, number) if schema.options else {}
    return found if now is None or not found else {name: until for name, until in found.items() if not over(until, now)}


def aliases_by_field(schema: TableSchema) -> Iterator[tuple[int, dict[str, str]]]:
    """All aliases of a schema, field by field."""
    said = (key for key, text in schema.options.items() if key.startswith(_PREFIX) and _ALIAS in text)
    numbers = (key.removeprefix(_PREFIX) for key in said)
    yield from ((int(one), aliases(schema, int(one))) for one in numbers if one.isdecimal())


def with_alias(there: Mapping[str, Any], name: str, until: str) -> dict[str, Any]:
    """Return the attributes of a field with one alias more; the others keep their ends."""
    return {**there, _ALIAS: {**_ends(there.get(_ALIAS)), name: until}}


def without_alias(there: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the attributes of a field without this alias."""
    found = there.get(_ALIAS)
    names = [found] if isinstance(found, str) else found
    if not names or name not in names:
        return dict(there)
    left: Any = [one for one in names if one != name]
    left = {one: found[one] for one in left} if isinstance(found, Mapping) else left
    rest = {**there, _ALIAS: left}
    return rest if left else {key: value for key, value in rest.items() if key != _ALIAS}


def over(until: str, now: datetime) -> bool:
    """Whether an alias with this end has ended; one whose end nobody can read has none."""
    return readable(until) and ended(until, now)


def _aliases(schema: TableSchema, number: int) -> dict[str, str]:
    return _ends(attributes(schema, number).get(_ALIAS))


def _ends(alias: Any) -> dict[str, str]:
    """Return each name of an alias as it is written with its end: a text, a list, or a mapping of names and ends."""
    if isinstance(alias, str):
        return {alias: ""}
    if isinstance(alias, Mapping):
        return {name: until if isinstance(until, str) else "" for name, until in alias.items()}
    return {one: "" for one in alias if isinstance(one, str)} if isinstance(alias, Iterable) else {}


def deprecation(attributes: Mapping[str, Any]) -> str:
    """Since when, or until when, and why; empty if the field is not deprecated."""
    since = attributes.get("deprecated")
    if not since:
        return ""
    reason = attributes.get("reason")
    until = f" ({since})" if isinstance(since, str) else ""
    return f"{until}: {reason}" if isinstance(reason, str) else until or " "
