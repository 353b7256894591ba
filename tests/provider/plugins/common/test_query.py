"""The query of a request: each name once, numbers that are numbers, nothing that a database would choke on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.plugins.common.query import MAX_LENGTH, MAX_NAMES, map_index, needed, page_number, read_query

TEXTS = st.text(max_size=20)


@given(st.dictionaries(TEXTS.filter(lambda name: "\0" not in name), TEXTS.filter(lambda text: "\0" not in text), max_size=MAX_NAMES))
def test_a_query_is_read_as_it_is(query: dict[str, str]) -> None:
    assert read_query(query.items()) == query


@pytest.mark.parametrize(
    "pairs",
    [
        [("dag_id", "a"), ("dag_id", "b")],
        [("dag_id", "a"), ("dag_id", "a")],
        [("t", "a\0b")],
        [("t", "x" * (MAX_LENGTH + 1))],
        [("x" * (MAX_LENGTH + 1), "")],
        [(str(number), "") for number in range(MAX_NAMES + 1)],
    ],
    ids=["twice", "twice the same", "null", "long", "long name", "many"],
)
def test_what_could_mean_two_things_or_break_something_is_refused(pairs: list[tuple[str, str]]) -> None:
    with pytest.raises(FormatError, match="address") as error:
        read_query(pairs)
    assert error.value.fix


@pytest.mark.parametrize("query", [{}, {"run_id": ""}, {"run_id": "{RUN_ID}"}])
def test_a_value_that_airflow_has_not_filled_is_none(query: dict[str, str]) -> None:
    with pytest.raises(FormatError, match="run_id"):
        needed(query, "run_id")


@pytest.mark.parametrize(("text", "index"), [("0", 0), ("2", 2), ("999999999", 999_999_999), ("{MAP_INDEX}", -1), ("-1", -1), ("", -1)])
def test_an_index_is_a_number_and_all_else_is_a_task_that_is_not_mapped(text: str, index: int) -> None:
    assert map_index({"map_index": text}) == index


@given(st.text(max_size=30))
def test_any_text_is_some_page_and_some_index(text: str) -> None:
    assert 1 <= page_number({"page": text}) <= 1_000_000
    assert -1 <= map_index({"map_index": text}) < 1_000_000_000
