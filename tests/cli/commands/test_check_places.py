"""Reports of `check` and `plan` name the file that they are about, and each finding of one has its line and column there."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import fine, typed

OLD = """\
table: shop.orders
owner: ana
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
options:
  snapshot.num-retained.min: "10"
"""
NEW = """\
table: shop.orders
owner: raj
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - name: customer_id
    type: BIGINT
    was: cust_id
dropped:
  - amount
options:
  snapshot.num-retained.min: "20"
"""
JOB = """\
job: daily
reads:
  shop.orders:
    columns:
      order_id: BIGINT
      amount: DECIMAL(10, 2)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)
    Path("tables").mkdir()
    for name, text in {"old.yaml": OLD, "tables/orders.yaml": NEW, "job.yaml": JOB, "need.sql": "lost INT"}.items():
        Path(name).write_text(text, "utf-8")
    fine("create", "old.yaml", "--store", "lake")
    fine("contract", "register", "job.yaml", "--store", "lake")


def report(*words: str) -> dict[str, Any]:
    (found,) = typed(*words, "--format=json").json["reports"]
    return dict(found)


def places(found: dict[str, Any]) -> set[tuple[str, int, int]]:
    return {(one["rule"], one["place"]["line"], one["place"]["column"]) for one in found["findings"]}


EXPECTED = {("FIELD_RENAMED", 7, 5), ("FIELD_DROPPED", 9, 5), ("OPTION_TUNING", 11, 3), ("OPTION_TUNING", 2, 1)}


@pytest.mark.parametrize(
    "line",
    [
        "check tables/orders.yaml --store lake",
        "check tables --store lake",
        "check shop.orders tables/orders.yaml --store lake",
        "check old.yaml tables/orders.yaml",
        "plan tables/orders.yaml --store lake",
        "plan tables/orders.yaml --base old.yaml",
    ],
)
def test_each_finding_about_a_table_file_has_its_place(line: str) -> None:
    found = report(*line.split())
    assert found["file"] == "tables/orders.yaml"
    assert places(found) >= EXPECTED
    assert {one["place"]["file"] for one in found["findings"]} == {"tables/orders.yaml"}


def test_a_warning_about_a_name_that_is_nearly_the_same_stands_at_the_table() -> None:
    Path("new.yaml").write_text(OLD.replace("shop.orders", "shop.order"), "utf-8")
    found = report("check", "new.yaml", "--new", "--store", "lake")
    assert ("TABLE_MISSING", 1, 1) in places(found)


def test_each_finding_about_a_job_has_its_place_in_the_file_of_the_job() -> None:
    found = report("check", "tables/orders.yaml", "--contract", "job.yaml")
    assert (found["file"], places(found)) == ("job.yaml", {("EXPECT_FIELD_MISSING", 6, 7)})


def test_a_file_without_places_is_named_all_the_same() -> None:
    found = report("check", "shop.orders", "--contract", "need.sql", "--store", "lake")
    assert (found["file"], [one["place"] for one in found["findings"]]) == ("need.sql", [None])


@pytest.mark.parametrize(
    "line", ["check shop.orders --store lake", "check shop.orders --for daily --store lake", "plan shop.orders --drop amount --store lake"]
)
def test_a_report_about_no_file_names_none(line: str) -> None:
    assert "file" not in report(*line.split())


def test_standard_input_is_no_file() -> None:
    found = typed("check", "-", "--alone", "--format=json", stdin=OLD.encode()).json["reports"][0]
    assert "file" not in found


def test_text_keeps_the_file_and_the_line() -> None:
    done = typed("check", "tables/orders.yaml", "--store", "lake")
    assert "tables/orders.yaml:7 " in done.out
    assert "tables/orders.yaml:7:5" not in done.out


def test_what_keeps_a_contract_from_being_registered_stands_at_its_entry() -> None:
    Path("late.yaml").write_text(JOB.replace("daily", "late").replace("amount:", "lost:"), "utf-8")
    done = typed("contract", "register", "late.yaml", "--store", "lake", "--format=json")
    assert (done.code, done.json["report"]["file"]) == (1, "late.yaml")
    assert places(done.json["report"]) == {("EXPECT_FIELD_MISSING", 6, 7)}
