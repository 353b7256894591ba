"""What readers do with old files, and which types they have: measured with Spark 4.3.0, read from rules for the rest.

This is data. A row of FAMILIES says for all pairs of types from its sources to its targets, where its condition
holds, what each reader does; the first row that fits a pair speaks. No row, or `unknown`: nobody measured it.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from airflow_provider_schemas.core.casts import Condition, always, as_long, as_precise, digits_enough
from airflow_provider_schemas.core.kinds import Root


class Outcome(StrEnum):
    """What a reader does with the values of an old file; from harmless to harmful, then what is no outcome."""

    EXACT = "exact"
    BYTES = "bytes"
    APPROXIMATE = "approximate"
    ERROR = "error"
    REFUSED = "refused"
    NULL = "null"
    SHIFTED = "shifted"
    WRONG = "wrong"
    ABSENT = "absent"
    UNKNOWN = "unknown"


def ten_digits(_source: Any, target: Any) -> bool:
    return bool(target.precision - target.scale >= 10)


def twenty_digits(_source: Any, target: Any) -> bool:
    return bool(target.precision - target.scale >= 20)


def same_scale(source: Any, target: Any) -> bool:
    return bool(source.scale == target.scale and source.precision <= target.precision)


def lower_scale(source: Any, target: Any) -> bool:
    return bool(target.scale < source.scale)


COLUMNS = ("spark-4-parquet vectorized", "spark-4-parquet row", "spark-4-orc", "iceberg-v2", "delta", "paimon")

# Sources, targets, condition, then one outcome for each of COLUMNS.
_ROWS: tuple[tuple[str, str, Condition, str], ...] = (
    ("TINYINT", "SMALLINT", always, "exact exact exact absent exact exact"),
    ("TINYINT SMALLINT", "INT BIGINT", always, "exact exact exact absent exact exact"),
    ("INT", "BIGINT", always, "exact exact exact exact exact exact"),
    ("SMALLINT INT", "TINYINT", always, "wrong wrong null absent refused wrong"),
    ("INT", "SMALLINT", always, "wrong wrong null absent refused wrong"),
    ("BIGINT", "TINYINT SMALLINT", always, "error error null absent refused wrong"),
    ("BIGINT", "INT", always, "error error null refused refused wrong"),
    ("TINYINT SMALLINT", "DOUBLE", always, "exact exact exact absent exact exact"),
    ("INT", "DOUBLE", always, "exact exact exact refused exact exact"),
    ("INT BIGINT", "FLOAT", always, "error error wrong refused refused wrong"),
    ("BIGINT", "DOUBLE", always, "error error wrong refused refused wrong"),
    ("FLOAT", "DOUBLE", always, "exact exact exact exact exact exact"),
    ("DOUBLE", "FLOAT", always, "error error wrong refused refused wrong"),
    ("TINYINT SMALLINT", "DECIMAL", ten_digits, "exact exact exact absent exact exact"),
    ("TINYINT SMALLINT", "DECIMAL", digits_enough, "error exact exact absent refused exact"),
    ("TINYINT SMALLINT", "DECIMAL", always, "error null null absent refused null"),
    ("INT", "DECIMAL", ten_digits, "exact exact exact refused exact exact"),
    ("INT", "DECIMAL", always, "error null null refused refused null"),
    ("BIGINT", "DECIMAL", twenty_digits, "exact exact exact refused exact exact"),
    ("BIGINT", "DECIMAL", digits_enough, "error exact exact refused refused exact"),
    ("BIGINT", "DECIMAL", always, "error null null refused refused null"),
    ("INT BIGINT", "CHAR VARCHAR", always, "error error exact refused refused exact"),
    ("CHAR VARCHAR", "TINYINT SMALLINT", always, "error error null absent refused error"),
    ("CHAR VARCHAR", "INT BIGINT", always, "error error null refused refused error"),
    ("DECIMAL", "DECIMAL", same_scale, "exact exact exact exact exact exact"),
    ("DECIMAL", "DECIMAL", digits_enough, "exact exact exact refused exact exact"),
    ("DECIMAL", "DECIMAL", lower_scale, "error wrong wrong refused refused wrong"),
    ("DECIMAL", "DECIMAL", always, "error null null refused refused null"),
    ("DECIMAL", "DOUBLE", always, "error error approximate refused refused approximate"),
    ("DOUBLE", "DECIMAL", always, "error error null refused refused wrong"),
    ("DECIMAL", "BIGINT", always, "wrong wrong wrong refused refused wrong"),
    ("VARCHAR", "VARBINARY", always, "exact exact exact refused refused exact"),
    ("VARBINARY", "VARCHAR", always, "bytes bytes bytes refused refused wrong"),
    ("BOOLEAN", "INT", always, "error error exact refused refused exact"),
    ("INT", "BOOLEAN", always, "error error wrong refused refused wrong"),
    ("BOOLEAN", "VARCHAR", always, "error error exact refused refused exact"),
    ("DATE", "LTZ", always, "error error exact refused refused exact"),
    ("DATE", "TS", always, "exact exact error refused exact exact"),
    ("LTZ", "DATE", always, "error error wrong refused refused wrong"),
    ("TS", "DATE", always, "error error error refused refused wrong"),
    ("LTZ", "TS", always, "shifted shifted error refused refused shifted"),
    ("TS", "LTZ", always, "shifted shifted error refused refused shifted"),
    ("DATE", "VARCHAR", always, "error error exact refused refused exact"),
    ("LTZ", "VARCHAR", always, "error wrong exact refused refused exact"),
    ("VARCHAR", "DATE", always, "error error null refused refused error"),
    ("LTZ", "BIGINT", always, "error error wrong refused refused wrong"),
    ("BIGINT", "LTZ", always, "error error error refused refused wrong"),
    ("DATE", "INT", always, "wrong wrong error refused refused refused"),
    ("INT", "DATE", always, "wrong wrong error refused refused refused"),
    ("CHAR VARCHAR", "VARCHAR", as_long, "exact exact exact exact exact exact"),
    ("BINARY VARBINARY", "VARBINARY", as_long, "exact exact exact exact exact exact"),
    ("TS", "TS", as_precise, "exact exact exact exact exact exact"),
    ("LTZ", "LTZ", as_precise, "exact exact exact exact exact exact"),
)
_SHORT = {"INT": Root.INTEGER, "TS": Root.TIMESTAMP, "LTZ": Root.TIMESTAMP_LTZ, "TIME": Root.TIME}


class Family(NamedTuple):
    """What the readers do with the pairs of two roots for which the condition holds."""

    condition: Condition
    outcomes: dict[str, Outcome]


def _families() -> Iterator[tuple[tuple[Root, Root], Family]]:
    for sources, targets, condition, outcomes in _ROWS:
        family = Family(condition, dict(zip(COLUMNS, map(Outcome, outcomes.split()), strict=True)))
        for source in sources.split():
            for target in targets.split():
                yield (_SHORT.get(source) or Root[source], _SHORT.get(target) or Root[target]), family


FAMILIES: dict[tuple[Root, Root], list[Family]] = {}
for _pair, _family in _families():
    FAMILIES.setdefault(_pair, []).append(_family)

_DIGITS = {Root.TIME: 6, Root.TIMESTAMP: 6, Root.TIMESTAMP_LTZ: 6}
_NO_SPARK = frozenset({Root.TIME, Root.BLOB, Root.VECTOR, Root.MULTISET, Root.GEOMETRY, Root.GEOGRAPHY})

# The roots that a reader does not have, and the most digits of a second where it has fewer than nine.
ABSENT: dict[str, tuple[frozenset[Root], dict[Root, int]]] = {
    "spark-4-parquet": (_NO_SPARK, _DIGITS),
    "spark-4-orc": (_NO_SPARK | {Root.VARIANT}, _DIGITS),
    "iceberg-v2": (_NO_SPARK - {Root.TIME} | {Root.TINYINT, Root.SMALLINT, Root.VARIANT}, _DIGITS),
    "delta": (_NO_SPARK, _DIGITS),
    "paimon": (frozenset(), {}),
}
