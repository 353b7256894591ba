"""A second API server on a database of its own, under a prefix, with an auth manager that closes one DAG. It has no scheduler."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.servers.process import HOST, TOP, server
from tests.system.support.standalone import settings
from tests.ui.support.site import ROLES, Site
from tools.airflow_home import BIN

PREFIX = "/af"
# Airflow imports it by this name.
_AUTH_MANAGER = "tests.ui.support.closed_payroll.ClosedPayroll"


@contextlib.contextmanager
def second_server(home: Path, dags: Path, **more: str) -> Iterator[Site]:
    """Run an API server in this home, in which the database is already."""
    given = settings(home, dags, ROLES, **more)
    port = int(given["AIRFLOW__API__PORT"])
    url = f"http://{HOST}:{port}{PREFIX}/"
    own = {"AIRFLOW__API__BASE_URL": url, "AIRFLOW__CORE__AUTH_MANAGER": _AUTH_MANAGER, "PYTHONPATH": str(TOP)}
    with server(str(BIN / "airflow"), "api-server", "--workers", "1", port=port, environment=given | own, folder=home):
        yield Site(url)
