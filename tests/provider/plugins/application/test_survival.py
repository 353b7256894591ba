"""The API server survives storages that never answer: its loop goes on, and so do the pages that ask no storage."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from airflow_provider_schemas.plugins.application.app import create_app
from airflow_provider_schemas.plugins.application.no_page import NoPage
from airflow_provider_schemas.plugins.application.workers import THREADS_OF_ONE, Workers
from airflow_provider_schemas.plugins.common.page import Access, Asked, Page
from tests.provider.plugins.support.people import token

LIMIT = 6.0


class Storage:
    """A storage that answers when it is told to."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.asked = 0

    def content(self, asked: Asked) -> dict[str, Any]:
        self.asked += 1
        if asked.query.get("conn") == "slow" or (asked.conn_ids[:1] == ("slow",) and not asked.query.get("conn")):
            self.release.wait(30)
        return {"reason": NoPage(200, "answered"), "sign_in": ""}


@pytest.fixture
def storage() -> Iterator[Storage]:
    made = Storage()
    yield made
    made.release.set()


@pytest.fixture
def app(airflow_app: FastAPI, storage: Storage) -> FastAPI:
    pages = (
        Page("storage", "no_page.html", Access.SIGNED_IN, storage.content, is_storage=True),
        Page("database", "no_page.html", Access.SIGNED_IN, storage.content),
        Page("listed", "no_page.html", Access.CONNECTION, storage.content, is_storage=True),
    )
    made = create_app(pages)
    made.state.answers.database = Workers("database", limit=60)
    made.state.answers.storage = Workers("storage", of_one=THREADS_OF_ONE, limit=LIMIT)
    return made


def browser(app: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://airflow", headers={"Authorization": f"Bearer {token('viewer')}"})


async def statuses(client: httpx.AsyncClient, path: str, number: int) -> list[int]:
    answers = await asyncio.gather(*(client.get(path) for _ in range(number)))
    return [answer.status_code for answer in answers]


def test_sixty_requests_to_a_storage_that_hangs_stop_nobody_else(app: FastAPI, storage: Storage) -> None:
    async def story() -> None:
        async with browser(app) as client:
            hanging = asyncio.ensure_future(statuses(client, "/storage?conn=slow", 60))
            await asyncio.sleep(0.1)
            assert not hanging.done()
            # All of these are answered before the first of the sixty is given up.
            assert await statuses(client, "/database", 20) == [200] * 20
            assert await statuses(client, "/storage?conn=quick", 20) == [200] * 20
            assert not storage.release.is_set()
            assert set(await hanging) == {503}

    asyncio.run(story())
    assert storage.asked == 40 + THREADS_OF_ONE


def test_a_storage_that_was_slow_is_not_asked_again_for_a_while(app: FastAPI, storage: Storage) -> None:
    async def story() -> None:
        async with browser(app) as client:
            assert await statuses(client, "/storage?conn=slow", 1) == [503]
            storage.release.set()
            answer = await client.get("/storage?conn=slow")
            assert answer.status_code == 503
            assert "half a minute" in answer.text
            assert await statuses(client, "/storage?conn=quick", 1) == [200]

    asyncio.run(story())
    assert storage.asked == 2


def test_a_storage_that_still_owes_an_answer_is_not_asked_after_the_rest_either(app: FastAPI, storage: Storage) -> None:
    async def story() -> None:
        app.state.answers.outages._rest = 0.0
        async with browser(app) as client:
            for _ in range(5):
                assert await statuses(client, "/storage?conn=slow", 1) == [503]
            assert storage.asked == 1
            storage.release.set()
            while app.state.answers.storage.running:
                await asyncio.sleep(0.01)
            assert await statuses(client, "/storage?conn=slow", 1) == [200]

    asyncio.run(story())


def test_the_threads_do_not_grow_with_the_requests(app: FastAPI, storage: Storage) -> None:
    async def story() -> int:
        async with browser(app) as client:
            for _ in range(4):
                await statuses(client, "/storage?conn=slow", 30)
        return sum(thread.name.startswith("schemas-storage-") for thread in threading.enumerate())

    assert asyncio.run(story()) <= THREADS_OF_ONE


def test_a_page_that_names_no_connection_takes_no_threads_besides(app: FastAPI, storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__SCHEMAS__UI_CONNECTIONS", "slow,other")

    async def scene() -> None:
        async with browser(app) as client:
            pages = asyncio.gather(statuses(client, "/listed", 10), statuses(client, "/listed?conn=slow", 10))
            await asyncio.sleep(LIMIT / 3)
            assert app.state.answers.storage.running == THREADS_OF_ONE
            assert (await client.get("/listed?conn=other")).status_code == 200
            assert {status for part in await pages for status in part} == {503}

    asyncio.run(scene())


class TestAnAuthManager:
    """in trouble opens no page, and stops nobody."""

    def test_that_raises(self, app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
        from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager

        def fail(*arguments: Any, **options: Any) -> bool:
            raise RuntimeError("a secret of the auth manager")

        monkeypatch.setattr(SimpleAuthManager, "is_authorized_connection", fail)

        async def scene() -> None:
            async with browser(app) as client:
                answer = await client.get("/listed?conn=other")
                assert answer.status_code == 500
                assert "secret of" not in answer.text

        asyncio.run(scene())

    def test_that_never_answers(self, app: FastAPI, storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
        from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager

        monkeypatch.setattr(SimpleAuthManager, "is_authorized_connection", lambda *_, **__: storage.release.wait(30))
        app.state.answers.database = Workers("database", limit=LIMIT)

        async def scene() -> None:
            async with browser(app) as client:
                assert set(await statuses(client, "/listed?conn=other", 60)) == {503}
                assert app.state.answers.database.running <= 4

        asyncio.run(scene())
        assert not storage.asked
