"""Pages of a list hold each row once."""

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.plugins.common.paging import page_count, rows_of_page


@given(st.lists(st.integers(), max_size=60), st.integers(1, 20))
def test_all_pages_together_are_the_rows_each_once_and_none_but_the_last_is_short(rows: list[int], size: int) -> None:
    pages = [rows_of_page(rows, number, size) for number in range(1, page_count(len(rows), size) + 1)]
    assert [row for page in pages for row in page] == rows
    assert all(len(page) == size for page in pages[:-1])
    assert all(pages) or not rows


def test_a_list_without_rows_has_one_page() -> None:
    assert page_count(0, 50) == 1
    assert rows_of_page([], 1, 50) == []
