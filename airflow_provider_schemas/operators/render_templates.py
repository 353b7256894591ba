"""Render the templates in the arguments of a guard, as Airflow does for operators, which a guard is not.

Not as the task's own fields, though: an operator that takes `.sh` or `.sql` for the name of a file would take a table for one.
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.gate.arguments import GateArguments
from airflow_provider_schemas.tasks.template_values import argument_error

_MARKS = ("{{", "{%")


def render_arguments(asked: GateArguments, context: Mapping[str, Any]) -> GateArguments:
    """Return the arguments with values for templates."""
    with settled():
        values = {name: _render_value(getattr(asked, name), context) for name in asked.__struct_fields__}
        return msgspec.structs.replace(asked, **values)


def _render_value(value: Any, context: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        is_template = any(mark in value for mark in _MARKS)
        return _render_text(value, context) if is_template else value
    if isinstance(value, TableName):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [_render_value(entry, context) for entry in value]
    if isinstance(value, Mapping):
        return _render_mapping(value, context)
    if isinstance(value, PathLike):  # whose `resolve` is another one than that of an XComArg
        return value
    resolve = getattr(value, "resolve", None)
    return resolve(context) if callable(resolve) else value


def _render_mapping(mapping: Mapping[Any, Any], context: Mapping[str, Any]) -> dict[Any, Any]:
    """Render a mapping, whose keys may be templates, too: two keys that come out as one must have the same value."""
    rendered: dict[Any, Any] = {}
    for key, template in mapping.items():
        name = _render_value(key, context)
        value = _render_value(template, context)
        if not isinstance(name, str | int | TableName | None):
            raise argument_error(f"{shown(key)} comes out as a {type(name).__name__}, which is no name.", shown(key), "Pass text there.")
        if name in rendered and rendered[name] != value:
            message = f"it comes out as {shown(name)}, which stands there already and says something else."
            raise argument_error(message, shown(key), "Keep the one that is meant.")
        rendered[name] = value
    return rendered


def _render_text(text: str, context: Mapping[str, Any]) -> Any:
    return context["task"].get_template_env().from_string(text).render(dict(context))
