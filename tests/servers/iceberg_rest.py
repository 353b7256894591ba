"""An Iceberg REST catalog for tests, over pyiceberg's SqlCatalog: it counts requests, sends ETags, loses answers and forges errors.

It is no independent peer: pyiceberg speaks on both ends, and judges each commit. What it shows is what we ask, how often, and what we make
of each answer. A request is answered in a thread of the test's own process.
"""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.servers.process import HOST

SEPARATOR = "\x1f"


class Answer(NamedTuple):
    """What is answered."""

    status: int
    body: Any = None
    etag: str = ""


_NOT_SERVED = Answer(404, {"error": {"type": "NotFound", "message": "nobody answers this", "code": 404}})
_TIMEOUT = Answer(504, {"error": {"type": "Timeout", "message": "the gateway gave up", "code": 504}})


class IcebergRest:
    """The catalog behind the server, and what a test may do to it."""

    def __init__(self, folder: Path) -> None:
        from pyiceberg.catalog.sql import SqlCatalog

        self.behind = SqlCatalog("behind", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse")
        self.port = 0
        self.asked: list[tuple[str, str]] = []
        """Method and path of each request."""
        self.sends_etags = True
        self.forged: Answer | None = None
        """What is answered to requests for a table, where this is set."""
        self.forged_times = 10**9
        self.lost_answers = 0
        """How many of the next commits are made, and answered with 504."""
        self.dropped_commits = 0
        """How many of the next commits are not made, and answered with 504."""
        self.config: dict[str, str] = {}
        """What is sent beside the metadata."""
        self._lock = threading.Lock()

    @property
    def uri(self) -> str:
        return f"http://{HOST}:{self.port}"

    def client(self, name: str = "rest", **properties: str) -> Any:
        """A catalog of pyiceberg that asks this server."""
        from pyiceberg.catalog.rest import RestCatalog

        return RestCatalog(name, uri=self.uri, **properties)

    def answer(self, method: str, target: str, headers: Any, body: bytes) -> Answer:
        where = urlsplit(target)
        with self._lock:
            self.asked.append((method, where.path))
            parts = [unquote(part) for part in where.path.strip("/").split("/")][1:]
            try:
                return self._route(method, parts, dict(parse_qsl(where.query)), headers, body)
            except Exception as error:  # noqa: BLE001  # a client is told of it, whatever it is
                return _failed(error)

    def _route(self, method: str, parts: list[str], query: dict[str, str], headers: Any, body: bytes) -> Answer:
        match method, parts:
            case "GET", ["config"]:
                return Answer(200, {"defaults": {}, "overrides": {}})
            case "POST", ["transactions", "commit"]:
                return self._commit_several(json.loads(body)["table-changes"])
            case _, ["namespaces", *more]:
                return self._namespaces(method, more, query, headers, body)
        return _NOT_SERVED

    def _namespaces(self, method: str, parts: list[str], query: dict[str, str], headers: Any, body: bytes) -> Answer:
        match method, parts:
            case "POST", []:
                self.behind.create_namespace(tuple(json.loads(body)["namespace"]))
                return Answer(200, json.loads(body) | {"properties": {}})
            case "GET", []:
                return Answer(200, {"namespaces": [list(name) for name in self.behind.list_namespaces()]})
            case "GET" | "HEAD", [namespace]:
                properties = self.behind.load_namespace_properties(_parts(namespace))
                return Answer(200, {"namespace": list(_parts(namespace)), "properties": properties})
            case _, [namespace, "tables"]:
                return self._tables(method, _parts(namespace), body)
            case _, [namespace, "tables", table]:
                calls: dict[str, Callable[..., Answer]] = {"GET": self._load, "POST": self._commit, "DELETE": self._drop}
                return self._forged() or calls[method]((*_parts(namespace), table), query, headers, body)
        return _NOT_SERVED

    def _forged(self) -> Answer | None:
        if self.forged_times <= 0:
            return None
        self.forged_times -= self.forged is not None
        return self.forged

    def _tables(self, method: str, namespace: tuple[str, ...], body: bytes) -> Answer:
        if method == "POST":
            return self._create(namespace, json.loads(body))
        names = self.behind.list_tables(namespace)
        return Answer(200, {"identifiers": [{"namespace": list(name[:-1]), "name": name[-1]} for name in names]})

    def _create(self, namespace: tuple[str, ...], request: dict[str, Any]) -> Answer:
        from pyiceberg.schema import Schema

        schema = Schema.model_validate(request["schema"])
        table = self.behind.create_table((*namespace, request["name"]), schema, properties=request.get("properties") or {})
        return self._table(table, {})

    def _load(self, identifier: tuple[str, ...], query: dict[str, str], headers: Any, _: bytes) -> Answer:
        table = self.behind.load_table(identifier)
        etag = f'W/"{table.metadata_location}"' if self.sends_etags else ""
        if etag and headers.get("If-None-Match") == etag:
            return Answer(304, etag=etag)
        return self._table(table, query)._replace(etag=etag)

    def _table(self, table: Any, query: dict[str, str]) -> Answer:
        metadata = json.loads(table.metadata.model_dump_json())
        if query.get("snapshots") == "refs":
            kept = {ref["snapshot-id"] for ref in metadata["refs"].values()}
            metadata["snapshots"] = [snapshot for snapshot in metadata["snapshots"] if snapshot["snapshot-id"] in kept]
        return Answer(200, {"metadata-location": table.metadata_location, "metadata": metadata, "config": self.config})

    def _commit_several(self, changes: list[dict[str, Any]]) -> Answer:
        """Commit table after table, as DuckDB asks for a single one. Another catalog would do all of them or none."""
        for change in changes:
            identifier = change["identifier"]
            self._commit((*identifier["namespace"], identifier["name"]), {}, {}, json.dumps(change).encode())
        return Answer(204)

    def _commit(self, identifier: tuple[str, ...], _query: dict[str, str], _headers: Any, body: bytes) -> Answer:
        from pyiceberg.table import CommitTableRequest

        if self.dropped_commits:
            self.dropped_commits -= 1
            return _TIMEOUT
        request = json.loads(body)
        request["identifier"] = {"namespace": list(identifier[:-1]), "name": identifier[-1]}
        parsed = CommitTableRequest.model_validate(request)
        made = self.behind.commit_table(self.behind.load_table(identifier), parsed.requirements, parsed.updates)
        if self.lost_answers:
            self.lost_answers -= 1
            return _TIMEOUT
        return Answer(200, {"metadata-location": made.metadata_location, "metadata": json.loads(made.metadata.model_dump_json())})

    def _drop(self, identifier: tuple[str, ...], *_: Any) -> Answer:
        self.behind.drop_table(identifier)
        return Answer(204)


def _parts(namespace: str) -> tuple[str, ...]:
    return tuple(namespace.split(SEPARATOR))


# What pyiceberg raises, as the specification answers it.
_ERRORS = {
    "NoSuchTableError": (404, "NoSuchTableException"),
    "NoSuchNamespaceError": (404, "NoSuchNamespaceException"),
    "CommitFailedException": (409, "CommitFailedException"),
    "TableAlreadyExistsError": (409, "AlreadyExistsException"),
}


def _failed(error: Exception) -> Answer:
    status, kind = _ERRORS.get(type(error).__name__, (500, type(error).__name__))
    return Answer(status, {"error": {"type": kind, "message": str(error), "code": status}})


def _handler(catalog: IcebergRest) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            answer = catalog.answer(self.command, self.path, self.headers, body)
            data = answer.body if isinstance(answer.body, bytes) else b"" if answer.body is None else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            if answer.etag:
                self.send_header("ETag", answer.etag)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer  # noqa: N815  # so the standard library calls them

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # likewise
            """Nobody reads a line for each request."""

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextlib.contextmanager
def iceberg_rest(folder: Path) -> Iterator[IcebergRest]:
    """A catalog that is served on the loopback while the block runs; its tables lie in a folder."""
    (folder / "warehouse").mkdir(parents=True, exist_ok=True)
    catalog = IcebergRest(folder)
    with _Server((HOST, 0), _handler(catalog)) as server:
        catalog.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield catalog
        finally:
            server.shutdown()
            thread.join()
            catalog.behind.close()
