"""Hundreds of gates, thousands of tables and columns: the size of the pages, and their time beside Airflow's own list of DAGs."""

import re
from collections.abc import Callable
from statistics import median

import pytest

from tests.ui.support import crowd, lakes
from tests.ui.support.pages import addresses
from tests.ui.support.scene import Scene
from tests.ui.support.site import Answer, page
from tests.ui.support.staging import TABLES

DAG_LIST = "/api/v2/dags?limit=50"
LARGEST = 150_000
LARGEST_SCRIPT = 4_096
ROUNDS = 5
# How often the time of Airflow's list of DAGs a page may take: what is printed tells how far from it the pages are.
TOO_LONG = 40
PAGES: dict[str, Callable[[Scene], str]] = {
    "task": lambda second: addresses(second.runs)["task"],
    "tables": lambda second: page("tables", conn=lakes.LARGE, q="t019"),
    "diff": lambda second: page("diff", conn=lakes.LARGE, t=lakes.WIDE, a=0, b=1),
    "gates": lambda second: page("gates"),
}


def timed(second: Scene, address: str) -> tuple[Answer, float]:
    """Return the last of several answers, and how long they took in the middle."""
    answers = [second.site.get(address, "viewer") for _ in range(ROUNDS + 1)][1:]
    return answers[-1], median(answer.seconds for answer in answers)


@pytest.mark.parametrize("name", PAGES)
def test_a_large_page_is_small_and_takes_about_as_long_as_airflows_own_list(name: str, second: Scene) -> None:
    _, own = timed(second, DAG_LIST)
    answer, seconds = timed(second, PAGES[name](second))
    ratio = seconds / own
    print(f"\n{name}: {seconds:.3f} s, {ratio:.1f} x the list of DAGs ({own:.3f} s), {len(answer.text) / 1000:.0f} kB")
    assert answer.status == 200
    assert len(answer.text.encode()) <= LARGEST
    assert ratio <= TOO_LONG


def test_every_page_is_small(stage: Scene) -> None:
    sizes = {name: len(stage.site.get(address).text.encode()) for name, address in addresses(stage.runs).items()}
    print(f"\n{sizes}")
    assert max(sizes.values()) <= LARGEST


def test_the_script_of_all_pages_is_small(stage: Scene) -> None:
    (name,) = re.findall(r'src="(page\.\w+\.js)"', stage.site.get(page("gates")).text)
    answer = stage.site.get(page(name))
    assert answer.status == 200
    assert len(answer.text.encode()) <= LARGEST_SCRIPT


def test_all_of_many_gates_are_counted_and_the_broken_ones_are_first(second: Scene) -> None:
    text = second.site.get(page("gates"), "viewer").text
    wanted = crowd.DAGS * crowd.GATES // len(crowd.COLOURS)
    counted = [int(number) for number in re.findall(r"broken\D{0,80}?(\d+)", text)]
    assert [number for number in counted if number >= wanted], f"{wanted} gates and more are broken, and the page counts {counted}"


def test_many_tables_are_counted_searched_and_paged(second: Scene) -> None:
    listed = second.site.get(page("tables", conn=lakes.LARGE), "viewer").text
    assert f"{TABLES:,}" in listed or f"{TABLES + 1:,}" in listed or f"{TABLES + 1}" in listed
    found = second.site.get(page("tables", conn=lakes.LARGE, q="t12345"), "viewer").text
    assert "t12345" in found
    assert "t12346" not in found


def test_a_wide_diff_tells_each_change(second: Scene) -> None:
    text = second.site.get(PAGES["diff"](second), "viewer").text
    for column in ("column_0000", "column_0005", "extra_0165"):
        assert column in text
