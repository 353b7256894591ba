"""Many values are worked on at once, in their order; an error of one is the error of all."""

from threading import Barrier, current_thread

import pytest

from airflow_provider_schemas.plugins.connections.several_at_once import each


def test_the_results_stand_in_the_order_of_the_values() -> None:
    assert each(lambda number: number * 2, range(100)) == [*range(0, 200, 2)]
    assert each(lambda number: number, []) == []


def test_several_are_under_way_at_once_in_threads_that_end_with_the_process() -> None:
    met = Barrier(4)

    def wait(_: int) -> bool:
        met.wait(timeout=60)
        return current_thread().daemon

    assert each(wait, range(4), threads=4) == [True] * 4


def test_the_first_error_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        each(lambda number: 1 // number, [1, 0, 2])
