"""Strategies for hypothesis: data types of every kind, nested, and the values that they hold.

Field ids and names are unique within a type. Values are carriers, as `cast_value` takes them, and valid: a
CHAR has its full length, a TIMESTAMP no more digits than its precision.
"""

from collections.abc import Callable
from decimal import Decimal
from itertools import count
from typing import Any

from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value
from airflow_provider_schemas.core.types.atomic import STRING, AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.kinds import ALGORITHMS, KINDS, MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.core.types.nested import Field, RowType, array, fold, map_of, multiset, rebuilt, row
from airflow_provider_schemas.core.types.nested import field as field_of
from airflow_provider_schemas.core.types.nested import vector as vector_of
from airflow_provider_schemas.errors import CastError

BITS = {Root.TINYINT: 8, Root.SMALLINT: 16, Root.INTEGER: 32, Root.BIGINT: 64}
CRS = st.sampled_from(["OGC:CRS84", "EPSG:4326", "it's, here"])
NAMES = st.sampled_from(["a", "b", "Total", "größe", "two words", "back`tick", "it's"])
NOTES = st.none() | st.sampled_from(["", "a note", "it's"])

# Values of these are made at their full length, so the length stays small; one character may take four bytes.
_SHORT = st.integers(1, 12)
_LONG = _SHORT | st.sampled_from([255, MAX_LENGTH])

PARAMETERS: dict[Root, st.SearchStrategy[dict[str, Any]]] = {
    Root.CHAR: st.fixed_dictionaries({"length": _SHORT}),
    Root.BINARY: st.fixed_dictionaries({"length": _SHORT}),
    Root.VARCHAR: st.fixed_dictionaries({"length": _LONG}),
    Root.VARBINARY: st.fixed_dictionaries({"length": _LONG}),
    Root.DECIMAL: st.integers(1, 38).flatmap(lambda p: st.fixed_dictionaries({"precision": st.just(p), "scale": st.integers(0, p)})),
    Root.TIME: st.fixed_dictionaries({"precision": st.integers(0, 9)}),
    Root.TIMESTAMP: st.fixed_dictionaries({"precision": st.integers(0, 9)}),
    Root.TIMESTAMP_LTZ: st.fixed_dictionaries({"precision": st.integers(0, 9)}),
    Root.GEOMETRY: st.fixed_dictionaries({"crs": CRS}),
    Root.GEOGRAPHY: st.fixed_dictionaries({"crs": CRS, "algorithm": st.sampled_from(ALGORITHMS)}),
    Root.OPAQUE: st.fixed_dictionaries({"text": st.sampled_from(["interval", "string collate de", "it's, (here)", "a') NOT NULL"])}),
}


def atoms(*roots: Root) -> st.SearchStrategy[DataType]:
    """Types without parts, of these roots or of any."""
    return st.sampled_from(roots or tuple(KINDS)).flatmap(_atom)


def _atom(root: Root) -> st.SearchStrategy[DataType]:
    parameters = PARAMETERS.get(root, st.just({}))
    return st.builds(lambda nullable, given: atomic(root, nullable, **given), st.booleans(), parameters)


def types(max_leaves: int = 6) -> st.SearchStrategy[DataType]:
    """Types of every kind."""
    return st.builds(numbered, st.recursive(atoms(), _around, max_leaves=max_leaves), st.integers(0, 50), st.integers(1, 3))


def _around(part: st.SearchStrategy[DataType]) -> st.SearchStrategy[DataType]:
    kinds = st.one_of(
        part.map(array),
        part.map(multiset),
        st.builds(map_of, part, part),
        st.builds(vector_of, atoms(*sorted(VECTOR_ELEMENTS)), st.integers(1, 4)),
        st.lists(st.builds(_field, NAMES, part, NOTES, NOTES), max_size=4).map(_row),
    )
    return st.builds(lambda kind, nullable: kind.with_nullable(nullable), kinds, st.booleans())


def _field(name: str, kind: DataType, note: str | None, default: str | None) -> Field:
    # Every text is a default for a string, and few are for anything else.
    return field_of(0, name, kind, note, default if kind.root is Root.VARCHAR else None)


def _row(fields: list[Field]) -> DataType:
    return row(one.with_name(f"{one.name}{place}") for place, one in enumerate(fields))


def numbered(kind: DataType, first: int = 0, step: int = 1) -> DataType:
    """The same type with new ids for its fields, each different, and their numbers in their names."""
    numbers = count(first, step)

    def visit(part: DataType, inner: list[DataType]) -> DataType:
        whole = rebuilt(part, inner)
        return type(whole)(tuple(_renumbered(one, next(numbers)) for one in whole.fields)) if isinstance(whole, RowType) else whole

    return fold(kind, visit)


def _renumbered(one: Field, number: int) -> Field:
    return field_of(number, f"{one.name} {number}", one.type, one.description, one.default)


# ---------------------------------------------------------------- values


def values_of(kind: DataType) -> st.SearchStrategy[Any]:
    """The valid carriers of a type; None among them if it is nullable."""
    found = VALUES[kind.root](kind)
    return st.none() | found if kind.nullable else found


def printed(kind: DataType) -> st.SearchStrategy[str]:
    """The texts of the values of a type, where they have one."""
    return values_of(kind).map(lambda value: _text(value, kind))


def _text(value: Any, kind: DataType) -> str:
    try:
        return cast_value(value, kind, STRING) or "null"
    except CastError:
        return "null"


def _integers(kind: Any) -> st.SearchStrategy[int]:
    half = 2 ** (BITS[kind.root] - 1)
    return st.integers(-half, half - 1)


def _decimals(kind: Any) -> st.SearchStrategy[Decimal]:
    most: int = 10**kind.precision - 1
    return st.integers(-most, most).map(lambda digits: Decimal(f"{digits}e-{kind.scale}"))


def _texts(kind: AtomicType) -> st.SearchStrategy[str]:
    length = kind.length or 0
    return st.text(min_size=length if kind.root is Root.CHAR else 0, max_size=min(length, 20))


def _bytes(kind: AtomicType) -> st.SearchStrategy[bytes]:
    length = kind.length or 0
    return st.binary(min_size=length if kind.root is Root.BINARY else 0, max_size=min(length, 20))


def _times(kind: Any) -> st.SearchStrategy[int]:
    unit: int = 10 ** max(0, 3 - kind.precision)
    return st.integers(0, 86_400_000 // unit - 1).map(lambda number: number * unit)


def _timestamps(kind: Any) -> st.SearchStrategy[Timestamp]:
    unit: int = 10 ** (9 - kind.precision)
    # A year either side of the years that Python's datetime knows, and the edges of what 64 bits hold.
    near, far = 253_500_000_000 * 10**9 // unit, (2**63 - 1) * 10**6 // unit
    numbers = st.integers(-near, near) | st.integers(-far, far)
    return numbers.map(lambda number: Timestamp(*divmod(number * unit, 10**6)))


def _pairs(key: DataType, value: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[Any, Any]]]:
    return st.lists(st.tuples(values_of(key), value), max_size=3, unique_by=lambda pair: repr(pair[0]))


VALUES: dict[Root, Callable[[Any], st.SearchStrategy[Any]]] = {
    Root.BOOLEAN: lambda kind: st.booleans(),
    **dict.fromkeys(BITS, _integers),
    Root.FLOAT: lambda kind: st.floats(width=32),
    Root.DOUBLE: lambda kind: st.floats(),
    Root.DECIMAL: _decimals,
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _texts),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _bytes),
    **dict.fromkeys((Root.BLOB, Root.GEOMETRY, Root.GEOGRAPHY, Root.VARIANT, Root.OPAQUE), lambda kind: st.binary(max_size=8)),
    Root.DATE: lambda kind: st.integers(-(2**31), 2**31 - 1),
    Root.TIME: _times,
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _timestamps),
    Root.ARRAY: lambda kind: st.lists(values_of(kind.element), max_size=3),
    Root.VECTOR: lambda kind: st.lists(values_of(kind.element), min_size=kind.length, max_size=kind.length),
    Root.MAP: lambda kind: _pairs(kind.key, values_of(kind.value)),
    Root.MULTISET: lambda kind: _pairs(kind.element, st.integers(1, 5)),
    Root.ROW: lambda kind: st.tuples(*(values_of(one.type) for one in kind.fields)),
}
