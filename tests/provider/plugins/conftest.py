"""Airflow's own application in this process, with the page mounted by its plugin, and people with their tokens."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

SECRET = "not a secret, and long enough for the algorithm that signs the tokens: 0123456789"
PEOPLE = ("viewer", "user", "op", "admin")


@pytest.fixture(scope="session")
def airflow_app(airflow_database: Path) -> Iterator[FastAPI]:
    """Airflow's application, as its API server makes it."""
    shutil.copyfile(airflow_database, Path(os.environ["AIRFLOW_HOME"]) / "airflow.db")
    from airflow import settings
    from airflow.api_fastapi.app import create_app

    settings.initialize()
    yield create_app(apps="core")
    settings.dispose_orm()
