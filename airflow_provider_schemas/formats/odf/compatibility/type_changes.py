"""The rule for a change from one ODF type to another, by a table over their kinds. The first row that fits decides.

Options, and changes inside a container that keeps its kind, have rules of their own.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from airflow_provider_schemas.formats.odf.model.kinds import UNITS, Kind
from airflow_provider_schemas.formats.odf.model.types import Binary, DataType, Decimal, Duration, List, Map, Time, Timestamp

# Signed or not, and bits.
_INTEGER = {
    Kind.INT8: (True, 8),
    Kind.INT16: (True, 16),
    Kind.INT32: (True, 32),
    Kind.INT64: (True, 64),
    Kind.UINT8: (False, 8),
    Kind.UINT16: (False, 16),
    Kind.UINT32: (False, 32),
    Kind.UINT64: (False, 64),
}
# A float holds whole numbers of so many bits exactly.
_EXACT_BITS = {Kind.FLOAT16: 11, Kind.FLOAT32: 24, Kind.FLOAT64: 53}

_INTEGERS = frozenset(_INTEGER)
_FLOATS = frozenset(_EXACT_BITS)
_DECIMAL = frozenset({Kind.DECIMAL})
_NUMBERS = _INTEGERS | _FLOATS | _DECIMAL
_TEXT = frozenset({Kind.STRING})
_BYTES = frozenset({Kind.BINARY})
_LISTS = frozenset({Kind.LIST})
_MAPS = frozenset({Kind.MAP})
_TIMES = frozenset({Kind.TIME, Kind.TIMESTAMP, Kind.DURATION})
_STAMPS = frozenset({Kind.TIMESTAMP})
_NULL = frozenset({Kind.NULL})
_ANY = frozenset(Kind)
_CONTAINERS = frozenset({Kind.LIST, Kind.MAP, Kind.STRUCT})
_SCALARS = _ANY - _CONTAINERS

# Any: a row's kinds ensure that its condition gets the types that it asks for.
Condition: TypeAlias = Callable[[Any, Any], bool]


def _always(_old: DataType, _new: DataType) -> bool:
    return True


# ---------------------------------------------------------------- types that hold every value of another


def _magnitude(kind: Kind) -> int:
    signed, bits = _INTEGER[kind]
    return bits - signed


def _into_integer(old: DataType, new: DataType) -> bool:
    reaches_below = _INTEGER[new.kind][0] or not _INTEGER[old.kind][0]
    return reaches_below and _magnitude(new.kind) >= _magnitude(old.kind)


def _into_float(old: DataType, new: DataType) -> bool:
    return _magnitude(old.kind) <= _EXACT_BITS[new.kind]


def _into_finer_float(old: DataType, new: DataType) -> bool:
    return _EXACT_BITS[old.kind] <= _EXACT_BITS[new.kind]


def _integer_into_decimal(old: DataType, new: Decimal) -> bool:
    return new.scale >= 0 and new.precision - new.scale >= len(str(2 ** _magnitude(old.kind)))


def _into_decimal(old: Decimal, new: Decimal) -> bool:
    return new.scale >= old.scale and new.precision - new.scale >= old.precision - old.scale


_WIDER: tuple[tuple[frozenset[Kind], frozenset[Kind], Condition], ...] = (
    (_INTEGERS, _INTEGERS, _into_integer),
    (_INTEGERS, _FLOATS, _into_float),
    (_FLOATS, _FLOATS, _into_finer_float),
    (_INTEGERS, _DECIMAL, _integer_into_decimal),
    (_DECIMAL, _DECIMAL, _into_decimal),
    (_NULL, _ANY, _always),
)


def _widens(old: DataType, new: DataType) -> bool:
    return any(old.kind in sources and new.kind in targets and holds(old, new) for sources, targets, holds in _WIDER)


def _narrows(old: DataType, new: DataType) -> bool:
    return _widens(new, old)


# ---------------------------------------------------------------- parameters of one kind


def _has_other_zone(old: Timestamp, new: Timestamp) -> bool:
    return old.effective_timezone != new.effective_timezone


def _is_finer(old: Time | Timestamp | Duration, new: Time | Timestamp | Duration) -> bool:
    return old.kind is new.kind and UNITS[old.effective_unit] < UNITS[new.effective_unit]


def _has_same_kind(old: DataType, new: DataType) -> bool:
    return old.kind is new.kind


def _loses_fixed_length(old: List | Binary, new: List | Binary) -> bool:
    return old.kind is new.kind and new.fixed_length is None


def _has_other_keys(old: Map, new: Map) -> bool:
    return old.key != new.key


def _has_other_values(old: Map, new: Map) -> bool:
    return old.value != new.value


def _has_same_sorting(old: Map, new: Map) -> bool:
    return bool(old.keys_sorted) is bool(new.keys_sorted)


def _is_sorted(_old: Map, new: Map) -> bool:
    return bool(new.keys_sorted)


# From, to, condition, rule.
TYPE_RULES: tuple[tuple[frozenset[Kind], frozenset[Kind], Condition, str], ...] = (
    (_LISTS | _BYTES, _LISTS | _BYTES, _loses_fixed_length, "LENGTH_RELAXED"),
    (_LISTS | _BYTES, _LISTS | _BYTES, _has_same_kind, "FIXED_LENGTH_CHANGED"),
    (_MAPS, _MAPS, _has_other_keys, "MAP_KEY_CHANGED"),
    (_MAPS, _MAPS, _has_other_values, "TYPE_REINTERPRETED"),
    (_MAPS, _MAPS, _has_same_sorting, "TYPE_SPELLING_CHANGED"),  # absent and false are the same promise, and not equal
    (_MAPS, _MAPS, _is_sorted, "TYPE_NARROWED"),
    (_MAPS, _MAPS, _always, "TYPE_WIDENED"),
    (_CONTAINERS, _SCALARS - _NULL, _always, "KIND_CHANGED"),
    (_SCALARS - _NULL, _CONTAINERS, _always, "KIND_CHANGED"),
    (_CONTAINERS, _CONTAINERS, _always, "KIND_CHANGED"),
    (_STAMPS, _STAMPS, _has_other_zone, "TIMESTAMP_ZONE_CHANGED"),
    (_TIMES, _TIMES, _is_finer, "TIMESTAMP_PRECISION_RAISED"),
    (_TIMES, _TIMES, _has_same_kind, "TIMESTAMP_PRECISION_LOWERED"),
    (_ANY, _ANY, _widens, "TYPE_WIDENED"),
    (_INTEGERS, _INTEGERS, _always, "TYPE_NARROWED"),
    (_DECIMAL, _DECIMAL, _always, "DECIMAL_DIGITS_REDUCED"),
    (_ANY, _NULL, _always, "TYPE_NARROWED"),
    (_TEXT, _BYTES, _always, "TYPE_REINTERPRETED"),
    (_BYTES, _TEXT, _always, "TYPE_REINTERPRETED"),
    (_SCALARS, _TEXT, _always, "TYPE_STRINGIFIED"),
    (_TEXT, _SCALARS, _always, "TYPE_PARSED"),
    (_DECIMAL, _INTEGERS, _always, "TYPE_REINTERPRETED"),  # readers that look at bytes see 1050 for 10.50
    (_NUMBERS, _NUMBERS, _narrows, "TYPE_NARROWED"),
    (_NUMBERS, _NUMBERS, _always, "TYPE_LOSSY"),
    (_ANY, _ANY, _always, "TYPE_REINTERPRETED"),
)


def type_rule(old: DataType, new: DataType) -> str:
    """Return the rule for a change from one type to another; neither is an Option, and the two differ in themselves."""
    return next(
        rule for sources, targets, condition, rule in TYPE_RULES if old.kind in sources and new.kind in targets and condition(old, new)
    )


def key_rule(old: DataType, new: DataType) -> str:
    """Return the rule for such a change in the key of a map."""
    return "MAP_KEY_WIDENED" if _widens(old, new) else "MAP_KEY_CHANGED"
