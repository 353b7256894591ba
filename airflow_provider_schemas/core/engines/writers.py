"""What each writer does with values whose type is not that of the column: stops, converts them, or writes something else.

Contracts name writers, such as `deltalake`. What a writer does with a pair of types is data, in `write_measurements`. Callers ask for each
part of a container by itself.
"""

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.engines.measurements import Outcome
from airflow_provider_schemas.core.engines.write_measurements import FAMILIES_OF, LACKED_BY, MEASURED, MICROSECONDS, WRITERS
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import Root

__all__ = ["WRITERS", "describe", "outcome"]


def outcome(writer: str, source: AtomicType, target: AtomicType) -> Outcome:
    """Return the worst that the writer does with any value of the source type in a column of the target type."""
    source = source.with_nullable(True)
    target = target.with_nullable(True)
    if target.root in LACKED_BY[writer]:
        return Outcome.ABSENT
    if not _was_measured(source, target):
        return Outcome.UNKNOWN
    if same_type(source, target):
        return Outcome.EXACT
    for family in FAMILIES_OF[writer].get((source.root, target.root), ()):
        if family.condition(source, target):
            return family.outcome
    return Outcome.UNKNOWN


def _was_measured(source: AtomicType, target: AtomicType) -> bool:
    has_other_digits = target.root in _STAMPS and target.precision != MICROSECONDS
    return {source.root, target.root} <= MEASURED and not has_other_digits


_STAMPS = frozenset({Root.TIMESTAMP, Root.TIMESTAMP_LTZ})

_SENTENCES: dict[Outcome, str] = {
    Outcome.EXACT: "writes the same value",
    Outcome.BYTES: "writes the bytes as they are, text or not",
    Outcome.APPROXIMATE: "writes a value close to it, without an error",
    Outcome.ERROR: "stops at the first value that does not fit",
    Outcome.REFUSED: "refuses to write it",
    Outcome.NULL: "writes NULL, without an error",
    Outcome.SHIFTED: "writes another point in time, without an error",
    Outcome.WRONG: "writes another value, without an error",
    Outcome.ABSENT: "makes no column of the type that the table has",
    Outcome.UNKNOWN: "does what nobody has measured",
}


def describe(outcome: Outcome) -> str:
    """Return the outcome as the end of a sentence that begins with the name of a writer."""
    return _SENTENCES[outcome]
