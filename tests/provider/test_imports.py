"""Every door opens light: no heavy library, no warning, little of others; and whatever a DAG is made of can be stored and brought back."""

import json
import subprocess
import sys
from importlib import import_module
from inspect import isabstract, isclass, signature
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk import BaseOperator, BaseSensorOperator
from airflow.sdk.serde import deserialize, serialize
from airflow.serialization.serialized_objects import DagSerialization
from airflow.triggers.base import BaseTrigger

from airflow_provider_schemas import operators, sensors, triggers
from tests.provider.support.import_costs import DOORS, TOP, Opened, opened

EVERYTHING = TOP / "tests/provider/support/every_operator_dag.py"
HEAVY = frozenset(
    """
    aiobotocore adlfs azure boto3 botocore fastapi flatbuffers gcsfs google grpc jsonschema_path numpy openlineage pandas polars pyarrow
    pypaimon pyspark requests_toolbelt s3fs starlette uvicorn
    """.split()
)
# What Airflow itself brings where a class of its own is used, or its command line.
MOST_OF_OTHERS = 20
MORE = MappingProxyType(
    {
        "airflow_provider_schemas.cli.airflow_plugin": 40,  # Airflow's parser of commands, which is loaded already where this is imported
        "airflow_provider_schemas.operators.approval": 40,  # Airflow's own approval, with its trigger
        "airflow_provider_schemas.operators.evolution": 60,  # likewise, and task groups
    }
)
# Modules of other providers that a door may load: what is part of every Airflow.
OF_AIRFLOW = ("airflow.providers.standard", "airflow.providers.common.compat")
NOTHING_IS_ASKED = """
import socket, builtins, sys, io
def refuse(*args, **kwargs):
    raise AssertionError(f"a DAG file was parsed, and asked for {args}")
import airflow.sdk
socket.socket.connect = refuse
from airflow.sdk.bases.hook import BaseHook
BaseHook.get_connection = refuse
import runpy
runpy.run_path(sys.argv[1])
print("parsed")
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Opened]:
    return {one.door: one for one in opened(tmp_path_factory.mktemp("doors"), DOORS)}


class TestEveryDoor:
    @pytest.mark.parametrize("door", DOORS)
    def test_it_opens_without_a_warning(self, door: str, found: dict[str, Opened]) -> None:
        assert found[door].failed == ""

    @pytest.mark.parametrize("door", DOORS)
    def test_it_loads_no_heavy_library(self, door: str, found: dict[str, Opened]) -> None:
        assert {name.split(".")[0] for name in found[door].others} & HEAVY == set()

    @pytest.mark.parametrize("door", DOORS)
    def test_it_loads_little_that_is_not_ours(self, door: str, found: dict[str, Opened]) -> None:
        assert len(found[door].others) <= MORE.get(door, MOST_OF_OTHERS), found[door].others

    @pytest.mark.parametrize("door", DOORS)
    def test_it_loads_no_other_provider(self, door: str, found: dict[str, Opened]) -> None:
        providers = [name for name in found[door].others if name.startswith("airflow.providers.")]
        assert [name for name in providers if not name.startswith(OF_AIRFLOW)] == []


def classes(room: Any, kind: type) -> list[type]:
    """The classes of a kind that a room offers."""
    offered = (getattr(room, name) for name in room.__all__)
    return [one for one in offered if isclass(one) and issubclass(one, kind) and not isabstract(one)]


OPERATORS = classes(operators, BaseOperator) + classes(sensors, BaseSensorOperator)


@pytest.fixture(scope="module")
def bag() -> DagBag:
    return DagBag(str(EVERYTHING))


class TestTasks:
    def test_a_dag_of_everything_is_parsed(self, bag: DagBag) -> None:
        assert bag.import_errors == {}

    def test_it_has_a_task_of_every_class(self, bag: DagBag) -> None:
        assert {one.__name__ for one in OPERATORS} <= {task.task_type for task in bag.dags["everything"].tasks}

    def test_it_is_stored_and_brought_back_the_same(self, bag: DagBag) -> None:
        there = bag.dags["everything"]
        again = DagSerialization.from_dict(json.loads(json.dumps(DagSerialization.to_dict(there))))
        assert {task.task_id: task.task_type for task in again.tasks} == {task.task_id: task.task_type for task in there.tasks}
        for task in there.tasks:
            assert again.get_task(task.task_id).downstream_task_ids == task.downstream_task_ids
            assert set(again.get_task(task.task_id).template_fields) == set(task.template_fields)

    def test_it_is_stored_alike_every_time_it_is_parsed(self) -> None:
        """Whatever differs from parse to parse makes a new version of the DAG each time."""
        bags = (DagBag(str(EVERYTHING)) for _ in range(2))
        first, second = (DagSerialization.to_dict(found.dags["everything"]) for found in bags)
        assert first == second

    def test_parsing_asks_nobody_for_anything(self, tmp_path: Path) -> None:
        line = [sys.executable, "-W", "ignore", "-c", NOTHING_IS_ASKED, str(EVERYTHING)]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout.splitlines()[-1:] == ["parsed"], done.stderr

    @pytest.mark.parametrize("kind", OPERATORS, ids=lambda kind: kind.__name__)
    def test_arguments_are_keywords_and_template_fields_are_among_them(self, kind: Any) -> None:
        named = {
            name
            for one in kind.__mro__
            if "__init__" in vars(one)
            for name, about in signature(one.__init__).parameters.items()
            if about.kind is about.KEYWORD_ONLY
        }
        assert kind.template_ext == ()
        assert set(kind.template_fields) <= named
        assert "conn_id" in kind.template_fields


TRIGGERS: dict[str, dict[str, Any]] = {
    "SchemaVersionTrigger": {"conn_id": "lake", "table": "shop.orders", "branch": None, "version": 1, "digest": "", "poll": 5.0},
    "SchemaContractTrigger": {
        "conn_id": "lake",
        "reads": {"shop.orders": None, "shop.users": {"fields": [{"name": "id", "type": "BIGINT"}]}},
        "branch": None,
        "until": "schema",
        "partition": None,
        "policy": None,
        "consumer": "reports.daily",
        "since": {"shop.orders": [1, ""]},
        "poll": 5.0,
    },
    "SchemaVersionEventTrigger": {"conn_id": "lake", "table": "shop.orders", "poll": 5.0, "start": "earliest", "asset": "lake/shop.orders"},
}


class TestTriggers:
    def test_none_is_forgotten(self) -> None:
        assert set(TRIGGERS) == {one.__name__ for one in classes(triggers, BaseTrigger)}

    @pytest.mark.parametrize("name", TRIGGERS)
    def test_it_comes_back_the_same_from_where_airflow_keeps_it(self, name: str) -> None:
        made: BaseTrigger = getattr(triggers, name)(**TRIGGERS[name])
        path, kwargs = made.serialize()
        kept: Any = deserialize(json.loads(json.dumps(serialize(kwargs))))
        assert kept == kwargs
        module, _, kind = path.rpartition(".")
        assert getattr(import_module(module), kind)(**kept).serialize() == (path, kwargs)

    @pytest.mark.parametrize("name", TRIGGERS)
    def test_it_is_told_from_others_by_the_same_text_every_time(self, name: str) -> None:
        first, second = (json.dumps(getattr(triggers, name)(**TRIGGERS[name]).serialize()) for _ in range(2))
        assert first == second
