"""Whether values of one type are values of another, as SQL: a table by the roots of both, with what is wrong where they are not.

Spark's own types are wide: every text is a STRING, and most numbers come as BIGINT or DOUBLE. What a value is decides then, and not what
its column is called. Where no value could fit, or it would mean something else, there is no row.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.casts.cast_rules import lossless, same_type
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.table import find_conversion

TOO_LONG: Final = "DATA_TOO_LONG"
OUT_OF_RANGE: Final = "DATA_OUT_OF_RANGE"
INEXACT: Final = "DATA_INEXACT"

_DIGITS: Final = {Root.TINYINT: 3, Root.SMALLINT: 5, Root.INTEGER: 10, Root.BIGINT: 19}


class Violation(NamedTuple):
    """A rule, and the SQL that is TRUE of a value that breaks it; FALSE or NULL of any other, and of NULL."""

    rule: str
    condition: str


_Find = Callable[[str, AtomicType, AtomicType, str], Iterable[Violation]]
"""Takes the SQL of a value, its type, the type that it is to be of, and the zone of the session."""


def find_violations(sql: str, theirs: DataType, wanted: DataType, zone: str) -> list[Violation] | None:
    """Return what can be wrong with a value of their type that is to be of the wanted one; None if no such value fits."""
    if lossless(theirs.with_nullable(True), wanted.with_nullable(True)):
        return []
    if not isinstance(theirs, AtomicType) or not isinstance(wanted, AtomicType):
        return None
    find = _TABLE.get((theirs.root, wanted.root))
    if find is None:
        return None
    return list(find(sql, theirs, wanted, zone))


def equal_types(theirs: DataType, wanted: DataType) -> bool:
    """Return whether it is the type by which Spark holds the wanted one: it has one kind of text and one kind of bytes."""
    return same_type(theirs, wanted) or any(theirs.root in both and wanted.root in both for both in (_TEXTS, _BYTES))


# ---------------------------------------------------------------- by kind


def _check_text(sql: str, _theirs: AtomicType, wanted: AtomicType, _zone: str) -> Iterator[Violation]:
    yield Violation(TOO_LONG, f"char_length({sql}) > {wanted.length}")


def _check_bytes(sql: str, _theirs: AtomicType, wanted: AtomicType, _zone: str) -> Iterator[Violation]:
    yield Violation(TOO_LONG, f"octet_length({sql}) > {wanted.length}")


def _check_exact(sql: str, theirs: AtomicType, wanted: AtomicType, _zone: str) -> Iterator[Violation]:
    """Check integers and decimals among themselves. No literal has more digits than the value, so that nothing overflows in comparing."""
    if _may_be_out_of_range(theirs, wanted):
        yield Violation(OUT_OF_RANGE, _out_of_range(sql, wanted, "BD" if theirs.root is Root.DECIMAL else "L"))
    if (theirs.scale or 0) > (wanted.scale or 0):
        yield Violation(INEXACT, f"{sql} % {_unit(wanted.scale or 0)} <> 0")


def _may_be_out_of_range(theirs: AtomicType, wanted: AtomicType) -> bool:
    if theirs.root is Root.DECIMAL and wanted.root in BITS:
        return _whole_digits(theirs) >= _whole_digits(wanted)
    return _whole_digits(theirs) > _whole_digits(wanted)


def _out_of_range(sql: str, wanted: AtomicType, mark: str) -> str:
    """Return the SQL of numbers that are beyond an integer type, or have digits before the point that there is no room for."""
    if wanted.root in BITS:
        half = 1 << BITS[wanted.root] - 1
        return f"({sql} < {-half}{mark} or {sql} > {half - 1}{mark})"
    first = 10 ** _whole_digits(wanted)
    return f"({sql} <= -{first}{mark} or {sql} >= {first}{mark})"


def _whole_digits(kind: AtomicType) -> int:
    """Return how many digits may stand before the point."""
    if kind.root in _DIGITS:
        return _DIGITS[kind.root]
    return (kind.precision or 0) - (kind.scale or 0)


def _unit(scale: int) -> str:
    return f"0.{'0' * (scale - 1)}1BD" if scale else "1BD"


def _check_comes_back(sql: str, theirs: AtomicType, wanted: AtomicType, zone: str) -> Iterator[Violation]:
    """Check that the value, turned into the other type and back, is the same."""
    converted = find_conversion(theirs, wanted, zone)(sql)
    if converted.fails is not None:
        yield Violation(INEXACT, converted.fails(converted.value))


# ---------------------------------------------------------------- the table

_TEXTS: Final = (Root.CHAR, Root.VARCHAR)
_BYTES: Final = (Root.BINARY, Root.VARBINARY)
_INTEGERS: Final = tuple(_DIGITS)

# What is not here would mean something else: text for anything, floating point for DECIMAL, a clock on the wall for an instant.
_ROWS: Final[tuple[tuple[Iterable[Root], Iterable[Root], _Find], ...]] = (
    (_TEXTS, _TEXTS, _check_text),
    (_BYTES, _BYTES, _check_bytes),
    ((*_INTEGERS, Root.DECIMAL), (*_INTEGERS, Root.DECIMAL), _check_exact),
    ((*_INTEGERS, Root.DOUBLE), (Root.FLOAT,), _check_comes_back),
    (_INTEGERS, (Root.DOUBLE,), _check_comes_back),
    ((Root.TIMESTAMP,), (Root.TIMESTAMP, Root.DATE), _check_comes_back),
    ((Root.TIMESTAMP_LTZ,), (Root.TIMESTAMP_LTZ,), _check_comes_back),
)


def _make_table() -> dict[tuple[Root, Root], _Find]:
    table: dict[tuple[Root, Root], _Find] = {}
    for sources, targets, find in _ROWS:
        table |= dict.fromkeys(product(sources, targets), find)
    return table


_TABLE: Final = _make_table()
