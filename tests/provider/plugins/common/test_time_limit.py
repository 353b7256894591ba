"""For how long a page may be computed."""

import logging

import pytest

from airflow_provider_schemas.plugins.application.answer import PageAnswers
from airflow_provider_schemas.plugins.common.time_limit import SECONDS, time_limit

VARIABLE = "AIRFLOW__SCHEMAS__UI_SECONDS"


def test_it_is_two_seconds_where_nothing_is_set() -> None:
    assert time_limit() == SECONDS == 2.0


def test_what_is_set_counts_for_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "7.5")
    assert time_limit() == 7.5
    answers = PageAnswers()
    assert {answers.database.limit, answers.storage.limit} == {7.5}


@pytest.mark.parametrize("text", ["soon", "0", "-1", "1e9", "nan", "0.1"])
def test_what_makes_no_sense_is_told_in_the_log_and_does_not_count(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with caplog.at_level(logging.WARNING):
        assert time_limit() == SECONDS
    assert f"ui_seconds is {text!r}" in caplog.text
