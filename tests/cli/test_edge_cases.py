"""What a newcomer stumbles over: lines that cannot be read, names that nobody knows, files changed by hand, answers that go nowhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import fine, typed

TABLE_FILE = """\
table: shop.orders
owner: team-orders
contact: "#orders-oncall"
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
primary_key: [order_id]
"""
JOB = """\
job: daily_report
owner: team-bi
contact: "#bi-oncall"
reads:
  shop.orders: order_id BIGINT NOT NULL, cust_id BIGINT
"""
RENAME = "--rename=cust_id:customer_id"


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse with one table, and the files from which it was made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", "ana")
    Path("orders.yaml").write_text(TABLE_FILE, "utf-8")
    Path("job.yaml").write_text(JOB, "utf-8")
    fine("create", "orders.yaml")
    return tmp_path / "lake"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_statements_that_are_printed_hold_no_secret() -> None:
    said = typed("plan", "shop.orders", "SET OPTION password = 'hunter2'", "ADD COLUMN b INT", "--sql", "spark")
    assert said.code == 2
    assert "hunter2" not in said.out + said.err
    assert "ALTER TABLE `shop`.`orders` ADD COLUMN `b` INT;" in said.out
    assert "run it by hand" in " ".join(said.out.split())


def test_a_line_that_cannot_be_read_is_json_too_where_json_was_asked_for() -> None:
    for line in (
        ["plan", "shop.orders", "--bogus", "--format", "json"],
        ["show", "--format=json"],
        ["restore", "shop.orders", "v0", "--format", "json"],
    ):
        done = typed(*line)
        assert (done.code, done.json["error"]["code"]) == (2, "cli.usage")
        assert done.json["error"]["message"]


def test_a_folder_that_is_no_table_makes_no_listing_fail(warehouse: Path) -> None:
    (warehouse / "shop.db/clicks/dt=1").mkdir(parents=True)
    assert "no schema: a folder, and no table" in fine("ls", "shop", "--long")


def test_no_contract_of_a_file_is_registered_where_a_table_of_it_is_missing() -> None:
    Path("job.yaml").write_text(JOB + "  shop.nothing: [a]\n", "utf-8")
    done = typed("contract", "register", "job.yaml")
    assert (done.code, "there is no table shop.nothing" in done.err) == (2, True)
    assert "no contract is registered" in fine("contract", "list")


def test_the_log_tells_that_somebody_changed_a_file_by_hand(warehouse: Path) -> None:
    fine("evolve", "shop.orders", "ADD COLUMN a INT")
    fine("evolve", "shop.orders", "ADD COLUMN b INT")
    path = warehouse / "shop.db/orders/schema/schema-1"
    path.write_text(path.read_text("utf-8").replace('"name" : "a"', '"name" : "z"'), "utf-8")
    assert "SCHEMA_FILE_MUTATED version 1" in fine("log", "shop.orders")


def test_a_registry_that_was_named_and_is_not_there_is_told(tmp_path: Path) -> None:
    before = fine("log", "shop.orders")
    done = typed("evolve", "shop.orders", "ADD COLUMN a INT", "--registry", str(tmp_path / "typo"))
    assert (done.code, "typo is not there" in done.err) == (2, True)
    assert fine("log", "shop.orders") == before


def test_an_answer_that_cannot_be_written_is_no_break() -> None:
    line = [sys.executable, "-m", "airflow_provider_schemas.cli", "show", "shop.orders"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr, "could not be written" in done.stderr) == (2, False, True)


def test_a_waiver_that_names_nothing_known_says_so_and_one_that_cannot_be_read_is_told(warehouse: Path) -> None:
    said = fine("waive", "shop.orders", "FIELD_DROPPED", "amnt", "--for", "nobody", "--until", "3d", "--reason", "INC-1")
    assert "has a column 'amnt'" in " ".join(said.split())
    assert "no job 'nobody' has registered" in " ".join(said.split())
    assert "note:" not in fine("waive", "shop.orders", "FIELD_DROPPED", "amount", "--until", "3d", "--reason", "INC-1")
    (warehouse / "_schemas/waivers/shop/orders/waiver-0").write_text("{", "utf-8")
    done = typed("waive", "shop.orders", "--list")
    assert (done.code, "cannot be read, and lifts nothing" in done.out) == (2, True)
