"""Sensors and watchers over tables of four kinds in one connection: the change of any peer wakes them, a return to what was as well."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from airflow.sdk.exceptions import AirflowSensorTimeout

from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.triggers import SchemaVersionEventTrigger, event
from tests.provider.conftest import Connect, MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, deferred, resumed
from tests.provider.support.four_kinds import TABLES, Peer, four_kinds
from tests.provider.support.trigger_runs import PATIENCE, POLL, Heard, run, silent, until
from tests.servers.bucket import Storage

# A folder of plain files has no versions of its own: those of its description change when people change them.
VERSIONED: Final = ("rest", "glue", "paimon")
Peers = Mapping[str, Peer]


@pytest.fixture
def peers(connect: Connect, s3_server: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Peers]:
    """The peers of four tables, and a connection `lake` that leads to all of them."""
    monkeypatch.setattr(event, "_HANDED_ON_SECONDS", 0.0)
    with four_kinds(tmp_path, s3_server) as (peers, connections):
        for conn_id, fields in connections.items():
            connect(conn_id, **fields)
        yield peers


@pytest.mark.parametrize("kind", VERSIONED)
def test_a_contract_waits_for_its_column_and_the_peer_brings_it(kind: str, peers: Peers, context: MakeContext) -> None:
    sensor = SchemaContractSensor(task_id="wait", conn_id="lake", poke_interval=0.02, reads={TABLES[kind]: "customer_id BIGINT"})
    about = context(sensor, **NOBODY)
    sleep = deferred(sensor, about)
    peers[kind].rename()
    assert resumed(sensor, about, sleep)["tables"][TABLES[kind]]["verdict"] == "ok"


def test_for_a_plain_folder_it_is_the_description_that_wakes_and_not_a_file(peers: Peers, context: MakeContext, tmp_path: Path) -> None:
    about: dict[str, Any] = {"task_id": "wait", "conn_id": "lake", "reads": {TABLES["parquet"]: "customer_id BIGINT"}}
    peers["parquet"].rename()
    looking = SchemaContractSensor(**about, poke_interval=0.02, timeout=0.3, deferrable=False, mode="poke")
    with pytest.raises(AirflowSensorTimeout):
        looking.execute(context(looking, **NOBODY))
    sensor = SchemaContractSensor(**about, poke_interval=0.02)
    run = context(sensor, **NOBODY)
    sleep = deferred(sensor, run)
    described = SchemaStore(tmp_path / "lake", actor="ana").table(TABLES["parquet"])
    described.evolve("RENAME COLUMN cust_id TO customer_id", override="the files have it")
    assert resumed(sensor, run, sleep)["tables"][TABLES["parquet"]]["judged_by"] == "footer (1 of 1)"


@pytest.mark.parametrize("kind", VERSIONED)
def test_a_sensor_wakes_at_a_change_and_at_its_return(kind: str, peers: Peers, context: MakeContext) -> None:
    found = []
    for act in ("rename", "rename_back"):
        sensor = SchemaVersionSensor(task_id="wait", conn_id="lake", table=TABLES[kind], since="now", poke_interval=0.02)
        about = context(sensor, **NOBODY)
        sleep = deferred(sensor, about)
        getattr(peers[kind], act)()
        found.append(resumed(sensor, about, sleep)["changes"])
    assert found == [["RENAME COLUMN cust_id TO customer_id"], ["RENAME COLUMN customer_id TO cust_id"]]


@pytest.mark.parametrize("kind", VERSIONED)
def test_a_watcher_hears_of_each_change_of_its_return_and_of_another_table_under_the_name(kind: str, peers: Peers) -> None:
    def make_another() -> None:
        peers[kind].remove()
        peers[kind].create_another()

    renamed, reverted, replaced = run(told(kind, peers[kind].rename, peers[kind].rename_back, make_another))
    assert renamed["changes"] == ["RENAME COLUMN cust_id TO customer_id"]
    assert reverted["changes"] == ["RENAME COLUMN customer_id TO cust_id"]
    assert (replaced["version"], replaced["kind"]) == (0, "rewound" if kind == "paimon" else "replaced")


async def told(kind: str, *acts: Any) -> list[Any]:
    """The event that comes of each act, once the watcher has begun; nothing comes behind the last."""
    trigger = SchemaVersionEventTrigger(conn_id="lake", table=TABLES[kind], branch=None, poll=POLL, start="latest")
    heard = Heard(trigger)
    events = trigger.run()
    found = []
    for act in acts:
        waiting = asyncio.ensure_future(anext(events))
        await until(lambda: any("watching for" in line for line in heard.lines))
        await asyncio.sleep(4 * POLL)
        assert not waiting.done()
        await asyncio.to_thread(act)
        found.append((await asyncio.wait_for(waiting, PATIENCE)).payload)
    assert await silent(events)
    return found
