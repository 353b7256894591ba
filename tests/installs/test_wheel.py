"""The wheel in a clean Airflow 3.3 and 3.2: what users see of it works, and taking it away leaves Airflow as it was. Others are refused."""

import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installs.overlay import TOP, Overlay, wheel

ENVIRONMENTS = {"airflow33": "3.3.", "airflow32": "3.2."}
NAME = "airflow-provider-schemas"
DOORS = ("hooks", "operators", "sensors", "triggers", "notifications", "assets")
QUICKSTART = '''
"""A table is made, gated, and judged by a function."""
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaGateOperator

with DAG("quickstart", schedule=None, default_args={"conn_id": "lake"}):
    create = SchemaCreateOperator(task_id="create", table="shop.orders", columns="order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")
    gate = SchemaGateOperator(task_id="gate", reads={"shop.orders": "order_id BIGINT NOT NULL"})

    @task.schema_gate
    def needs() -> dict[str, list[str]]:
        return {"shop.orders": ["amount"]}

    @task
    def report(verdict: dict) -> None:
        print("the gate saw", verdict["tables"]["shop.orders"]["version"], verdict["verdict"])

    create >> gate >> needs() >> report(gate.output)
'''
# Lines of the log, which bear the time.
_LOGGED = re.compile(r"^20[0-9]{2}-.*\n", re.MULTILINE)
PLAIN = """
from airflow.sdk import DAG, task

with DAG("plain", schedule=None):

    @task
    def work() -> None:
        print("it works")

    work()
"""
FORM = """
from airflow.api_fastapi.core_api.services.ui.connections import HookMetaService
shown = next(one for one in HookMetaService.hook_meta_data() if one.connection_type == "schema_store")
print(shown.hook_name, "has", shown.standard_fields.host.title, "and", *shown.extra_fields)
"""
PARSED = """
import sys
from airflow.dag_processing.dagbag import DagBag
bag = DagBag(sys.argv[1])
assert not bag.import_errors, bag.import_errors
print(sorted(bag.dags), len(bag.dags["everything"].tasks))
"""
OUTSIDE = """
import importlib.metadata, sys
real = importlib.metadata.version
importlib.metadata.version = lambda name: sys.argv[1] if name in ("apache-airflow-core", "apache-airflow") else real(name)
import airflow
from airflow.sdk import DAG, Asset
from airflow_provider_schemas._provider_info import get_provider_info
print(get_provider_info()["package-name"], Asset(uri="s3://bucket/orders").uri)
for door in sys.argv[2:]:
    try:
        __import__(f"airflow_provider_schemas.{door}")
    except ImportError as error:
        print(door, "says", error)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module", params=ENVIRONMENTS)
def clean(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Overlay:
    """An Airflow without the wheel, with a database and a DAG."""
    made = Overlay(request.param, tmp_path_factory.mktemp(request.param))
    made.connect("lake", host=str(made.folder / "lake"))
    made.airflow("db", "migrate")
    return made


@pytest.fixture(scope="module")
def said_before(clean: Overlay) -> dict[str, str]:
    """What Airflow said before the wheel was there."""
    return everyday(clean)


@pytest.fixture(scope="module")
def installed(clean: Overlay, built: Path, said_before: dict[str, str]) -> Iterator[Overlay]:
    clean.pip("install", "--no-deps", built)
    (clean.dags / "quickstart.py").write_text(QUICKSTART)
    shutil.copy(TOP / "tests/provider/support/every_operator_dag.py", clean.dags / "everything.py")
    yield clean
    for file in clean.dags.glob("*.py"):
        file.unlink()
    clean.pip("uninstall", "--yes", NAME)
    assert everyday(clean) == said_before, "what was there before the wheel is not there after it"


def everyday(made: Overlay) -> dict[str, str]:
    """What Airflow says to everyday commands, with a DAG that has nothing to do with us."""
    file = made.dags / "plain.py"
    file.write_text(PLAIN)
    commands = ("version", "dags list --local -o plain", "dags list-import-errors --local -o plain", "providers list -o plain")
    assert "it works" in made.airflow("dags", "test", "plain")
    said = {command: _LOGGED.sub("", made.airflow(*command.split())) for command in commands}
    file.unlink()
    return said


def test_the_wheel_brings_no_folder_into_airflow_itself(built: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(built).namelist()}
    assert "airflow" not in tops
    assert tops == {"airflow_provider_schemas", f"{built.name.removesuffix('-py3-none-any.whl')}.dist-info"}


def test_it_is_the_airflow_that_is_meant(installed: Overlay) -> None:
    assert installed.airflow("version").strip().splitlines()[-1].startswith(ENVIRONMENTS[installed.name])


def test_airflow_knows_the_provider(installed: Overlay) -> None:
    assert NAME in installed.airflow("providers", "get", NAME)
    full = installed.airflow("providers", "get", NAME, "--full", "-o", "plain")
    assert "schema_store" in full


@pytest.mark.parametrize(
    ("listing", "shown"),
    [
        ("hooks", "airflow_provider_schemas.hooks.schema_store.SchemaStoreHook"),
        ("behaviours", "schema_store"),
        ("widgets", "extra__schema_store__storage_conn_id"),
        ("links", "airflow_provider_schemas.tasks.output.extra_links.ChangedByLink"),
        ("triggers", "airflow_provider_schemas.triggers"),
        ("notifications", "airflow_provider_schemas.notifications.notifier.SchemaNotifier"),
    ],
)
def test_airflow_lists_what_it_brings(installed: Overlay, listing: str, shown: str) -> None:
    assert shown in installed.airflow("providers", listing, "-o", "plain")


def test_the_form_of_the_connection_is_there(installed: Overlay) -> None:
    assert "Schema store has Warehouse URI and storage_conn_id storage_options registry" in installed.run("-c", FORM)


def test_airflow_tests_the_connection(installed: Overlay) -> None:
    assert "Connection success!" in installed.airflow("connections", "test", "lake")


def test_a_connection_that_is_not_there_comes_with_the_command_that_makes_it(installed: Overlay) -> None:
    said = installed.run(
        "-c", "from airflow_provider_schemas.hooks import SchemaStoreHook; print(SchemaStoreHook('sea').test_connection())"
    )
    assert "connection sea: it is not defined. Run: airflow connections add sea" in said


def test_a_dag_with_every_operator_and_sensor_is_parsed(installed: Overlay) -> None:
    shown = installed.run("-W", "error::DeprecationWarning:airflow_provider_schemas", "-c", PARSED, installed.dags)
    assert "['everything', 'quickstart']" in shown


def test_a_table_is_made_and_gated_for_real(installed: Overlay) -> None:
    said = installed.airflow("dags", "test", "quickstart")
    assert "the gate saw 0 ok" in said
    assert (installed.folder / "lake/shop.db/orders/schema/schema-0").is_file()
    assert "shop" in installed.airflow("schemas", "ls", "--conn", "lake")


class TestAnAirflowOutsideTheRange:
    @pytest.mark.parametrize("version", ["3.1.8", "2.11.0", "4.0.0"])
    def test_each_door_names_the_range_and_airflow_itself_goes_on(self, installed: Overlay, version: str) -> None:
        said = installed.run("-W", "ignore", "-c", OUTSIDE, version, *DOORS)
        assert f"{NAME} s3://bucket/orders" in said
        for door in DOORS:
            assert f"{door} says {NAME} works with apache-airflow >=3.2,<4, and this is {version}." in said
