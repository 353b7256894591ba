"""What text looks like: which type every value of a text column would fit.

Each value is of one kind, found in a single CASE whose cheap questions come first. A column looks like a type if all its
values are of the kinds that fit it; blank values fit any. A number with a leading zero is a code, and stays text.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import Column

_SIGN: Final = "[+-]?"
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT: Final = f"^{_DAY}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?"
_STARTS: Final = tuple("+-0123456789")
_LONGEST_NUMBER: Final = 64
_MOST_DIGITS: Final = 38
_BIGINT_DIGITS: Final = 18

BLANK: Final = 0
BOOLEAN: Final = 1
INTEGER: Final = 2
CODE: Final = 3
DECIMAL: Final = 4
DOUBLE: Final = 5
DATE: Final = 6
MOMENT: Final = 7
INSTANT: Final = 8
DOCUMENT: Final = 9
TEXT: Final = 10

# Of values that begin like a number, in this order: the kind, its pattern, and the type that the value must turn into.
_NUMBERS: Final = (
    (INTEGER, f"^{_SIGN}(0|[1-9][0-9]*)$", ""),
    (CODE, "^0[0-9]+$", ""),
    (DECIMAL, f"^{_SIGN}(0|[1-9][0-9]*)\\.[0-9]+$", ""),
    (DATE, f"^{_DAY}$", "date"),
    (MOMENT, f"{_MOMENT}$", "timestamp_ntz"),
    (INSTANT, f"{_MOMENT}(Z|[+-][0-9]{{2}}:[0-9]{{2}})$", "timestamp"),
    (DOUBLE, f"^{_SIGN}(0|[1-9][0-9]*)(\\.[0-9]+)?[eE]{_SIGN}[0-9]+$", ""),
)

Values = Mapping[str, Any]


def text_kind(F: ModuleType, text: "Column") -> "Column":  # noqa: N803  # Spark's functions are F everywhere
    """Return the kind of one value without blanks around it, as an expression."""
    first = F.substring(text, 1, 1)
    number = F.when(text.isNull(), TEXT)
    for kind, pattern, target in _NUMBERS:
        matches = text.rlike(pattern)
        if target:
            matches &= text.try_cast(target).isNotNull()
        number = number.when(matches, kind)
    kinds: Column = (
        F.when(text == "", BLANK)
        .when(first.isin(*_STARTS) & (F.length(text) <= _LONGEST_NUMBER), number.otherwise(TEXT))
        .when(F.lower(text).isin("true", "false"), BOOLEAN)
        .when(first.isin("{", "[") & F.try_parse_json(text).isNotNull(), DOCUMENT)
        .when(text.isNotNull(), TEXT)
    )
    return kinds


def text_measures(F: ModuleType, column: "Column", text: "Column", kind: "Column") -> "dict[str, Column]":  # noqa: N803  # as above
    """Return the measures of a text column: of the column, of its values without blanks around them, and of their kinds."""
    digits = F.regexp_replace(text, "^[+-]", "")
    whole = F.length(F.substring_index(digits, ".", 1))
    return {
        "kinds": F.bit_or(F.call_function("shiftleft", F.lit(1), kind)),
        "blank": F.count_if(kind == BLANK),
        "low": F.min(F.length(column)),
        "high": F.max(F.length(column)),
        "whole digits": F.max(F.when(kind.isin(INTEGER, DECIMAL), whole)),
        "part digits": F.max(F.when(kind == DECIMAL, F.length(digits) - whole - 1)),
    }


# ---------------------------------------------------------------- what the answers say


def _integer(values: Values) -> str:
    digits = values["whole digits"] or 1
    if digits <= _BIGINT_DIGITS:
        return "BIGINT"
    return f"DECIMAL({digits}, 0)" if digits <= _MOST_DIGITS else ""


def _decimal(values: Values) -> str:
    part = values["part digits"] or 0
    digits = (values["whole digits"] or 1) + part
    return f"DECIMAL({digits}, {part})" if digits <= _MOST_DIGITS else "DOUBLE"


# The kinds that a type takes in, the narrowest first.
_FITS: Final[tuple[tuple[frozenset[int], str | Callable[[Values], str]], ...]] = (
    (frozenset({BOOLEAN}), "BOOLEAN"),
    (frozenset({INTEGER}), _integer),
    (frozenset({INTEGER, DECIMAL}), _decimal),
    (frozenset({INTEGER, DECIMAL, DOUBLE}), "DOUBLE"),
    (frozenset({DATE}), "DATE"),
    (frozenset({DATE, MOMENT}), "TIMESTAMP(6)"),
    (frozenset({INSTANT}), "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
    (frozenset({DOCUMENT}), "JSON"),
)


def _kinds(values: Values) -> frozenset[int]:
    """Return the kinds of the values, blank ones left out."""
    bits = values["kinds"] or 0
    return frozenset(kind for kind in range(BOOLEAN, TEXT + 1) if bits >> kind & 1)


def looks_like(values: Values) -> str:
    """Return the type that all values fit; empty if they are just text, or there are none."""
    found = _kinds(values)
    if not found:
        return ""
    for kinds, fits in _FITS:
        if found <= kinds:
            return fits if isinstance(fits, str) else fits(values)
    return ""


def text_note(values: Values) -> str:
    """Return what else strikes the eye."""
    notes = []
    if values["blank"]:
        notes.append(f"{values['blank']:,} blank")
    kinds = _kinds(values)
    if CODE in kinds and kinds <= {CODE, INTEGER}:
        notes.append("digits with leading zeros: codes, no numbers")
    return "; ".join(notes)
