"""One gate over Delta, Delta that maps its columns, Iceberg and Paimon, in a real Airflow, while the peers change their tables."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from airflow_provider_schemas.sensors import SchemaVersionSensor
from tests.provider.conftest import Connect, MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, deferred, resumed
from tests.provider.support.dag_runs import Run, told
from tests.provider.support.kinds_with_delta import TABLES, kinds_with_delta
from tests.servers.bucket import Bucket

DAGS = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaGateOperator
from tests.provider.support.four_kinds import NEEDS
from tests.provider.support.kinds_with_delta import TABLES

ABOUT = {"conn_id": "lake", "owner": "team-bi"}

def job():
    @task
    def daily(): print("RAN")
    return daily()

with DAG("gated", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=dict.fromkeys(TABLES.values(), NEEDS)) >> job()
with DAG("unsaid", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=list(TABLES.values())) >> job()
"""

STORY = """
import json, os
from pathlib import Path
from tests.provider.support.kinds_with_delta import kinds_with_delta
from tests.servers.s3 import s3

with s3() as server, kinds_with_delta(Path(os.environ["AIRFLOW_HOME"]) / "kinds", server.bucket()) as (peers, connections):
    for conn_id, fields in connections.items():
        os.environ[f"AIRFLOW_CONN_{conn_id.upper()}"] = json.dumps(fields)

    def tell(name, dag, *acts):
        for kind, act in acts:
            getattr(peers[kind], act)()
        note(name)
        run(dag)

    def again(kind):
        peers[kind].remove()
        peers[kind].create()

    tell("first", "gated")
    tell("added", "gated", *((kind, "add") for kind in peers))
    for kind in peers:
        for act in ("rename", "drop", *(("retype",) if kind == "delta" else ())):
            tell(f"{act} {kind}", "gated", (kind, act))
            again(kind)
    tell("gone", "gated", ("delta", "remove"))
    peers["delta"].create()

    tell("first without a contract", "unsaid")
    tell("added without a contract", "unsaid", *((kind, "add") for kind in peers))
    tell("changed without a contract", "unsaid", ("delta", "drop"), ("mapped", "drop_and_add"), ("iceberg", "rename"), ("paimon", "drop"))
"""

MISSING: Final = "EXPECT_FIELD_MISSING"
RENAMED: Final = "EXPECT_FIELD_RENAMED"
# What stops the job, and what the block says of it: an overwrite of a table without ids is a drop, whatever people meant.
STOPS: Final = {
    "rename delta": (MISSING, "cust_id"),
    "drop delta": (MISSING, "amount"),
    "retype delta": ("EXPECT_TYPE_MISMATCH", "cust_id is STRING, and the reader takes BIGINT"),
    "gone": ("TABLE_MISSING", "raw.plain"),
    "rename mapped": (RENAMED, "cust_id is now customer_id (field id 2)"),
    "drop mapped": (MISSING, "amount"),
    "rename iceberg": (RENAMED, "cust_id is now customer_id (field id 2)"),
    "drop iceberg": (MISSING, "amount"),
    "rename paimon": (RENAMED, "cust_id is now customer_id"),
    "drop paimon": (MISSING, "amount"),
}
# Who did it and when, as far as the source knows: of Delta what its log says, which anybody may write there.
ORIGINS: Final = {
    "drop delta": r"note: version 1 is current since 20\d\d-\d\d-\d\d \d\d:\d\d UTC.*WRITE.*delta-rs",
    "drop mapped": r"note: version 1 is current since 2023-11-14 22:13 UTC.*ana.*DROP COLUMNS",
    "drop iceberg": r"note: version 1 is current since 20\d\d-\d\d-\d\d \d\d:\d\d UTC",
    "drop paimon": r"20\d\d-\d\d-\d\d \d\d:\d\d UTC by flink",
}
JUDGED_BY: Final = {"delta": "metadata", "mapped": "metadata", "iceberg": "metadata", "paimon": "schema files"}
CAME: Final = {"delta": {"FIELD_DROPPED"}, "mapped": {"FIELD_READDED"}, "iceberg": {"FIELD_RENAMED"}, "paimon": {"FIELD_DROPPED"}}
STOPPED: Final = {"gate": "failed", "daily": "upstream_failed"}
RAN: Final = {"gate": "success", "daily": "success"}


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    names_and_runs = told(tmp_path_factory.mktemp("kinds"), airflow_database, STORY, gates=DAGS)
    return dict(zip(names_and_runs[::2], names_and_runs[1::2], strict=True))


def tables_of(run: Run) -> dict[str, Any]:
    tables: dict[str, Any] = run.verdicts["gate"]["tables"]
    return {kind: tables[name] for kind, name in TABLES.items()}


def rules(table: dict[str, Any]) -> set[str]:
    """What does not fit; that a table was made anew since the last run is only a warning."""
    return {finding["rule"] for finding in table["findings"] if finding["verdict"] not in ("ok", "warn")}


def test_one_gate_over_four_kinds_says_of_each_by_what_it_was_judged(story: dict[str, Run]) -> None:
    run = story["first"]
    assert run.states == RAN
    assert {kind: table["judged_by"] for kind, table in tables_of(run).items()} == JUDGED_BY


@pytest.mark.parametrize("name", ["added", "first without a contract", "added without a contract"])
def test_a_column_that_nobody_needs_lets_the_job_run(name: str, story: dict[str, Run]) -> None:
    run = story[name]
    assert run.states == RAN
    assert {table["verdict"] for table in tables_of(run).values()} == {"ok"}


@pytest.mark.parametrize("name", STOPS)
def test_a_change_by_the_peer_of_one_table_stops_the_job_and_names_the_column(name: str, story: dict[str, Run]) -> None:
    rule, said = STOPS[name]
    run = story[name]
    assert run.states == STOPPED
    assert "RAN" not in run.log
    kind = name.partition(" ")[2] or "delta"
    tables = tables_of(run)
    assert {other: rules(table) for other, table in tables.items() if rules(table)} == {kind: {rule}}
    assert said in run.log
    assert "gated.gate needs 4 tables, 1 does not fit" in run.log


@pytest.mark.parametrize("name", ORIGINS)
def test_the_block_says_when_it_was_and_who_as_far_as_the_source_knows(name: str, story: dict[str, Run]) -> None:
    assert re.search(ORIGINS[name], story[name].log), story[name].log


@pytest.mark.parametrize("kind", TABLES)
def test_without_a_contract_it_is_what_came_since(kind: str, story: dict[str, Run]) -> None:
    run = story["changed without a contract"]
    assert run.states == STOPPED
    table = tables_of(run)[kind]
    assert (table["verdict"], rules(table)) == ("break", CAME[kind])


class TestOfASensor:
    """A sensor for versions wakes when the log of a Delta table has another schema."""

    @pytest.fixture
    def peers(self, connect: Connect, s3_bucket: Bucket, tmp_path: Path) -> Iterator[Mapping[str, Any]]:
        with kinds_with_delta(tmp_path / "kinds", s3_bucket) as (peers, connections):
            for conn_id, fields in connections.items():
                connect(conn_id, **fields)
            yield peers

    def test_it_wakes_and_tells_a_rename_where_columns_are_mapped(self, peers: Mapping[str, Any], context: MakeContext) -> None:
        found = {}
        for kind in ("delta", "mapped"):
            sensor = SchemaVersionSensor(task_id="wait", conn_id="lake", table=TABLES[kind], since="now", poke_interval=0.02)
            about = context(sensor, **NOBODY)
            sleep = deferred(sensor, about)
            peers[kind].rename()
            found[kind] = resumed(sensor, about, sleep)["changes"]
        assert found["mapped"] == ["RENAME COLUMN cust_id TO customer_id"]
        assert set(found["delta"]) == {"DROP COLUMN cust_id", "ADD COLUMN customer_id BIGINT AFTER order_id"}
