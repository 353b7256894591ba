"""An API server as somebody with a name and a token reaches it, with or without a browser."""

import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from tests.system.support.rest import Rest

ROLES = {"admin": "admin", "op": "op", "user": "user", "viewer": "viewer"}
ANONYMOUS = ""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str
    seconds: float


class Site:
    """One API server."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._tokens: dict[str, str] = {}

    @property
    def prefix(self) -> str:
        """The path below which this Airflow lies; empty at the root of its host."""
        return urlsplit(self.url).path

    @property
    def port(self) -> int:
        """The port of the API server."""
        return urlsplit(self.url).port or 0

    def rest(self, user: str = "admin") -> Rest:
        """Return the REST API for a user."""
        return Rest(self.url, user, user)

    def token(self, user: str) -> str:
        """Return what the user shows with each request; a name that nobody has shows a token that was never given."""
        if user not in self._tokens:
            self._tokens[user] = self.rest(user).token() if user in ROLES else "forged"
        return self._tokens[user]

    def get(self, path: str, user: str = "admin", *, method: str = "GET", timeout: float = 60) -> Answer:
        """Ask for a path, as a browser does."""
        headers = {"Accept": "text/html"}
        if user != ANONYMOUS:
            headers["Cookie"] = f"_token={self.token(user)}"
        request = urllib.request.Request(f"{self.url}{path}", headers=headers, method=method)
        began = time.perf_counter()
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                status, received, body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, received, body = error.code, error.headers, error.read()
        return Answer(status, dict(received.items()), body.decode("utf-8", "replace"), time.perf_counter() - began)


def page(path: str, **query: object) -> str:
    """Return the address of a page of ours, below that of the API server."""
    given = f"?{urlencode(query)}" if query else ""
    return f"/schemas/{path}{given}"
