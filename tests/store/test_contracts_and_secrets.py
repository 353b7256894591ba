"""Promises about what hangs on a table: who comes late, who waits, who was not seen for long; and that no version holds a secret."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table

ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"


@pytest.fixture
def orders(tmp_path: Path) -> Table:
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", ORDERS)
    return store.table("shop.orders")


def _contract(tmp_path: Path, consumer: str) -> Path:
    return tmp_path / "lake/_schemas/contracts/shop/orders/default" / consumer / "contract-0"


def _dropped_while(orders: Table, happens: Callable[[], object]) -> Committed:
    """What a commit answers while something else happens between its judgement and its write."""

    def listener(phase: str) -> None:
        if phase == commit_steps.JUDGED:
            commit_steps.listen(None)
            happens()

    commit_steps.listen(listener)
    try:
        return orders.evolve("DROP COLUMN amount")
    finally:
        commit_steps.listen(None)


def _check(tmp_path: Path, capsys: pytest.CaptureFixture[str], *objects: str) -> tuple[int, str]:
    code = main(["check", *objects, "--store", str(tmp_path / "lake"), "--width", "200", "--no-color"])
    return code, capsys.readouterr().out


def test_a_contract_that_came_late_is_told(orders: Table) -> None:
    done = _dropped_while(orders, lambda: orders.register("amount DECIMAL(10, 2)", consumer="daily"))
    assert [one.findings[0].consumers[0].name for one in done.late] == ["daily"]


def test_a_late_contract_whose_lack_is_waived_is_not_told(orders: Table) -> None:
    orders.waive("EXPECT_FIELD_MISSING", "amount", until="2999-01-01", reason="INC-1")
    done = _dropped_while(orders, lambda: orders.register("amount DECIMAL(10, 2)", consumer="daily"))
    assert done.created
    assert done.late == ()


def test_a_late_contract_that_cannot_be_read_is_told(orders: Table, tmp_path: Path) -> None:
    def garbage() -> None:
        _contract(tmp_path, "daily").parent.mkdir(parents=True)
        _contract(tmp_path, "daily").write_text("{")

    done = _dropped_while(orders, garbage)
    assert done.late == ()
    assert ["daily/contract-0 cannot be read" in note for note in done.notes] == [True]


def test_nothing_is_waived_for_a_misspelled_table(orders: Table, tmp_path: Path) -> None:
    with pytest.raises(NotThereError, match=r"no schema of shop\.odrers"):
        SchemaStore(tmp_path / "lake").table("shop.odrers").waive("FIELD_DROPPED", "amount", until="2999-01-01", reason="INC-1")


def test_a_location_with_a_password_is_refused_however_it_is_said(orders: Table, tmp_path: Path) -> None:
    about = json.dumps({"location": "s3://ana:hushhush@bucket/orders", "format": "parquet"})
    with pytest.raises(FormatError, match="holds a password") as refused:
        orders.evolve([{"action": "setOption", "key": "schemas.table", "value": about}])
    assert "hushhush" not in str(refused.value)
    with pytest.raises(FormatError, match="holds a password"):
        SchemaStore(tmp_path / "lake").create_table("shop.users", "user_id BIGINT", options={"schemas.table": about})
    assert orders.numbers() == (0,)


def test_the_changes_that_a_version_records_hold_no_secret_and_are_known_again(orders: Table) -> None:
    def asked(value: str) -> CommitOutcome:
        return orders.evolve([{"action": "setOption", "key": "password", "value": value}, "ADD COLUMN note STRING"]).outcome

    assert asked("hushhush") is CommitOutcome.CREATED
    provenance = orders.latest().provenance
    assert provenance is not None
    assert "hushhush" not in repr(provenance)
    assert asked("hushhush") is CommitOutcome.UNCHANGED
    another = orders.evolve([{"action": "setOption", "key": "password", "value": "another"}])
    assert (another.outcome, another.schema.options["password"]) == (CommitOutcome.CREATED, "another")


def test_a_check_only_warns_of_a_job_that_was_not_seen_for_long(orders: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders.register("amount DECIMAL(10, 2)", consumer="old")
    file = _contract(tmp_path, "old")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"at": "2020-01-01T00:00:00+00:00"}))
    orders.evolve("DROP COLUMN amount")
    for objects in (("shop.orders",), ("shop.orders:0", "shop.orders")):
        code, out = _check(tmp_path, capsys, *objects)
        assert (code, "only warned for readers that have not been seen for long: old" in out) == (0, True), out


def test_a_check_counts_a_job_that_is_seen(orders: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders.register("amount DECIMAL(10, 2)", consumer="daily")
    orders.evolve("DROP COLUMN amount", override="INC-1")
    assert _check(tmp_path, capsys, "shop.orders")[0] == 1


def test_a_check_says_of_a_job_that_waits_that_it_waits(orders: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders.register("coupon STRING", consumer="churn", pending=True)
    code, out = _check(tmp_path, capsys, "shop.orders")
    assert (code, "churn is registered, and waits for what is to come" in out) == (0, True), out


def test_a_check_says_what_it_could_not_read(orders: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders.register("amount DECIMAL(10, 2)", consumer="daily")
    _contract(tmp_path, "daily").write_text("{")
    assert "daily/contract-0 cannot be read" in _check(tmp_path, capsys, "shop.orders")[1]
