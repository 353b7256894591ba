"""Findings as a DataFrame, and what was looked at for them, which stays with the frame as metadata of its first column."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct

from airflow_provider_schemas.spark.auditing.rows import COLUMNS, Row

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KEY: Final = "schemas.audit"
_FIRST: Final = next(iter(COLUMNS))
# More rows than these are left to Spark.
_FEW: Final = 10_000
# The rows of frames that are still in use, so that the summary of a few findings waits for no job. A frame never changes: what is made
# of it is another one, which is not here.
_ROWS: "Final[WeakKeyDictionary[DataFrame, Sequence[Row]]]" = WeakKeyDictionary()


class Counts(Struct, frozen=True):
    """What was looked at: how many tables, versions and data files."""

    tables: int = 0
    versions: int = 0
    files: int = 0


def make_frame(spark: "SparkSession", rows: Sequence[Row], counts: Counts) -> "DataFrame":
    """Return the rows as a frame of this session."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    types = {"STRING": StringType(), "BIGINT": LongType()}
    fields = []
    for name, text in COLUMNS.items():
        metadata = {_KEY: msgspec.to_builtins(counts)} if name == _FIRST else None
        fields.append(StructField(name, types[text.partition(" ")[0]], "NOT NULL" not in text, metadata))
    frame = spark.createDataFrame([tuple(row) for row in rows], StructType(fields))
    if len(rows) <= _FEW:
        _ROWS[frame] = rows
    return frame


def recall_rows(frame: "DataFrame") -> Sequence[Row] | None:
    """Return the rows of a frame; None if only Spark has them."""
    return _ROWS.get(frame)


def read_counts(frame: "DataFrame") -> Counts | None:
    """Return what was looked at; None if the frame does not say so any more."""
    counts: Mapping[str, int] = {}
    for field in frame.schema.fields:
        if field.name == _FIRST:
            counts = field.metadata.get(_KEY) or {}
            break
    names = Counts.__struct_fields__
    if not set(names) <= set(counts):
        return None
    return Counts(**{name: counts[name] for name in names})
