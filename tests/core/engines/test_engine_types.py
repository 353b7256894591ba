"""A job sees the types of its engine: Spark reads Iceberg's uuid as a string, and has no time of day."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.core import check_contract
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.formats.iceberg import read_schema

SPARK = {"readers": ["spark-iceberg"]}
FIELDS = (
    {"id": 1, "name": "id", "required": True, "type": "long"},
    {"id": 2, "name": "key", "required": False, "type": "uuid"},
    {"id": 3, "name": "at", "required": False, "type": "time"},
    {"id": 4, "name": "code", "required": False, "type": "fixed[5]"},
    {"id": 5, "name": "keys", "required": False, "type": {"type": "list", "element-id": 6, "element": "uuid", "element-required": False}},
    {
        "id": 7,
        "name": "who",
        "required": False,
        "type": {"type": "struct", "fields": [{"id": 8, "name": "key", "required": False, "type": "uuid"}]},
    },
    {
        "id": 9,
        "name": "by_key",
        "required": False,
        "type": {"type": "map", "key-id": 10, "key": "uuid", "value-id": 11, "value": "uuid", "value-required": False},
    },
    {"id": 12, "name": "exact", "required": False, "type": "timestamp_ns"},
    {"id": 13, "name": "shape", "required": False, "type": "newer_type"},
)


def report(contract: Any, policy: Any = SPARK) -> Report:
    schema = read_schema(json.dumps({"type": "struct", "schema-id": 0, "fields": FIELDS}).encode(), 0)
    return check_contract(schema, contract, policy=policy)


@pytest.mark.parametrize(
    "contract",
    ["key STRING", "keys ARRAY<STRING>", "who ROW<key STRING>", "by_key MAP<STRING, STRING>", "code BYTES", {"columns": ["key"]}],
)
def test_a_job_of_spark_that_takes_what_spark_gives_fits(contract: Any) -> None:
    assert report(contract).fits


@pytest.mark.parametrize(
    "contract", ["key BINARY(16)", "key BYTES", "keys ARRAY<BINARY(16)>", "who ROW<key BYTES>", "by_key MAP<STRING, BYTES>"]
)
def test_a_job_of_spark_that_takes_the_bytes_of_a_uuid_is_stopped(contract: str) -> None:
    answer = report(contract)
    assert not answer.fits
    assert "as spark-iceberg reads it" in answer.findings[0].message


@pytest.mark.parametrize("contract", ["at TIME(6)", {"columns": ["at"]}, {"columns": ["exact"]}])
def test_a_job_of_spark_that_names_a_column_that_spark_cannot_read_is_stopped(contract: Any) -> None:
    answer = report(contract)
    assert [finding.rule for finding in answer.findings] == ["EXPECT_TYPE_MISMATCH"]
    assert "spark-iceberg cannot read" in answer.findings[0].message


def test_a_column_that_nobody_names_stops_no_job_and_nothing_is_claimed_of_types_that_nobody_knows() -> None:
    assert report("id BIGINT").fits
    assert report({"columns": ["shape"]}).fits


def test_a_column_that_may_keep_spark_from_the_whole_table_is_noted_where_no_finding_names_it() -> None:
    assert [note.partition(":")[0] for note in report("id BIGINT").notes] == ["at is TIME(6)", "exact is TIMESTAMP(9)"]
    assert [note.partition(":")[0] for note in report({"columns": ["at"]}).notes] == ["exact is TIMESTAMP(9)"]


def test_a_job_that_says_that_it_reads_otherwise_sees_the_types_of_the_table() -> None:
    assert report({"columns": {"key": "BINARY(16)", "at": "TIME(6)"}, "read_with": "iceberg-v2"}).fits
    assert not report({"columns": {"key": "STRING"}, "read_with": "iceberg-v2"}).fits


def test_a_job_of_spark_that_writes_a_uuid_writes_a_string() -> None:
    assert report(
        {"columns": [{"name": name, "type": kind, "role": "write"} for name, kind in (("id", "BIGINT NOT NULL"), ("key", "STRING"))]}
    ).fits
