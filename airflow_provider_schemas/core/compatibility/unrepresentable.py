"""Types that a listed engine cannot hold: of a column that is there from the start, and of one that a change makes."""

from collections.abc import Iterator, Sequence

import msgspec

from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader, holds
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, children

_RULE = "TYPE_UNREPRESENTABLE"
# Paimon holds every type, and a policy that lists no engine reads with Paimon.
_HOLDS_ALL = "paimon"
# Rules of fields that were not there, so that no reader has had to hold them.
_NEW_FIELDS = frozenset(
    {"FIELD_ADDED_NULLABLE", "FIELD_ADDED_DEFAULTED", "FIELD_ADDED_WRITE_DEFAULT", "FIELD_ADDED_REQUIRED", "FIELD_READDED"}
)
# The new type of a key is judged at its column too.
_JUDGED_AT_COLUMN = ("KEY_FIELD_RETYPED", "PARTITION_FIELD_RETYPED")


def selective(readers: Sequence[Reader]) -> list[Reader]:
    """Return the engines that lack some type."""
    return [reader for reader in readers if reader.name != _HOLDS_ALL]


def unrepresentable(kind: DataType, path: str, field_id: int, readers: Sequence[Reader]) -> Iterator[Finding]:
    """Yield a finding for each listed engine that cannot hold a column that is there from the start."""
    rule = RULES[_RULE]
    answers = rule.answers()
    for reader in selective(readers):
        missing = _unheld(kind, reader)
        if missing is not None:
            message = rule.says.format_map({"engine": reader.name, "path": path, "new": str(missing)})
            finding = Finding(rule.id, path, message, rule.fix, id=field_id, new=str(missing), verdicts=answers)
            yield msgspec.structs.replace(finding, data=Verdict.INVALID, jobs=Verdict.INVALID, writers=Verdict.INVALID)


def newly_unrepresentable(observation: Observation, readers: Sequence[Reader]) -> Iterator[Observation]:
    """Yield an observation for each engine that cannot hold the new type, and could hold the old one."""
    is_new = isinstance(observation.after, Field) and observation.rule in _NEW_FIELDS
    kind = observation.after.type if is_new else observation.after
    if not isinstance(kind, DataType) or observation.rule in _JUDGED_AT_COLUMN:
        return
    for reader in readers:
        missing = _unheld(kind, reader)
        if missing is None or (isinstance(observation.before, DataType) and _unheld(observation.before, reader)):
            continue
        yield Observation(
            rule=_RULE,
            where=observation.where,
            path=observation.path,
            id=observation.id,
            new=str(missing),
            words={**observation.words, "engine": reader.name},
        )


def _unheld(kind: DataType, reader: Reader) -> DataType | None:
    """Return the first type inside this one that the engine has no counterpart for."""
    if not holds(reader.name, kind):
        return kind
    unheld = (_unheld(part, reader) for _, part in children(kind))
    return next((part for part in unheld if part is not None), None)
