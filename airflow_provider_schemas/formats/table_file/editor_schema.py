"""The JSON Schema of the table file, by which editors complete keys, explain them and underline faults.

Made from the model, and shipped as docs/table-file.schema.json.
"""

import json
from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.engines.readers import READERS
from airflow_provider_schemas.core.policies.policy import WORDS, Policy, Protect
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats.table_file.form import TableFileForm
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import ACCEPTS
from airflow_provider_schemas.formats.table_file.parsing.entries import DATE, NULL, TEXT

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_EXAMPLE = {
    "table": "shop.orders",
    "owner": "team-orders",
    "columns": [{"name": "order_id", "type": "BIGINT NOT NULL"}, {"name": "customer_id", "type": "BIGINT", "was": "cust_id"}],
    "dropped": ["legacy_flag"],
    "primary_key": ["order_id"],
    "options": {"bucket": "4"},
}
_ACCEPTS = {"$ref": "#/$defs/Accepts"}
_RULE = {"enum": list(RULES)}
_WORDS = {"enum": list(WORDS)}
_PROTECT = {"anyOf": [{"$ref": "#/$defs/Protect"}, {"type": "array", "items": {"enum": list(Protect.model_fields)}}, _WORDS]}
# Descriptions of keys that the model of a policy does not have; None for keys that no file has.
_OF_POLICY: Mapping[str, dict[str, Any] | None] = {
    "name": TEXT | {"description": "What it is called."},
    "protect": _PROTECT | {"description": "What a bad answer does, about old data, old readers and old writers."},
    "against": {"$ref": "#/$defs/Against", "description": "Which earlier versions count."},
    "readers": {"anyOf": [TEXT, {"type": "array", "items": TEXT}], "examples": [sorted(READERS)],
                "description": "The engines that read the table."},
    "rules": {"type": "object", "propertyNames": _RULE, "additionalProperties": {"enum": ["ok", "warn", "block"]},
              "description": "What single rules do, whatever is protected."},
    "exceptions": {"type": "array", "items": {"$ref": "#/$defs/Waiver"}, "description": "Findings that are accepted, each until a day."},
    "enforce_from": {"anyOf": [DATE, NULL], "description": "The day from which it blocks; before, it only warns."},
    "registry_complete": {"type": "boolean", "description": "Whether every reader of the table has registered a contract."},
    "descriptions": {"enum": ["warn", "block"], "description": "What it does where only the description of a table was looked at."},
    "mode": _WORDS | {"description": "One word for protect and against, of other registries, or the name of a preset."},
    "override": None,
    "also": None,
}  # fmt: skip
# The same for the parts of a policy.
_OF_PARTS: Mapping[str, Mapping[str, str]] = {
    "Waiver": {
        "rule": "The rule whose findings are accepted.",
        "path": "The column or field that it is about; everything, unless told.",
        "reason": "Why it is accepted.",
        "by": "Who accepts it.",
        "consumer": "The one reader or writer for which it is accepted; all, unless told.",
    },
    "Protect": {
        "data": "What it does where old data is not readable.",
        "jobs": "What it does where old readers stop working.",
        "writers": "What it does where old writers stop working.",
    },
}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema as a plain value."""
    whole = _plain(json.loads(json.dumps(TableFileForm.model_json_schema()).replace("ColumnForm", "Column")))
    policy = _plain(Policy.model_json_schema())
    parts = whole["$defs"] | policy["$defs"]
    described = {key: value for key, value in _OF_POLICY.items() if value is not None}
    parts["Policy"] = parts["Policy"] | {"properties": described}
    parts["Waiver"]["properties"] |= {"rule": _RULE, "until": DATE}
    for name, words in _OF_PARTS.items():
        for key, word in words.items():
            parts[name]["properties"][key] |= {"description": word}
    parts["Accepts"] = ACCEPTS
    parts["Column"]["properties"]["accepts"] = _ACCEPTS | {"description": parts["Column"]["properties"]["accepts"]["description"]}
    whole["properties"]["dropped"]["items"]["anyOf"][1]["properties"]["accepts"] = _ACCEPTS
    whole["properties"]["policy"] |= {"anyOf": [TEXT, {"$ref": "#/$defs/Policy"}, NULL]}
    about = {"title": "Table file", "description": TableFileForm.__doc__, "examples": [_EXAMPLE]}
    return {"$schema": _DIALECT, **whole, **about, "$defs": dict(sorted(parts.items()))}


def json_schema_text() -> str:
    """Return the text of the file that is shipped."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


# Limits that no writer meets, and defaults without meaning: null stands for a key that is not mentioned.
_NOISE = ("maxLength", "default")
_KEYS_OF_NAMES = ("properties", "$defs")


def _plain(value: Any, *, has_names: bool = False) -> Any:
    """Return a schema without noise; the keys of a mapping that has names are names."""
    if isinstance(value, dict):
        parts = {key: part for key, part in value.items() if has_names or key not in _NOISE}
        return {key: _plain(part, has_names=key in _KEYS_OF_NAMES and not has_names) for key, part in parts.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value
