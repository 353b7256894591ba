"""Whether values of one type are values of another, as SQL: a table by the roots of both, with what is wrong where they are not.

Spark's own types are wide: every text is a STRING, and most numbers come as BIGINT or DOUBLE. What a value is decides then, and not what
its column is called. Where no value could fit, or it would mean something else, there is no row.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.casts.cast_rules import lossless, same_type
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.table import find_conversion

TOO_LONG: Final = "DATA_TOO_LONG"
OUT_OF_RANGE: Final = "DATA_OUT_OF_RANGE"
INEXACT: Final = "DATA_INEXACT"

_DIGITS: Final = {Root.TINYINT: 3, Root.SMALLINT: 5, Root.INTEGER: 10, Root.BIGINT: 19}


class Wrong(NamedTuple):
    """A rule, and the SQL that is TRUE of a value that breaks it; FALSE or NULL of any other, and of NULL."""

    rule: str
    condition: str


# Takes the SQL of a value; its types, and the zone of the session, are known.
_Build = Callable[[str, Any, Any, str], Iterable[Wrong]]


def wrongs(v: str, theirs: DataType, wanted: DataType, zone: str) -> list[Wrong] | None:
    """What can be wrong with a value of their type that is to be of the wanted one; None if no such value fits."""
    if lossless(theirs.with_nullable(True), wanted.with_nullable(True)):
        return []
    row = _TABLE.get((theirs.root, wanted.root))
    return None if row is None else list(row(v, theirs, wanted, zone))


def equal_types(theirs: DataType, wanted: DataType) -> bool:
    """Whether it is the type by which Spark holds the wanted one: it has one kind of text and one kind of bytes."""
    return same_type(theirs, wanted) or any(theirs.root in both and wanted.root in both for both in (_TEXTS, _BYTES))


# ---------------------------------------------------------------- by kind


def _text(v: str, _theirs: Any, wanted: Any, _zone: str) -> Iterator[Wrong]:
    yield Wrong(TOO_LONG, f"char_length({v}) > {wanted.length}")


def _bytes(v: str, _theirs: Any, wanted: Any, _zone: str) -> Iterator[Wrong]:
    yield Wrong(TOO_LONG, f"octet_length({v}) > {wanted.length}")


def _exact(v: str, theirs: Any, wanted: Any, _zone: str) -> Iterator[Wrong]:
    """Integers and decimals among themselves. No literal has more digits than the value, so that nothing overflows in comparing."""
    if _whole(theirs) > _whole(wanted) or (theirs.root is Root.DECIMAL and wanted.root in BITS and _whole(theirs) == _whole(wanted)):
        least, most = _ends(wanted)
        mark = "BD" if theirs.root is Root.DECIMAL else "L"
        yield Wrong(OUT_OF_RANGE, f"({v} < {least}{mark} or {v} > {most}{mark})" if wanted.root in BITS else _beyond(v, most + 1, mark))
    if (theirs.scale or 0) > (wanted.scale or 0):
        yield Wrong(INEXACT, f"{v} % {_unit(wanted.scale or 0)} <> 0")


def _beyond(v: str, first: int, mark: str) -> str:
    """Digits before the point that there is no room for, whatever stands behind it."""
    return f"({v} <= -{first}{mark} or {v} >= {first}{mark})"


def _whole(kind: Any) -> int:
    """So many digits may stand before the point."""
    return _DIGITS[kind.root] if kind.root in _DIGITS else (kind.precision or 0) - (kind.scale or 0)


def _ends(kind: Any) -> tuple[int, int]:
    if kind.root in BITS:
        half = 1 << BITS[kind.root] - 1
        return -half, half - 1
    return 1 - 10 ** _whole(kind), 10 ** _whole(kind) - 1


def _unit(scale: int) -> str:
    return f"0.{'0' * (scale - 1)}1BD" if scale else "1BD"


def _comes_back(v: str, theirs: Any, wanted: Any, zone: str) -> Iterator[Wrong]:
    """The value is turned into the other type and back."""
    done = find_conversion(theirs, wanted, zone)(v)
    if done.fails is not None:
        yield Wrong(INEXACT, done.fails(done.value))


# ---------------------------------------------------------------- the table

_TEXTS: Final = (Root.CHAR, Root.VARCHAR)
_BYTES: Final = (Root.BINARY, Root.VARBINARY)
_INTEGERS: Final = tuple(_DIGITS)

# What is not here would mean something else: text for anything, floating point for DECIMAL, a clock on the wall for an instant.
_ROWS: Final[tuple[tuple[Iterable[Root], Iterable[Root], _Build], ...]] = (
    (_TEXTS, _TEXTS, _text),
    (_BYTES, _BYTES, _bytes),
    ((*_INTEGERS, Root.DECIMAL), (*_INTEGERS, Root.DECIMAL), _exact),
    ((*_INTEGERS, Root.DOUBLE), (Root.FLOAT,), _comes_back),
    (_INTEGERS, (Root.DOUBLE,), _comes_back),
    ((Root.TIMESTAMP,), (Root.TIMESTAMP, Root.DATE), _comes_back),
    ((Root.TIMESTAMP_LTZ,), (Root.TIMESTAMP_LTZ,), _comes_back),
)
_TABLE: Final = {(source, target): build for sources, targets, build in _ROWS for source in sources for target in targets}
