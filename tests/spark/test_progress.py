"""Progress: now and then a line in the log, and none of short work."""

import logging
from typing import Any

import pytest

from airflow_provider_schemas.spark.progress import Progress, progress


def test_a_line_comes_now_and_then_however_many_steps_are_done(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    with caplog.at_level(logging.INFO):
        step = Progress("reading footers", 10_000, clock=lambda: now[0])
        for _ in range(100):
            now[0] += 0.25
            step()
    assert caplog.messages == ["reading footers: 40 of 10,000 after 10 s", "reading footers: 80 of 10,000 after 20 s"]


def test_short_work_says_nothing_and_long_work_how_long_it_took(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        with progress("looking", 2) as step:
            step(2)
        assert caplog.messages == []
        with progress("looking", every=0) as step:
            step()
    assert caplog.messages == ["looking: 1 after 0 s", "looking: done, 1 in 0 s"]


def test_the_jobs_of_a_session_bear_the_description(classic_spark: Any) -> None:
    with progress("reading footers", spark=classic_spark):
        assert classic_spark.sparkContext.getLocalProperty("spark.job.description") == "schemas: reading footers"
    assert classic_spark.sparkContext.getLocalProperty("spark.job.description") is None
