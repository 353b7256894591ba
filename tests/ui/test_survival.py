"""The API server survives: with storage that never answers it goes on for everybody else, and nothing of ours piles up."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.ui.support import lakes
from tests.ui.support.memory import AVAILABLE, resident
from tests.ui.support.pages import addresses
from tests.ui.support.scene import Scene
from tests.ui.support.site import Answer, page

LOADS = 60
HEALTH = "/execution/health"
# What Airflow's own pages may wait for it; without threads of our own it was 20 s.
SOON = 0.5
PAGES_LOADED = 2_000
MEGABYTE = 2**20


def at_once(calls: int, call: Callable[[], Answer]) -> list[Answer]:
    """Return the answers of as many calls at the same time."""
    with ThreadPoolExecutor(calls) as threads:
        return list(threads.map(lambda _: call(), range(calls)))


def slowest_while(stage: Scene, paths: tuple[str, ...], busy: threading.Thread) -> dict[str, float]:
    """Return how long each path took at worst while a thread runs."""
    worst: dict[str, float] = {}
    while busy.is_alive():
        for path in paths:
            worst[path] = max(worst.get(path, 0.0), stage.site.get(path).seconds)
        time.sleep(0.1)
    return worst


def test_airflow_answers_at_once_while_sixty_pages_wait_for_storage_that_never_answers(second: Scene) -> None:
    loads: list[Answer] = []
    task = addresses(second.runs)["task"]
    for path in (HEALTH, task):  # the first request of each imports what it needs
        assert second.site.get(path).status == 200
    hanging = page("tables", conn=lakes.HANGING)
    busy = threading.Thread(target=lambda: loads.extend(at_once(LOADS, lambda: second.site.get(hanging, timeout=120))))
    busy.start()
    worst = slowest_while(second, (HEALTH, task), busy)
    busy.join()
    print(f"\n{Counter(answer.status for answer in loads)}, the slowest {max(answer.seconds for answer in loads):.1f} s; meanwhile {worst}")
    assert Counter(answer.status for answer in loads) == {503: LOADS}
    assert worst[HEALTH] < SOON
    assert second.site.get(task).status == 200


def test_a_storage_that_was_slow_is_not_asked_again_at_once_and_the_page_says_what_still_works(second: Scene) -> None:
    hanging = page("table", conn=lakes.HANGING, t="shop.orders")
    second.site.get(hanging)
    answer = second.site.get(hanging)
    assert answer.status == 503
    assert answer.seconds < SOON
    for words in ("Since", "UTC", "task"):
        assert words in answer.text
    for hidden in ("127.0.0.1", "s3://", "never", "Traceback"):
        assert hidden not in answer.text


def test_other_connections_are_shown_while_one_hangs(second: Scene) -> None:
    second.site.get(page("tables", conn=lakes.HANGING))
    assert second.site.get(addresses(second.runs)["table"]).status == 200


@pytest.mark.skipif(not AVAILABLE, reason="there is no /proc here that tells the memory of a process")
def test_the_memory_of_the_api_server_stays_flat_over_thousands_of_pages(second: Scene) -> None:
    listed = list(addresses(second.runs).values())

    def load(times: int) -> None:
        with ThreadPoolExecutor(2) as threads:
            answers = threads.map(lambda number: second.site.get(listed[number % len(listed)]).status, range(times))
            assert set(answers) <= {200, 503}

    load(200)
    before = resident(second.home)
    load(PAGES_LOADED)
    grown = resident(second.home) - before
    print(f"\n{PAGES_LOADED} pages: {grown / MEGABYTE:+.1f} MB")
    assert grown < 40 * MEGABYTE
