"""Readers of values: functions, put together once, that turn a value of an old file into the wanted one.

They work on the carriers of `core.casts.cast_value`, and take more than they give: a ROW may come as a dict or as a
tuple in field order, and leaves as a dict; a MAP may come as pairs or as a dict, and leaves as it came.
NULL never reaches a reader, and None in the place of a reader means that the value passes as it is.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from itertools import pairwise
from reprlib import Repr
from typing import Any

from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.casts.cast_value import converter
from airflow_provider_schemas.core.types.atomic import STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import CastError, Fault, ProjectionError

Reader = Callable[[Any], Any]

# (name to give, name to look for or None for nothing there, reader of the value)
Step = tuple[str, str | None, Reader | None]

BAD_VALUE = "read.no-conversion-or-bad-value"


# ---------------------------------------------------------------- containers


def rows(path: str, written: Iterable[Field], steps: Iterable[Step], *, carriers: bool = False) -> Reader:
    """Reads a ROW into a dict by wanted names; or, as a carrier, into a tuple."""
    names = tuple(one.name for one in written)
    needed = frozenset(one.name for one in written if not one.type.nullable)
    known, steps = frozenset(names), tuple(steps)

    def read(value: Any) -> Any:
        cells: Mapping[Any, Any] = value if isinstance(value, Mapping) else _by_name(value, names, path)
        if not needed <= cells.keys() <= known:
            raise ProjectionError.of(_misfits(cells, needed, known, path))
        got: dict[str, Any] = {}
        faults: list[Fault] = []
        for name, source, reader in steps:
            cell = cells.get(source)
            try:
                got[name] = cell if cell is None or reader is None else reader(cell)
            except ProjectionError as error:
                faults += error.faults
        if faults:
            raise ProjectionError.of(faults)
        return tuple(got.values()) if carriers else got

    return read


def _by_name(value: Any, names: tuple[str, ...], path: str) -> dict[str, Any]:
    if not isinstance(value, tuple | list) or len(value) != len(names):
        raise _misshapen(value, path, f"a ROW of {len(names)} fields", "a dict, or a tuple with one value a field")
    return dict(zip(names, value, strict=True))


def _misfits(cells: Mapping[Any, Any], needed: frozenset[str], known: frozenset[str], path: str) -> Iterable[Fault]:
    for name in sorted(map(str, cells.keys() - known)):
        fix = "Pass the schema that these files were written with."
        yield Fault("read.unknown-column", joined(path, name), "the written schema has no such column.", fix)
    for name in sorted(needed - cells.keys()):
        fix = "Pass every column of the file; only nullable ones may be left out."
        yield Fault("read.missing-column", joined(path, name), "the row has no value for a column that is NOT NULL in the file.", fix)


def arrays(path: str, reader: Reader) -> Reader:
    """Reads the elements of an ARRAY."""

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise _misshapen(value, path, "an ARRAY", "a list")
        return [None if element is None else reader(element) for element in value]

    return read


def maps(path: str, key: Reader | None, reader: Reader | None, *, carriers: bool = False) -> Reader:
    """Reads the values, and if asked to the keys, of a MAP."""

    def read(value: Any) -> Any:
        named = isinstance(value, Mapping)
        if not named and not (isinstance(value, list | tuple) and all(isinstance(one, list | tuple) and len(one) == 2 for one in value)):
            raise _misshapen(value, path, "a MAP", "a list of (key, value) pairs, or a dict")
        pairs = [(_cell(one, key), _cell(other, reader)) for one, other in (value.items() if named else value)]
        return dict(pairs) if named and not carriers else pairs

    return read


def _cell(value: Any, reader: Reader | None) -> Any:
    return value if value is None or reader is None else reader(value)


def _misshapen(value: Any, path: str, what: str, form: str) -> ProjectionError:
    return ProjectionError(f"{_shown(value)} is not {what}.", code=BAD_VALUE, path=path, fix=f"Pass {form}.")


def unchanged(kind: DataType, path: str, *, carriers: bool = False) -> Reader | None:
    """Reads a type as itself: only the forms of its ROWs, and for carriers of its MAPs, are settled."""
    if isinstance(kind, RowType):
        steps = [(one.name, one.name, unchanged(one.type, joined(path, one.name), carriers=carriers)) for one in kind.fields]
        return rows(path, kind.fields, steps, carriers=carriers)
    if isinstance(kind, ArrayType):
        element = unchanged(kind.element, joined(path, "element"), carriers=carriers)
        return None if element is None else arrays(path, element)
    if isinstance(kind, MapType):
        value = unchanged(kind.value, joined(path, "value"), carriers=carriers)
        key = unchanged(kind.key, joined(path, "key"), carriers=True) if carriers else None
        return maps(path, key, value, carriers=carriers) if carriers or value is not None else None
    return None


# ---------------------------------------------------------------- conversions


def converted(source: DataType, target: DataType, path: str, timezone: str) -> Reader:
    """Converts as Java does."""
    settle = unchanged(source, path, carriers=True)
    convert = converter(source, target, timezone)

    def read(value: Any) -> Any:
        carrier = value if settle is None else settle(value)
        try:
            return convert(carrier)
        except CastError as error:
            raise unreadable(source, target, path, error) from error

    return read


def unreadable(source: DataType, target: DataType, path: str, why: CastError) -> ProjectionError:
    """The error for a pair of types, or a value of it, that has no counterpart."""
    message = f"{brief(source)} in the files cannot be read as {brief(target)}: {why.message}"
    fix = f"Read the field as {brief(source)}, or correct the files."
    return ProjectionError(message, code=BAD_VALUE, path=why.faults[0].at(path).path, fix=fix)


def checked(source: DataType, target: DataType, path: str, timezone: str) -> Reader:
    """Converts as Java does, and fails where the value does not come back when converted back."""
    read = converted(source, target, path, timezone)
    if cast_support(source, target).lossless:
        return read
    before, back = converted(source, source, path, timezone), [converter(*pair, timezone) for pair in way_back(source, target)]

    def read_checked(value: Any) -> Any:
        new = read(value)
        if new is None or not _survives(before(value), new, back):
            message = f"{_shown(value)}, {brief(source)} in the files, does not survive as {brief(target)}: it would read as {_shown(new)}."
            fix = f"Read the field as {brief(source)}, or pass casts='paimon' to accept the loss."
            raise ProjectionError(message, code="read.lossy-value", path=path, fix=fix)
        return new

    return read_checked


# Where there is no direct way back, the stop on the way: by the root of the source.
_STOPS = {Root.CHAR: STRING, Root.VARCHAR: STRING, Root.BOOLEAN: atomic(Root.INTEGER)}


def way_back(source: DataType, target: DataType) -> list[tuple[DataType, DataType]]:
    """The pairs of types that lead from the target to the source; none if nothing does."""
    source, target = source.with_nullable(True), target.with_nullable(True)
    for stops in ([target, source], [target, _STOPS.get(source.root, source), source]):
        pairs = list(pairwise(stops))
        if all(cast_support(*pair).convertible for pair in pairs):
            return pairs
    return []


def _survives(value: Any, new: Any, back: list[Reader]) -> bool:
    try:
        for convert in back:
            new = None if new is None else convert(new)
    except CastError:
        return False
    return bool(back) and _equal(value, new)


def _equal(one: Any, other: Any) -> bool:
    """Equality by value, in which NaN is equal to NaN."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other) or (one != one and other != other)  # noqa: PLR0124  # only NaN differs from itself


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def _shown(value: Any) -> str:
    """The value as messages show it: short whatever it is."""
    try:
        return str(value)[:60] if isinstance(value, Decimal) else _SHORT.repr(value)
    except ValueError:
        return "a number of thousands of digits"


def brief(kind: DataType) -> str:
    """The type as messages show it: without the outer NOT NULL, and short."""
    text = str(kind.with_nullable(True))
    return text if len(text) <= 80 else f"{text[:60]}..."


def joined(path: str, word: str) -> str:
    """The path one step further in."""
    return f"{path}.{word}" if path else word
