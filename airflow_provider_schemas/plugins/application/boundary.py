"""What holds for each request and response: nothing but reading, headers that tell the browser what not to do, no error without a page."""

import logging
import secrets
from collections.abc import Mapping

from starlette.datastructures import URL, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from airflow_provider_schemas.plugins.application import no_page
from airflow_provider_schemas.plugins.application.answer import render_no_page
from airflow_provider_schemas.plugins.application.no_page import NoPage
from airflow_provider_schemas.plugins.application.page_links import sign_in_address

READING = ("GET", "HEAD")
_NONCE = "schemas_nonce"
_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
_log = logging.getLogger(__name__)


class Boundary:
    """The outermost part of the application: errors of all its parts end here, and all responses get their headers here."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        nonce = secrets.token_urlsafe(16)
        scope["state"] = {**scope.get("state", {}), _NONCE: nonce}
        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                _set_headers(MutableHeaders(scope=message), nonce)
            await send(message)

        if scope["method"] not in READING:
            await no_page_response(no_page.of_status(405), scope)(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:  # what it says may name anything, so only the log has it
            _log.exception("A page about schemas has failed.")
            if has_started:
                raise
            await no_page_response(no_page.of_status(500), scope)(scope, receive, send_with_headers)


def nonce_of(scope: Scope) -> str:
    """Return the nonce of this response: the one thing by which a script of ours is told from any other."""
    nonce: str = scope["state"][_NONCE]
    return nonce


def no_page_response(reason: NoPage, scope: Scope) -> Response:
    """Return the page about why there is no page."""
    sign_in = ""
    if reason.can_sign_in:
        sign_in = _way_up(scope) + sign_in_address(URL(scope=scope))
    headers = {"Allow": ", ".join(READING)} if reason.status == 405 else {}
    return HTMLResponse(render_no_page(reason, nonce_of(scope), sign_in, _way_up(scope)), reason.status, headers)


def _way_up(scope: Scope) -> str:
    """Return the steps from the path of a request to the folder of the pages, where no page is deeper than in it."""
    below: str = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
    return "../" * below.count("/")


def _set_headers(headers: MutableHeaders, nonce: str) -> None:
    rules: Mapping[str, str] = {
        "Content-Security-Policy": _POLICY.format(nonce=nonce),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    headers.update(rules)
    headers.setdefault("Cache-Control", "no-store")
