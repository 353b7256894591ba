"""Values of every type: as SQL, and in a neutral form in which what Spark returns is compared. Nothing here asks the library."""

import json
import struct
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any, NamedTuple

from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType

ROWS = 4
"""Two rows of extremes, one with NULL in the innermost fields, one with NULL in the columns, where NULL may be."""
NULL_LEAVES = 2
NULL_COLUMNS = 3

SPARK_NAMES = {
    "BYTES": "BINARY",
    "TIMESTAMP(6)": "TIMESTAMP_NTZ",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": "TIMESTAMP",
}


class Value(NamedTuple):
    """One value, as SQL and in the neutral form."""

    sql: str
    neutral: Any


def _numbers(kind: str, *texts: str) -> list[Value]:
    return [Value(f"CAST('{text}' AS {kind})", Fraction(text)) for text in texts]


def _single(text: str) -> Fraction:
    return Fraction(struct.unpack("f", struct.pack("f", float(text)))[0])


def _decimal(precision: int, scale: int) -> list[Value]:
    return _numbers(f"DECIMAL({precision}, {scale})", f"{10**precision - 1}e-{scale}", f"-1e-{scale}")


def _clock(text: str) -> tuple[str, datetime]:
    return "clock", datetime.fromisoformat(text)


_DIGITS = ((5, 0), (9, 0), (10, 0), (10, 2), (12, 4), (19, 0), (20, 2))
_STAMPS = ("1969-12-31 23:59:59.999999", "2024-01-02 03:04:05.123456")
VALUES: dict[str, list[Value]] = {
    "BOOLEAN": [Value("true", True), Value("false", False)],
    "TINYINT": _numbers("TINYINT", "-128", "127"),
    "SMALLINT": _numbers("SMALLINT", "-32768", "32767"),
    "INT": _numbers("INT", "-2147483648", "2147483647"),
    "BIGINT": _numbers("BIGINT", "-9223372036854775808", "9223372036854775807"),
    "FLOAT": [Value(f"CAST('{text}' AS FLOAT)", _single(text)) for text in ("0.1", "-3.4028235E38")],
    "DOUBLE": [Value(f"CAST('{text}' AS DOUBLE)", Fraction(float(text))) for text in ("0.1", "-1.7976931348623157E308")],
    **{f"DECIMAL({digits}, {scale})": _decimal(digits, scale) for digits, scale in _DIGITS},
    "CHAR(5)": [Value("'abcde'", "abcde"), Value("'fghij'", "fghij")],
    "VARCHAR(7)": [Value("'abcdefg'", "abcdefg"), Value("'é'", "é")],
    "STRING": [Value("'a text of many letters'", "a text of many letters"), Value("'12'", "12")],
    "BYTES": [Value("X'00ff'", b"\x00\xff"), Value("X'616263'", b"abc")],
    "DATE": [Value(f"DATE'{text}'", _clock(text)) for text in ("1969-12-31", "2024-02-29")],
    "TIMESTAMP(6)": [Value(f"TIMESTAMP_NTZ'{text}'", _clock(text)) for text in _STAMPS],
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": [
        Value(f"TIMESTAMP_LTZ'{text}Z'", ("instant", datetime.fromisoformat(text).replace(tzinfo=UTC)))
        for text in ("2024-01-02 03:04:05.123456", "1999-07-01 12:00:00")
    ],
    "VARIANT": [Value("parse_json('{\"a\": 1}')", ("variant", {"a": 1})), Value("parse_json('[2]')", ("variant", [2]))],
}
ATOMS = tuple(VALUES)


# ---------------------------------------------------------------- Spark's text of a type


def plain(kind: DataType) -> str:
    """The type without NOT NULL, as `VALUES` names it."""
    return str(kind.with_nullable(True))


def spark_type(kind: DataType, *, table: bool = False) -> str:
    """The type in Spark's DDL; a MULTISET is a map of counts. Only a table says NOT NULL and lengths of texts."""
    if isinstance(kind, RowType):
        inner = (f"{quoted(one.name)}: {_with_null(one.type, table=table)}" for one in kind.fields)
        return f"STRUCT<{', '.join(inner)}>"
    if isinstance(kind, ArrayType):
        return f"ARRAY<{spark_type(kind.element, table=table)}>"
    if isinstance(kind, MapType):
        return f"MAP<{spark_type(kind.key, table=table)}, {spark_type(kind.value, table=table)}>"
    if isinstance(kind, MultisetType):
        return f"MAP<{spark_type(kind.element, table=table)}, INT>"
    if kind.root in (Root.CHAR, Root.VARCHAR) and not table:
        return "STRING"
    return SPARK_NAMES.get(plain(kind), plain(kind))


def columns(fields: tuple[Field, ...], *, table: bool = False) -> str:
    """The columns in Spark's DDL."""
    return ", ".join(f"{quoted(one.name)} {_with_null(one.type, table=table)}" for one in fields)


def _with_null(kind: DataType, *, table: bool) -> str:
    return spark_type(kind, table=table) + (" NOT NULL" if table and not kind.nullable else "")


def quoted(name: str) -> str:
    """The name in back-quotes."""
    return f"`{name}`"


# ---------------------------------------------------------------- making values


def value(kind: DataType, row: int, number: int = 0, *, top: bool = False) -> Value:
    """The value of a type in one of the rows, another one for the field of another number; structs are by the ids of their fields."""
    leaf = not isinstance(kind, RowType | ArrayType | MapType | MultisetType)
    if kind.nullable and ((row == NULL_LEAVES and leaf) or (row == NULL_COLUMNS and top)):
        return Value(f"CAST(NULL AS {spark_type(kind)})", None)
    if isinstance(kind, RowType):
        return _struct(kind, row)
    if isinstance(kind, ArrayType):
        inner = value(kind.element, row, number)
        return Value(f"array({inner.sql})", [inner.neutral])
    if isinstance(kind, MapType | MultisetType):
        return _map(kind, row, number)
    some = VALUES[plain(kind)]
    return some[(row + number) % len(some)]


def _struct(kind: RowType, row: int) -> Value:
    parts = [(one, value(one.type, row, one.id)) for one in kind.fields]
    sql = ", ".join(f"'{one.name}', {part.sql}" for one, part in parts)
    return Value(f"named_struct({sql})", {one.id: part.neutral for one, part in parts})


def _map(kind: MapType | MultisetType, row: int, number: int) -> Value:
    if isinstance(kind, MultisetType):
        key, held = value(kind.element.with_nullable(False), row, number), Value("2", Fraction(2))
    else:
        key, held = value(kind.key.with_nullable(False), row, number), value(kind.value, row, number)
    return Value(f"map({key.sql}, {held.sql})", [(key.neutral, held.neutral)])


def rows_sql(fields: tuple[Field, ...]) -> str:
    """A query that returns the rows."""
    rows = (f"({', '.join(value(one.type, row, one.id, top=True).sql for one in fields)})" for row in range(ROWS))
    return f"SELECT * FROM VALUES {', '.join(rows)} AS t({', '.join(quoted(one.name) for one in fields)})"


def rows_of(fields: tuple[Field, ...]) -> list[dict[int, Any]]:
    """The same rows in the neutral form, each by the ids of its columns."""
    return [{one.id: value(one.type, row, one.id, top=True).neutral for one in fields} for row in range(ROWS)]


# ---------------------------------------------------------------- what Spark returned


def neutral(found: Any, kind: Any) -> Any:
    """What Spark returned for one of its types, in the neutral form; a struct is a list of names and values."""
    name = type(kind).__name__
    if found is None:
        return None
    if name == "StructType":
        return [(one.name, neutral(part, one.dataType)) for one, part in zip(kind.fields, found, strict=True)]
    if name == "ArrayType":
        return [neutral(part, kind.elementType) for part in found]
    if name == "MapType":
        return [(neutral(key, kind.keyType), neutral(part, kind.valueType)) for key, part in found.items()]
    return _atom(found, name)


def _atom(found: Any, name: str) -> Any:
    if name == "VariantType":
        return "variant", json.loads(found.toJson())
    if name == "TimestampType":
        return "instant", found.astimezone(UTC)
    if isinstance(found, datetime):
        return "clock", found
    if isinstance(found, date):
        return _clock(found.isoformat())
    if isinstance(found, bytearray):
        return bytes(found)
    return Fraction(found) if isinstance(found, int | float | Decimal) and not isinstance(found, bool) else found


# ---------------------------------------------------------------- comparing


class Reading(NamedTuple):
    """How the receiver of a value finds fields, and what it makes of fields that it does not know, or that nobody sends."""

    by_position: bool
    extra: bool
    unsent: bool
    """Whether a field that nobody sends is NULL."""


def rows_received(mine: tuple[Field, ...], theirs: tuple[Field, ...], got: list[Any], way: Reading, *, more: bool) -> bool:
    """Whether all rows came as they were sent; more columns than the receiver knows may do no harm."""
    left = rows_of(theirs)
    if len(left) != len(got):
        return False
    fields = mine, theirs, more
    # Files are read in any order.
    return any(all(map(partial(_fields_received, fields, way), left, some)) for some in permutations(got))


def received(kind: DataType, source: DataType, sent: Any, got: Any, way: Reading) -> bool:
    """Whether the receiver, who means a value of its type, got the value that was sent as the source's type."""
    if sent is None or got is None:
        return kind.nullable and sent is None and got is None
    if isinstance(kind, RowType) and isinstance(source, RowType):
        return _fields_received((kind.fields, source.fields, False), way, sent, got)
    if isinstance(kind, ArrayType) and isinstance(source, ArrayType):
        pairs = zip(sent, got, strict=False)
        return len(sent) == len(got) and all(received(kind.element, source.element, one, other, way) for one, other in pairs)
    if isinstance(kind, MapType) and isinstance(source, MapType):
        pairs = zip(sent, got, strict=False)
        return len(sent) == len(got) and all(
            received(kind.key, source.key, one[0], other[0], way) and received(kind.value, source.value, one[1], other[1], way)
            for one, other in pairs
        )
    if isinstance(kind, MultisetType) and isinstance(source, MultisetType):
        return bool(sent == got)
    return isinstance(kind, AtomicType) and isinstance(source, AtomicType) and _same(sent, got) and in_domain(got, kind)


_Fields = tuple[tuple[Field, ...], tuple[Field, ...], bool]
"""The fields of the receiver, those that were sent, and whether more of them do no harm."""


def _fields_received(fields: _Fields, way: Reading, sent: Any, got: Any) -> bool:
    mine, theirs, more = fields
    there = {one.id: one for one in theirs}
    known = {one.id for one in mine}
    if not (way.extra or more) and (there.keys() - known or len(got) != len(mine)):
        return False
    parts = list(_parts(mine, got, way))
    return len(parts) == len(mine) and all(_field_received(one, there.get(one.id), sent, part, way) for one, part in parts)


def _field_received(mine: Field, there: Field | None, sent: Any, got: Any, way: Reading) -> bool:
    if there is None:
        return way.unsent and got is None and mine.type.nullable
    return received(mine.type, there.type, sent[there.id], got, way)


def _parts(mine: tuple[Field, ...], got: Any, way: Reading) -> Iterator[tuple[Field, Any]]:
    if way.by_position:
        yield from ((one, part) for one, (_, part) in zip(mine, got, strict=False))
        return
    named = {name.lower(): part for name, part in got}
    yield from ((one, named[one.name.lower()]) for one in mine if one.name.lower() in named)


def _same(sent: Any, got: Any) -> bool:
    return type(sent) is type(got) and bool(sent == got)


_BITS = {Root.TINYINT: 7, Root.SMALLINT: 15, Root.INTEGER: 31, Root.BIGINT: 63}


def in_domain(found: Any, kind: AtomicType) -> bool:
    """Whether it is a value of the type."""
    root = kind.root
    if root in _BITS:
        return isinstance(found, Fraction) and found.denominator == 1 and -(2 ** _BITS[root]) <= found < 2 ** _BITS[root]
    if root is Root.DECIMAL:
        scaled = found * 10 ** (kind.scale or 0) if isinstance(found, Fraction) else Fraction(1, 2)
        return scaled.denominator == 1 and abs(scaled) < 10 ** (kind.precision or 0)
    if root in (Root.FLOAT, Root.DOUBLE):
        return isinstance(found, Fraction) and _floats(found, "f" if root is Root.FLOAT else "d")
    if root in (Root.CHAR, Root.VARCHAR):
        return isinstance(found, str) and len(found) <= (kind.length or 0)
    return _of_other_roots(found, root)


def _floats(found: Fraction, form: str) -> bool:
    try:
        return Fraction(struct.unpack(form, struct.pack(form, float(found)))[0]) == found
    except OverflowError:
        return False


def _of_other_roots(found: Any, root: Root) -> bool:
    if root is Root.BOOLEAN:
        return isinstance(found, bool)
    if root in (Root.BINARY, Root.VARBINARY):
        return isinstance(found, bytes)
    if not isinstance(found, tuple):
        return False
    word, held = found
    if root is Root.DATE:
        return bool(word == "clock" and _clock(held.date().isoformat()) == found)
    return bool(word == {Root.TIMESTAMP: "clock", Root.TIMESTAMP_LTZ: "instant", Root.VARIANT: "variant"}[root])
