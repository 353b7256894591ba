"""What goes wrong between a task and its store: what is said, and how the task ends. The table is the one of the documentation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException, TaskDeferred
from airflow.sdk.execution_time import supervisor

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator
from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.error_handling import state_of
from tests.provider.conftest import Connect, MakeContext
from tests.provider.hooks.test_filesystems import aws
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault
from tests.servers.fixtures import Flawed
from tests.servers.process import free_port

TABLE = "shop.orders"
COLUMNS = "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"
# Retry: as often as the task has retries. Fail: at once, whatever retries are left. Waits: goes on looking. Ends: green.
RETRY, FAIL, SKIP, WAITS, ENDS = "retry", "fail", "skip", "waits", "ends"


class Row(NamedTuple):
    """One trouble: what a message about it begins with, and the end of each task that meets it."""

    trouble: str
    said: str
    hook: str
    evolve: str
    gate: str
    version_sensor: str
    contract_sensor: str


TROUBLES = (
    Row("the storage does not answer", "the storage cannot be reached, or does not answer as it should", RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the storage does not know the credentials", "there are no credentials for it, or the storage does not accept them",
        RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the right to list or read is missing", "access is denied", RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the bucket is missing", "its bucket does not exist", RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the table is missing", "shop.orders", FAIL, FAIL, FAIL, WAITS, WAITS),
    Row("the table is missing, on_missing='skip'", "shop.orders", FAIL, FAIL, SKIP, WAITS, WAITS),
    Row("the table is missing, on_missing='warn'", "shop.orders", FAIL, FAIL, ENDS, WAITS, WAITS),
    Row("the folder of the warehouse is missing", "is not there, so nothing is known of what lies in it",
        RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the newest schema file is damaged", "schema-0", FAIL, FAIL, FAIL, FAIL, FAIL),
    Row("the contract, or the change, cannot be read", "", ENDS, FAIL, FAIL, ENDS, FAIL),
    Row("the connection is of another type", "is of the type 'aws', and not of the type schema_store", FAIL, FAIL, FAIL, FAIL, FAIL),
    Row("the connection is not defined", "connection lake: it is not defined. Run: airflow connections add", FAIL, FAIL, FAIL, FAIL, FAIL),
    Row("an extra of the connection is wrong", "'layot' is no extra of a schema_store connection. Did you mean layout?",
        FAIL, FAIL, FAIL, FAIL, FAIL),
    Row("Airflow cannot look the connection up", "connection lake: Airflow could not look it up", RETRY, RETRY, RETRY, RETRY, RETRY),
    Row("the connection is read only", "was opened to be read only", ENDS, FAIL, ENDS, ENDS, ENDS),
)  # fmt: skip
DOORS = Row._fields[2:]


class Scene:
    """A store with the table, behind a connection, and what a trouble does to them."""

    def __init__(self, connect: Connect, folder: Path, bucket: Bucket, flawed: Flawed, monkeypatch: pytest.MonkeyPatch) -> None:
        self.connect, self.folder, self.bucket, self.flawed, self.monkeypatch = connect, folder / "lake", bucket, flawed, monkeypatch
        self.reads: Any = {TABLE: "order_id BIGINT NOT NULL"}
        self.changes: Any = ["ADD COLUMN coupon STRING"]
        self.on_missing = "fail"

    def on_this_disk(self, **extra: Any) -> None:
        SchemaStore(self.folder).create_table(TABLE, COLUMNS)
        self.connect(host=str(self.folder), extra=extra)

    def on_s3(self, bucket: Bucket) -> None:
        SchemaStore(self.bucket.url("lake"), storage_options=self.bucket.storage_options).create_table(TABLE, COLUMNS)
        self.connect(host=bucket.url("lake"), extra={"storage_conn_id": aws(self.connect, bucket)})

    def answered_with(self, status: int) -> None:
        there, proxy = self.flawed(self.bucket)
        self.on_s3(there)
        proxy.fail("", "", Fault.ANSWER_BEFORE, status=status, times=1_000)

    # ------------------------------------------------------------ troubles

    def does_not_answer(self) -> None:
        self.on_s3(self.bucket.through(free_port()))

    def no_bucket(self) -> None:
        self.on_s3(self.bucket.named("nowhere-at-all"))

    def no_table(self, on_missing: str = "fail") -> None:
        self.folder.mkdir()
        self.connect(host=str(self.folder))
        self.on_missing = on_missing

    def no_warehouse(self) -> None:
        self.connect(host=str(self.folder))
        self.on_missing = "warn"

    def damaged(self) -> None:
        self.on_this_disk()
        (self.folder / "shop.db/orders/schema/schema-0").write_text('{"id": ')

    def unreadable(self) -> None:
        self.on_this_disk()
        self.reads, self.changes = {TABLE: "order_id BIGNIT"}, ["ADD COLUM coupon"]

    def another_type(self) -> None:
        self.connect(conn_type="aws", host=str(self.folder))

    def backend_is_down(self) -> None:
        def get_connection(conn_id: str) -> None:
            raise ConnectionError("vault is sealed")

        backend = type("Down", (), {"get_connection": staticmethod(get_connection)})()
        self.monkeypatch.setattr(supervisor, "ensure_secrets_backend_loaded", lambda: [backend])


MADE: dict[str, Callable[[Scene], None]] = {
    "the storage does not answer": Scene.does_not_answer,
    "the storage does not know the credentials": lambda scene: scene.answered_with(401),
    "the right to list or read is missing": lambda scene: scene.answered_with(403),
    "the bucket is missing": Scene.no_bucket,
    "the table is missing": Scene.no_table,
    "the table is missing, on_missing='skip'": lambda scene: scene.no_table("skip"),
    "the table is missing, on_missing='warn'": lambda scene: scene.no_table("warn"),
    "the folder of the warehouse is missing": Scene.no_warehouse,
    "the newest schema file is damaged": Scene.damaged,
    "the contract, or the change, cannot be read": Scene.unreadable,
    "the connection is of another type": Scene.another_type,
    "the connection is not defined": lambda scene: None,
    "an extra of the connection is wrong": lambda scene: scene.on_this_disk(layot="paimon"),
    "Airflow cannot look the connection up": Scene.backend_is_down,
    "the connection is read only": lambda scene: scene.on_this_disk(read_only=True),
}
# What asks, as it stands in a DAG.
ASKED: dict[str, Callable[[Scene], Any]] = {
    "evolve": lambda scene: SchemaEvolveOperator(task_id="evolve", conn_id="lake", table=TABLE, changes=scene.changes),
    "gate": lambda scene: SchemaGateOperator(task_id="gate", conn_id="lake", reads=scene.reads, on_missing=scene.on_missing),
    "version_sensor": lambda scene: SchemaVersionSensor(task_id="wait", conn_id="lake", table=TABLE, since=-1),
    "contract_sensor": lambda scene: SchemaContractSensor(task_id="fits", conn_id="lake", reads=scene.reads),
}


@pytest.fixture
def scene(connect: Connect, tmp_path: Path, s3_bucket: Bucket, flawed: Flawed, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(connect, tmp_path, s3_bucket, flawed, monkeypatch)


def ended(call: Callable[[], Any]) -> tuple[str, str]:
    """How a task ends, and what is said then."""
    try:
        call()
    except TaskDeferred:
        return WAITS, ""
    except AirflowSkipException as skipped:
        return SKIP, str(skipped)
    except AirflowFailException as failed:
        return FAIL, str(failed)
    except SchemaError as error:
        return RETRY, str(error)
    return ENDS, ""


def looked() -> tuple[str, str]:
    """How a task ends that asks the hook itself, and settles what it raises as ours do."""
    try:
        SchemaStoreHook("lake").table(TABLE).schema()
    except SchemaError as error:
        return state_of(error), str(error)
    return ENDS, ""


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("row", TROUBLES, ids=lambda row: row.trouble.replace(" ", "-"))
def test_each_trouble_is_said_and_ends_the_task_as_the_table_has_it(row: Row, door: str, scene: Scene, context: MakeContext) -> None:
    MADE[row.trouble](scene)
    if door == "hook":
        end, said = looked()
    else:
        task = ASKED[door](scene)
        end, said = ended(lambda: task.execute(context(task)))
    assert end == getattr(row, door), said
    if end in (RETRY, FAIL, SKIP):
        assert row.said in said


def test_the_table_has_every_trouble_once() -> None:
    assert [row.trouble for row in TROUBLES] == list(MADE)


def test_no_message_shows_a_secret(scene: Scene) -> None:
    for status in (401, 403, 500):
        scene.answered_with(status)
        assert "testing-secret" not in json.dumps(looked())
