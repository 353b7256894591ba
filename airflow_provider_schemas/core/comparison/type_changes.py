"""Two types -> the rule that speaks of the change, by a table over their families.

The first row that fits decides. NOT NULL does not count here, nor what is inside a container: both have rules
of their own.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, is_void
from airflow_provider_schemas.core.types.kinds import Root

_INTEGERS = frozenset({Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT})
_FLOATS = frozenset({Root.FLOAT, Root.DOUBLE})
_DECIMAL = frozenset({Root.DECIMAL})
_NUMBERS = _INTEGERS | _FLOATS | _DECIMAL
_TEXTS = frozenset({Root.CHAR, Root.VARCHAR})
_BYTES = frozenset({Root.BINARY, Root.VARBINARY})
_FIXED = frozenset({Root.CHAR, Root.BINARY})
_OPAQUE = frozenset({Root.OPAQUE})
_VARIANT = frozenset({Root.VARIANT})
_CONTAINERS = frozenset({Root.ARRAY, Root.VECTOR, Root.MULTISET, Root.MAP, Root.ROW})
_TIMES = frozenset({Root.TIMESTAMP, Root.TIMESTAMP_LTZ, Root.TIME})
_STAMPS = frozenset({Root.TIMESTAMP, Root.TIMESTAMP_LTZ})
_ANY = frozenset(Root)
_SCALARS = _ANY - _CONTAINERS

Condition = Callable[[Any, Any], bool]


def _always(_old: Any, _new: Any) -> bool:
    return True


def _widens(old: DataType, new: DataType) -> bool:
    return lossless(old.with_nullable(True), new.with_nullable(True))


def _narrows(old: DataType, new: DataType) -> bool:
    return _widens(new, old)


def _same_root(old: DataType, new: DataType) -> bool:
    return old.root is new.root


def _widens_same_root(old: DataType, new: DataType) -> bool:
    return old.root is new.root and _widens(old, new)


def _more_digits(old: Any, new: Any) -> bool:
    return bool(old.root is new.root and old.precision < new.precision)


def _shorter(old: Any, new: Any) -> bool:
    return bool(old.length > new.length)


# From, to, condition, rule.
TYPE_RULES: tuple[tuple[frozenset[Root], frozenset[Root], Condition, str], ...] = (
    (_OPAQUE, _ANY, lambda old, _new: is_void(old), "VOID_TYPED"),
    (_OPAQUE, _ANY, _always, "TYPE_CHANGED"),
    (_ANY, _OPAQUE, _always, "TYPE_CHANGED"),
    (_VARIANT, _ANY, _always, "VARIANT_CHANGED"),
    (_ANY, _VARIANT, _always, "VARIANT_CHANGED"),
    # Elements of a MULTISET are its keys, and those of a VECTOR are stored at fixed places.
    (frozenset({Root.MULTISET}), frozenset({Root.MULTISET}), _always, "MAP_KEY_CHANGED"),
    (frozenset({Root.VECTOR}), frozenset({Root.VECTOR}), lambda old, new: old.element.root is new.element.root, "FIXED_LENGTH_CHANGED"),
    (_CONTAINERS, _ANY, _always, "KIND_CHANGED"),
    (_ANY, _CONTAINERS, _always, "KIND_CHANGED"),
    # Within one kind of scalar, by its parameter.
    (_TEXTS, frozenset({Root.VARCHAR}), _widens_same_root, "LENGTH_RELAXED"),
    (_BYTES, frozenset({Root.VARBINARY}), _widens_same_root, "LENGTH_RELAXED"),
    (_TEXTS - _FIXED, _TEXTS - _FIXED, _shorter, "LENGTH_TIGHTENED"),
    (_BYTES - _FIXED, _BYTES - _FIXED, _shorter, "LENGTH_TIGHTENED"),
    (frozenset({Root.TIME}), frozenset({Root.TIME}), _more_digits, "TYPE_WIDENED_ENGINE_GAP"),  # nobody converts a TIME
    (_TIMES, _TIMES, _more_digits, "TIMESTAMP_PRECISION_RAISED"),
    (_TIMES, _TIMES, _same_root, "TIMESTAMP_PRECISION_LOWERED"),
    (_ANY, _ANY, _widens, "TYPE_WIDENED"),
    (_TEXTS, _TEXTS, _always, "FIXED_LENGTH_CHANGED"),
    (_BYTES, _BYTES, _always, "FIXED_LENGTH_CHANGED"),
    (_DECIMAL, _DECIMAL, _always, "DECIMAL_DIGITS_REDUCED"),
    (_STAMPS, _STAMPS, _always, "TIMESTAMP_ZONE_CHANGED"),
    # Between kinds.
    (_TEXTS, _BYTES, _always, "TYPE_REINTERPRETED"),
    (_BYTES, _TEXTS, _always, "TYPE_REINTERPRETED"),
    (_SCALARS, _TEXTS, _always, "TYPE_STRINGIFIED"),
    (_TEXTS, _SCALARS, _always, "TYPE_PARSED"),
    (_DECIMAL, _INTEGERS, _always, "TYPE_REINTERPRETED"),  # readers that look at bytes see 1050 for 10.50
    (_NUMBERS, _NUMBERS, _narrows, "TYPE_NARROWED"),
    (_NUMBERS, _NUMBERS, _always, "TYPE_LOSSY"),
    (_ANY, _ANY, _narrows, "TYPE_NARROWED"),
    (_ANY, _ANY, _always, "TYPE_REINTERPRETED"),
)


def type_rule(old: DataType, new: DataType) -> str:
    """Return the rule for a change from one type to another; the two differ."""
    if isinstance(old, AtomicType) and isinstance(new, AtomicType):
        return _known_rule(old, new)
    return _rule(old, new)


def _rule(old: DataType, new: DataType) -> str:
    return next(
        rule for sources, targets, condition, rule in TYPE_RULES if old.root in sources and new.root in targets and condition(old, new)
    )


# The columns of a table have few types.
_known_rule = lru_cache(maxsize=1_000)(_rule)


def key_rule(old: DataType, new: DataType) -> str:
    """Return the rule for a change of the key of a map."""
    if old.root is Root.ROW and new.root is Root.ROW:
        return "MAP_KEY_STRUCT_CHANGED"
    return "MAP_KEY_WIDENED" if _widens(old, new) else "MAP_KEY_CHANGED"
