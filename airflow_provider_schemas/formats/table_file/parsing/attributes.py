"""What a table file says beyond types: it goes into the attributes of fields and of the table, and into the option of the policy.

Attributes that other tools wrote and that the file does not mention stay, and so does the spelling of what is equal.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.changes.schema_change import SetOption, set_attributes
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key, attribute_object
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file.parsing.entries import refused, what
from airflow_provider_schemas.formats.table_file.parsing.read_entry import ReadEntry
from airflow_provider_schemas.formats.user_file import policy_keys

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

POLICY_OPTION = "schemas.policy"
OF_COLUMN = ("deprecated", "reason", "alias", "unit", "tags")
OF_TABLE = ("owner", "contact", "location", "format")

Said = dict[str, Any]


def said(part: ReadEntry, keys: tuple[str, ...]) -> Said:
    """The attributes that a column or a table file mentions; None takes one away."""
    words = {key: _plain(key, getattr(part, key)) for key in keys if key in part.mentioned}
    if "deprecated" in words and words["deprecated"] is None:
        words["reason"] = None
    return words


def _plain(key: str, value: Any) -> Any:
    """The value as an attribute keeps it; None for nothing."""
    if key == "alias" and value:
        return dict(value) if any(value.values()) else next(iter(value)) if len(value) == 1 else list(value)
    if key == "tags" and value:
        return list(value)
    return None if value in ((), {}, False) else value


def merged(there: Mapping[str, Any], words: Said) -> Said:
    """The attributes after the file has spoken."""
    kept = {key: value for key, value in there.items() if words.get(key, value) is not None}
    return kept | {key: value for key, value in words.items() if value is not None and not same(key, kept.get(key), value)}


def same(key: str, one: Any, other: Any) -> bool:
    """Whether two values of an attribute say the same."""
    if key == "alias":
        return bool(_ends(one) == _ends(other))
    return bool(one == other or (key == "tags" and [one] == other))


def aliases(schema: TableSchema, name: str) -> tuple[str, ...]:
    """The other names that a column of the table has today."""
    field = schema.field(name)
    there = None if field is None else attribute_object(schema.options.get(attribute_key(field.id), "{}"))
    ends = _ends((there or {}).get("alias"))
    return tuple(ends) if isinstance(ends, dict) else ()


def _ends(alias: Any) -> Any:
    if isinstance(alias, Mapping):
        return {name: until or "" for name, until in alias.items()}
    return dict.fromkeys([alias] if isinstance(alias, str) else alias, "") if isinstance(alias, str | list) else alias


def attribute_option(number: int | None, words: Said, options: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """The option that holds the attributes of a field, or of the table, and its new value, if that differs; None takes it away."""
    if not words:
        return []
    key = attribute_key(number)
    there = attribute_object(options.get(key, "{}"))
    if there is None:
        message = f"the attributes in the option {key} are {shown(options[key])}, which no JSON object is."
        raise TableFileError(message, code="attributes.invalid", fix="Mend or remove the option first.")
    after = merged(there, words)
    if after == there:
        return []
    change = set_attributes(number, after)
    return [(key, change.value if isinstance(change, SetOption) else None)]


def policy_option(policy: "Policy | str | None", options: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """The option of the policy, likewise."""
    there = options.get(POLICY_OPTION)
    is_block = not isinstance(policy, str | None)
    text = policy_text(policy) if not isinstance(policy, str | None) else policy
    same_block = is_block and inline_policy(there) == policy
    return [] if text == there or same_block else [(POLICY_OPTION, text)]


def policy_text(policy: "Policy") -> str:
    """A policy as the option keeps it: what differs from the default."""
    return json.dumps(policy_keys(policy), ensure_ascii=False, sort_keys=True)


def policy_entry(value: object) -> "Policy | str | None":
    """What a table file says of its policy: the name of one, or a block."""
    if value is None or isinstance(value, str):
        return value
    from airflow_provider_schemas.core.policies.policy import Policy

    if isinstance(value, Policy):
        return value
    if not isinstance(value, Mapping):
        raise refused(f"{what(value)} is no policy.", "Write the name of a policy, or its keys.")
    return Policy.read(value)


def inline_policy(text: str | None) -> "Policy | None":
    """The policy that an option holds as a block, or the preset that it names; None for other names, and for what is no policy."""
    if not text:
        return None
    from airflow_provider_schemas.core.policies.policy import Policy, preset

    value = attribute_object(text)
    try:
        return preset(text) if value is None else Policy.read(value)
    except SchemaError:
        return None
