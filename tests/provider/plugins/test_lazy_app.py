"""The application is built at its first request; where it cannot be built, every address is closed."""

import asyncio
from typing import Any

import pytest
from starlette.testclient import TestClient

from airflow_provider_schemas.plugins.lazy_app import LazyApp


async def answering(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"built"})


async def receive() -> Any:
    return {"type": "http.disconnect"}


def failing() -> Any:
    raise ImportError("cannot import name 'get_user' from '/opt/airflow/secret/path'")


def test_it_is_built_once_and_by_the_first_request() -> None:
    built: list[str] = []

    def build() -> Any:
        built.append("once")
        return answering

    client = TestClient(LazyApp(build))
    assert built == []
    assert [client.get("/").text for _ in range(3)] == ["built"] * 3
    assert built == ["once"]


def test_many_first_requests_build_it_once() -> None:
    built: list[str] = []

    def build() -> Any:
        built.append("once")
        return answering

    app = LazyApp(build)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> None:
        await asyncio.gather(*(app({"type": "http", "method": "GET"}, receive, send) for _ in range(20)))

    asyncio.run(ask())
    assert built == ["once"]
    assert sum(message["type"] == "http.response.body" for message in sent) == 20


class TestWhatCannotBeBuilt:
    @pytest.mark.parametrize("path", ["/", "/gates", "/task?dag_id=a", "/anything/else"])
    def test_is_closed_at_every_address(self, path: str) -> None:
        assert TestClient(LazyApp(failing)).get(path).status_code == 503

    def test_tells_what_still_works_and_nothing_of_the_error(self) -> None:
        answer = TestClient(LazyApp(failing)).get("/gates")
        assert "Gates, guards and the command line" in answer.text
        assert "secret" not in answer.text
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"

    def test_tells_the_log_what_is_missing(self, caplog: pytest.LogCaptureFixture) -> None:
        TestClient(LazyApp(failing)).get("/gates")
        assert "cannot import name 'get_user'" in caplog.text


def test_a_web_socket_is_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(LazyApp(failing)({"type": "websocket"}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
