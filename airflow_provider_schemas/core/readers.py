"""What each kind of reader does with data files that were written under another type of a column.

A reader is named in policies, such as `spark-4-parquet`. What it does with a pair of types is data, in
`reader_measurements`: a pair that loses nothing by `casts.lossless` may still be one that a reader cannot read.
"""

import difflib
from collections.abc import Mapping
from typing import Literal, NamedTuple

from airflow_provider_schemas.core.atoms import AtomicType, DataType
from airflow_provider_schemas.core.casts import lossless, same_type
from airflow_provider_schemas.core.reader_measurements import ABSENT, FAMILIES, Outcome
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError

__all__ = ["READERS", "Outcome", "Reader", "describe", "holds", "outcome", "outcomes", "parse_reader", "readable"]

By = Literal["id", "name"]

# How a reader finds a column in a file, unless told.
READERS: dict[str, By] = {"paimon": "id", "spark-4-parquet": "name", "spark-4-orc": "name", "iceberg-v2": "id", "delta": "name"}
_WAYS: dict[str, By] = {" by id": "id", " by name": "name"}


class Reader(NamedTuple):
    """A kind of reader, and whether it finds columns by id or by name."""

    name: str
    by: By

    def __str__(self) -> str:
        return self.name if READERS.get(self.name) == self.by else f"{self.name} by {self.by}"


def parse_reader(text: str) -> Reader:
    """The reader of a text such as "spark-4-parquet" or "spark-4-parquet by id"."""
    words = " ".join(text.split()).lower() if isinstance(text, str) else ""
    name, way, by = words.partition(" by ")
    if name in READERS and (not way or by in ("id", "name")):
        return Reader(name, _WAYS[f" by {by}"] if way else READERS[name])
    raise _unknown(text, name)


def _unknown(text: object, name: str) -> FormatError:
    near = difflib.get_close_matches(name, READERS, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    fix = f"{hint}Use {', '.join(READERS)}, with ' by id' or ' by name' behind it if columns are found in another way."
    return FormatError(f"{shown(text)} is no reader.", code="reader.unknown", fix=fix)


def outcomes(reader_name: str, source: DataType, target: DataType) -> Mapping[str, Outcome]:
    """What each part of the reader does with files of the source type, read as the target type."""
    parts = _parts(reader_name)
    if same_type(source.with_nullable(True), target.with_nullable(True)):
        return dict.fromkeys(parts, Outcome.EXACT)
    if not (holds(reader_name, source) and holds(reader_name, target)):
        return dict.fromkeys(parts, Outcome.ABSENT)
    families = FAMILIES.get((source.root, target.root), ())
    found = next((family.outcomes for family in families if family.condition(source, target)), {})
    return {part: found.get(part, Outcome.UNKNOWN) for part in parts}


_PARTS = {name: (name,) for name in READERS} | {"spark-4-parquet": ("spark-4-parquet vectorized", "spark-4-parquet row")}


def _parts(reader_name: str) -> tuple[str, ...]:
    parts = _PARTS.get(reader_name)
    if parts is None:
        raise _unknown(reader_name, reader_name)
    return parts


_SEVERITY = {one: number for number, one in enumerate(Outcome)}


def outcome(reader_name: str, source: DataType, target: DataType) -> Outcome:
    """The worst that the reader does with files of the source type, read as the target type."""
    return max(outcomes(reader_name, source, target).values(), key=lambda one: _SEVERITY[one])


def readable(reader_name: str, source: DataType, target: DataType) -> bool:
    """Whether the pair loses nothing and the reader gives every old value exactly; the parts of containers are the caller's."""
    parts = _parts(reader_name)
    source, target = source.with_nullable(True), target.with_nullable(True)
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return source.root is target.root
    return bool(parts) and lossless(source, target) and outcome(reader_name, source, target) is Outcome.EXACT


def holds(reader_name: str, kind: DataType) -> bool:
    """Whether the reader can represent the type; the parts of containers are the caller's."""
    _parts(reader_name)
    absent, digits = ABSENT[reader_name]
    precision = kind.precision if isinstance(kind, AtomicType) else None
    return kind.root not in absent and (precision or 0) <= digits.get(kind.root, 38)


_SENTENCES: dict[Outcome, str] = {
    Outcome.EXACT: "reads the same value",
    Outcome.BYTES: "reads the bytes as they are, whether they are text or not",
    Outcome.APPROXIMATE: "reads a value close to the old one, without an error",
    Outcome.ERROR: "fails on the first old file",
    Outcome.REFUSED: "refuses the change of the type",
    Outcome.NULL: "reads NULL, without an error",
    Outcome.SHIFTED: "reads another instant, without an error",
    Outcome.WRONG: "reads another value, without an error",
    Outcome.ABSENT: "has no such type",
    Outcome.UNKNOWN: "has not been measured with this pair of types",
}


def describe(found: Outcome) -> str:
    """The outcome as the end of a sentence that starts with the name of a reader."""
    return _SENTENCES[found]
