"""Airflow's own application in this process, with the page mounted by its plugin; people with tokens; verdicts that gates have made."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.plugins.schemas_plugin import SchemasPlugin
from airflow_provider_schemas.store import SchemaStore
from tests.provider.plugins.support import people
from tests.provider.plugins.support.database import Database

SECRET = "not a secret, and long enough for the algorithm that signs the tokens: 0123456789"
NEEDS = "order_id BIGINT, cust_id BIGINT"
Verdict = dict[str, Any]


@pytest.fixture(scope="session")
def airflow_app(airflow_database: Path) -> Iterator[FastAPI]:
    """Airflow's application, as its API server makes it."""
    shutil.copyfile(airflow_database, Path(os.environ["AIRFLOW_HOME"]) / "airflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AIRFLOW__API_AUTH__JWT_SECRET", SECRET)
        patch.setenv("AIRFLOW__API__SECRET_KEY", SECRET)
        from airflow import settings
        from airflow.api_fastapi.app import create_app
        from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager

        patch.setattr(SimpleAuthManager, "is_authorized_dag", people.forbidding(SimpleAuthManager.is_authorized_dag))
        settings.initialize()  # type: ignore[no-untyped-call]
        app = create_app(apps="core")
        people.client(app).get("/schemas/")
        people.patient(SchemasPlugin.fastapi_apps[0]["app"]._app)
        yield app
        settings.dispose_orm()


@pytest.fixture
def as_role(airflow_app: FastAPI) -> Callable[[str], TestClient]:
    """A browser of somebody with a role: `as_role("viewer").get("/schemas/gates")`."""
    return lambda role: people.as_role(airflow_app, role)


@pytest.fixture
def viewer(airflow_app: FastAPI) -> TestClient:
    return people.as_role(airflow_app, "viewer")


@pytest.fixture
def anonymous(airflow_app: FastAPI) -> TestClient:
    return people.client(airflow_app)


@pytest.fixture
def database(airflow_app: FastAPI) -> Iterator[Database]:
    """Airflow's database, empty at first and afterwards."""
    made = Database()
    made.empty()
    yield made
    made.empty()


@pytest.fixture
def verdicts(tmp_path: Path, lake: str, context: Any) -> dict[str, Verdict]:
    """Verdicts as a gate pushes them: one that fits, one that breaks since a column was renamed, one about no table."""
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
    fits = pushed_by_gate(context, reads={"shop.orders": NEEDS})
    store.table("shop.orders").evolve(["RENAME COLUMN cust_id TO customer_id"], override="INC-7")
    return {
        "fits": fits,
        "breaks": pushed_by_gate(context, reads={"shop.orders": NEEDS}),
        "missing": pushed_by_gate(context, reads={"shop.nothing": NEEDS}),
    }


def pushed_by_gate(context: Any, **arguments: Any) -> Verdict:
    """What a gate pushes, whatever becomes of it."""
    gate = SchemaGateOperator(task_id="gate", conn_id="lake", **arguments)
    about = context(gate)
    with contextlib.suppress(SchemaError):
        gate.execute(about)
    value: Verdict = about["ti"].pushed["schema_verdict"]
    return value
