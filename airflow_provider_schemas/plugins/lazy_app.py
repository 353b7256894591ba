"""The application behind the page, built at its first request: a process that shows no page imports nothing for it.

If the application cannot be built, because a part of Airflow that it needs is another one or is not there, no page is open to
anybody: each answers 503.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from threading import Lock
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

_log = logging.getLogger(__name__)
_CLOSED = b"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Schemas: not available</title></head><body><main>
<h1>The page about schemas cannot be shown by this Airflow</h1>
<p>A part of Airflow that proves who is asking could not be loaded, so nothing is shown to anybody. Gates, guards and the command line
work without the page. The log of the API server says which part it is.</p>
</main></body></html>
"""
_CLOSED_HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-length", str(len(_CLOSED)).encode()),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class LazyApp:
    """An ASGI application that is built when somebody asks for it."""

    def __init__(self, build: Callable[[], Application] | None = None) -> None:
        self._build = build or _create
        self._app: Application | None = None
        self._lock = Lock()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or end what is no request over HTTP."""
        if scope["type"] != "http":
            await _end(scope, send)
            return
        # The imports take a second, in which the loop of the API server answers others.
        app = self._app if self._app is not None else await asyncio.to_thread(self._built)
        await app(scope, receive, send)

    def _built(self) -> Application:
        with self._lock:
            if self._app is None:
                self._app = self._built_or_closed()
            return self._app

    def _built_or_closed(self) -> Application:
        try:
            return self._build()
        except Exception:  # noqa: BLE001  # whatever is missing: nothing is shown without a proof of who asks
            _log.exception("The page about schemas could not be built: every address of it answers 503.")
            return closed


def _create() -> Application:
    from airflow_provider_schemas.plugins.application.app import create_app

    return create_app()


async def closed(scope: Message, receive: Receive, send: Send) -> None:
    """Answer each request that there is no page."""
    await send({"type": "http.response.start", "status": 503, "headers": _CLOSED_HEADERS})
    body = b"" if scope["method"] == "HEAD" else _CLOSED
    await send({"type": "http.response.body", "body": body})


async def _end(scope: Message, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
