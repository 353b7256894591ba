"""Rules that are accepted on purpose: `accepts: {FIELD_RENAMED: "the job moves on Friday", until: 2026-12-31}`."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.policies.rule_names import checked_rule
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault, TableFileError, collect
from airflow_provider_schemas.formats.table_file.parsing.entries import DATE, TEXT, moment, refused, text, what


class Accepted(Struct, frozen=True):
    """Rules, each with the reason why it is accepted, and the end of that."""

    rules: Mapping[str, str]
    until: str
    by: str = ""

    def keys(self) -> dict[str, str]:
        """As it is written."""
        return {**self.rules, "until": self.until, **({"by": self.by} if self.by else {})}


_OTHER = ("until", "by")


def accepted(value: object) -> Accepted:
    """What a file accepts of one column."""
    if isinstance(value, Accepted):
        return value
    if not isinstance(value, Mapping):
        raise refused(f"{what(value)} accepts nothing.", 'Write a mapping such as {FIELD_RENAMED: "why", until: 2026-12-31}.')
    faults = list(_faults(value))
    until = collect(faults, lambda: moment(value["until"]), "until") if "until" in value else ""
    by = collect(faults, lambda: text(value.get("by", "")), "by")
    if faults:
        raise TableFileError.of(faults)
    return Accepted({key: why for key, why in value.items() if key not in _OTHER}, until, by)


def _faults(value: Mapping[str, Any]) -> Iterator[Fault]:
    rules = {str(key): why for key, why in value.items() if key not in _OTHER}
    if not rules:
        yield Fault("table-file.missing", "", "no rule is named here.", "Name one, and say why it is accepted.")
    if "until" not in value:
        yield Fault("table-file.missing", "until", "what is accepted needs an end.", "Add until: and a date.")
    for rule, why in rules.items():
        faults: list[Fault] = []
        collect(faults, partial(checked_rule, rule), rule)
        collect(faults, partial(text, why, "reason"), rule)
        yield from faults


_WHY = {one.id: TEXT | {"minLength": 1, "description": f"Why this is accepted: {one.change}."} for one in RULES.values()}
# For editors.
ACCEPTS: dict[str, Any] = {
    "type": "object",
    "properties": {"until": DATE, "by": TEXT | {"description": "Who accepts it."}, **_WHY},
    "required": ["until"],
    "minProperties": 2,
    "additionalProperties": False,
}
