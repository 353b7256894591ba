"""Sample rows as many people may read them."""

import json
import math
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from airflow_provider_schemas.spark.jobs.job_samples import shown_row


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ({"order_id": 1, "ok": True, "note": None}, {"order_id": 1, "ok": True, "note": None}),
        ({"password": "hunter2", "api_token": 7, "secret": None}, {"password": "****", "api_token": "****", "secret": None}),
        ({"at": "s3://ana:pw@lake/x?sig=abc"}, {"at": "s3://****@lake/x?****"}),
        ({"user": {"name": "ana", "password": "pw"}}, {"user": {"name": "ana", "password": "****"}}),
        ({"x": math.nan, "y": math.inf}, {"x": "nan", "y": "inf"}),
        ({"day": date(2026, 3, 1), "sum": Decimal("1.50"), "raw": b"\xff"}, {"day": "2026-03-01", "sum": "1.50", "raw": "b'\\xff'"}),
        ({"line": "a\nb\x1b[31m"}, {"line": "a b\\u001b[31m"}),
    ],
)
def test_a_row_is_shown_without_what_nobody_should_read(row: dict[str, Any], shown: dict[str, Any]) -> None:
    assert shown_row(row) == shown


def test_a_row_of_ten_thousand_columns_and_long_texts_stays_short() -> None:
    row = {f"c{number}": {"deep": [["x" * 5_000] * 50] * 50} for number in range(10_000)}
    text = json.dumps(shown_row(row))
    assert len(text) < 300_000
    assert "9990 more" in text


def test_what_lies_deep_is_shown_as_text() -> None:
    row: dict[str, Any] = {}
    for _ in range(100):
        row = {"inside": row}
    assert len(json.dumps(shown_row(row))) < 1_000
