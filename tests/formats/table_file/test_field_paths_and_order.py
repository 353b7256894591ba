"""The small parts of the table file: paths of fields, and the order of columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.formats.table_file.field_paths import dotted, steps_of
from airflow_provider_schemas.formats.table_file.planning.column_order import ordered

NAMES = st.text(st.sampled_from("ab_ .`[]{}'größe"), min_size=1, max_size=6)


@given(st.lists(NAMES, min_size=1, max_size=4).map(tuple))
def test_a_path_that_is_written_is_read_again(steps: tuple[str, ...]) -> None:
    assert steps_of(dotted(steps)) == steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ("a[].b", ("a", "element", "b")),
        ("a{}.b", ("a", "value", "b")),
        ("a{key}.b", ("a", "key", "b")),
        ("a[][]{}.b", ("a", "element", "element", "value", "b")),
        ("two words.b", ("two words", "b")),
        ("`a.b`.`c``d`", ("a.b", "c`d")),
        ("a..b", ("a..b",)),
        (".a", (".a",)),
        ("a.", ("a.",)),
        ("[]", ("[]",)),
        ("a[", ("a[",)),
        ("`a", ("`a",)),
        ("a[]b", ("a[]b",)),
        ("", ("",)),
    ],
)
def test_a_text_that_is_no_path_is_one_name(text: str, steps: tuple[str, ...]) -> None:
    assert steps_of(text) == steps


SOME = st.lists(st.integers(0, 9), unique=True)


@given(SOME, SOME, st.booleans())
def test_everything_stands_in_the_order_once(there: list[int], listed: list[int], moving: bool) -> None:
    found = ordered(there, listed, moving=moving)
    assert sorted(found) == sorted({*there, *listed})
    assert [one for one in found if one not in listed] == [one for one in there if one not in listed] or moving


@given(SOME, SOME)
def test_what_cannot_move_does_not(there: list[int], listed: list[int]) -> None:
    assert [one for one in ordered(there, listed, moving=False) if one in there] == there


@given(st.lists(st.integers(0, 9), unique=True, min_size=4), st.lists(st.integers(0, 9), unique=True, max_size=6))
def test_what_is_not_listed_stays_behind_what_it_follows(there: list[int], listed: list[int]) -> None:
    found = ordered(there, listed, moving=True)
    known = [one for one in found if one in there]
    for number, one in enumerate(there):
        if one not in listed:
            assert known[: known.index(one)][-1:] == there[:number][-1:]


@given(SOME, SOME)
def test_what_is_listed_stands_as_listed(there: list[int], listed: list[int]) -> None:
    assert [one for one in ordered(there, listed, moving=True) if one in listed] == listed


@given(SOME, SOME)
def test_a_new_one_follows_what_precedes_it_in_the_list_or_stands_last(there: list[int], listed: list[int]) -> None:
    found = ordered(there, listed, moving=True)
    old = [number for number, one in enumerate(listed) if one in there]
    for number, one in enumerate(listed):
        if one not in there and old and number < old[-1]:
            assert found[: found.index(one)][-1:] == listed[:number][-1:]
    last = listed[old[-1] + 1 :] if old else listed
    assert found[len(found) - len(last) :] == last
