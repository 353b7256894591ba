"""The tool measures real writers, and the table says what they do."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core.engines.measurements import Outcome
from tools.measure_writers import delta_writers, iceberg_writer, measured


def check(folder: Path, writer: str, *sources: str) -> set[Outcome]:
    ways = delta_writers(str(folder)) if writer == "deltalake" else [iceberg_writer(str(folder))]
    cells = list(measured({writer: ways}, sources))
    assert [cell for cell in cells if cell[3] is not cell[4]] == []
    return {cell[3] for cell in cells}


@pytest.mark.parametrize(
    ("writer", "source", "outcomes"),
    [
        ("deltalake", "DATE", {Outcome.EXACT, Outcome.REFUSED, Outcome.SHIFTED, Outcome.WRONG}),
        ("pyiceberg", "DECIMAL(10, 2)", {Outcome.EXACT, Outcome.ERROR, Outcome.REFUSED}),
    ],
)
def test_the_table_says_what_a_writer_does_with_one_type(tmp_path: Path, writer: str, source: str, outcomes: set[Outcome]) -> None:
    assert check(tmp_path, writer, source) == outcomes


@pytest.mark.slow  # some hundred tables
@pytest.mark.parametrize("writer", ["deltalake", "pyiceberg"])
def test_the_table_says_what_a_writer_does_with_numbers_and_texts(tmp_path: Path, writer: str) -> None:
    assert Outcome.EXACT in check(tmp_path, writer, "BIGINT", "DOUBLE", "STRING", "TIMESTAMP(6)")
