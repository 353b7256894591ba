"""The plugin as Airflow loads it: data that its API accepts, in each process, at next to no cost."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from airflow_provider_schemas.plugins.schemas_plugin import SchemasPlugin

VIEWS: list[dict[str, Any]] = SchemasPlugin.external_views
LOADED = """
import sys
import airflow.plugins_manager
before = set(sys.modules)
from airflow_provider_schemas.plugins.schemas_plugin import SchemasPlugin
print(*sorted(name for name in set(sys.modules) - before))
"""


def test_airflow_finds_it_by_its_entry_point(airflow_app: FastAPI, as_role: Any) -> None:
    answer = as_role("admin").get("/api/v2/plugins").json()
    ours = next(plugin for plugin in answer["plugins"] if plugin["name"] == "schemas")
    assert [view["url_route"] for view in ours["external_views"]] == ["schemas", "schemas_dag", "schemas_task"]
    assert as_role("admin").get("/api/v2/plugins/importErrors").json()["import_errors"] == []


@pytest.mark.parametrize("view", VIEWS, ids=[view["url_route"] for view in VIEWS])
def test_an_address_is_relative_so_that_it_holds_below_a_prefix(view: dict[str, Any]) -> None:
    assert view["href"].startswith("schemas/")


@pytest.mark.parametrize("view", VIEWS, ids=[view["url_route"] for view in VIEWS])
def test_a_name_stands_in_the_query_and_never_in_the_path(view: dict[str, Any]) -> None:
    assert "{" not in view["href"].partition("?")[0]


@pytest.mark.parametrize("view", VIEWS, ids=[view["url_route"] for view in VIEWS])
def test_each_view_leads_to_a_page_that_is_there(view: dict[str, Any], viewer: TestClient) -> None:
    address = view["href"].replace("{DAG_ID}", "daily").replace("{RUN_ID}", "run_1").replace("{TASK_ID}", "gate")
    assert viewer.get(f"/{address}").status_code == 200


def test_a_process_that_shows_no_page_imports_nothing_for_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    loaded = done.stdout.split()
    assert "airflow_provider_schemas.plugins.lazy_app" in loaded
    ours = {name for name in loaded if name.startswith("airflow_provider_schemas.")}
    assert ours == {
        "airflow_provider_schemas.plugins",
        "airflow_provider_schemas.plugins.lazy_app",
        "airflow_provider_schemas.plugins.schemas_plugin",
    }
    assert not {"fastapi", "starlette", "jinja2", "sqlalchemy", "airflow.api_fastapi"} & set(loaded)
