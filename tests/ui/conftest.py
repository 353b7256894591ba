"""One Airflow in which gates have judged, a second API server with a crowd of them, and one browser, for all tests of the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.support.standalone import standalone
from tests.ui.support import crowd, hostile_lake, lakes, scene
from tests.ui.support.chromium import chromium
from tests.ui.support.hanging import hanging_server
from tests.ui.support.scene import Scene
from tests.ui.support.second_server import second_server
from tests.ui.support.site import ROLES, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_ALLOWED = {"AIRFLOW__SCHEMAS__UI_CONNECTIONS": ",".join(lakes.ALLOWED)}
TABLES = 20_000
COLUMNS = 1_000


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("airflow")


@pytest.fixture(scope="session")
def hanging_port() -> Iterator[int]:
    with hanging_server() as port:
        yield port


@pytest.fixture(scope="session")
def stage(home: Path, hanging_port: int) -> Iterator[Scene]:
    """The Airflow with its scheduler, under no prefix, when all has happened."""
    lakes.fill(home)
    lakes.fill_large(home, TABLES, COLUMNS)
    assert hostile_lake.fill(home / lakes.HOSTILE) > hostile_lake.ENOUGH
    scene.lay_out(home / "dags")
    with standalone(home, home / "dags", lakes.connections(home, hanging_port), ROLES, **_ALLOWED) as rest:
        yield Scene(Site(rest.url), scene.act(rest, home), home, home)


@pytest.fixture(scope="session")
def second(stage: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The second API server: a prefix, a DAG that is closed, hundreds of gates, and a verdict for each hostile text."""
    home = tmp_path_factory.mktemp("second")
    database = home / "airflow.db"
    crowd.copy_database(stage.folder / "airflow.db", database)
    crowd.add_crowd(database, "daily", "gate")
    hostile = crowd.add_hostile(database, "daily", "gate")
    with second_server(home, home / "dags", **_ALLOWED) as site:
        yield Scene(site, stage.runs | {f"hostile: {name}": run for name, run in hostile.items()}, stage.folder, home)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    with chromium() as started:
        yield started
