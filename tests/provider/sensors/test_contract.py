"""A task that waits until tables fit it."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException, AirflowSensorTimeout, TaskDeferred
from airflow.sdk.serde import serialize

from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.policies.policy import Policy, policy_of
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.sensors import SchemaContractSensor, contract_request
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from tests.provider.conftest import Connect, MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, Earlier, deferred, resumed
from tests.provider.support.trigger_runs import Heard, ends_with, made

Begun = Callable[..., dict[str, Any]]
COUPON = {"shop.orders": "coupon STRING"}


def sensor(**said: Any) -> SchemaContractSensor:
    return SchemaContractSensor(**{"task_id": "wait", "conn_id": "lake", "reads": COUPON, "poke_interval": 0.02, **said})


@pytest.fixture
def begun(context: MakeContext) -> Begun:
    """The context of a sensor whose task has never run before."""
    return lambda one, earlier=NOBODY, **more: context(one, **earlier, **more)


# ---------------------------------------------------------------- until the schema fits


def test_what_fits_already_ends_it_with_the_verdict_of_a_gate(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store, "ADD COLUMN coupon STRING")
    one = sensor()
    context = begun(one)
    found = one.execute(context)
    assert (found["outcome"], found["tables"]["shop.orders"]["version"]) == ("fits", 1)
    assert context["ti"].pushed[VERDICT] == found
    assert json.loads(found["spark"])["shop.orders"]["version"] == 1


def test_it_defers_until_the_column_is_there(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor()
    context = begun(one)
    sleep = deferred(one, context)
    assert VERDICT not in context["ti"].pushed
    made(store, "ADD COLUMN coupon STRING")
    assert resumed(one, context, sleep)["tables"]["shop.orders"]["version"] == 1
    assert one.get_openlineage_facets_on_complete(context["ti"]) is not None


def test_its_contract_is_registered_when_it_fits_and_not_before(lake: str, store: SchemaStore, begun: Begun) -> None:
    table = made(store)
    one = sensor()
    context = begun(one)
    sleep = deferred(one, context)
    assert table.contracts() == ()
    made(store, "ADD COLUMN coupon STRING")
    resumed(one, context, sleep)
    assert [job.name for job in table.contracts()] == ["reports.wait"]


def test_what_changes_between_the_event_and_the_worker_is_waited_for_again(lake: str, store: SchemaStore, begun: Begun) -> None:
    table = made(store)
    one = sensor(register=False)
    context = begun(one)
    sleep = deferred(one, context)
    table.evolve(["ADD COLUMN coupon STRING"])
    event = ends_with(sleep.trigger)
    table.evolve(["DROP COLUMN coupon"], override="test")
    with pytest.raises(TaskDeferred) as caught:
        resumed(one, context, sleep, event)
    again = caught.value
    assert (again.kwargs or {})["deadline"] == (sleep.kwargs or {})["deadline"]
    assert again.timeout is not None
    assert sleep.timeout is not None
    assert again.timeout < sleep.timeout
    table.evolve(["ADD COLUMN coupon STRING"])
    assert resumed(one, context, again)["tables"]["shop.orders"]["version"] == 3


def test_contracts_are_plain_before_anything_waits(lake: str, store: SchemaStore, begun: Begun, tmp_path: Path) -> None:
    """The triggerer has no DAG folder: a file beside the DAG is read in the worker."""
    made(store)
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags/needs.yaml").write_text("columns: [{name: coupon, type: STRING}]\n")
    one = sensor(reads={"shop.orders": "needs.yaml"})
    about = deferred(one, begun(one)).trigger.serialize()[1]
    assert about["reads"]["shop.orders"]["columns"] == [{"name": "coupon", "type": "STRING"}]
    serialize(about)
    json.dumps(about)


@pytest.mark.parametrize(
    "contract",
    [
        "a BIGINT NOT NULL, b ROW<x INT, y ARRAY<STRING>>",
        ["a", "b.c"],
        {
            "columns": [{"name": "a", "id": 3, "type": "INT", "accepts": "exact", "role": ["filter", "join"], "nullable": False}],
            "shape": "closed",
        },
        {"columns": [{"name": "a"}], "primary_key": ["a"], "partitioned_by": [], "owner": "team", "contact": "#x"},
    ],
    ids=["text", "names", "a whole one", "keys"],
)
def test_a_contract_reads_back_as_the_same_in_the_triggerer(contract: Any) -> None:
    known = checked_contract(contract).model_copy(update={"name": "reports.wait"})
    assert checked_contract(json.loads(json.dumps(contract_request._plain(known)))) == known


def test_a_policy_reads_back_as_the_same_in_the_triggerer() -> None:
    known = Policy.model_validate({"protect": {"jobs": "warn"}, "against": "previous"})
    assert policy_of(json.loads(json.dumps(contract_request._plain(known)))) == known


def test_a_policy_reaches_the_triggerer_as_plain_values(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(policy={"protect": {"jobs": "block"}})
    about = deferred(one, begun(one)).trigger.serialize()[1]
    assert about["policy"] == {"protect": {"jobs": "block"}}


def test_a_table_without_a_contract_is_judged_against_the_last_green_run(lake: str, store: SchemaStore, begun: Begun) -> None:
    table = made(store)
    first = sensor(reads=["shop.orders"])
    context = begun(first)
    first.execute(context)
    earlier = Earlier(context["ti"].pushed[VERDICT]).as_ti()
    table.evolve(["RENAME COLUMN cust_id TO customer_id"], override="test")
    second = sensor(reads=["shop.orders"])
    context = begun(second, earlier)
    sleep = deferred(second, context)
    assert sleep.trigger.serialize()[1]["since"]["shop.orders"]["version"] == 0
    table.evolve(["RENAME COLUMN customer_id TO cust_id"], override="test")
    assert resumed(second, context, sleep)["tables"]["shop.orders"]["version"] == 2


def test_arguments_may_come_out_of_templates(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store, "ADD COLUMN coupon STRING")
    reads = "{{ {'shop.orders': ['coupon']} | tojson }}"
    one = sensor(conn_id="{{ 'lake' }}", reads=reads, branch="{{ 'main' }}", until="{{ 'schema' }}")
    context: Any = begun(one)
    one.render_template_fields(context)
    assert one.execute(context)["fits"]


def test_it_says_once_what_it_waits_for_and_whom_to_ask(lake: str, store: SchemaStore, begun: Begun) -> None:
    text = 'table: shop.orders\nowner: team-orders\ncontact: "#orders-oncall"\ncolumns: [{name: a, type: INT}]\n'
    store.create_table("shop.orders", table_file.read(text.encode(), "orders.yaml"))
    one = sensor(poke_interval=60)
    heard = Heard(one)
    deferred(one, begun(one))
    assert len(heard.lines) == 1
    assert heard.lines[0].startswith("shop.orders v0: no coupon yet (want STRING). Looking every 60 s until ")
    assert heard.lines[0].endswith(" UTC. Owner team-orders, #orders-oncall.")


# ---------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"reads": {}}, "reads"),
        ({"reads": "{{ none }}"}, "reads"),
        ({"reads": {"shop.orders": "NONSENSE OF A TYPE ("}}, "reads.shop.orders"),
        ({"until": "data"}, "none of schema, files"),
        ({"partition": "dt=1", "until": "files"}, "is no partition"),
        ({"policy": 5}, "is no policy"),
    ],
    ids=["no tables", "unrendered", "no contract", "until", "partition", "policy"],
)
def test_a_wrong_argument_fails_at_once(lake: str, store: SchemaStore, begun: Begun, said: dict[str, Any], words: str) -> None:
    made(store)
    one = sensor(**said)
    with pytest.raises(AirflowFailException, match=words):
        one.execute(begun(one))


def test_a_table_that_keeps_no_record_of_its_files_fails_at_once(connect: Connect, tmp_path: Path, begun: Begun) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"layout": "registry"})
    SchemaStore(tmp_path / "lake", layout="registry").create_table("shop.orders", "k INT")
    one = sensor(until="files")
    with pytest.raises(AirflowFailException, match="Only a Paimon table tells"):
        one.execute(begun(one))


def test_without_files_the_files_are_waited_for(lake: str, store: SchemaStore, begun: Begun) -> None:
    store.create_table("shop.orders", "k INT, dt STRING, coupon STRING", partition_keys=["dt"])
    one = sensor(until="files", partition={"dt": "{{ ds }}"})
    context: Any = begun(one)
    one.render_template_fields(context)
    heard = Heard(one)
    sleep = deferred(one, context)
    assert sleep.trigger.serialize()[1]["partition"] == {"dt": "2026-03-01"}
    assert heard.lines[0].startswith("shop.orders v0 fits. Waiting for a file of dt=2026-03-01 ... Looking every ")


@pytest.mark.parametrize(
    ("partition", "words"),
    [
        ("None", "partition: it has no value"),
        ("", "partition: it has no value"),
        (None, "partition: it has no value"),
        ({}, "partition: it is empty"),
        ("{}", "partition: it is empty"),
        ([], "partition: it has no value"),
        ({"dt": None}, "partition.dt: it has no value"),
        ("{'dt': None}", "partition.dt: it has no value"),
        ({"dt": ""}, "partition.dt: it has no value"),
        ({"dt": "None"}, "partition.dt: it has no value"),
        ({"dt": "{{ params.day }}"}, "partition.dt: it has no value"),
        ({"dt": ["2026-03-01"]}, "is no value of a partition"),
        ({"shop.order": {"dt": "2026-03-01"}}, "is not among the tables that are read. Did you mean shop.orders?"),
        ({"shop.orders": None}, "partition.shop.orders: it has no value"),
        ({"shop.orders": {}}, "partition.shop.orders: it is empty"),
        ({"shop.orders": {"dt": None}}, "partition.shop.orders.dt: it has no value"),
        ({"shop.orders": {"dt": "2026-03-01"}, "dt": "2026-03-01"}, "'dt' is not among the tables"),
    ],
    ids=repr,
)
def test_a_partition_that_came_to_nothing_is_never_the_whole_table(
    lake: str, store: SchemaStore, begun: Begun, partition: Any, words: str
) -> None:
    store.create_table("shop.orders", "k INT, dt STRING, coupon STRING", partition_keys=["dt"])
    one = sensor(until="files", partition=partition)
    context: Any = begun(one)
    context["params"] = {"day": ""}
    one.render_template_fields(context)
    with pytest.raises(AirflowFailException, match=words):
        one.execute(context)


@pytest.mark.parametrize("until", ["schema"])
def test_a_partition_of_a_schema_is_refused(lake: str, store: SchemaStore, begun: Begun, until: Any) -> None:
    made(store, "ADD COLUMN coupon STRING")
    one = sensor(partition={"dt": "2026-03-01"}, until=until)
    context: Any = begun(one)
    one.render_template_fields(context)
    with pytest.raises(AirflowFailException, match="a schema has no partitions, and until is schema"):
        one.execute(context)


def test_what_is_wrong_about_a_partition_is_told_at_once(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(until="files", partition={"dt": None, "hour": ""})
    with pytest.raises(AirflowFailException, match=r"(?s)partition.dt: it has no value.*partition.hour: it has no value"):
        one.execute(begun(one))


def test_a_table_that_a_partition_leaves_out_is_meant_whole(lake: str, store: SchemaStore, begun: Begun) -> None:
    for name in ("shop.orders", "shop.users"):
        store.create_table(name, "k INT, dt STRING, coupon STRING", partition_keys=["dt"])
    one = sensor(until="files", reads=["shop.orders", "shop.users"], partition={"shop.orders": {"dt": date(2026, 3, 1)}})
    heard = Heard(one)
    deferred(one, begun(one))
    said = " ".join(heard.lines)
    assert "shop.orders v0 fits. Waiting for a file of dt=2026-03-01 ..." in said
    assert "shop.users v0 fits. Waiting for a file of the table ..." in said


# ---------------------------------------------------------------- trouble


def test_a_timeout_says_what_is_missing_still(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor()
    with pytest.raises(AirflowSensorTimeout, match=r"Waited 6:00:00 in vain. shop.orders v0: no coupon yet \(want STRING\)."):
        one.resume_execution("__fail__", {"error": "Trigger timeout"}, begun(one))


def test_soft_fail_skips_no_trouble(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(soft_fail=True)
    context = begun(one)
    sleep = deferred(one, context)
    with pytest.raises(StorageError):
        resumed(one, context, sleep, {"status": "error", "retry": True, "message": "away.", "faults": []})


def test_without_the_triggerer_it_looks_in_the_worker(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(deferrable=False, timeout=0.1)
    with pytest.raises(AirflowSensorTimeout, match="no coupon yet"):
        one.execute(begun(one))
    made(store, "ADD COLUMN coupon STRING")
    assert one.execute(begun(one))["fits"]


def test_its_constructor_only_assigns_and_its_fields_are_templates() -> None:
    one = sensor(reads="{{ r }}", until="{{ u }}", partition={"dt": "{{ ds }}"}, policy="{{ p }}", register="{{ g }}")
    found: Any = (one.reads, one.until, one.partition, one.policy, one.register)
    assert found == (
        "{{ r }}",
        "{{ u }}",
        {"dt": "{{ ds }}"},
        "{{ p }}",
        "{{ g }}",
    )
    assert set(one.template_fields) >= {"conn_id", "reads", "branch", "until", "partition", "policy"}
