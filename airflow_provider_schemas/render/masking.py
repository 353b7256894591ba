"""Findings, differences and JSON without the values of options that hold secrets."""

from typing import Any, TypeAlias

from msgspec.structs import replace

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.evolution.diff import Difference
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.rules import RULES

JsonValue: TypeAlias = bool | int | float | str | list[Any] | tuple[Any, ...] | dict[str, Any] | None

_NO_VALUE = ("", "''", "not set")
_ABOUT_OPTIONS = "OPTION_"
_SET_OPTION = ("action", "setOption")


def masked_finding(finding: Finding) -> Finding:
    """Return the finding without secrets."""
    if finding.changes:
        finding = replace(finding, changes=tuple(map(masked_change, finding.changes)))
    if _quotes_secret(finding.rule, finding.path):
        return replace(finding, **_masked_texts(finding.rule, finding.path, finding.old, finding.new))
    if any("://" in text for text in (finding.message, finding.old, finding.new)):
        return replace(finding, **{key: without_credentials(getattr(finding, key)) for key in ("old", "new", "message")})
    return finding


def _quotes_secret(rule: str, path: str) -> bool:
    return rule.startswith(_ABOUT_OPTIONS) and is_secret(path)


def _masked_texts(rule: str, path: str, old: str, new: str) -> dict[str, str]:
    """Return both sides and the sentence of a finding, without the values of an option."""
    texts = {"path": path, "old": _masked_value(old), "new": _masked_value(new)}
    # The sentence is made anew: a short value could stand anywhere in the one that was made with it.
    says = RULES[rule].says if rule in RULES else ""
    message = says.format_map(texts) or f"the option {path} is not shown."
    return {"old": texts["old"], "new": texts["new"], "message": message}


def _masked_value(value: str) -> str:
    """Return whether there is a value, and nothing else of it."""
    if value in _NO_VALUE:
        return value
    return MASK


def masked_difference(difference: Difference) -> Difference:
    """Return the difference between two schemas without the secret that it quotes."""
    if is_secret(difference.path):
        return Difference(difference.path, "its values differ.")
    return difference


def masked_json(value: JsonValue) -> JsonValue:
    """Return JSON without secrets: in changes, in findings and in the options of a schema."""
    if isinstance(value, dict):
        return _masked_object({key: masked_json(part) for key, part in value.items()})
    if isinstance(value, list | tuple):
        return [masked_json(part) for part in value]
    if isinstance(value, str):
        return without_credentials(value)
    return value


def _masked_object(entries: dict[str, Any]) -> dict[str, Any]:
    if _SET_OPTION in entries.items() and is_secret(str(entries.get("key", ""))):
        return entries | {"value": MASK}
    rule = str(entries.get("rule", ""))
    path = str(entries.get("path", ""))
    if _quotes_secret(rule, path):
        return entries | _masked_texts(rule, path, str(entries.get("old", "")), str(entries.get("new", "")))
    options = entries.get("options")
    if isinstance(options, dict):
        return entries | {"options": {key: MASK if is_secret(key) else value for key, value in options.items()}}
    return entries
