"""The gate as an author writes it: arguments, templates, what it pushes and registers, and what it says. Without a database."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import DAG
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException
from airflow.serialization.serialized_objects import DagSerialization

from airflow_provider_schemas.errors import IncompatibleSchemaError, SchemaError, StorageError
from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks.not_said import NOT_SAID

NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
    made.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
    return made


@pytest.fixture
def orders(store: SchemaStore) -> Table:
    return store.table("shop.orders")


class Past:
    """What Airflow knows of earlier runs of a task, as far as a stand-in of it is asked."""

    def __init__(self, verdict: dict[str, Any] | None = None, state: str = "success") -> None:
        self.verdict, self.state = verdict, state

    def said(self) -> dict[str, Any]:
        def pull(key: str, **_: Any) -> Any:
            return self.verdict

        def states(task_ids: list[str], run_ids: tuple[str, ...] = (), **_: Any) -> Any:
            return {run: dict.fromkeys(task_ids, self.state) for run in run_ids}

        return {"xcom_pull": pull, "get_task_states": states, "get_previous_ti": lambda **_: None}


def ran(context: Any, past: Past | None = None, **said: Any) -> tuple[Any, dict[str, Any], SchemaGateOperator]:
    """What a gate returned or raised, what it pushed, and the gate."""
    gate = SchemaGateOperator(task_id="gate", **{"conn_id": "lake", **said})
    about = context(gate, **(past or Past()).said())
    try:
        found: Any = gate.execute(about)
    except (SchemaError, AirflowSkipException) as error:
        found = error
    return found, about["ti"].pushed.get("schema_verdict", {}), gate


def last_words(gate: SchemaGateOperator) -> str:
    """What the log of a task that has failed ends with."""
    said: Any = list(gate.on_failure_callback)[-1]
    return str(said.text)


# ---------------------------------------------------------------- as it is written


def test_it_takes_its_connection_and_more_from_default_args() -> None:
    with DAG("reports", schedule=None, default_args={"conn_id": "lake", "on_incompatible": "warn"}):
        gate = SchemaGateOperator(task_id="gate", reads=["shop.orders"])
    assert (gate.conn_id, gate.on_incompatible) == ("lake", "warn")


def test_a_word_that_it_does_not_know_is_an_error_when_the_dag_is_read() -> None:
    with pytest.raises(TypeError):
        SchemaGateOperator(task_id="gate", tables=["shop.orders"])


def test_it_serialises_with_its_templates_and_its_link() -> None:
    with DAG("reports", schedule=None) as dag:
        SchemaGateOperator(task_id="gate", reads={"shop.{{ params.t }}": NEEDS}, version="{{ 1 }}")
        SchemaGateOperator.partial(task_id="many").expand(reads=[["shop.orders"], ["shop.users"]])
    first, _ = DagSerialization.to_dict(dag)["dag"]["tasks"]
    assert first["__var"]["reads"] == {"shop.{{ params.t }}": NEEDS}
    assert set(first["__var"]["template_fields"]) == {
        "conn_id",
        "reads",
        "writes",
        "branch",
        "version",
        "on_incompatible",
        "on_missing",
        "policy",
    }


@pytest.mark.parametrize("nothing", [None, "", "None", [], "{}"], ids=repr)
@pytest.mark.parametrize("named", ["reads", "writes"])
def test_tables_that_come_out_as_none_are_a_mistake_also_beside_others(context: Any, store: SchemaStore, named: str, nothing: Any) -> None:
    other = {"reads": "writes", "writes": "reads"}[named]
    found, pushed, _ = ran(context, **{named: nothing, other: {"shop.orders": NEEDS}})
    assert isinstance(found, AirflowFailException)
    assert f"{named}: no table is named. Pass" in str(found)
    assert pushed == {}


def test_what_is_not_said_stays_so_when_it_is_rendered_mapped_and_serialised(context: Any, store: SchemaStore) -> None:
    with DAG("reports", schedule=None) as dag:
        gate = SchemaGateOperator(task_id="gate", conn_id="lake", writes={"shop.orders": NEEDS})
    assert DagSerialization.to_dict(dag)["dag"]["tasks"][0]["__var"]["reads"] == "(not said)"
    about = context(gate, **Past().said())
    gate.render_template_fields(about)
    assert gate.execute(about)["fits"]


@pytest.mark.parametrize("version", [{"shop.orders": 0, " shop.orders": 1}, '{"shop.orders": 0, "shop.orders": 1}'], ids=str)
def test_two_versions_of_one_table_are_a_contradiction(context: Any, store: SchemaStore, version: Any) -> None:
    found, _, _ = ran(context, reads=["shop.orders"], version=version)
    assert isinstance(found, AirflowFailException)
    assert "stands" in str(found)


def test_templates_are_rendered_also_in_the_names_of_tables(context: Any, store: SchemaStore) -> None:
    gate = SchemaGateOperator(task_id="gate", conn_id="{{ c }}", reads="['shop.{{ t }}']", version="{{ v }}", on_missing="{{ m }}")
    about = context(gate, **Past().said())
    words: Any = {**about, "c": "lake", "t": "orders", "v": 0, "m": "skip"}
    gate.render_template_fields(words)
    assert gate.execute(about)["tables"]["shop.orders"]["version"] == 0


# ---------------------------------------------------------------- what it pushes


def test_the_verdict_is_plain_small_and_the_same_in_xcom_as_returned(context: Any, orders: Table) -> None:
    said, pushed, _ = ran(context, reads={"shop.orders": NEEDS}, writes={"shop.users": "user_id BIGINT NOT NULL"})
    assert said == pushed == json.loads(json.dumps(said))
    about = {key: said[key] for key in ("conn_id", "consumer", "verdict", "fits", "outcome", "run", "map_index")}
    assert about == {
        "conn_id": "lake",
        "consumer": "reports.gate",
        "verdict": "ok",
        "fits": True,
        "outcome": "fits",
        "run": "manual__2026-03-01",
        "map_index": -1,
    }
    assert len(json.dumps(said)) < 3_000
    table, head = said["tables"]["shop.orders"], orders.latest()
    assert table["seen"] == {"version": 0, "digest": head.digest}
    assert table["fields_ddl"] == "`order_id` BIGINT NOT NULL, `cust_id` BIGINT, `amount` DECIMAL(10,2)"
    assert (Path(table["place"]) / "schema-0").is_file()
    assert json.loads(said["spark"])["shop.orders"] == {key: table[key] for key in ("version", "digest", "branch", "place", "layout")} | {
        "digest": head.digest
    }


def test_of_a_wide_table_no_columns_are_pushed(context: Any, store: SchemaStore) -> None:
    store.create_table("shop.wide", ", ".join(f"c{number} BIGINT" for number in range(10_000)))
    said, _, _ = ran(context, reads={"shop.wide": [f"c{number}" for number in range(10_000)]})
    assert "fields_ddl" not in said["tables"]["shop.wide"]
    assert len(json.dumps(said)) < 3_000


def test_ten_thousand_columns_that_are_all_gone_are_a_block_that_can_be_read(context: Any, store: SchemaStore) -> None:
    store.create_table("shop.wide", ", ".join(f"c{number} BIGINT" for number in range(10_000)))
    error, pushed, gate = ran(context, reads={"shop.wide": [f"gone{number}" for number in range(10_000)]})
    block = last_words(gate).splitlines()
    assert isinstance(error, IncompatibleSchemaError)
    assert (len(block) < 100, max(map(len, block)) <= 400) == (True, True)
    assert "9,988 more" in "\n".join(block)
    assert (pushed["tables"]["shop.wide"]["more"], len(json.dumps(pushed)) < 16_000) == (9_980, True)


def test_fifty_tables_are_one_verdict(context: Any, store: SchemaStore) -> None:
    for number in range(50):
        store.create_table(f"many.t{number}", "a BIGINT, b STRING")
    said, _, _ = ran(context, reads={f"many.t{number}": "a BIGINT" for number in range(50)})
    assert (said["fits"], len(said["tables"]), len(json.dumps(said)) < 60_000) == (True, 50, True)
    error, pushed, gate = ran(context, reads={f"many.t{number}": "a BIGINT, zz INT" for number in range(50)})
    assert str(error).startswith("many.t0 v0 breaks reports.gate: zz is missing; 49 more tables")
    assert len(last_words(gate).splitlines()) < 150
    assert not any(one["fits"] for one in pushed["tables"].values())


# ---------------------------------------------------------------- what becomes of it


@pytest.mark.parametrize(
    ("outcome", "kind"), [("fail", AirflowFailException), ("skip", AirflowSkipException), ("warn", dict)], ids=["fail", "skip", "warn"]
)
def test_what_does_not_fit_fails_skips_or_warns_with_one_line(context: Any, orders: Table, outcome: str, kind: type) -> None:
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    found, pushed, _ = ran(context, reads={"shop.orders": NEEDS}, on_incompatible=outcome)
    assert isinstance(found, kind)
    assert (pushed["outcome"], pushed["fits"]) == (outcome, False)
    if outcome != "warn":
        assert str(found) == "shop.orders v1 breaks reports.gate: cust_id renamed to customer_id"


def test_the_worst_of_two_reasons_counts(context: Any, orders: Table) -> None:
    needs = {"shop.orders": ["nope"], "shop.gone": ["x"]}
    assert ran(context, reads=needs, on_incompatible="warn", on_missing="skip")[1]["outcome"] == "skip"
    assert ran(context, reads=needs, on_incompatible="fail", on_missing="skip")[1]["outcome"] == "fail"
    assert ran(context, reads=needs, on_incompatible="warn", on_missing="warn")[1]["outcome"] == "warn"


def test_a_job_of_an_older_version_is_judged_on_that_one_and_registers_nothing(context: Any, orders: Table) -> None:
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    said, _, _ = ran(context, reads={"shop.orders": NEEDS}, version="0")
    assert json.loads(said["spark"])["shop.orders"]["pinned"] is True  # the job's door asks about that version, too
    assert (said["fits"], said["tables"]["shop.orders"]["version"]) == (True, 0)
    assert ran(context, reads={"shop.orders": NEEDS}, version="{'shop.orders': 0}")[0]["fits"]
    assert not orders.registered()


def test_a_policy_of_its_own_is_a_mapping_or_a_file_beside_the_dag(context: Any, orders: Table, tmp_path: Path) -> None:
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags/strict.yaml").write_text("rules: {EXPECT_FIELD_RENAMED: warn}\n")
    orders.evolve("ADD COLUMN coupon STRING")
    for policy in ({"rules": {"FIELD_ADDED_NULLABLE": "block"}}, '{"rules": {"FIELD_ADDED_NULLABLE": "block"}}', "strict.yaml", NOT_SAID):
        assert ran(context, reads={"shop.orders": NEEDS}, policy=policy)[0]["fits"]
    assert isinstance(ran(context, reads=["shop.orders"], policy="none.yaml")[0], AirflowFailException)
    assert isinstance(ran(context, reads=["shop.orders"], policy="strictly")[0], AirflowFailException)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"reads": []},
        {"reads": ""},
        {"reads": "None"},
        {"reads": {"shop.orders": "order_id BIGHINT"}},
        {"reads": {"shop.orders": "@registered"}},
        {"reads": ["shop.orders"], "on_missing": "ok"},
        {"reads": ["shop.orders"], "on_incompatible": "stop"},
        {"reads": ["shop.orders"], "version": "newest"},
        {"reads": ["shop.orders", "shop.users"], "version": 0},
        {"reads": ["shop.orders"], "branch": 7},
        {"reads": ["shop.orders"], "conn_id": "nobody_knows_it"},
    ],
    ids=str,
)
def test_what_cannot_be_asked_fails_at_once_and_is_no_verdict(context: Any, store: SchemaStore, said: dict[str, Any]) -> None:
    found, pushed, _ = ran(context, **said)
    assert isinstance(found, AirflowFailException)
    assert isinstance(found, SchemaError)
    assert (pushed, len(str(found)) < 2_000) == ({}, True)


def test_a_storage_that_may_come_back_is_tried_again(context: Any, connect: Any) -> None:
    connect("far", host="http://127.0.0.1:9/lake")
    found, pushed, _ = ran(context, reads=["shop.orders"], conn_id="far")
    assert isinstance(found, StorageError)
    assert not isinstance(found, AirflowFailException)
    assert pushed == {}


# ---------------------------------------------------------------- contracts


def test_contracts_register_under_dag_and_task_with_the_owner(context: Any, orders: Table, store: SchemaStore) -> None:
    ran(context, reads={"shop.orders": NEEDS, "shop.users": None}, writes={"shop.orders": NEEDS})
    assert sorted((one.consumer, one.contract.owner) for one in orders.registered()) == [
        ("reports.gate", "sales"),
        ("reports.gate.writes", "sales"),
    ]
    assert not store.table("shop.users").registered()


@pytest.mark.parametrize("said", [{"register": False}, {"reads": {"shop.orders": ["nope"]}}, {"branch": "dev"}], ids=str)
def test_nothing_is_registered_where_it_should_not_be(context: Any, orders: Table, said: dict[str, Any]) -> None:
    orders.create_branch("dev")
    ran(context, **{"reads": {"shop.orders": NEEDS}, **said})
    assert not orders.registered()


def test_a_connection_that_may_not_write_registers_nothing_and_says_nothing(
    context: Any, orders: Table, connect: Any, tmp_path: Path
) -> None:
    connect("readers", host=(tmp_path / "lake").as_uri(), extra={"read_only": True})
    said, _, _ = ran(context, reads={"shop.orders": NEEDS}, conn_id="readers")
    assert (said["fits"], said["notes"]) == (True, [])
    assert not orders.registered()


def test_a_right_that_is_missing_is_one_note_and_no_failure(context: Any, orders: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Table, *_: Any, **__: Any) -> None:
        raise StorageError("the storage refuses to write.", fix="Ask for the right.")

    monkeypatch.setattr(Table, "register", refused)
    said, _, _ = ran(context, reads={"shop.orders": NEEDS, "shop.users": ["user_id"]})
    assert said["fits"]
    assert said["notes"] == [one for one in said["notes"] if one.startswith("2 of 2 contracts were not registered")]
    assert len(said["notes"]) == 1


# ---------------------------------------------------------------- what it says


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.INFO, "airflow.task.schemas"):
        yield caplog


def test_it_says_a_line_a_table_and_what_it_cost(context: Any, orders: Table, lines: pytest.LogCaptureFixture) -> None:
    ran(context, reads={"shop.orders": NEEDS, "shop.users": ["user_id"]})
    said, rests = zip(*(line.rsplit("  judged by ", 1) for line in lines.messages[:2]), strict=True)
    assert list(said) == ["shop.orders v0 fits  2 of 3 columns needed", "shop.users v0 fits  1 of 2 columns needed"]
    assert all(re.fullmatch(r"schema files, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", one) for one in rests)
    assert lines.messages[2].startswith("lake: ")


def test_a_warning_and_what_is_let_through_stand_out(context: Any, orders: Table, lines: pytest.LogCaptureFixture) -> None:
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    orders.waive("EXPECT_FIELD_RENAMED", "cust_id", until="3026-01-01", reason="INC-7", consumer="reports.gate")
    said, _, _ = ran(context, reads={"shop.orders": NEEDS})
    assert (said["fits"], said["verdict"], said["outcome"]) == (True, "warn", "fits")
    loud = [one.getMessage() for one in lines.records if one.levelno == logging.WARNING]
    assert any("fits, with 1 warning" in one for one in loud)
    assert any("let through: EXPECT_FIELD_RENAMED cust_id" in one and "INC-7" in one for one in loud)


def test_what_is_let_through_until_a_day_is_not_accepted_for_ever(context: Any, orders: Table) -> None:
    first = ran(context, reads=["shop.orders"])[1] | {"run": "scheduled__1"}
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    orders.waive("FIELD_RENAMED", "cust_id", until="3026-01-01", reason="INC-7", consumer="reports.gate")
    said, _, _ = ran(context, Past(first), reads=["shop.orders"])
    assert (said["fits"], said["tables"]["shop.orders"]["seen"]["version"]) == (True, 0)


def test_names_that_would_play_with_the_log_and_secrets_stay_harmless(
    context: Any, store: SchemaStore, lines: pytest.LogCaptureFixture
) -> None:
    names = ["a\x1b[31m", "b\n::endgroup::\nSCHEMA GATE", "c" * 3_000]
    store.create_table("shop.evil", [{"name": one, "type": "BIGINT"} for one in names])
    table = store.table("shop.evil")
    first = ran(context, reads=["shop.evil"])[1]
    first["run"] = "scheduled__1"
    table.evolve([{"action": "dropColumn", "fieldNames": [one.name]} for one in table.schema().fields[:2]], override="a test")
    table.evolve(f"RENAME COLUMN {'c' * 3_000} TO d", override="a test")
    _, pushed, gate = ran(context, Past(first), reads=["shop.evil"])
    block = last_words(gate)
    assert "\x1b" not in block + json.dumps(pushed)
    assert not [line for line in block.splitlines() if line.startswith(("::", "SCHEMA GATE  x"))]
    assert (block.count("\nSCHEMA GATE"), len(block) < 20_000, len(json.dumps(pushed)) < 20_000) == (0, True, True)


def test_the_link_leads_to_the_run_that_changed_what_does_not_fit(context: Any, orders: Table) -> None:
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="a test", run="evolve_shop/scheduled__1/apply")
    _, _, gate = ran(context, reads={"shop.orders": NEEDS, "shop.users": ["user_id"]})
    assert gate.changed_by_run == "evolve_shop/scheduled__1/apply"
    (link,) = gate.operator_extra_links
    assert link.get_link(gate, ti_key=None).endswith("/dags/evolve_shop/runs/scheduled__1/tasks/apply")  # type: ignore[arg-type]  # not asked


def test_callbacks_of_the_author_stay_and_come_first_and_the_block_is_there_once(context: Any, orders: Table) -> None:
    def heard(_: Any) -> None: ...

    gate = SchemaGateOperator(task_id="gate", conn_id="lake", reads={"shop.orders": ["nope"]}, on_failure_callback=heard)
    about = context(gate, **Past().said())
    for _ in range(2):  # as dag.test runs a task again in one process
        with pytest.raises(AirflowFailException):
            gate.execute(about)
    callbacks = list(gate.on_failure_callback)
    assert (callbacks[0], len(callbacks)) == (heard, 2)


def test_a_misspelt_table_is_told_with_the_one_that_may_be_meant_and_without_a_waiver(context: Any, orders: Table) -> None:
    error, verdict, gate = ran(context, reads={"shop.order": ["order_id"]})
    assert isinstance(error, AirflowFailException)
    assert verdict["notes"] == ["shop.order is not there. Did you mean shop.orders?"]
    block = vars(gate.on_failure_callback[-1])["text"]
    assert "airflow-schemas ls --conn lake shop" in block
    assert "waive" not in block


def test_an_airflow_can_keep_all_gates_from_registering(context: Any, orders: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__SCHEMAS__REGISTER_CONTRACTS", "False")
    assert ran(context, reads={"shop.orders": NEEDS}, register=True)[0]["fits"]
    assert not orders.registered()
    monkeypatch.setenv("AIRFLOW__SCHEMAS__REGISTER_CONTRACTS", "perhaps")
    assert "[schemas] register_contracts" in str(ran(context, reads={"shop.orders": NEEDS})[0])
    monkeypatch.delenv("AIRFLOW__SCHEMAS__REGISTER_CONTRACTS")
    assert ran(context, reads={"shop.orders": NEEDS})[0]["fits"]
    assert orders.registered()


# ---------------------------------------------------------------- tables that are only described


def test_a_gate_on_a_table_that_is_only_described_warns_and_blocks_where_a_policy_says_so(
    context: Any, store: SchemaStore, lines: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    store.adopt("shop.ice", str(tmp_path / "ice"), "order_id BIGINT, cust_id BIGINT", format="iceberg")
    said, pushed, _ = ran(context, reads={"shop.ice": "cust_id BIGINT"})
    table = pushed["tables"]["shop.ice"]
    assert (said["outcome"], said["verdict"]) == ("fits", "warn")
    assert (table["judged_by"], table["version"], table["findings"][0]["rule"]) == ("description", 0, "TABLE_NOT_LOOKED_AT")
    assert table["at"].endswith("Z")
    loud = "\n".join(one.getMessage() for one in lines.records if one.levelno == logging.WARNING)
    assert "its data are iceberg" in loud
    assert "judged by description" in loud
    found, pushed, gate = ran(context, reads={"shop.ice": "cust_id BIGINT"}, policy={"descriptions": "block"})
    assert isinstance(found, AirflowFailException)
    assert pushed["outcome"] == "fail"
    assert "TABLE_NOT_LOOKED_AT" in last_words(gate)


def test_a_gate_reads_the_newest_footer_and_a_connection_can_forbid_it(
    context: Any, connect: Any, store: SchemaStore, tmp_path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    store.adopt("shop.plain", str(tmp_path / "plain"), "order_id BIGINT, cust_id BIGINT")
    (tmp_path / "plain").mkdir()
    pa.parquet.write_table(pa.table({"order_id": [1], "customer_id": [2]}), tmp_path / "plain/part-0.parquet")
    found, pushed, gate = ran(context, reads={"shop.plain": "cust_id BIGINT"})
    assert isinstance(found, AirflowFailException)
    assert pushed["tables"]["shop.plain"]["judged_by"] == "footer (1 of 1)"
    assert "part-0.parquet" in last_words(gate)
    blind = connect("blind", host=str(tmp_path / "lake"), extra={"look": False})
    said, pushed, _ = ran(context, conn_id=blind, reads={"shop.plain": "cust_id BIGINT"})
    assert (said["fits"], pushed["tables"]["shop.plain"]["judged_by"]) == (True, "description")
