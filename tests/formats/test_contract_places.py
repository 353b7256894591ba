"""What does not fit a job is found at the entry of its file that asks for it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, check_contract
from airflow_provider_schemas.core.report import Finding, Place, Report
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats.contract_file import read_written
from airflow_provider_schemas.formats.contract_places import with_places

FILE = "jobs/daily.yaml"
JOB = """\
job: daily
reads:
  shop.orders:
    columns:
      order_id:
        type: BIGINT NOT NULL
        nullable: false
      gone: STRING
      amount:
        type: INT
        accepts: lossless
      r: ROW<x INT, y INT>
    shape: closed
    primary_key: [order_id]
    partitioned_by:
      - day
      - hour
  shop.users: [user_id, name]
  shop.carts: "cart_id BIGINT, lost INT"
writes:
  mart.daily:
    columns: "day DATE, revenue INT"
"""


def table(columns: str, **more: Any) -> TableSchema:
    return TableSchema.create(columns, **more)


def placed(number: int, schema: TableSchema) -> dict[tuple[str, str], Place | None]:
    contracts, written = read_written(JOB, FILE)
    report = with_places(check_contract(schema, contracts[number]), contracts[number], written)
    assert report.file == FILE
    return {(finding.rule, finding.path): finding.place for finding in report.findings}


def test_a_finding_about_a_column_stands_at_the_key_of_its_entry() -> None:
    schema = table("order_id BIGINT, amount BIGINT, r ROW<x INT, y STRING>, more INT, day DATE", partition_keys=["day"])
    assert placed(0, schema) == {
        ("EXPECT_MAY_BE_NULL", "order_id"): Place(FILE, 7, 9),
        ("EXPECT_FIELD_MISSING", "gone"): Place(FILE, 8, 7),
        ("EXPECT_TYPE_UNSAFE", "amount"): Place(FILE, 11, 9),
        ("EXPECT_TYPE_MISMATCH", "r.y"): Place(FILE, 12, 7),
        ("EXPECT_EXTRA_FIELD", "more"): Place(FILE, 13, 5),
        ("EXPECT_EXTRA_FIELD", "day"): Place(FILE, 13, 5),
        ("EXPECT_KEY_CHANGED", "primaryKeys"): Place(FILE, 14, 5),
        ("EXPECT_PARTITION_MISSING", "hour"): Place(FILE, 17, 9),
    }


@pytest.mark.parametrize(
    ("number", "path", "place"),
    [
        (1, "user_id", Place(FILE, 18, 16)),
        (1, "name", Place(FILE, 18, 25)),
        (2, "lost", Place(FILE, 19, 3)),
        (3, "revenue", Place(FILE, 22, 5)),
        (3, "day", Place(FILE, 22, 5)),
    ],
)
def test_columns_in_a_list_have_a_place_each_and_columns_in_a_text_have_one(number: int, path: str, place: Place) -> None:
    places = placed(number, table("other INT"))
    assert places[next(key for key in places if key[1] == path)] == place


PATHS = st.text(max_size=8) | st.sampled_from(["", "order_id", "amount.x[]", "gone{}", "`a.b`.c", "primaryKeys", "day"])


@given(st.integers(0, 3), st.sampled_from(sorted(RULES)), PATHS)
def test_every_finding_has_a_place_whatever_its_rule_and_path(number: int, rule: str, path: str) -> None:
    contracts, written = read_written(JOB, FILE)
    (finding,) = with_places(Report((Finding(rule, path, "m."),)), contracts[number], written).findings
    assert finding.place is not None
    first = JOB.splitlines()[finding.place.line - 1][finding.place.column - 1 :]
    assert finding.place.line > 2
    assert first
    assert not first.startswith(" ")
