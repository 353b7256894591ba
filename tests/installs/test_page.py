"""The page in Airflow's UI, from the wheel, on Airflow 3.3 and 3.2: the plugin is loaded, and its pages answer."""

import json
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.installs.overlay import Overlay, wheel
from tests.servers.process import HOST, free_port, server
from tests.system.support.waiting import until
from tests.ui.support.site import ANONYMOUS, ROLES, Site, page

ENVIRONMENTS = ("airflow33", "airflow32")
DAG = '''
"""A table is made, and gated by a gate that fits."""
from airflow.sdk import DAG
from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaGateOperator

with DAG("quickstart", schedule=None, default_args={"conn_id": "lake"}):
    create = SchemaCreateOperator(task_id="create", table="shop.orders", columns="order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")
    create >> SchemaGateOperator(task_id="gate", reads={"shop.orders": "order_id BIGINT NOT NULL"})
'''


@pytest.fixture(scope="module", params=ENVIRONMENTS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An API server of an Airflow into which the wheel was installed, after a gate has judged."""
    made = Overlay(request.param, tmp_path_factory.mktemp(request.param))
    made.connect("lake", host=str(made.folder / "lake"))
    made.airflow("db", "migrate")
    made.pip("install", "--no-deps", wheel(made.folder))
    (made.dags / "quickstart.py").write_text(DAG)
    made.airflow("dags", "test", "quickstart")
    port = free_port()
    given = made.environment | _settings(made.folder, port)
    with server(str(made.python), "-m", "airflow", "api-server", "--workers", "1", port=port, environment=given, folder=made.folder):
        yield Site(f"http://{HOST}:{port}")


def _settings(folder: Path, port: int) -> dict[str, str]:
    passwords = folder / "passwords.json"
    passwords.write_text(json.dumps({name: name for name in ROLES}))
    return {
        "AIRFLOW__API__HOST": HOST,
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": f"http://{HOST}:{port}",
        "AIRFLOW__API_AUTH__JWT_SECRET": "not a secret, and long enough for the algorithm that signs the tokens",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": ",".join(f"{name}:{role}" for name, role in ROLES.items()),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "AIRFLOW__SCHEMAS__UI_CONNECTIONS": "lake",
    }


def test_airflow_offers_the_views_of_the_plugin(site: Site) -> None:
    listed = {plugin["name"]: plugin for plugin in site.rest().ask("/api/v2/plugins")["plugins"]}
    views = {view["destination"]: view for view in listed["schemas"]["external_views"]}
    assert set(views) == {"nav", "dag", "task_instance"}
    assert views["nav"]["url_route"] == "schemas"
    assert listed["schemas"]["fastapi_apps"]
    errors = site.rest().ask("/api/v2/plugins/importErrors")["import_errors"]
    assert errors == []


def test_gates_and_verdicts_are_read_out_of_this_airflow(site: Site) -> None:
    # The first request of a server imports what it needs, which a busy machine may not do in time.
    address = page("gates")
    until("it comes in time", lambda: site.get(address).status == HTTPStatus.OK, seconds=60, tell=lambda: site.get(address).text)
    gates = site.get(page("gates"), "viewer")
    assert "shop.orders" in gates.text
    assert "not readable" not in gates.text
    assert "shop.orders" in site.get(page("dag", dag_id="quickstart"), "viewer").text


@pytest.mark.parametrize("path", ["tables", "table", "columns", "readers", "references", "diff"])
def test_pages_of_tables_answer(path: str, site: Site) -> None:
    answer = site.get(page(path, conn="lake", t="shop.orders"), "viewer")
    assert answer.status == 200
    assert "shop.orders" in answer.text


@pytest.mark.parametrize("path", ["gates", "tables", "task", "dag", "nowhere"])
def test_nobody_sees_a_page_without_signing_in(path: str, site: Site) -> None:
    assert site.get(page(path), ANONYMOUS).status == 401
    assert site.get(page(path), "mallory").status == 403
