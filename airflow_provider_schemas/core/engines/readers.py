"""What each engine does with data files that were written when a column had another type.

People name engines in policies, such as `spark-4-parquet`. What they do with a pair of types is data, in
`measurements`: a pair that loses nothing by `cast_rules.lossless` may still be one that a reader cannot
read. The parts of containers are the caller's, who asks for each.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import convertible, lossless, same_type
from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.engines.measurements import COLUMNS, DIGITS, FAMILIES, LACKS, PROMOTIONS, Outcome
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.errors import FormatError

__all__ = ["READERS", "Outcome", "Reader", "describe", "holds", "outcome", "outcomes", "parse_reader", "readable"]

# ---------------------------------------------------------------- names

By = Literal["id", "name"]

# How each reader finds a column in a file, unless told.
READERS: dict[str, By] = {"paimon": "id", "spark-4-parquet": "name", "spark-4-orc": "name", "iceberg-v2": "id", "delta": "name"}
_BY: dict[str, By] = {"id": "id", "name": "name"}


class Reader(NamedTuple):
    """An engine, and whether it finds columns by id or by name."""

    name: str
    by: By

    def __str__(self) -> str:
        return self.name if READERS.get(self.name) == self.by else f"{self.name} by {self.by}"


_READERS = {name: Reader(name, by) for name, by in READERS.items()}


def parse_reader(text: object) -> Reader:
    """The engine of a text such as "spark-4-parquet" or "spark-4-parquet by id"."""
    if isinstance(text, str) and text in _READERS:
        return _READERS[text]
    words = " ".join(text.split()).lower() if isinstance(text, str) and len(text) <= MAX_NAME else ""
    name, way, rest = words.partition(" by ")
    by = _BY.get(rest) if way else READERS.get(name)
    if name not in READERS or by is None:
        raise _unknown(text, name)
    return Reader(name, by)


def _unknown(text: object, name: str) -> FormatError:
    from difflib import get_close_matches

    near = get_close_matches(name, READERS, n=1)
    hint = f"Did you mean {near[0]}? " if near and near[0] != name else ""
    fix = f"{hint}Use {', '.join(READERS)}, with 'by id' or 'by name' after it if columns are to be found that way."
    return FormatError(f"{shown(text)} is no engine that we know.", code="reader.unknown", fix=fix)


# ---------------------------------------------------------------- types


def holds(reader_name: str, kind: DataType) -> bool:
    """Whether the engine has such a type at all."""
    _parts(reader_name)
    most = DIGITS[reader_name].get(kind.root)
    short = most is None or not isinstance(kind, AtomicType) or (kind.precision or 0) <= most
    return short and kind.root not in LACKS[reader_name]


def readable(reader_name: str, source: DataType, target: DataType) -> bool:
    """Whether nothing is lost, and this engine really gives every old value exactly. NOT NULL does not matter.

    Containers of one kind are, as far as they go without their parts.
    """
    found = outcome(reader_name, source, target)
    source, target = source.with_nullable(True), target.with_nullable(True)
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return source.root is target.root
    return found is Outcome.EXACT and lossless(source, target)


# ---------------------------------------------------------------- outcomes

_PARTS = {name: tuple(part for part in COLUMNS if part.partition(" ")[0] == name) or (name,) for name in READERS}
_SEVERITY = {one: number for number, one in enumerate(Outcome)}


def outcome(reader_name: str, source: DataType, target: DataType) -> Outcome:
    """The worst that the engine does with files of the source type, read as the target type."""
    atomic = isinstance(source, AtomicType) and isinstance(target, AtomicType)
    return _known_outcome(reader_name, source, target) if atomic else _outcome(reader_name, source, target)


def _outcome(reader_name: str, source: DataType, target: DataType) -> Outcome:
    return max(outcomes(reader_name, source, target).values(), key=_SEVERITY.__getitem__)


# The columns of a table have few types.
_known_outcome = lru_cache(maxsize=1_000)(_outcome)


def outcomes(reader_name: str, source: DataType, target: DataType) -> Mapping[str, Outcome]:
    """The same for each part of the engine, by name: Spark reads Parquet files in vectors or in rows."""
    parts = _parts(reader_name)
    source, target = source.with_nullable(True), target.with_nullable(True)
    if same_type(source, target):
        return dict.fromkeys(parts, Outcome.EXACT)
    if not (holds(reader_name, source) and holds(reader_name, target)):
        return dict.fromkeys(parts, Outcome.ABSENT)
    if reader_name in PROMOTIONS:
        condition = PROMOTIONS[reader_name].get((source.root, target.root))
        return {reader_name: Outcome.EXACT if condition and condition(source, target) else Outcome.REFUSED}
    if reader_name == "paimon" and not convertible(source, target):
        return {reader_name: Outcome.REFUSED}
    found = _measured(source, target)
    return {part: found.get(part, Outcome.UNKNOWN) for part in parts}


def _measured(source: DataType, target: DataType) -> Mapping[str, Outcome]:
    families = FAMILIES.get((source.root, target.root), ())
    return next((family.outcomes for family in families if family.condition(source, target)), {})


def _parts(reader_name: str) -> tuple[str, ...]:
    parts = _PARTS.get(reader_name)
    if parts is None:
        raise _unknown(reader_name, reader_name)
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


def describe(found: Outcome) -> str:
    """The outcome as the end of a sentence that begins with the name of an engine."""
    return _SENTENCES[found]
