"""Tables that changed at random are read back without a wrong row, whatever their files were written as.

HISTORIES says how many tables there are, and HISTORY_SEED with which number the first begins: a history that fails names its own.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.spark import read_table
from tests.spark.support.random_history import History

COUNT = int(os.environ.get("HISTORIES", "4"))
FIRST = int(os.environ.get("HISTORY_SEED", "1"))
GENERATIONS = 5


def read(spark: Any, history: History, **asked: Any) -> list[tuple[Any, ...]]:
    frame = read_table(spark, history.table, **asked)
    rows = frame.orderBy("id").collect()
    return [tuple(tuple(value) if isinstance(value, tuple) else value for value in row) for row in rows]


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_every_row_of_a_random_history_is_read_as_it_was_written(classic_spark: Any, tmp_path: Path, seed: int) -> None:
    history = History(tmp_path, seed)
    for _ in range(GENERATIONS):
        history.write()
        for _ in range(history.random.randint(1, 3)):
            history.change()
    history.write()
    assert read(classic_spark, history) == history.expected(history.columns), history.told
    some = history.random.sample(history.columns, min(2, len(history.columns)))
    wanted = [history.key, *(one for one in some if one is not history.key)]
    assert read(classic_spark, history, columns=[one.name for one in wanted]) == history.expected(wanted), history.told
