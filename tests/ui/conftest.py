"""One Airflow in which gates have judged, a second API server with a crowd of them, and one browser, for all tests of the page."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.ui.support.chromium import chromium, executable
from tests.ui.support.scene import Scene
from tests.ui.support.staging import crowded, staged

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The Airflow with its scheduler."""
    with staged(tmp_path_factory.mktemp("airflow")) as scene:
        yield scene


@pytest.fixture(scope="session")
def second(stage: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The API server below a prefix, with a crowd."""
    with crowded(stage, tmp_path_factory.mktemp("second")) as scene:
        yield scene


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One browser; where there is none, the summary of the run names the tests that are left out, and why."""
    if executable() is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed, and CI leaves nothing out: see tools/chromium.sh")
        pytest.skip("Chromium is not installed here, so the page is not tried in a browser: see tools/chromium.sh")
    with chromium() as started:
        yield started
