"""Keys of a table file beyond names and types: they go into the attributes of fields and of the table, and into the option of the policy.

Attributes that other tools wrote and that the file does not mention stay, and so does the spelling of equal values.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.changes.schema_change import SetOption, set_attributes
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file.parsing.entries import describe, refusal
from airflow_provider_schemas.formats.table_file.parsing.read_entry import ReadEntry
from airflow_provider_schemas.formats.user_file import policy_keys

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

POLICY_OPTION = "schemas.policy"
OF_COLUMN = ("deprecated", "reason", "alias", "unit", "tags")
OF_TABLE = ("owner", "contact", "location", "format")

AttributeValues = dict[str, Any]

# ---------------------------------------------------------------- attributes


def attribute_values(part: ReadEntry, keys: tuple[str, ...]) -> AttributeValues:
    """Return the attributes that a column or a table file mentions; None removes one."""
    values = {key: _plain(key, getattr(part, key)) for key in keys if key in part.mentioned}
    if "deprecated" in values and values["deprecated"] is None:
        values["reason"] = None
    return values


def _plain(key: str, value: Any) -> Any:
    """Return a value as an attribute keeps it; None for an empty one."""
    if value in ((), {}, False):
        return None
    if key == "alias" and value:
        return _shortest_aliases(value)
    if key == "tags" and value:
        return list(value)
    return value


def _shortest_aliases(ends: Mapping[str, str]) -> dict[str, str] | list[str] | str:
    """Return aliases in their shortest form: with their ends, where one has an end; one alias without an end as a text."""
    if any(ends.values()):
        return dict(ends)
    if len(ends) == 1:
        return next(iter(ends))
    return list(ends)


def merge(stored: Mapping[str, Any], mentioned: AttributeValues) -> AttributeValues:
    """Return the stored attributes, changed by those that the file mentions."""
    kept = {key: value for key, value in stored.items() if mentioned.get(key, value) is not None}
    changed = {key: value for key, value in mentioned.items() if value is not None and not _is_same(key, kept.get(key), value)}
    return kept | changed


def _is_same(key: str, first: Any, second: Any) -> bool:
    """Return whether two values of an attribute mean the same."""
    if key == "alias":
        return bool(_ends(first) == _ends(second))
    return bool(first == second or (key == "tags" and [first] == second))


def aliases(schema: TableSchema, name: str) -> tuple[str, ...]:
    """Return the other names that a column of the table has today."""
    field = schema.field(name)
    if field is None:
        return ()
    stored = attribute_object(schema.options.get(attribute_key(field.id), "{}")) or {}
    ends = _ends(stored.get("alias"))
    if not isinstance(ends, dict):
        return ()
    return tuple(ends)


def _ends(alias: Any) -> Any:
    """Return aliases with their ends; a value of another shape unchanged."""
    if isinstance(alias, Mapping):
        return {name: until or "" for name, until in alias.items()}
    if isinstance(alias, str):
        return {alias: ""}
    if isinstance(alias, list):
        return dict.fromkeys(alias, "")
    return alias


def attribute_option(number: int | None, mentioned: AttributeValues, options: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return the option with the attributes of a field, or of the table, and its new value, if that differs; None removes it."""
    if not mentioned:
        return []
    key = attribute_key(number)
    stored = attribute_object(options.get(key, "{}"))
    if stored is None:
        message = f"the attributes in the option {key} are {shown(options[key])}, which no JSON object is."
        raise TableFileError(message, code="attributes.invalid", fix="Mend or remove the option first.")
    after = merge(stored, mentioned)
    if after == stored:
        return []
    change = set_attributes(number, after)
    return [(key, change.value if isinstance(change, SetOption) else None)]


# ---------------------------------------------------------------- the policy


def policy_option(policy: "Policy | str | None", options: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return the option of the policy, and its new value, if that differs; None removes it."""
    stored = options.get(POLICY_OPTION)
    text = policy if isinstance(policy, str | None) else policy_text(policy)
    if text == stored:
        return []
    if not isinstance(policy, str | None) and inline_policy(stored) == policy:  # the same policy, spelled otherwise
        return []
    return [(POLICY_OPTION, text)]


def policy_text(policy: "Policy") -> str:
    """Write a policy as the option keeps it: the keys that differ from the default."""
    return json.dumps(policy_keys(policy), ensure_ascii=False, sort_keys=True)


def read_policy(value: object) -> "Policy | str | None":
    """Return the policy of a table file: the name of one, or a block."""
    if value is None or isinstance(value, str):
        return value
    from airflow_provider_schemas.core.policies.policy import Policy

    if isinstance(value, Policy):
        return value
    if not isinstance(value, Mapping):
        raise refusal(f"{describe(value)} is no policy.", "Write the name of a policy, or its keys.")
    return Policy.read(value)


def inline_policy(text: str | None) -> "Policy | None":
    """Return the policy that an option holds as a block, or the preset that it names; None for other names and other texts."""
    if not text:
        return None
    from airflow_provider_schemas.core.policies.policy import Policy, preset

    value = attribute_object(text)
    try:
        return preset(text) if value is None else Policy.read(value)
    except SchemaError:
        return None
