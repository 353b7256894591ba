"""What writers do with values whose type is not that of the column they are written into.

This is data, and all of it was measured: each value of each type, extremes included, was written into a column of each other type and read
back, by deltalake 1.6.6 (`write_deltalake(mode="append")`, with `schema_mode="merge"` and without) and by pyiceberg 0.12.0 (`append`).
`tools/measure_writers.py` measures it again.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import Condition, always, as_long, as_precise, digits_enough
from airflow_provider_schemas.core.engines.measurements import Outcome, Pair, whole, whole_and_fitting
from airflow_provider_schemas.core.types.atomic import AnyDataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root

WRITERS: Final = ("deltalake", "pyiceberg")

# ---------------------------------------------------------------- conditions

_SURE_DIGITS: Final = {Root.FLOAT: 7, Root.DOUBLE: 15}


def as_wide(source: AnyDataType, target: AnyDataType) -> bool:
    return bool(target.precision >= source.precision)


def as_wide_and_fine(source: AnyDataType, target: AnyDataType) -> bool:
    return as_wide(source, target) and bool(target.scale >= source.scale)


def whole_and_exact(source: AnyDataType, target: AnyDataType) -> bool:
    return whole(source, target) and bool(source.precision <= _SURE_DIGITS[target.root])


def endless(_source: AnyDataType, target: AnyDataType) -> bool:
    """Return whether the column has no length: nobody has measured those that have one."""
    return bool(target.length == MAX_LENGTH)


# ---------------------------------------------------------------- outcomes

_SMALL = "TINYINT SMALLINT"
_INTS = f"{_SMALL} INT BIGINT"
_FLOATS = "FLOAT DOUBLE"
_STAMPS = "TS LTZ"

# Sources, targets, condition, and an outcome for each of WRITERS: the worst of any value and way to write. The first row that fits a pair
# speaks. TS and LTZ are the two TIMESTAMPs.
# fmt: off
_ROWS: Final[tuple[tuple[str, str, Condition, str], ...]] = (
    ("TINYINT", "SMALLINT INT BIGINT", always, "exact exact"),
    ("SMALLINT", "INT BIGINT", always, "exact exact"),
    ("INT", "BIGINT", always, "exact exact"),
    (_INTS, _INTS, always, "error refused"),
    (_SMALL, _FLOATS, always, "exact refused"),
    ("INT", "DOUBLE", always, "exact refused"),
    ("INT BIGINT", _FLOATS, always, "approximate refused"),
    (_INTS, "DECIMAL", digits_enough, "exact refused"),
    (_INTS, "DECIMAL", always, "error refused"),
    (_INTS, f"BOOLEAN {_STAMPS}", always, "wrong refused"),  # everything but 0 is true; microseconds since 1970
    (_INTS, "VARBINARY", endless, "wrong refused"),  # the bytes of the number
    (_SMALL, "DATE", always, "refused refused"),
    ("INT BIGINT", "DATE", always, "wrong refused"),  # days since 1970
    (f"{_INTS} {_FLOATS} DECIMAL BOOLEAN DATE LTZ", "VARCHAR", endless, "exact refused"),
    ("FLOAT", "DOUBLE", always, "exact exact"),
    (_FLOATS, f"BOOLEAN {_INTS} FLOAT DECIMAL {_STAMPS}", always, "wrong refused"),  # 1.5 is 1, and 1e300 infinite as a FLOAT
    (_FLOATS, "DATE", always, "refused refused"),
    (f"{_FLOATS} BOOLEAN DECIMAL DATE {_STAMPS}", "VARBINARY", endless, "refused refused"),
    ("DECIMAL", "DECIMAL", digits_enough, "exact exact"),
    ("DECIMAL", "DECIMAL", as_wide_and_fine, "error error"),
    ("DECIMAL", "DECIMAL", as_wide, "refused error"),
    ("DECIMAL", "DECIMAL", always, "refused refused"),
    ("DECIMAL", _INTS, whole_and_fitting, "exact refused"),
    ("DECIMAL", _INTS, whole, "error refused"),
    ("DECIMAL", _INTS, always, "wrong refused"),
    ("DECIMAL", _FLOATS, whole_and_exact, "exact refused"),
    ("DECIMAL", _FLOATS, always, "approximate refused"),
    ("DECIMAL", _STAMPS, always, "wrong refused"),
    ("DECIMAL", "BOOLEAN DATE", always, "refused refused"),
    ("BOOLEAN", f"{_INTS} {_FLOATS}", always, "exact refused"),
    ("BOOLEAN", f"DECIMAL DATE {_STAMPS}", always, "refused refused"),
    ("DATE", "INT BIGINT", always, "wrong refused"),
    ("DATE", f"{_SMALL} {_FLOATS} DECIMAL BOOLEAN", always, "refused refused"),
    ("DATE", "TS", always, "exact refused"),
    ("DATE", "LTZ", always, "shifted refused"),  # midnight in UTC
    ("TS", "TS", as_precise, "exact exact"),
    ("LTZ", "LTZ", as_precise, "exact exact"),
    ("TS", "TS", always, "wrong refused"),  # nanoseconds are cut off
    ("LTZ", "LTZ", always, "wrong refused"),
    ("TS", "LTZ", always, "shifted refused"),  # taken for a time in UTC
    ("LTZ", "TS", always, "shifted refused"),
    ("TS", "DATE", always, "wrong refused"),
    ("LTZ", "DATE", always, "shifted refused"),
    (_STAMPS, f"{_INTS} {_FLOATS} DECIMAL", always, "wrong refused"),
    (_STAMPS, "BOOLEAN", always, "refused refused"),
    ("TS", "VARCHAR", endless, "refused refused"),
    ("CHAR VARCHAR", "VARCHAR", as_long, "exact exact"),
    ("VARBINARY", "VARBINARY", as_long, "exact exact"),
    ("VARCHAR", "VARBINARY", endless, "exact exact"),
    ("VARBINARY", "VARCHAR", endless, "error error"),  # what is no UTF-8
    ("VARCHAR", f"BOOLEAN {_INTS} {_FLOATS} {_STAMPS}", always, "error refused"),
    ("VARCHAR", "DECIMAL DATE", always, "wrong refused"),  # rounded; without the time of the day
    ("VARBINARY", f"BOOLEAN {_INTS} {_FLOATS} DECIMAL DATE {_STAMPS}", always, "refused refused"),
)
# fmt: on
_SHORT: Final = {"INT": Root.INTEGER, "TS": Root.TIMESTAMP, "LTZ": Root.TIMESTAMP_LTZ}


class WriteFamily(NamedTuple):
    """What a writer does with the pairs of types that meet a condition."""

    condition: Condition
    outcome: Outcome


def _pairs(sources: str, targets: str) -> Iterator[Pair]:
    for source, target in product(sources.split(), targets.split()):
        yield _SHORT.get(source) or Root[source], _SHORT.get(target) or Root[target]


def _families(number: int) -> dict[Pair, list[WriteFamily]]:
    families: dict[Pair, list[WriteFamily]] = {}
    for sources, targets, condition, outcomes in _ROWS:
        family = WriteFamily(condition, Outcome(outcomes.split()[number]))
        for pair in _pairs(sources, targets):
            families.setdefault(pair, []).append(family)
    return families


FAMILIES_OF: Final = {writer: _families(number) for number, writer in enumerate(WRITERS)}

# ---------------------------------------------------------------- types

MEASURED: Final = frozenset({root for pair in FAMILIES_OF["deltalake"] for root in pair})
"""The types whose values were written. Of any other, nothing is known."""

# TINYINT and SMALLINT are Iceberg's int, which is another type.
LACKED_BY: Final = {"deltalake": frozenset({Root.TIME}), "pyiceberg": frozenset({Root.TINYINT, Root.SMALLINT})}

MICROSECONDS: Final = 6
"""The digits of a second of the columns that were written into."""
