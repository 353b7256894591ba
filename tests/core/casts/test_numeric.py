"""Conversions of numbers at their edges: integers that no 64 bits of floating point hold, and text that is padded as far as it may be."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.numeric import MAX_PADDING, checked_padding, integer_to_single
from airflow_provider_schemas.errors import CastError

# A FLOAT keeps so many digits of two.
DIGITS = 24
LONGS = st.integers(-(2**63), 2**63 - 1)


def nearest_single(value: int) -> float:
    """The FLOAT that is nearest to an integer, the even one of two, by arithmetic of integers alone."""
    size = abs(value)
    places = max(size.bit_length() - DIGITS, 0)
    kept, rest = divmod(size, 2**places)
    half = 2**places / 2
    if places and (rest > half or (rest == half and kept % 2)):
        kept += 1
    found = float(kept * 2**places)
    return found if value >= 0 else -found


def around_ties() -> st.SearchStrategy[int]:
    """Integers half-way between two FLOATs, and next to there: where rounding twice goes wrong."""
    kept = st.integers(2 ** (DIGITS - 1), 2**DIGITS - 1)
    ties = st.builds(lambda digits, places: (2 * digits + 1) * 2 ** (places - 1), kept, st.integers(1, 38))
    steps = [0, *(2**place for place in range(12))]
    near = st.builds(lambda tie, off: tie + off, ties, st.sampled_from([*steps, *(-step for step in steps)]))
    return st.builds(lambda value, sign: value * sign, near, st.sampled_from([1, -1]))


@given(around_ties() | LONGS)
@example(2**53)
@example(-(2**53))
@example(2**63 - 1)
@example(-(2**63))
@example(-(2**60 + 2**36 + 1))
@example(-(2**60 + 2**36))
@example(-(2**60 + 2**36 - 1))
@example(2**60 + 2**36 + 2**10)
@example(-(2**60 + 2**36 + 2**10))
@example(-(2**60 + 2**36 - 2**10))
def test_an_integer_becomes_the_nearest_float(value: int) -> None:
    assert integer_to_single(value) == nearest_single(value)


@given(around_ties() | LONGS)
def test_a_negative_integer_is_rounded_like_its_opposite(value: int) -> None:
    assert integer_to_single(-value) == -integer_to_single(value)


@pytest.mark.parametrize("used", [0, 1, 1000])
def test_a_value_is_padded_as_far_as_that_is_reasonable_and_no_further(used: int) -> None:
    assert checked_padding(used + MAX_PADDING, used) == used + MAX_PADDING
    with pytest.raises(CastError) as refused:
        checked_padding(used + MAX_PADDING + 1, used)
    assert refused.value.code == "cast.padding"
