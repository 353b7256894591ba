"""What engines do with old files, and which types they lack.

This is data. Spark's columns were measured: each of 34 types, extremes included, was written and read back as
each by Spark 4.3.0, and by 4.0.5 with the same outcomes; `tools/measure_readers.py` measures those that lose
nothing again. Paimon's follow from `core.casts.cast_value`. Iceberg and Delta follow the rules of their formats, and refuse
the changes that these leave out; `spark-iceberg` and `spark-delta` are so by the specification too, and nobody has measured them.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import Condition, always, as_long, as_precise, digits_enough
from airflow_provider_schemas.core.types.atomic import AnyDataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root


class Outcome(StrEnum):
    """The effect on the values of an old file, from harmless to harmful; the last two are no outcomes."""

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


# ---------------------------------------------------------------- conditions


def ten_digits(_source: AnyDataType, target: AnyDataType) -> bool:
    """Return whether every INT has room before the point; Spark and Delta require it for TINYINT and SMALLINT, too."""
    return bool(target.precision - target.scale >= 10)


def twenty_digits(_source: AnyDataType, target: AnyDataType) -> bool:
    """Return whether there is room for one digit more than a BIGINT has: Spark and Delta count in unsigned numbers."""
    return bool(target.precision - target.scale >= 20)


def one_digit(_source: AnyDataType, target: AnyDataType) -> bool:
    return bool(target.precision > target.scale)


def same_scale(source: AnyDataType, target: AnyDataType) -> bool:
    return bool(source.scale == target.scale and source.precision <= target.precision)


def lower_scale(source: AnyDataType, target: AnyDataType) -> bool:
    return bool(target.scale < source.scale)


_SURE_DIGITS = {Root.TINYINT: 2, Root.SMALLINT: 4, Root.INTEGER: 9, Root.BIGINT: 18}


def whole(source: AnyDataType, _target: AnyDataType) -> bool:
    return bool(source.scale == 0)


def whole_and_fitting(source: AnyDataType, target: AnyDataType) -> bool:
    return bool(source.scale == 0 and source.precision <= _SURE_DIGITS[target.root])


def an_int_in_files(source: AnyDataType, _target: AnyDataType) -> bool:
    """Return whether Parquet files hold the DECIMAL as an INT without its point: up to 9 digits, and up to 18 as a BIGINT."""
    return bool(source.precision <= 9)


def an_integer_in_files(source: AnyDataType, target: AnyDataType) -> bool:
    most = 18 if target.root is Root.BIGINT else 9
    return bool(source.precision <= most)


def an_integer_and_whole(source: AnyDataType, target: AnyDataType) -> bool:
    return an_integer_in_files(source, target) and whole(source, target)


def bytes_in_files(source: AnyDataType, _target: AnyDataType) -> bool:
    return bool(source.precision > 18)


_TEXT_LENGTHS = {Root.TINYINT: 4, Root.SMALLINT: 6, Root.INTEGER: 11, Root.BIGINT: 20, Root.FLOAT: 15, Root.DOUBLE: 24, Root.BOOLEAN: 5}


def room_for_text(source: AnyDataType, target: AnyDataType) -> bool:
    """Return whether there is room for the longest text of a value."""
    return bool(target.length >= (_TEXT_LENGTHS.get(source.root) or _decimal_length(source)))


def _decimal_length(source: AnyDataType) -> int:
    """Return the length of the digits, a sign, a point, and a zero where no digit is before the point."""
    return int(source.precision + 1 + (source.scale > 0) + (source.scale == source.precision))


def room_for_bytes(source: AnyDataType, target: AnyDataType) -> bool:
    """Return whether there is room for four bytes a character, the most that one takes."""
    return bool(target.root is Root.VARBINARY and target.length >= min(4 * source.length, MAX_LENGTH))


def long_bytes_as_text(source: AnyDataType, target: AnyDataType) -> bool:
    return bytes_in_files(source, target) and room_for_text(source, target)


# ---------------------------------------------------------------- measured engines

COLUMNS = ("spark-4-parquet vectorized", "spark-4-parquet row", "spark-4-orc", "paimon")

_INTS = "TINYINT SMALLINT INT BIGINT"
_NUMBERS = f"{_INTS} FLOAT DOUBLE DECIMAL"
_TEXTS = "CHAR VARCHAR"
_BYTES = "BINARY VARBINARY"
_STAMPS = "TS LTZ"
_TIMES = f"DATE {_STAMPS}"

# Sources, targets, condition, and an outcome for each of COLUMNS: the worst that was seen of any value, file
# encoding and time zone. The first row that fits a pair speaks. Paimon refuses what it has no converter
# for, and a reader that lacks a type has no outcome, whatever stands here. TS and LTZ are the two TIMESTAMPs.
# fmt: off
_ROWS: tuple[tuple[str, str, Condition, str], ...] = (
    # Integers. Spark's vectorized reader takes a file's INT for what it is asked for, and keeps the low bits.
    ("TINYINT", "SMALLINT INT BIGINT", always, "exact exact exact exact"),
    ("SMALLINT", "INT BIGINT", always, "exact exact exact exact"),
    ("INT", "BIGINT", always, "exact exact exact exact"),
    ("SMALLINT INT", "TINYINT SMALLINT", always, "wrong wrong null wrong"),
    ("BIGINT", "TINYINT SMALLINT INT", always, "error error null wrong"),
    # Loses nothing, and yet neither of Spark's Parquet readers has a way to FLOAT.
    ("TINYINT SMALLINT", "FLOAT", always, "error error exact exact"),
    ("TINYINT SMALLINT INT", "DOUBLE", always, "exact exact exact exact"),
    ("INT BIGINT", "FLOAT", always, "error error wrong wrong"),
    ("BIGINT", "DOUBLE", always, "error error wrong wrong"),
    ("TINYINT SMALLINT INT", "DECIMAL", ten_digits, "exact exact exact exact"),
    ("BIGINT", "DECIMAL", twenty_digits, "exact exact exact exact"),
    (_INTS, "DECIMAL", digits_enough, "error exact exact exact"),
    (_INTS, "DECIMAL", always, "error null null null"),
    (_INTS, "BOOLEAN", always, "error error wrong wrong"),
    (_INTS, _TEXTS, room_for_text, "error error exact exact"),
    (_INTS, _TEXTS, always, "error error exact wrong"),  # Spark never cuts to the length of a VARCHAR when it reads
    ("TINYINT SMALLINT INT", "DATE", always, "wrong wrong error refused"),  # days since 1970
    (f"BIGINT FLOAT DOUBLE BOOLEAN {_BYTES}", "DATE", always, "error error error refused"),
    (_INTS, _STAMPS, always, "error error wrong wrong"),  # seconds since 1970
    # Floating-point numbers.
    ("FLOAT", "DOUBLE", always, "exact exact exact exact"),
    ("DOUBLE", "FLOAT", always, "error error wrong wrong"),
    ("FLOAT DOUBLE", f"{_INTS} DECIMAL", always, "error error wrong wrong"),  # ORC: rounded; NULL where it does not fit
    ("FLOAT DOUBLE", _TEXTS, room_for_text, "error error null exact"),  # ORC: NaN is NULL
    ("FLOAT DOUBLE", _TEXTS, always, "error error null wrong"),
    ("FLOAT DOUBLE DECIMAL", "BOOLEAN", always, "error error wrong refused"),
    ("FLOAT DOUBLE DECIMAL BOOLEAN", _STAMPS, always, "error error wrong refused"),
    # DECIMAL. To integers and dates, Parquet readers forget the point: 12.34 is 1234.
    ("DECIMAL", "DECIMAL", digits_enough, "exact exact exact exact"),
    ("DECIMAL", "DECIMAL", lower_scale, "error wrong wrong wrong"),
    ("DECIMAL", "DECIMAL", always, "error null null null"),
    ("DECIMAL", _INTS, whole_and_fitting, "exact exact exact exact"),
    ("DECIMAL", _INTS, an_integer_and_whole, "wrong wrong null wrong"),
    ("DECIMAL", _INTS, an_integer_in_files, "wrong wrong wrong wrong"),
    ("DECIMAL", _INTS, whole, "error error null wrong"),
    ("DECIMAL", _INTS, always, "error error wrong wrong"),
    ("DECIMAL", "DOUBLE", an_integer_and_whole, "exact exact exact exact"),
    ("DECIMAL", "DOUBLE", an_int_in_files, "wrong wrong approximate approximate"),
    ("DECIMAL", "FLOAT DOUBLE", always, "error error approximate approximate"),
    ("DECIMAL", _TEXTS, long_bytes_as_text, "error wrong exact exact"),
    ("DECIMAL", _TEXTS, bytes_in_files, "error wrong exact wrong"),
    ("DECIMAL", _TEXTS, room_for_text, "error error exact exact"),
    ("DECIMAL", _TEXTS, always, "error error exact wrong"),
    ("DECIMAL", _BYTES, bytes_in_files, "wrong wrong error refused"),
    ("DECIMAL", "DATE", an_int_in_files, "wrong wrong error refused"),
    ("DECIMAL", "DATE", always, "error error error refused"),
    (f"{_NUMBERS} BOOLEAN", _BYTES, always, "error error error refused"),
    # BOOLEAN. ORC's text is TRUE, where Spark and Paimon write true.
    ("BOOLEAN", f"{_INTS} FLOAT DOUBLE", always, "error error exact exact"),
    ("BOOLEAN", "DECIMAL", one_digit, "error error exact exact"),
    ("BOOLEAN", "DECIMAL", always, "error error null null"),
    ("BOOLEAN", _TEXTS, room_for_text, "error error wrong exact"),
    ("BOOLEAN", _TEXTS, always, "error error wrong wrong"),
    # Texts. Spark pads what it reads as CHAR, but does not cut it.
    (_TEXTS, "VARCHAR", as_long, "exact exact exact exact"),
    (_TEXTS, "VARCHAR", always, "exact exact exact wrong"),
    (_TEXTS, "CHAR", always, "wrong wrong wrong wrong"),
    (_TEXTS, _INTS, always, "error error null wrong"),  # Paimon: 1.5 is 1, abc an error
    (_TEXTS, "FLOAT DOUBLE", always, "error error null error"),
    (_TEXTS, "DECIMAL", always, "error error wrong wrong"),  # rounded
    (_TEXTS, "BOOLEAN", always, "error error wrong error"),  # ORC: 12 is true, and true is NULL
    (_TEXTS, "DATE", always, "error error null wrong"),  # Paimon: 12 is the 13th of January 1970
    (_TEXTS, _STAMPS, always, "error error shifted wrong"),  # ORC: in the zone of the JVM, whatever the session's
    (_TEXTS, "TIME", always, "absent absent absent wrong"),
    (_TEXTS, _BYTES, room_for_bytes, "exact exact exact exact"),
    (_TEXTS, _BYTES, always, "exact exact exact wrong"),
    # Bytes. As text, Parquet readers hand over any bytes, ORC writes 0x0aff as "0a ff", and Paimon replaces what is no UTF-8.
    (_BYTES, "VARBINARY", as_long, "exact exact exact exact"),
    (_BYTES, _BYTES, always, "exact exact exact wrong"),
    (_BYTES, _TEXTS, always, "bytes bytes wrong wrong"),
    (_BYTES, f"{_NUMBERS} BOOLEAN {_STAMPS}", always, "error error error refused"),
    # Dates.
    ("DATE", f"{_INTS} DOUBLE", always, "wrong wrong error refused"),
    ("DATE", "DECIMAL", always, "error wrong error refused"),
    ("DATE", f"FLOAT BOOLEAN {_BYTES}", always, "error error error refused"),
    ("DATE", _TEXTS, always, "error error exact exact"),
    ("DATE", "TS", always, "exact exact error exact"),
    ("DATE", "LTZ", always, "error error shifted shifted"),  # midnight in the zone of the JVM, or of the session
    # Timestamps. Parquet readers ignore whether a file's timestamps are instants: in New York, the instant
    # 03:04:05 is read as the wall clock 08:04:05, and the wall clock as 22:04:05 of the day before.
    ("TS", "TS", as_precise, "exact exact exact exact"),
    ("LTZ", "LTZ", as_precise, "exact exact exact exact"),
    ("TS", "TS", always, "exact exact exact wrong"),  # Spark has one precision, 6
    ("LTZ", "LTZ", always, "exact exact exact wrong"),
    ("TS", "LTZ", always, "shifted shifted error shifted"),
    ("LTZ", "TS", always, "shifted shifted error shifted"),
    ("TS", "DATE", always, "error error error wrong"),
    ("LTZ", "DATE", always, "error error wrong wrong"),
    # Microseconds since 1970; an error where the file has INT96, as Spark writes LTZ unless told otherwise.
    (_STAMPS, "BIGINT", always, "wrong wrong wrong wrong"),
    (_STAMPS, "DECIMAL", always, "error wrong wrong refused"),
    (_STAMPS, "TINYINT SMALLINT INT FLOAT DOUBLE", always, "error error wrong wrong"),
    (_STAMPS, "BOOLEAN", always, "error error wrong refused"),
    ("TS", _TEXTS, always, "error error wrong exact"),  # ORC: the microseconds as text
    ("LTZ", _TEXTS, always, "error wrong shifted exact"),  # the row reader: the bytes of INT96; ORC: the zone of the JVM
    ("TS", _BYTES, always, "error error error refused"),
    ("LTZ", _BYTES, always, "error wrong error refused"),
    # TIME, which Spark lacks unless asked.
    (_STAMPS, "TIME", always, "absent absent absent wrong"),
    ("TIME", _STAMPS, always, "absent absent absent wrong"),
    ("TIME", _TEXTS, always, "absent absent absent exact"),
)
# fmt: on
_SHORT = {"INT": Root.INTEGER, "TS": Root.TIMESTAMP, "LTZ": Root.TIMESTAMP_LTZ}

Pair = tuple[Root, Root]


def _pairs(sources: str, targets: str) -> Iterator[Pair]:
    for source, target in product(sources.split(), targets.split()):
        yield _SHORT.get(source) or Root[source], _SHORT.get(target) or Root[target]


class Family(NamedTuple):
    """The outcomes in the measured engines for the pairs of types that meet a condition."""

    condition: Condition
    outcomes: dict[str, Outcome]


def _families() -> dict[Pair, list[Family]]:
    families: dict[Pair, list[Family]] = {}
    for sources, targets, condition, text in _ROWS:
        family = Family(condition, dict(zip(COLUMNS, map(Outcome, text.split()), strict=True)))
        for pair in _pairs(sources, targets):
            families.setdefault(pair, []).append(family)
    return families


FAMILIES: dict[Pair, list[Family]] = _families()

# ---------------------------------------------------------------- engines that follow rules

# The same type in Iceberg, which has no lengths and only microseconds. BINARY is its `binary`, as Paimon and
# Spark write it; Flink writes its `fixed`, which never changes.
_SAME = ((_TEXTS, _TEXTS, always), (_BYTES, _BYTES, always), ("TIME", "TIME", always), ("TS", "TS", always), ("LTZ", "LTZ", always))

# What Delta's type widening converts, and what is one type in its log.
_WIDENINGS: tuple[tuple[str, str, Condition], ...] = (
    ("TINYINT", "SMALLINT INT BIGINT", always),
    ("SMALLINT", "INT BIGINT", always),
    ("INT", "BIGINT", always),
    ("FLOAT", "DOUBLE", always),
    ("TINYINT SMALLINT INT", "DOUBLE", always),
    ("DATE", "TS", always),
    ("DECIMAL", "DECIMAL", digits_enough),
    ("TINYINT SMALLINT INT", "DECIMAL", ten_digits),
    ("BIGINT", "DECIMAL", twenty_digits),
    (_TEXTS, "VARCHAR", as_long),
    (_BYTES, _BYTES, always),
    ("TS", "TS", always),
    ("LTZ", "LTZ", always),
)

# Sources, targets, condition. What is not here is refused.
_PROMOTIONS: dict[str, tuple[tuple[str, str, Condition], ...]] = {
    "iceberg-v2": (
        ("INT", "BIGINT", always),
        ("FLOAT", "DOUBLE", always),
        # pyiceberg 0.12 lets the scale grow, too, and STRING and BINARY become each other. Both are defects.
        ("DECIMAL", "DECIMAL", same_scale),
        # Not DATE to TS, which is for version 3 of the format.
        *_SAME,
    ),
    # Spark with Iceberg's catalog, by the specification: what versions 2 and 3 of the format promote. A table of version 2 never
    # has a step from DATE to TS, since its catalog refuses it. From `unknown` every step is VOID_TYPED, and no pair of types.
    "spark-iceberg": (
        ("INT", "BIGINT", always),
        ("FLOAT", "DOUBLE", always),
        ("DECIMAL", "DECIMAL", same_scale),
        ("DATE", "TS", always),
        ("CHAR VARCHAR", "CHAR VARCHAR", always),
        # Not BINARY, which is Iceberg's `fixed` and its `uuid` here, and never changes.
        ("VARBINARY", "VARBINARY", always),
        ("TS", "TS", always),
        ("LTZ", "LTZ", always),
    ),
    "delta": _WIDENINGS,
    # Spark with Delta, by the specification. A table that maps its columns finds them by id or by a name that never changes; in one
    # that does not, a column is its name, and has an id that is made of it. From `void` every step is VOID_TYPED, and no pair of types.
    "spark-delta": _WIDENINGS,
}


def _promotions(rows: Iterable[tuple[str, str, Condition]]) -> dict[Pair, Condition]:
    conditions: dict[Pair, Condition] = {}
    for sources, targets, condition in rows:
        conditions.update(dict.fromkeys(_pairs(sources, targets), condition))
    return conditions


PROMOTIONS: dict[str, dict[Pair, Condition]] = {reader: _promotions(rows) for reader, rows in _PROMOTIONS.items()}

# ---------------------------------------------------------------- types that engines lack

# Files of other formats may hold what is opaque to us; only the engines of those formats know whether they read it.
_FOREIGN = frozenset({Root.OPAQUE})
_OURS = frozenset({Root.BLOB, Root.VECTOR, Root.MULTISET})
_PLACES = frozenset({Root.GEOMETRY, Root.GEOGRAPHY})

LACKS: dict[str, frozenset[Root]] = {
    # TIME came with 4.1, and 4.3 still refuses it unless spark.sql.timeType.enabled is set. GEOMETRY and GEOGRAPHY
    # work in Parquet files with 4.3, but 4.0 has no such types, and the profile speaks for every Spark 4.
    "spark-4-parquet": _OURS | _PLACES | _FOREIGN | {Root.TIME},
    "spark-4-orc": _OURS | _PLACES | _FOREIGN | {Root.TIME, Root.VARIANT},
    # VARIANT and places came with version 3. Paimon's metadata for Iceberg calls TINYINT and SMALLINT int, which is another type.
    "iceberg-v2": _OURS | _PLACES | _FOREIGN | {Root.TINYINT, Root.SMALLINT, Root.VARIANT},
    # Spark has no TIME that all its versions read, and no types smaller than int are in the format. VARIANT came with version 3;
    # Spark reads places since 4.3 at most. What is opaque to us is a type of a newer Iceberg, and nobody knows whether Spark has it.
    "spark-iceberg": _OURS | _PLACES | _FOREIGN | {Root.TINYINT, Root.SMALLINT, Root.TIME},
    # TIME is in no version of the protocol; places, and timestamps of nanoseconds, are proposals.
    "delta": _OURS | _PLACES | {Root.TIME},
    # What is opaque to us stands in the log as Spark wrote it: collations, intervals.
    "spark-delta": _OURS | _PLACES | {Root.TIME},
    "paimon": _FOREIGN,
}

# The texts of opaque types that an engine has nevertheless.
KNOWN_OPAQUE: dict[str, frozenset[str]] = {"spark-iceberg": frozenset({"unknown"})}

_MICROSECONDS = {Root.TIME: 6, Root.TIMESTAMP: 6, Root.TIMESTAMP_LTZ: 6}

# The most digits of a second, where there are fewer than Paimon has. Spark 4.3 has nine, if spark.sql.timestampNanosTypes.enabled is set.
DIGITS: dict[str, dict[Root, int]] = {reader: {} if reader == "paimon" else _MICROSECONDS for reader in LACKS}
