"""The types of ours that Spark cannot hold, and why."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import children

_MICROS: Final = 6


def _too_fine(kind: AtomicType) -> str:
    if (kind.precision or 0) <= _MICROS:
        return ""
    return f"Spark's timestamps have {_MICROS} digits"


# What Spark does not have, by root.
_LACKING: Final[dict[Root, str | Callable[[Any], str]]] = {
    Root.TIME: "Spark has no times of day that all its versions can read",
    Root.TIMESTAMP: _too_fine,
    Root.TIMESTAMP_LTZ: _too_fine,
    Root.BLOB: "Spark has no BLOB, whose bytes lie in files of their own",
    Root.VECTOR: "Spark has no VECTOR",
    Root.GEOMETRY: "Spark cannot read it from a file",
    Root.GEOGRAPHY: "Spark cannot read it from a file",
    Root.OPAQUE: "Spark does not know it: of a type of another format, only the text is known",
}


def lacks(kind: DataType) -> str:
    """Return why Spark cannot hold values of the type, or of a type inside it; empty if it can."""
    return next((f"{inner.with_nullable(True)}: {reason}" for inner, reason in _reasons(kind)), "")


def _reasons(kind: DataType) -> Iterator[tuple[DataType, str]]:
    reason = _LACKING.get(kind.root, "")
    if not isinstance(reason, str):
        reason = reason(kind)
    if reason:
        yield kind, reason
        return
    for _, part in children(kind):
        yield from _reasons(part)
