"""Rules that are accepted on purpose: `accepts: {FIELD_RENAMED: "the job moves on Friday", until: 2026-12-31}`."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.policies.rule_names import checked_rule
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault, TableFileError, collect
from airflow_provider_schemas.formats.table_file.parsing.entries import DATE, TEXT, describe, read_moment, read_text, refusal


class Accepted(Struct, frozen=True):
    """Rules, each with the reason why it is accepted, and the day on which that ends."""

    rules: Mapping[str, str]
    until: str
    by: str = ""

    def keys(self) -> dict[str, str]:
        """Return the keys and values as a file has them."""
        keys = {**self.rules, "until": self.until}
        if self.by:
            keys["by"] = self.by
        return keys


_OTHER_KEYS = ("until", "by")


def read_accepted(value: object) -> Accepted:
    """Return the rules that a file accepts for one column."""
    if isinstance(value, Accepted):
        return value
    if not isinstance(value, Mapping):
        raise refusal(f"{describe(value)} accepts nothing.", 'Write a mapping such as {FIELD_RENAMED: "why", until: 2026-12-31}.')
    faults = list(_faults(value))
    until = collect(faults, lambda: read_moment(value["until"]), "until") if "until" in value else ""
    by = collect(faults, lambda: read_text(value.get("by", "")), "by")
    if faults:
        raise TableFileError.of(faults)
    return Accepted(_rules(value), until, by)


def _rules(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: reason for key, reason in value.items() if key not in _OTHER_KEYS}


def _faults(value: Mapping[str, Any]) -> Iterator[Fault]:
    rules = _rules(value)
    if not rules:
        yield Fault("table-file.missing", "", "no rule is named here.", "Name one, and say why it is accepted.")
    if "until" not in value:
        yield Fault("table-file.missing", "until", "what is accepted needs an end.", "Add until: and a date.")
    for key, reason in rules.items():
        rule = str(key)
        faults: list[Fault] = []
        collect(faults, partial(checked_rule, rule), rule)
        collect(faults, partial(read_text, reason, "reason"), rule)
        yield from faults


_REASONS = {rule.id: TEXT | {"minLength": 1, "description": f"Why this is accepted: {rule.change}."} for rule in RULES.values()}
# For editors.
ACCEPTS: dict[str, Any] = {
    "type": "object",
    "properties": {"until": DATE, "by": TEXT | {"description": "Who accepts it."}, **_REASONS},
    "required": ["until"],
    "minProperties": 2,
    "additionalProperties": False,
}
