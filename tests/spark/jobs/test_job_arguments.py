"""The command line of a job: what a task asks comes out of it as it went in."""

from collections.abc import Sequence
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.jobs.job_arguments import requests_of, words_of
from airflow_provider_schemas.spark.jobs.job_requests import AuditRequest, InferRequest, StoreRequest, ValidateRequest

STORE = StoreRequest(store="s3://lake/warehouse", layout="registry", result="/tmp/answer.json", end_with_zero=True)


@pytest.mark.parametrize(
    "request_",
    [
        ValidateRequest(table="shop.orders", path="-strange path", options={"sep": '"', "quote": "'"}, samples=0, unique=False, version=0),
        ValidateRequest(
            table="shop.orders", sql="SELECT *\nFROM t -- all", contract='{"columns":["é\u2028"]}', quarantine="s3a://bad", min_rows=7
        ),
        InferRequest(path="s3a://landing", file_format="orc", evidence=False),
        AuditRequest(databases=("shop", "mart_*"), tables=("*_raw",), data=False, branches=True, parallel=4, save="s3a://audits", run="r"),
        AuditRequest(),
    ],
)
def test_what_is_asked_comes_out_as_it_went_in(request_: Any) -> None:
    assert requests_of(type(request_), words_of(STORE, request_), "") == (STORE, request_)


def test_what_holds_anyway_takes_no_words() -> None:
    assert words_of(StoreRequest(), ValidateRequest(table="shop.orders")) == ["--table=shop.orders"]


@pytest.mark.parametrize("words", [["--nope=1"], ["--samples=many"], ["--options=[1]"], ["--unique=perhaps"], ["table"]])
def test_a_command_line_that_cannot_be_read_ends_as_commands_do(words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        requests_of(ValidateRequest, words, "")
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_switch_needs_no_value() -> None:
    assert requests_of(AuditRequest, ["--branches", "--data=false"], "")[1] == AuditRequest(branches=True, data=False)


def test_what_no_command_line_holds_is_refused_before_anything_is_submitted() -> None:
    with pytest.raises(SchemaError, match="no more than 120,000 can be handed to spark-submit"):
        words_of(ValidateRequest(contract="x" * 200_000))
