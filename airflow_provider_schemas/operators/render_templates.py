"""The arguments of a guard with their templates rendered, as the task would: a guard is no operator, so that nobody else does it.

Not as the task's own fields, though: an operator that takes `.sh` or `.sql` for the name of a file would take a table for one.
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.gate.arguments import Asked
from airflow_provider_schemas.tasks.template_values import argument_error

_MARKS = ("{{", "{%")


def rendered(asked: Asked, context: Mapping[str, Any]) -> Asked:
    """What is asked, with values for templates."""
    with settled():
        return msgspec.structs.replace(asked, **{one: _value(getattr(asked, one), context) for one in asked.__struct_fields__})


def _value(value: Any, context: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return _text(value, context) if any(mark in value for mark in _MARKS) else value
    if isinstance(value, TableName):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [_value(one, context) for one in value]
    if isinstance(value, Mapping):
        return _mapping(value, context)
    resolve = None if isinstance(value, PathLike) else getattr(value, "resolve", None)
    return resolve(context) if callable(resolve) else value


def _mapping(value: Mapping[Any, Any], context: Mapping[str, Any]) -> dict[Any, Any]:
    """The mapping, whose keys may be templates, too: what two of them say that come out as one must be the same."""
    found: dict[Any, Any] = {}
    for key, one in value.items():
        name, said = _value(key, context), _value(one, context)
        if not isinstance(name, str | int | TableName | None):
            raise argument_error(f"{shown(key)} comes out as a {type(name).__name__}, which is no name.", shown(key), "Pass text there.")
        if name in found and found[name] != said:
            message = f"it comes out as {shown(name)}, which stands there already and says something else."
            raise argument_error(message, shown(key), "Keep the one that is meant.")
        found[name] = said
    return found


def _text(text: str, context: Mapping[str, Any]) -> Any:
    return context["task"].get_template_env().from_string(text).render(dict(context))
