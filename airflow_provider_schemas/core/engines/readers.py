"""What each engine does with data files that were written when a column had another type.

Policies name engines, such as `spark-4-parquet`. What an engine does with a pair of types is data, in
`measurements`: an engine may be unable to read a pair that loses nothing by `cast_rules.lossless`. Callers
ask for each part of a container by itself.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import convertible, lossless, same_type
from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.engines.measurements import COLUMNS, DIGITS, FAMILIES, KNOWN_OPAQUE, LACKS, PROMOTIONS, Outcome
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.errors import FormatError

__all__ = ["READERS", "Outcome", "Reader", "describe", "holds", "outcome", "outcomes", "parse_reader", "readable"]

# ---------------------------------------------------------------- names

By = Literal["id", "name"]

# How each reader finds a column in a file by default. All were measured, or convert as Paimon does, but for those of Iceberg and Delta,
# which are as their formats say.
READERS: dict[str, By] = {
    "paimon": "id",
    "spark-4-parquet": "name",
    "spark-4-orc": "name",
    "iceberg-v2": "id",
    "spark-iceberg": "id",
    "delta": "name",
    "spark-delta": "id",
}
_BY: dict[str, By] = {"id": "id", "name": "name"}


class Reader(NamedTuple):
    """An engine, and whether it finds columns by id or by name."""

    name: str
    by: By

    def __str__(self) -> str:
        return self.name if READERS.get(self.name) == self.by else f"{self.name} by {self.by}"


_READERS = {name: Reader(name, by) for name, by in READERS.items()}


def parse_reader(text: object) -> Reader:
    """Return the engine of a text such as "spark-4-parquet" or "spark-4-parquet by id"."""
    if isinstance(text, str) and text in _READERS:
        return _READERS[text]
    words = " ".join(text.split()).lower() if isinstance(text, str) and len(text) <= MAX_NAME else ""
    name, has_way, way = words.partition(" by ")
    by = _BY.get(way) if has_way else READERS.get(name)
    if name not in READERS or by is None:
        raise _unknown_reader(text, name)
    return Reader(name, by)


def _unknown_reader(text: object, name: str) -> FormatError:
    from difflib import get_close_matches

    similar = get_close_matches(name, READERS, n=1)
    hint = f"Did you mean {similar[0]}? " if similar and similar[0] != name else ""
    fix = f"{hint}Use {', '.join(READERS)}, with 'by id' or 'by name' after it if columns are to be found that way."
    return FormatError(f"{shown(text)} is no engine that we know.", code="reader.unknown", fix=fix)


# ---------------------------------------------------------------- types


def holds(reader_name: str, kind: DataType) -> bool:
    """Return whether the engine has such a type at all."""
    _parts_of_reader(reader_name)
    if kind.root in LACKS[reader_name]:
        return isinstance(kind, AtomicType) and kind.text in KNOWN_OPAQUE.get(reader_name, ())
    most = DIGITS[reader_name].get(kind.root)
    return most is None or not isinstance(kind, AtomicType) or (kind.precision or 0) <= most


def readable(reader_name: str, source: DataType, target: DataType) -> bool:
    """Return whether nothing is lost, and this engine reads every old value exactly. NOT NULL does not matter.

    Containers of one kind are readable, but for their parts, which are not compared here.
    """
    worst = outcome(reader_name, source, target)
    source = source.with_nullable(True)
    target = target.with_nullable(True)
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return source.root is target.root
    return worst is Outcome.EXACT and lossless(source, target)


# ---------------------------------------------------------------- outcomes


def _parts_by_reader() -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in READERS:
        parts = [column for column in COLUMNS if column.partition(" ")[0] == name]
        yield name, tuple(parts or [name])


_PARTS = dict(_parts_by_reader())
_SEVERITY = {outcome: number for number, outcome in enumerate(Outcome)}


def outcome(reader_name: str, source: DataType, target: DataType) -> Outcome:
    """Return the worst outcome in the engine for files of the source type, read as the target type."""
    if isinstance(source, AtomicType) and isinstance(target, AtomicType):
        return _remembered_outcome(reader_name, source, target)
    return _outcome(reader_name, source, target)


def _outcome(reader_name: str, source: DataType, target: DataType) -> Outcome:
    return max(outcomes(reader_name, source, target).values(), key=_SEVERITY.__getitem__)


# The columns of a table have few types.
_remembered_outcome = lru_cache(maxsize=1_000)(_outcome)


def outcomes(reader_name: str, source: DataType, target: DataType) -> Mapping[str, Outcome]:
    """Return the outcome in each part of the engine, by name: Spark reads Parquet files in vectors or in rows."""
    parts = _parts_of_reader(reader_name)
    source = source.with_nullable(True)
    target = target.with_nullable(True)
    if same_type(source, target):
        return dict.fromkeys(parts, Outcome.EXACT)
    if not (holds(reader_name, source) and holds(reader_name, target)):
        return dict.fromkeys(parts, Outcome.ABSENT)
    if reader_name in PROMOTIONS:
        condition = PROMOTIONS[reader_name].get((source.root, target.root))
        return {reader_name: Outcome.EXACT if condition and condition(source, target) else Outcome.REFUSED}
    if reader_name == "paimon" and not convertible(source, target):
        return {reader_name: Outcome.REFUSED}
    measured = _measured_outcomes(source, target)
    return {part: measured.get(part, Outcome.UNKNOWN) for part in parts}


def _measured_outcomes(source: DataType, target: DataType) -> Mapping[str, Outcome]:
    families = FAMILIES.get((source.root, target.root), ())
    return next((family.outcomes for family in families if family.condition(source, target)), {})


def _parts_of_reader(reader_name: str) -> tuple[str, ...]:
    parts = _PARTS.get(reader_name)
    if parts is None:
        raise _unknown_reader(reader_name, reader_name)
    return parts


_SENTENCES: dict[Outcome, str] = {
    Outcome.EXACT: "reads the same value",
    Outcome.BYTES: "reads the bytes as they are, text or not",
    Outcome.APPROXIMATE: "reads a value close to the old one, without an error",
    Outcome.ERROR: "fails on the first old file",
    Outcome.REFUSED: "refuses such a change",
    Outcome.NULL: "reads NULL, without an error",
    Outcome.SHIFTED: "reads another point in time, without an error",
    Outcome.WRONG: "reads another value, without an error",
    Outcome.ABSENT: "has no such type",
    Outcome.UNKNOWN: "does what nobody has measured",
}


def describe(outcome: Outcome) -> str:
    """Return the outcome as the end of a sentence that begins with the name of an engine."""
    return _SENTENCES[outcome]
