"""Good rows and bad ones: each row is asked what it breaks, and the bad ones say it in a column of their own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.reading.bad_values import BAD
from airflow_provider_schemas.spark.sql import free, name
from airflow_provider_schemas.spark.validation.count_failures import note, notes
from airflow_provider_schemas.spark.validation.findings import DUPLICATE
from airflow_provider_schemas.spark.validation.form import Compared

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_SHARING: Final = "rows of this key"


def split(frame: "DataFrame", seen: Compared, key: Sequence[str]) -> "tuple[DataFrame, DataFrame]":
    """Both parts of a frame. Key is the primary key, if some rows share theirs: all of these are bad.

    Where the form of the data does not fit, no row does: all are bad, and say why.
    """
    if any(one.lower() == BAD for one in frame.columns):
        fix = "Take its good rows first, with quarantined(frame), or rename the column."
        raise SparkError(
            f"the frame has a column {BAD} already, as the notes on bad rows are called.", code="spark.bad-column", path=BAD, fix=fix
        )
    said = [note(one.path, one.rule) for one in seen.lacks if not one.variant]
    columns = [name(one) for one in frame.columns]
    if key:
        keys, sharing = ", ".join(map(name, key)), name(free(_SHARING, frame.columns))
        frame = frame.selectExpr("*", f"count(1) over (partition by {keys}) as {sharing}")
        there = " and ".join(f"{name(one)} is not null" for one in key)
        said.append(f"if({sharing} > 1 and {there}, {note('primaryKeys', DUPLICATE)}, null)")
    noted = frame.selectExpr(*columns, f"{notes(seen.checks, said)} as {name(BAD)}")
    return noted.where(f"size({name(BAD)}) = 0").drop(BAD), noted.where(f"size({name(BAD)}) > 0")
