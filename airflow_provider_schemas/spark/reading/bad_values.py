"""What becomes of a value that has no counterpart: an error that names it, NULL, or NULL and a note in the column `_bad`."""

from typing import TYPE_CHECKING, Final, Literal

from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.sql import name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BadValues = Literal["error", "null", "quarantine"]

BAD: Final = "_bad"
BAD_VALUES: Final = ("error", "null", "quarantine")
NOTE_TYPE: Final = "STRUCT<column: STRING, value: STRING, type: STRING, file: STRING>"


def quarantined(frame: "DataFrame") -> "tuple[DataFrame, DataFrame]":
    """Return the good rows as they are wanted, and the bad ones with their notes: an array of column, value, type and file."""
    if BAD not in frame.columns:
        fix = "Read the frame with bad_values='quarantine'."
        raise ProjectionError(f"the frame has no column {BAD}.", code="spark.no-quarantine", path=BAD, fix=fix)
    return frame.where(f"{name(BAD)} is null").drop(BAD), frame.where(f"{name(BAD)} is not null")


def both_notes(left: str, right: str) -> str:
    """Return the SQL of the notes in two columns as one array, or NULL if there are none."""
    no_notes = f"cast(array() as ARRAY<{NOTE_TYPE}>)"
    return f"nullif(concat(coalesce({left}, {no_notes}), coalesce({right}, {no_notes})), {no_notes})"
