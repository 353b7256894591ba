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

BLANK, BOOLEAN, INTEGER, CODE, DECIMAL, DOUBLE, DATE, MOMENT, INSTANT, DOCUMENT, TEXT = range(11)

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


def kind(F: ModuleType, text: "Column") -> Any:  # noqa: N803  # Spark's functions are F everywhere
    """The kind of one value without blanks around it."""
    first = F.substring(text, 1, 1)
    number = F.when(text.isNull(), TEXT)
    for one, pattern, target in _NUMBERS:
        matches = text.rlike(pattern)
        number = number.when(matches & text.try_cast(target).isNotNull() if target else matches, one)
    return (
        F.when(text == "", BLANK)
        .when(first.isin(*_STARTS) & (F.length(text) <= _LONGEST_NUMBER), number.otherwise(TEXT))
        .when(F.lower(text).isin("true", "false"), BOOLEAN)
        .when(first.isin("{", "[") & F.try_parse_json(text).isNotNull(), DOCUMENT)
        .when(text.isNotNull(), TEXT)
    )


def measures(F: ModuleType, column: "Column", text: "Column", found: "Column") -> dict[str, Any]:  # noqa: N803  # as above
    """What is asked of a text column: the column, its values without blanks around them, and their kinds."""
    digits = F.regexp_replace(text, "^[+-]", "")
    whole = F.length(F.substring_index(digits, ".", 1))
    return {
        "kinds": F.bit_or(F.call_function("shiftleft", F.lit(1), found)),
        "blank": F.count_if(found == BLANK),
        "low": F.min(F.length(column)),
        "high": F.max(F.length(column)),
        "whole digits": F.max(F.when(found.isin(INTEGER, DECIMAL), whole)),
        "part digits": F.max(F.when(found == DECIMAL, F.length(digits) - whole - 1)),
    }


# ---------------------------------------------------------------- what the answers say


def _integer(values: Values) -> str:
    digits = values["whole digits"] or 1
    return "BIGINT" if digits <= _BIGINT_DIGITS else f"DECIMAL({digits}, 0)" if digits <= _MOST_DIGITS else ""


def _decimal(values: Values) -> str:
    whole, part = values["whole digits"] or 1, values["part digits"] or 0
    return f"DECIMAL({whole + part}, {part})" if whole + part <= _MOST_DIGITS else "DOUBLE"


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
    bits = values["kinds"] or 0
    return frozenset(one for one in range(BOOLEAN, TEXT + 1) if bits >> one & 1)


def looks_like(values: Values) -> str:
    """The type that all values fit; empty if they are just text, or there are none."""
    found = _kinds(values)
    fits = next((fits for kinds, fits in _FITS if found and found <= kinds), "")
    return fits if isinstance(fits, str) else fits(values)


def note(values: Values) -> str:
    """What else strikes the eye."""
    said = [f"{values['blank']:,} blank"] if values["blank"] else []
    if CODE in _kinds(values) and _kinds(values) <= {CODE, INTEGER}:
        said.append("digits with leading zeros: codes, no numbers")
    return "; ".join(said)
