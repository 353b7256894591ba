"""Findings as a DataFrame, and what was looked at for them, which stays with the frame as metadata of its first column."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
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
# The rows of frames that are still in use, so that whoever sums up a few findings waits for no job. A frame never changes: what is made
# of it is another one, which is not here.
_ROWS: Final = WeakKeyDictionary[Any, Sequence[Row]]()


class Counts(Struct, frozen=True):
    """What was looked at: how many tables, versions and data files."""

    tables: int = 0
    versions: int = 0
    files: int = 0


def frame_of(spark: "SparkSession", rows: Sequence[Row], counts: Counts) -> "DataFrame":
    """The rows as a frame of this session."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    kinds = {"STRING": StringType(), "BIGINT": LongType()}
    fields = [StructField(name, kinds[text.partition(" ")[0]], "NOT NULL" not in text) for name, text in COLUMNS.items()]
    fields[0] = StructField(fields[0].name, fields[0].dataType, fields[0].nullable, {_KEY: msgspec.to_builtins(counts)})
    frame = spark.createDataFrame([tuple(row) for row in rows], StructType(fields))
    if len(rows) <= _FEW:
        _ROWS[frame] = rows
    return frame


def rows_of(frame: Any) -> Sequence[Row] | None:
    """The rows of a frame; None if only Spark has them."""
    return _ROWS.get(frame)


def counts_of(frame: "DataFrame") -> Counts | None:
    """What was looked at; None if the frame does not say so any more."""
    field = next((one for one in frame.schema.fields if one.name == _FIRST), None)
    about: Mapping[str, Any] = {} if field is None else field.metadata.get(_KEY) or {}
    return Counts(**{name: about[name] for name in Counts.__struct_fields__}) if set(Counts.__struct_fields__) <= set(about) else None
