"""Options that hold secrets: which keys they have, and findings, changes and JSON without their values."""

from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.evolution.diff import Difference
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.rules import RULES

_NO_VALUE = ("", "''", "not set")
_ABOUT_OPTIONS = "OPTION_"
_CHANGE = ("action", "setOption")


def masked_finding(finding: Finding) -> Finding:
    """The finding without the secrets that it tells of."""
    if finding.changes:
        finding = replace(finding, changes=tuple(map(masked_change, finding.changes)))
    if not _tells(finding.rule, finding.path):
        texts = {key: without_credentials(getattr(finding, key)) for key in ("old", "new", "message")}
        return replace(finding, **texts) if "://" in finding.message or "://" in finding.old + finding.new else finding
    old, new = _masked(finding.old), _masked(finding.new)
    return replace(finding, old=old, new=new, message=_message(finding.rule, finding.path, old, new))


def _tells(rule: str, path: str) -> bool:
    return rule.startswith(_ABOUT_OPTIONS) and is_secret(path)


def _masked(value: str) -> str:
    """What is shown of a value: whether there is one."""
    return value if value in _NO_VALUE else MASK


def _message(rule: str, path: str, old: str, new: str) -> str:
    """The sentence of the rule again: a short value could stand anywhere in the one that was made of it."""
    says = RULES[rule].says if rule in RULES else ""
    return says.format_map({"path": path, "old": old, "new": new}) or f"the option {path} is not shown."


def masked_difference(one: Difference) -> Difference:
    """The difference between two schemas without the secret that it quotes."""
    return Difference(one.path, "its values differ.") if is_secret(one.path) else one


def masked_json(value: Any) -> Any:
    """The same JSON without secrets: in changes, in findings and in the options of a schema."""
    if isinstance(value, list | tuple):
        return [masked_json(one) for one in value]
    if not isinstance(value, dict):
        return without_credentials(value) if isinstance(value, str) else value
    found = {key: masked_json(one) for key, one in value.items()}
    if _CHANGE in found.items() and is_secret(str(found.get("key", ""))):
        return found | {"value": MASK}
    if _tells(str(found.get("rule", "")), str(found.get("path", ""))):
        old, new = _masked(str(found.get("old", ""))), _masked(str(found.get("new", "")))
        return found | {"old": old, "new": new, "message": _message(str(found["rule"]), str(found["path"]), old, new)}
    if isinstance(found.get("options"), dict):
        return found | {"options": {key: MASK if is_secret(key) else one for key, one in found["options"].items()}}
    return found
