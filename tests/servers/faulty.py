"""A proxy in front of any of the servers that loses, delays and forges answers, as it is told to.

with faulty(port) as proxy:
    proxy.fail("PUT", r"schema-7$", Fault.DROP_AFTER)        # the next such request
    proxy.fail("PUT", "", Fault.ANSWER_BEFORE, status=503, times=2)
    bucket.through(proxy.port)
"""

import contextlib
import http.client
import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.process import HOST

_FOREVER = 10**9
# Of the connection and not of the message.
_OF_THE_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


class Fault(Enum):
    """What the proxy does to a request."""

    DROP_BEFORE = auto()
    """The server never sees it, and the client gets no answer."""
    DROP_AFTER = auto()
    """The server does it, and the client gets no answer."""
    ANSWER_BEFORE = auto()
    """The server never sees it, and the client is told a status."""
    ANSWER_AFTER = auto()
    """The server does it, and the client is told another status."""
    DELAY_BEFORE = auto()
    """The server sees it some seconds later."""
    DELAY_AFTER = auto()
    """The client gets the answer some seconds later."""


_BEFORE = frozenset({Fault.DROP_BEFORE, Fault.ANSWER_BEFORE, Fault.DELAY_BEFORE})


@dataclass
class Rule:
    """What is done to which requests."""

    method: str
    path: re.Pattern[str]
    fault: Fault
    skip: int
    times: int
    status: int
    seconds: float

    def takes(self, method: str, path: str) -> bool:
        """Whether this request is one; counts it."""
        if (self.method and self.method != method) or not self.path.search(path) or self.times <= 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Proxy:
    """The proxy, as a test commands it."""

    def __init__(self, port: int) -> None:
        self.behind, self.port = port, 0
        self._rules: list[Rule] = []
        self._seen: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def fail(self, method: str, path: str, fault: Fault, *, skip: int = 0, times: int = 1, status: int = 500, seconds: float = 0.0) -> None:
        """Do this to requests of the method (all if empty) whose path and query match, after `skip` of them, so many times."""
        with self._lock:
            self._rules.append(Rule(method, re.compile(path), fault, skip, times, status, seconds))

    def always(self, method: str, path: str, fault: Fault, *, status: int = 500, seconds: float = 0.0) -> None:
        """The same for every such request."""
        self.fail(method, path, fault, times=_FOREVER, status=status, seconds=seconds)

    def mend(self) -> None:
        """Let everything through from now on."""
        with self._lock:
            self._rules.clear()

    @property
    def seen(self) -> list[tuple[str, str]]:
        """The requests so far: their methods and paths."""
        with self._lock:
            return list(self._seen)

    def rule(self, method: str, path: str) -> Rule | None:
        """The first rule that takes a request."""
        with self._lock:
            self._seen.append((method, path))
            return next((rule for rule in self._rules if rule.takes(method, path)), None)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    proxy: Proxy

    def _pass_on(self) -> None:
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.wfile.flush()
        body = self._body()
        rule = self.proxy.rule(self.command, self.path)
        if rule is not None and rule.fault in _BEFORE and self._spoilt(rule):
            return
        status, headers, answer = _asked(self.proxy.behind, self.command, self.path, list(self.headers.items()), body)
        if rule is not None and rule.fault not in _BEFORE and self._spoilt(rule):
            return
        self._answer(status, headers, answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = _pass_on  # noqa: N815  # so the standard library calls them

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = bytearray()
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return bytes(found)

    def _spoilt(self, rule: Rule) -> bool:
        """Whether the request ends here."""
        if rule.fault in {Fault.DELAY_BEFORE, Fault.DELAY_AFTER}:
            time.sleep(rule.seconds)
            return False
        if rule.fault in {Fault.DROP_BEFORE, Fault.DROP_AFTER}:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            return True
        self._answer(rule.status, [("Content-Type", "text/plain")], b"" if self.command == "HEAD" else b"The proxy says so.")
        return True

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        with contextlib.suppress(OSError):  # the client may be gone
            self.send_response_only(status)
            length = str(len(body))
            for name, value in headers:
                if name.lower() not in _OF_THE_HOP:
                    self.send_header(name, value)
                elif name.lower() == "content-length" and self.command == "HEAD":
                    length = value
            if status not in {204, 304}:
                self.send_header("Content-Length", length)
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # so the standard library calls it
        """Nobody reads a line for each request."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what the proxy is for."""


def _asked(port: int, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
    """What the server answers."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            if name.lower() not in _OF_THE_HOP | {"expect"}:
                connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


@contextlib.contextmanager
def faulty(port: int) -> Iterator[Proxy]:
    """A proxy in front of the server on this port while the block runs."""
    proxy = Proxy(port)
    with _Server((HOST, 0), type("_Connection", (_Handler,), {"proxy": proxy})) as server:
        proxy.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()
