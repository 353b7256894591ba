"""The process of the honest server of Google Cloud Storage: as much of its JSON API as gcsfs speaks."""

import itertools
import json
import re
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.servers.gcs_objects import Objects, Refused
from tests.servers.process import HOST


class Asked(NamedTuple):
    """A request."""

    names: tuple[str, ...]
    """What the path names: a bucket, an object."""
    query: dict[str, str]
    headers: Any
    body: bytes

    @property
    def condition(self) -> int | None:
        given = self.query.get("ifGenerationMatch")
        return None if given is None else int(given)


class Answer(NamedTuple):
    """What is answered."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Upload(NamedTuple):
    """An upload in parts that has begun."""

    bucket: str
    name: str
    content_type: str
    condition: int | None
    parts: bytearray


OBJECTS = Objects()
UPLOADS: dict[str, Upload] = {}
_NUMBERS = itertools.count(1)
_RANGE = re.compile(r"bytes=(\d+)-(\d*)")
_PART = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


def told(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode(), (("Content-Type", "application/json"),))


def make_bucket(asked: Asked) -> Answer:
    name = json.loads(asked.body)["name"]
    OBJECTS.make_bucket(name)
    return told({"kind": "storage#bucket", "name": name})


def bucket(asked: Asked) -> Answer:
    OBJECTS.bucket(asked.names[0])
    return told({"kind": "storage#bucket", "name": asked.names[0]})


def listing(asked: Asked) -> Answer:
    given = asked.query.get
    most = min(int(given("maxResults", "1000")), 1000)
    page = OBJECTS.page(asked.names[0], given("prefix", ""), given("delimiter", ""), given("pageToken", ""), most)
    more = {"nextPageToken": page.more} if page.more else {}
    return told({"kind": "storage#objects", "items": [one.told() for one in page.items], "prefixes": page.prefixes, **more})


def about(asked: Asked) -> Answer:
    found = OBJECTS.get(*asked.names)
    return content(asked) if asked.query.get("alt") == "media" else told(found.told())


def content(asked: Asked) -> Answer:
    found = OBJECTS.get(*asked.names)
    wanted = _RANGE.fullmatch(asked.headers.get("Range", ""))
    marks = (("Content-Type", found.content_type), ("X-Goog-Generation", str(found.generation)))
    if not wanted:
        return Answer(200, found.data, marks)
    first, last = int(wanted[1]), int(wanted[2] or len(found.data))
    if first >= len(found.data):
        raise Refused(416, "The requested range cannot be satisfied.")
    part = found.data[first : last + 1]
    return Answer(206, part, (*marks, ("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(found.data)}")))


def delete(asked: Asked) -> Answer:
    name, key = asked.names
    OBJECTS.delete(name, key, asked.condition)
    return Answer(204)


def copy(asked: Asked) -> Answer:
    from_bucket, from_name, to_bucket, to_name = asked.names
    source = OBJECTS.get(from_bucket, from_name)
    made = OBJECTS.put(to_bucket, to_name, source.data, source.content_type, asked.condition)
    return told({"kind": "storage#rewriteResponse", "done": True, "resource": made.told()})


def upload(asked: Asked) -> Answer:
    if "upload_id" in asked.query:
        return upload_part(asked)
    kinds = {"multipart": upload_whole, "media": upload_media, "resumable": upload_begun}
    return kinds[asked.query["uploadType"]](asked)


def upload_whole(asked: Asked) -> Answer:
    """A document about the object and its bytes, in one request. The parts are cut by hand: a parser of mails changes line ends."""
    boundary = re.search(r'boundary="?([^";]+)"?', asked.headers["Content-Type"])
    assert boundary is not None
    mark = b"--" + boundary[1].encode()
    _, about_it, rest = asked.body.split(mark + b"\n", 2)
    head, _, data = rest[: rest.rindex(b"\n" + mark + b"--")].partition(b"\n\n")
    kind = head.decode().partition(":")[2].strip()
    name = json.loads(about_it.partition(b"\n\n")[2])["name"]
    return told(OBJECTS.put(asked.names[0], name, data, kind, asked.condition).told())


def upload_media(asked: Asked) -> Answer:
    kind = asked.headers.get("Content-Type", "application/octet-stream")
    return told(OBJECTS.put(asked.names[0], asked.query["name"], asked.body, kind, asked.condition).told())


def upload_begun(asked: Asked) -> Answer:
    OBJECTS.bucket(asked.names[0])
    number = str(next(_NUMBERS))
    kind = asked.headers.get("X-Upload-Content-Type", "application/octet-stream")
    UPLOADS[number] = Upload(asked.names[0], json.loads(asked.body)["name"], kind, asked.condition, bytearray())
    where = f"http://{asked.headers['Host']}/upload/storage/v1/b/{asked.names[0]}/o?uploadType=resumable&upload_id={number}"
    return Answer(200, headers=(("Location", where),))


def upload_part(asked: Asked) -> Answer:
    number = asked.query["upload_id"]
    if number not in UPLOADS:
        raise Refused(404, "There is no such upload.")
    begun, place = UPLOADS[number], _PART.fullmatch(asked.headers.get("Content-Range", ""))
    begun.parts.extend(asked.body)
    if place is not None and place[3] != str(len(begun.parts)):
        return Answer(308, headers=(("Range", f"bytes=0-{len(begun.parts) - 1}"),) if begun.parts else ())
    del UPLOADS[number]
    return told(OBJECTS.put(begun.bucket, begun.name, bytes(begun.parts), begun.content_type, begun.condition).told())


def upload_ended(asked: Asked) -> Answer:
    UPLOADS.pop(asked.query.get("upload_id", ""), None)
    return Answer(499)


_ROUTES: tuple[tuple[str, str, Callable[[Asked], Answer]], ...] = (
    ("POST", r"/storage/v1/b", make_bucket),
    ("GET", r"/storage/v1/b/([^/]+)", bucket),
    ("GET", r"/storage/v1/b/([^/]+)/o", listing),
    ("GET", r"/storage/v1/b/([^/]+)/o/([^/]+)", about),
    ("GET", r"/download/storage/v1/b/([^/]+)/o/([^/]+)", content),
    ("DELETE", r"/storage/v1/b/([^/]+)/o/([^/]+)", delete),
    ("POST", r"/storage/v1/b/([^/]+)/o/([^/]+)/(?:rewriteTo|copyTo)/b/([^/]+)/o/([^/]+)", copy),
    ("POST", r"/upload/storage/v1/b/([^/]+)/o", upload),
    ("PUT", r"/upload/storage/v1/b/([^/]+)/o", upload_part),
    ("DELETE", r"/upload/storage/v1/b/([^/]+)/o", upload_ended),
)
ROUTES = tuple((method, re.compile(path), call) for method, path, call in _ROUTES)


def answered(method: str, target: str, headers: Any, body: bytes) -> Answer:
    """The answer to a request."""
    where = urlsplit(target)
    for known, path, call in ROUTES:
        if known == method and (found := path.fullmatch(where.path)):
            asked = Asked(tuple(unquote(name) for name in found.groups()), dict(parse_qsl(where.query)), headers, body)
            try:
                return call(asked)
            except Refused as refused:
                return told({"error": {"code": refused.status, "message": refused.message}}, refused.status)
    return told({"error": {"code": 404, "message": f"Nobody answers {method} {where.path}."}}, 404)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    # Head and body leave together.
    wbufsize = -1

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = answered(self.command, self.path, self.headers, body)
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815  # so the standard library calls them

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # likewise
        """Nobody reads a line for each request."""


class Server(ThreadingHTTPServer):
    """Takes many writers at once."""

    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    Server((HOST, int(sys.argv[1])), Handler).serve_forever()
