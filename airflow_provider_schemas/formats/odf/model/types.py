"""ODF's data types and fields: immutable values, in which what a document leaves out stays left out.

A parameter that is absent equals its default where the specification gives one, so a Timestamp with nothing
set equals one with `Millisecond` and `UTC` spelled out. All else is literal: `UTC` is not `+00:00`. There is
no flag for NULL; Option does that.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

import msgspec
from msgspec import Struct as _Value

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Kind, ParameterForm, TimeUnit

# Deeper types cannot be read by the reference implementation, whose reader of blocks stops there.
MAX_DEPTH = 60


class DataType(_Value, frozen=True):
    """A data type of ODF."""

    @property
    def kind(self) -> Kind:
        raise AttributeError("a DataType by itself has no kind")

    @property
    def optional(self) -> bool:
        """Return whether values may be missing."""
        return self.kind is Kind.OPTION

    @property
    def parts(self) -> "tuple[DataType, ...]":
        """Return the types inside this one, in the order of documents."""
        return ()


class Plain(DataType, frozen=True):
    """A type without parameters."""

    name: Kind

    @property
    def kind(self) -> Kind:
        return self.name


class _Parametric(DataType, frozen=True):
    of_kind: ClassVar[Kind]

    @property
    def kind(self) -> Kind:
        return self.of_kind

    @property
    def parts(self) -> "tuple[DataType, ...]":
        return tuple(getattr(self, parameter.name) for parameter in PARAMETERS[self.of_kind] if parameter.form is ParameterForm.TYPE)


class _Temporal(_Parametric, frozen=True, eq=False):
    """A type whose absent parameters equal their defaults."""

    unit: TimeUnit | None = None

    @property
    def effective_unit(self) -> TimeUnit:
        return self.unit or TimeUnit.MILLISECOND

    def _effective(self) -> tuple[str, ...]:
        """Return the parameters that count for equality."""
        return (self.effective_unit,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Temporal) and type(self) is type(other) and self._effective() == other._effective()

    def __ne__(self, other: object) -> bool:
        # msgspec has one of its own, which does not ask __eq__.
        return not self == other

    def __hash__(self) -> int:
        return hash((self.of_kind, *self._effective()))


class Binary(_Parametric, frozen=True):
    """Bytes, of a fixed length if one is given."""

    of_kind: ClassVar = Kind.BINARY
    fixed_length: int | None = None


class Decimal(_Parametric, frozen=True):
    """A decimal number."""

    of_kind: ClassVar = Kind.DECIMAL
    precision: int
    scale: int


class Duration(_Temporal, frozen=True, eq=False):
    """A span of time."""

    of_kind: ClassVar = Kind.DURATION


class Time(_Temporal, frozen=True, eq=False):
    """A time of day."""

    of_kind: ClassVar = Kind.TIME


class Timestamp(_Temporal, frozen=True, eq=False):
    """A point in time."""

    of_kind: ClassVar = Kind.TIMESTAMP
    timezone: str | None = None

    @property
    def effective_timezone(self) -> str:
        if self.timezone is None:
            return "UTC"
        return self.timezone

    def _effective(self) -> tuple[str, ...]:
        return (self.effective_unit, self.effective_timezone)


class List(_Parametric, frozen=True):
    """A list, of a fixed length if one is given."""

    of_kind: ClassVar = Kind.LIST
    item: DataType
    fixed_length: int | None = None


class Map(_Parametric, frozen=True):
    """A map."""

    of_kind: ClassVar = Kind.MAP
    key: DataType
    value: DataType
    keys_sorted: bool | None = None


class Option(_Parametric, frozen=True):
    """A type whose values may be missing."""

    of_kind: ClassVar = Kind.OPTION
    inner: DataType


class Struct(_Parametric, frozen=True):
    """Fields in an order."""

    of_kind: ClassVar = Kind.STRUCT
    fields: "tuple[DataField, ...]"

    @property
    def parts(self) -> tuple[DataType, ...]:
        return tuple(field.type for field in self.fields)


class DataField(_Value, frozen=True):
    """A name, a type, and attributes, which may be absent or empty."""

    name: str
    type: DataType
    extra: Attributes | None = None


PARAMETRIC: dict[Kind, type[_Parametric]] = {
    cls.of_kind: cls for cls in (Binary, Decimal, Duration, List, Map, Option, Struct, Time, Timestamp)
}
PLAIN = {kind: Plain(kind) for kind in Kind if kind not in PARAMETERS}

Result = TypeVar("Result")


def fold(kind: DataType, make: Callable[[DataType, Sequence[Result]], Result]) -> Result:
    """Return what `make` makes of a type and of the results for its parts, from the innermost types outwards."""
    try:
        return _fold(kind, make)
    except RecursionError:
        raise nesting_error() from None


def _fold(kind: DataType, make: Callable[[DataType, Sequence[Result]], Result]) -> Result:
    return make(kind, [_fold(part, make) for part in kind.parts])


def nesting_error() -> FormatError:
    """Return the error for a type that was made by hand, and is too deep for Python to walk through."""
    return FormatError("a type is nested too deep.", code="odf.too-deep", fix="Flatten the schema.")


def with_parts(kind: DataType, parts: Sequence[DataType]) -> DataType:
    """Return the type with other parts, as many as it has."""
    if isinstance(kind, Struct):
        return Struct(tuple(msgspec.structs.replace(field, type=part) for field, part in zip(kind.fields, parts, strict=True)))
    names = [parameter.name for parameter in PARAMETERS.get(kind.kind, ()) if parameter.form is ParameterForm.TYPE]
    if not names:
        return kind
    return msgspec.structs.replace(kind, **dict(zip(names, parts, strict=True)))


def without_option(kind: DataType) -> DataType:
    """Return the type inside an Option, or the type itself if it is none."""
    if isinstance(kind, Option):
        return kind.inner
    return kind
