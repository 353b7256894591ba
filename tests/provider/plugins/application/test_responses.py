"""What each response says to the browser, and what is shown where there is no page."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, SchemaFileError, StorageError
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.plugins.application import files
from airflow_provider_schemas.plugins.application.app import create_app
from airflow_provider_schemas.plugins.application.no_page import of_error
from airflow_provider_schemas.plugins.common.page import Access, Page
from tests.provider.plugins.support import people
from tests.provider.plugins.support.database import Database

AsRole = Callable[[str], TestClient]
NONCE = re.compile(r"script-src 'nonce-([\w-]+)'")


def raising(error: Exception) -> Callable[[Any], Any]:
    def content(asked: Any) -> Any:
        raise error

    return content


def browser(airflow_app: FastAPI, error: Exception, *, is_storage: bool = True) -> TestClient:
    """A browser of an application whose only page fails."""
    page = Page("page", "gates.html", Access.SIGNED_IN, raising(error), is_storage=is_storage)
    return people.as_role(people.patient(create_app([page])), "admin")


class TestHeaders:
    @pytest.mark.parametrize("path", ["gates", "nothing", "task", "task?dag_id=daily&run_id=a&task_id=b"])
    def test_stand_on_each_page(self, database: Database, viewer: TestClient, path: str) -> None:
        headers = viewer.get(f"/schemas/{path}").headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert {"connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'self'"} < set(policy.split("; "))
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"

    def test_stand_on_refusals_and_failures_as_well(self, airflow_app: FastAPI, anonymous: TestClient) -> None:
        failed = browser(airflow_app, ZeroDivisionError(), is_storage=False).get("/page")
        refused = anonymous.get("/schemas/gates")
        written = anonymous.post("/schemas/gates")
        assert [answer.status_code for answer in (failed, refused, written)] == [500, 401, 405]
        for answer in (failed, refused, written):
            assert "content-security-policy" in answer.headers
            assert answer.headers["cache-control"] == "no-store"

    def test_have_a_fresh_nonce_that_the_page_bears(self, database: Database, viewer: TestClient) -> None:
        answers = [viewer.get("/schemas/gates") for _ in range(3)]
        nonces = [NONCE.search(answer.headers["content-security-policy"]) for answer in answers]
        found = [nonce.group(1) for nonce in nonces if nonce is not None]
        assert len(set(found)) == 3
        assert all(f'<script nonce="{nonce}"' in answer.text for nonce, answer in zip(found, answers, strict=True))

    def test_of_a_file_let_the_browser_keep_it(self, viewer: TestClient) -> None:
        for file in (files.style_sheet(), files.script()):
            answer = viewer.get(f"/schemas/{file.name}")
            assert (answer.status_code, answer.text) == (200, file.text)
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["content-type"].startswith(file.media_type)

    def test_the_script_is_small(self) -> None:
        assert len(files.script().text.encode()) <= 4_096


class TestNoPage:
    def test_leads_to_the_start_from_the_address_of_the_application(self, viewer: TestClient) -> None:
        answer = viewer.get("/schemas/")
        assert (answer.status_code, answer.headers["location"]) == (307, "gates")

    def test_leads_whoever_is_signed_out_to_the_sign_in_and_back(self, anonymous: TestClient) -> None:
        answer = anonymous.get("/schemas/task?dag_id=a&run_id=b&task_id=c")
        assert 'href="../api/v2/auth/login?next=%2Fschemas%2Ftask%3Fdag_id%3Da%26run_id%3Db%26task_id%3Dc"' in answer.text

    def test_begins_each_sentence_with_a_capital(self) -> None:
        page = of_error(NotThereError("there is no table shop.nothing.", fix="Did you mean shop.nothings?"))
        assert page.sentences == ("There is no table shop.nothing.", "Did you mean shop.nothings?")

    def test_brings_its_style_where_no_file_can_be_had(self, anonymous: TestClient) -> None:
        text = anonymous.get("/schemas/gates").text
        assert "<link" not in text
        assert "--break" in text

    def test_leads_back_from_a_path_that_is_deeper(self, viewer: TestClient) -> None:
        answer = viewer.get("/schemas/a/b/c")
        assert answer.status_code == 404
        assert 'href="../../gates"' in answer.text
        assert f'href="../../{files.style_sheet().name}"' in answer.text

    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (NotThereError("there is no table shop.nothing.", fix="Did you mean shop.nothings?"), 404),
            (RefusedNameError("a name has no slash."), 404),
            (BadConnectionError("connection lake has the host s3://bucket/secret."), 404),
            (SchemaFileError("a file cannot be read."), 400),
            (SchemaError("something else."), 400),
            (StorageError("403 of https://bucket.example/secret?X-Amz-Signature=abc"), 503),
            (TimeoutError("read of s3://bucket/secret"), 503),
            (RuntimeError("/opt/secret"), 500),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
    )
    def test_has_the_status_of_its_reason_and_shows_no_place(self, airflow_app: FastAPI, error: Exception, status: int) -> None:
        answer = browser(airflow_app, error).get("/page")
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert "secret" not in answer.text
        assert "Signature" not in answer.text

    @pytest.mark.parametrize("place", ["s3://bucket/secret", "/var/secret", "'/var/secret'", "C:\\secret", "abfs://c@a/secret"])
    def test_says_what_to_do_and_leaves_out_a_sentence_with_a_place(self, airflow_app: FastAPI, place: str) -> None:
        error = NotThereError(f"there is nothing at {place} of it.", fix="Did you mean shop.users?")
        text = browser(airflow_app, error).get("/page").text
        assert "Did you mean shop.users?" in text
        assert "secret" not in text

    def test_says_since_when_a_storage_fails_and_what_still_works(self, airflow_app: FastAPI) -> None:
        failing = browser(airflow_app, StorageError("no route"))
        first, second = failing.get("/page").text, failing.get("/page").text
        moments = [re.search(r'<time datetime="([^"]+)"', text) for text in (first, second)]
        assert moments[0] is not None
        assert moments[1] is not None
        assert moments[0].group(1) == moments[1].group(1)
        assert "tab of a task" in first

    def test_tells_the_log_what_it_does_not_show(self, airflow_app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
        browser(airflow_app, StorageError("no route to bucket-17")).get("/page")
        assert "no route to bucket-17" in caplog.text
