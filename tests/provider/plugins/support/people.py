"""People who open pages: each with a token of Airflow's simple auth manager and the rights of a role of it."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from airflow_provider_schemas.plugins.application.workers import Workers

ROLES = ("viewer", "user", "op", "admin")
FORBIDDEN_DAG = "payroll"
"""A DAG that nobody but admins may see: the simple auth manager knows no such rule, so the fixture adds it."""


def token(role: str) -> str:
    """A token as Airflow gives it to somebody who has signed in."""
    from airflow.api_fastapi.app import get_auth_manager
    from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser

    made: str = get_auth_manager().generate_jwt(SimpleAuthManagerUser(username=role, role=role.upper()))
    return made


def client(app: FastAPI, headers: Mapping[str, str] | None = None) -> TestClient:
    """A browser that follows no redirect, and sees an error as the browser does."""
    return TestClient(app, raise_server_exceptions=False, follow_redirects=False, headers=dict(headers or {}))


def as_role(app: FastAPI, role: str) -> TestClient:
    """A browser of somebody who is signed in."""
    return client(app, {"Authorization": f"Bearer {token(role)}"})


def forbidding(is_authorized: Any) -> Any:
    """The rule of the auth manager about DAGs, with one DAG for admins alone."""

    def is_authorized_dag(self: Any, *, method: str, user: Any, access_entity: Any = None, details: Any = None) -> bool:
        if details is not None and details.id == FORBIDDEN_DAG and user.username != "admin":
            return False
        allowed: bool = is_authorized(self, method=method, user=user, access_entity=access_entity, details=details)
        return allowed

    return is_authorized_dag


def patient(app: Any) -> Any:
    """Let an application of ours wait longer than people do: a test is no verdict on the machine that runs it."""
    app.state.answers.database = Workers("database", limit=60)
    app.state.answers.storage = Workers("storage", limit=60)
    return app
