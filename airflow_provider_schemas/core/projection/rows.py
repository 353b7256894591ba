"""Readers of values: functions, built once, that turn a value of an old file into the wanted one.

They work on the carriers of `core.casts.cast_value`, and take more forms than they return: a ROW may come as a dict or
as a tuple in field order, and is returned as a dict; a MAP may come as pairs or as a dict, and is returned as it came.
NULL never reaches a reader, and None in the place of a reader means that the value passes as it is.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from itertools import pairwise
from reprlib import Repr
from typing import Any

from airflow_provider_schemas.core.casts.carriers import Value, shown_type
from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.casts.cast_value import converter
from airflow_provider_schemas.core.types.atomic import STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import CastError, Fault, ProjectionError

ReadValue = Callable[[Value], Value]

# (wanted name, name in the files or None if they lack the field, reader of the value)
Step = tuple[str, str | None, ReadValue | None]

BAD_VALUE = "read.no-conversion-or-bad-value"


# ---------------------------------------------------------------- containers


def rows(path: str, written: Iterable[Field], steps: Iterable[Step], *, carriers: bool = False) -> ReadValue:
    """Return the reader of a ROW into a dict by wanted names; or, for carriers, into a tuple."""
    names = tuple(field.name for field in written)
    needed = frozenset(field.name for field in written if not field.type.nullable)
    known = frozenset(names)
    steps = tuple(steps)

    def read(value: Value) -> Value:
        cells: Mapping[Any, Any] = value if isinstance(value, Mapping) else _by_name(value, names, path)
        if not needed <= cells.keys() <= known:
            raise ProjectionError.of(_column_faults(cells, needed, known, path))
        wanted: dict[str, Any] = {}
        faults: list[Fault] = []
        for name, source, reader in steps:
            cell = cells.get(source)
            try:
                wanted[name] = cell if cell is None or reader is None else reader(cell)
            except ProjectionError as error:
                faults += error.faults
        if faults:
            raise ProjectionError.of(faults)
        return tuple(wanted.values()) if carriers else wanted

    return read


def _by_name(value: Value, names: tuple[str, ...], path: str) -> dict[str, Any]:
    if not isinstance(value, tuple | list) or len(value) != len(names):
        raise _misshapen(value, path, f"a ROW of {len(names)} fields", "a dict, or a tuple with one value a field")
    return dict(zip(names, value, strict=True))


def _column_faults(cells: Mapping[Any, Any], needed: frozenset[str], known: frozenset[str], path: str) -> Iterable[Fault]:
    for name in sorted(map(str, cells.keys() - known)):
        fix = "Pass the schema that these files were written with."
        yield Fault("read.unknown-column", joined(path, name), "the written schema has no such column.", fix)
    for name in sorted(needed - cells.keys()):
        fix = "Pass every column of the file; only nullable ones may be left out."
        yield Fault("read.missing-column", joined(path, name), "the row has no value for a column that is NOT NULL in the file.", fix)


def arrays(path: str, reader: ReadValue) -> ReadValue:
    """Return the reader of the elements of an ARRAY."""

    def read(value: Value) -> Value:
        if not isinstance(value, list | tuple):
            raise _misshapen(value, path, "an ARRAY", "a list")
        return [None if element is None else reader(element) for element in value]

    return read


def maps(path: str, key: ReadValue | None, reader: ReadValue | None, *, carriers: bool = False) -> ReadValue:
    """Return the reader of the values, and if a key reader is given of the keys, of a MAP."""

    def read(value: Value) -> Value:
        is_dict = isinstance(value, Mapping)
        if not is_dict and not _are_pairs(value):
            raise _misshapen(value, path, "a MAP", "a list of (key, value) pairs, or a dict")
        entries = value.items() if is_dict else value
        pairs = [(_read_cell(name, key), _read_cell(cell, reader)) for name, cell in entries]
        if is_dict and not carriers:
            return dict(pairs)
        return pairs

    return read


def _are_pairs(value: Value) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in value)


def _read_cell(value: Value, reader: ReadValue | None) -> Value:
    if value is None or reader is None:
        return value
    return reader(value)


def _misshapen(value: Value, path: str, what: str, form: str) -> ProjectionError:
    return ProjectionError(f"{_shown(value)} is not {what}.", code=BAD_VALUE, path=path, fix=f"Pass {form}.")


def unchanged(kind: DataType, path: str, *, carriers: bool = False) -> ReadValue | None:
    """Return the reader of a type as itself, which changes only the forms of its ROWs, and for carriers of its MAPs."""
    if isinstance(kind, RowType):
        steps = [(field.name, field.name, unchanged(field.type, joined(path, field.name), carriers=carriers)) for field in kind.fields]
        return rows(path, kind.fields, steps, carriers=carriers)
    if isinstance(kind, ArrayType):
        element = unchanged(kind.element, joined(path, "element"), carriers=carriers)
        return element and arrays(path, element)
    if isinstance(kind, MapType):
        value = unchanged(kind.value, joined(path, "value"), carriers=carriers)
        if carriers:
            return maps(path, unchanged(kind.key, joined(path, "key"), carriers=True), value, carriers=True)
        return value and maps(path, None, value)
    return None


# ---------------------------------------------------------------- conversions


def converted(source: DataType, target: DataType, path: str, timezone: str) -> ReadValue:
    """Return the reader that converts as Java does."""
    to_carrier = unchanged(source, path, carriers=True)
    convert = converter(source, target, timezone)

    def read(value: Value) -> Value:
        carrier = _read_cell(value, to_carrier)
        try:
            return convert(carrier)
        except CastError as error:
            raise unreadable(source, target, path, error) from error

    return read


def unreadable(source: DataType, target: DataType, path: str, why: CastError) -> ProjectionError:
    """Return the error for a pair of types, or a value of it, that cannot be converted."""
    message = f"{brief(source)} in the files cannot be read as {brief(target)}: {why.message}"
    fix = f"Read the field as {brief(source)}, or correct the files."
    return ProjectionError(message, code=BAD_VALUE, path=why.faults[0].at(path).path, fix=fix)


def checked(source: DataType, target: DataType, path: str, timezone: str) -> ReadValue:
    """Return the reader that converts as Java does, and fails where the value does not come back when converted back."""
    read = converted(source, target, path, timezone)
    if cast_support(source, target).lossless:
        return read
    read_old = converted(source, source, path, timezone)
    back = [converter(*pair, timezone) for pair in way_back(source, target)]

    def read_checked(value: Value) -> Value:
        new = read(value)
        if new is None or not _survives(read_old(value), new, back):
            message = f"{_shown(value)}, {brief(source)} in the files, does not survive as {brief(target)}: it would read as {_shown(new)}."
            fix = f"Read the field as {brief(source)}, or pass casts='paimon' to accept the loss."
            raise ProjectionError(message, code="read.lossy-value", path=path, fix=fix)
        return new

    return read_checked


# Where there is no direct way back, the stop on the way: by the root of the source.
_STOPS = {Root.CHAR: STRING, Root.VARCHAR: STRING, Root.BOOLEAN: atomic(Root.INTEGER)}


def way_back(source: DataType, target: DataType) -> list[tuple[DataType, DataType]]:
    """Return the pairs of types that lead from the target back to the source; none if there is no way."""
    source = source.with_nullable(True)
    target = target.with_nullable(True)
    for stops in ([target, source], [target, _STOPS.get(source.root, source), source]):
        pairs = list(pairwise(stops))
        if all(cast_support(*pair).convertible for pair in pairs):
            return pairs
    return []


def _survives(value: Value, new: Value, back: list[ReadValue]) -> bool:
    try:
        for convert in back:
            new = _read_cell(new, convert)
    except CastError:
        return False
    return bool(back) and _are_equal(value, new)


def _are_equal(old: Value, new: Value) -> bool:
    """Return whether two values are equal; NaN is equal to NaN."""
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        return len(old) == len(new) and all(map(_are_equal, old, new))
    return bool(old == new) or (old != old and new != new)  # noqa: PLR0124  # only NaN differs from itself


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def _shown(value: Value) -> str:
    """Return any value as messages show it: short."""
    try:
        if isinstance(value, Decimal):
            return str(value)[:60]
        return _SHORT.repr(value)
    except ValueError:
        return "a number of thousands of digits"


def brief(kind: DataType) -> str:
    """Return the type as messages show it: without the outer NOT NULL, and short."""
    return shown_type(kind.with_nullable(True))


def joined(path: str, word: str) -> str:
    """Return the path one step further in."""
    if not path:
        return word
    return f"{path}.{word}"
