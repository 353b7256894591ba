"""A change of a hundred columns judged against the versions before it, few of them and many; nothing is read for it."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from airflow_provider_schemas.core import TableSchema, check, evolve
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.history import History, spans_of
from tests.benchmarks.contest import OURS
from tests.benchmarks.store.subject import Maker, Prepared, Subject

ALONE = "limit: against one version"
_COLUMNS = 100
_SCHEMA = TableSchema.create(", ".join(f"c{number} INT" for number in range(2 * _COLUMNS)))
_POLICY = Policy(against="all")  # type: ignore[arg-type]  # read from plain values
_BATCHES = {
    "add 100 columns": [f"ADD COLUMN new_{number} INT" for number in range(_COLUMNS)],
    "drop 100 columns": [f"DROP COLUMN c{number}" for number in range(_COLUMNS)],
    "rename 100 columns": [f"RENAME COLUMN c{number} TO new_{number}" for number in range(_COLUMNS)],
    "retype 100 columns": [f"ALTER COLUMN c{number} TYPE BIGINT" for number in range(_COLUMNS)],
}


def _judging(changes: list[str], versions: int) -> Callable[[], object]:
    schemas = [msgspec.structs.replace(_SCHEMA, id=number) for number in range(versions + 1)]
    old, spans = schemas[-1], spans_of(schemas[:-1])
    new = evolve(old, changes)
    return lambda: check(old, new, _POLICY, history=History(range(versions), lambda: spans, lambda _: ()))


def _maker(changes: list[str], versions: int | None = None) -> Maker:
    return lambda _, size: Prepared(_judging(changes, versions or size))


def _nothing(_folder: Path, _versions: int) -> None:
    """Nothing lies on a disk."""


SUBJECT = Subject(
    "A change judged against a long history",
    "earlier versions",
    (100, 1_000, 5_000),
    _nothing,
    {f"judge: {name}": {OURS: _maker(changes), ALONE: _maker(changes, 1)} for name, changes in _BATCHES.items()},
)
