"""From an empty folder to an Airflow in which all has happened: for the tests, and for the pictures of the documentation."""

import base64
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.system.support.standalone import standalone
from tests.ui.support import crowd, hostile_lake, lakes, scene
from tests.ui.support.hanging import hanging_server
from tests.ui.support.scene import Scene
from tests.ui.support.second_server import second_server
from tests.ui.support.site import ROLES, Site

TABLES: Final = 20_000
COLUMNS: Final = 1_000
SETTINGS: Final = {
    "AIRFLOW__SCHEMAS__UI_CONNECTIONS": ",".join(lakes.ALLOWED),
    # Both servers read the same connections, of which the database holds some parts encrypted.
    "AIRFLOW__CORE__FERNET_KEY": base64.urlsafe_b64encode(os.urandom(32)).decode(),
}
# What a page shows is no verdict on the machine; the second server keeps the limit that everybody has.
PATIENT: Final = {"AIRFLOW__SCHEMAS__UI_SECONDS": "20"}


@contextlib.contextmanager
def staged(home: Path, **more: str) -> Iterator[Scene]:
    """Run an Airflow with its scheduler, under no prefix, in which gates have judged; more settings win."""
    lakes.fill(home)
    lakes.fill_large(home, TABLES, COLUMNS)
    assert hostile_lake.fill(home / lakes.HOSTILE) > hostile_lake.ENOUGH
    scene.lay_out(home / "dags")
    settings = SETTINGS | PATIENT | more
    with hanging_server() as port, standalone(home, home / "dags", lakes.connections(home, port), ROLES, **settings) as rest:
        yield Scene(Site(rest.url), scene.act(rest, home), home, home)


@contextlib.contextmanager
def crowded(stage: Scene, home: Path) -> Iterator[Scene]:
    """Run a second API server: a prefix, a DAG that is closed, hundreds of gates, and a verdict for each hostile text."""
    database = home / "airflow.db"
    crowd.copy_database(stage.home / "airflow.db", database)
    crowd.add_crowd(database, "daily", "gate")
    hostile = crowd.add_hostile(database, "daily", "gate")
    with second_server(home, home / "dags", **SETTINGS) as site:
        yield Scene(site, stage.runs | {f"hostile: {name}": run for name, run in hostile.items()}, stage.folder, home)
