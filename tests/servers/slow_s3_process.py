"""The process of an S3 that is far away: every request takes its time, only so many are answered at once, and all are logged.

It pages its listings, honours `If-None-Match: *` and `If-Match`, and keeps everything in memory. What is not of S3 lies below `/-/`:

    GET  /-/log       what was asked since it was last cleared, as JSON
    POST /-/settings  {"latency": seconds, "at_once": requests, "quiet": seconds, "page": keys, "client": process}; clears the log

With `quiet` there is no latency: requests are held until nothing more has come for so long and the client only waits. Then they are
answered together, as one round. So the number of rounds is the number of times that somebody waited, on a slow machine as well.
"""

import asyncio
import hashlib
import json
import re
import sys
import time
import urllib.parse
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from tests.servers.process import HOST

_KEY = re.compile(rb"<Key>(.*?)</Key>", re.DOTALL)
# A client counts as waiting if none of its threads works in so many looks, each so many seconds after the last.
_LOOKS = 3
_BETWEEN_LOOKS = 0.02
# The states of a thread that works, or waits for a disk, in /proc.
_WORKING = frozenset("RD")


class Stored(NamedTuple):
    """An object."""

    data: bytes
    etag: str
    modified: float


class Request(NamedTuple):
    """What was asked."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What is answered."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}


class Bucket:
    """The objects of a bucket, with their keys in order."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.objects: dict[str, Stored] = {}

    def put(self, key: str, data: bytes) -> Stored:
        if key not in self.objects:
            insort(self.keys, key)
        self.objects[key] = stored = Stored(data, f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"', time.time())
        return stored

    def delete(self, key: str) -> None:
        if self.objects.pop(key, None) is not None:
            del self.keys[bisect_left(self.keys, key)]

    def listed(self, prefix: str, delimiter: str, after: str) -> Iterator[tuple[str, bool]]:
        """Keys that begin with the prefix and come after another one, and common prefixes with True."""
        place = bisect_left(self.keys, max(prefix, after))
        while place < len(self.keys) and self.keys[place].startswith(prefix):
            key = self.keys[place]
            end = key.find(delimiter, len(prefix)) if delimiter else -1
            if end < 0:
                if key != after:
                    yield key, False
                place += 1
                continue
            common = key[: end + len(delimiter)]
            if common != after:
                yield common, True
            place = bisect_left(self.keys, common + "\U0010ffff")


class Storage:
    """All buckets, and what each operation does with them."""

    def __init__(self) -> None:
        self.buckets: dict[str, Bucket] = {}
        self.page = 1000

    def answer(self, asked: Request) -> Answer:
        """What S3 would say."""
        name, _, key = urllib.parse.unquote(asked.path).lstrip("/").partition("/")
        if not key:
            return self._of_bucket(name, asked)
        bucket = self.buckets.get(name)
        if bucket is None:
            return _error(404, "NoSuchBucket")
        doors: dict[str, Callable[[Bucket, str, Request], Answer]] = {
            "GET": _read,
            "HEAD": _read,
            "PUT": self._written,
            "DELETE": _deleted,
        }
        return doors[asked.method](bucket, key, asked)

    def _of_bucket(self, name: str, asked: Request) -> Answer:
        if asked.method == "PUT":
            self.buckets.setdefault(name, Bucket())
            return Answer(200)
        bucket = self.buckets.get(name)
        if bucket is None:
            return _error(404, "NoSuchBucket")
        if asked.method == "POST" and "delete" in asked.query:
            for key in _KEY.findall(asked.body):
                bucket.delete(key.decode())
            return Answer(200, b"<DeleteResult></DeleteResult>")
        return Answer(200) if asked.method == "HEAD" else self._listed(bucket, asked.query)

    def _listed(self, bucket: Bucket, query: Mapping[str, str]) -> Answer:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        most = min(self.page, int(query.get("max-keys", self.page)))
        after = query.get("continuation-token") or query.get("start-after", "")
        found: list[tuple[str, bool]] = []
        more = False
        for one in bucket.listed(prefix, delimiter, after):
            if len(found) == most:
                more = True
                break
            found.append(one)
        parts = [_listed_key(bucket, key) for key, common in found if not common]
        parts += [f"<CommonPrefixes><Prefix>{_quoted(key)}</Prefix></CommonPrefixes>" for key, common in found if common]
        token = f"<NextContinuationToken>{escape(found[-1][0])}</NextContinuationToken>" if more else ""
        about = f"<KeyCount>{len(found)}</KeyCount><IsTruncated>{str(more).lower()}</IsTruncated><EncodingType>url</EncodingType>{token}"
        return Answer(200, f"<ListBucketResult>{about}{''.join(parts)}</ListBucketResult>".encode())

    def _written(self, bucket: Bucket, key: str, asked: Request) -> Answer:
        there = bucket.objects.get(key)
        if asked.headers.get("if-none-match") == "*" and there is not None:
            return _error(412, "PreconditionFailed", "If-None-Match")
        wanted = asked.headers.get("if-match")
        if wanted and there is None:
            return _error(404, "NoSuchKey")
        if wanted and there is not None and there.etag != wanted:
            return _error(412, "PreconditionFailed", "If-Match")
        source = asked.headers.get("x-amz-copy-source")
        if source is None:
            return Answer(200, headers={"ETag": bucket.put(key, _plain(asked)).etag})
        name, _, other = urllib.parse.unquote(source).lstrip("/").partition("/")
        copied = self.buckets[name].objects.get(other) if name in self.buckets else None
        if copied is None:
            return _error(404, "NoSuchKey")
        return Answer(200, f"<CopyObjectResult><ETag>{bucket.put(key, copied.data).etag}</ETag></CopyObjectResult>".encode())


def _quoted(key: str) -> str:
    return escape(urllib.parse.quote(key, safe="/"))


def _listed_key(bucket: Bucket, key: str) -> str:
    one = bucket.objects[key]
    moment = datetime.fromtimestamp(one.modified, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    about = f"<LastModified>{moment}</LastModified><ETag>{escape(one.etag)}</ETag><Size>{len(one.data)}</Size>"
    return f"<Contents><Key>{_quoted(key)}</Key>{about}<StorageClass>STANDARD</StorageClass></Contents>"


def _read(bucket: Bucket, key: str, asked: Request) -> Answer:
    there = bucket.objects.get(key)
    if there is None:
        return _error(404, "NoSuchKey")
    modified = datetime.fromtimestamp(there.modified, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    about = {"ETag": there.etag, "Last-Modified": modified, "Accept-Ranges": "bytes"}
    wanted = asked.headers.get("range", "")
    if not wanted.startswith("bytes="):
        return Answer(200, there.data, about)
    start, _, end = wanted.removeprefix("bytes=").partition("-")
    first = int(start) if start else max(0, len(there.data) - int(end))
    last = int(end) + 1 if start and end else len(there.data)
    if first >= len(there.data):
        return _error(416, "InvalidRange")
    data = there.data[first:last]
    return Answer(206, data, {**about, "Content-Range": f"bytes {first}-{first + len(data) - 1}/{len(there.data)}"})


def _deleted(bucket: Bucket, key: str, _: Request) -> Answer:
    bucket.delete(key)
    return Answer(204)


def _error(status: int, code: str, condition: str = "") -> Answer:
    unmet = f"<Condition>{condition}</Condition>" if condition else ""
    return Answer(status, f"<Error><Code>{code}</Code><Message>{code}</Message>{unmet}</Error>".encode())


def _plain(asked: Request) -> bytes:
    """The bytes of an upload, which some clients send in signed chunks."""
    if "aws-chunked" not in asked.headers.get("content-encoding", ""):
        return asked.body
    found, rest = bytearray(), asked.body
    while rest:
        line, _, rest = rest.partition(b"\r\n")
        size = int(line.partition(b";")[0] or b"0", 16)
        if not size:
            break
        found += rest[:size]
        rest = rest[size + 2 :]
    return bytes(found)


# ---------------------------------------------------------------- time


class Far:
    """A storage that is far away."""

    def __init__(self) -> None:
        self.storage = Storage()
        self.latency = 0.0
        self.quiet = 0.0
        self.client = 0
        self.looks = 0
        self.places = asyncio.Semaphore(1_000)
        self.log: list[dict[str, Any]] = []
        self.rounds = 0
        self.held: list[asyncio.Future[int]] = []
        self.timer: asyncio.TimerHandle | None = None

    async def answer(self, asked: Request) -> Answer:
        """What is answered, in its time."""
        if asked.path == "/-/log":
            return Answer(200, json.dumps(self.log).encode())
        if asked.path == "/-/settings":
            self._set(json.loads(asked.body))
            return Answer(200)
        entry: dict[str, Any] = {"method": asked.method, "path": asked.path, "query": asked.query, "came": time.monotonic()}
        entry["bytes"] = len(asked.body)
        self.log.append(entry)
        if self.quiet:
            entry["round"] = await self._next_round()
            found = self.storage.answer(asked)
        else:
            async with self.places:
                await asyncio.sleep(self.latency)
                found = self.storage.answer(asked)
        return self._ended(entry, found)

    def _ended(self, entry: dict[str, Any], found: Answer) -> Answer:
        entry["status"], entry["ended"], entry["bytes"] = found.status, time.monotonic(), entry["bytes"] + len(found.body)
        return found

    def _set(self, settings: Mapping[str, float]) -> None:
        self.latency, self.quiet = settings.get("latency", 0.0), settings.get("quiet", 0.0)
        self.client = int(settings.get("client", 0))
        self.places = asyncio.Semaphore(int(settings.get("at_once", 1_000)))
        self.storage.page = int(settings.get("page", 1_000))
        self.log.clear()
        self.rounds = 0

    def _next_round(self) -> "asyncio.Future[int]":
        held: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.held.append(held)
        if self.timer is not None:
            self.timer.cancel()
        self.looks = 0
        self._release_in(self.quiet)
        return held

    def _release_in(self, seconds: float) -> None:
        self.timer = asyncio.get_running_loop().call_later(seconds, self._release_if_all_wait)

    def _release_if_all_wait(self) -> None:
        """Answer what is held, once the client was seen to wait in several looks: on a busy machine, threads begin late."""
        self.looks = 0 if _works(self.client) else self.looks + 1
        if self.looks < _LOOKS:
            self._release_in(_BETWEEN_LOOKS)
            return
        self.rounds += 1
        for held in self.held:
            if not held.done():
                held.set_result(self.rounds)
        self.held.clear()


def _works(process: int) -> bool:
    """Return whether a thread of a process works; False where the system does not tell."""
    states = Path("/proc", str(process), "task").glob("*/stat") if process else ()
    for state in states:
        try:
            about = state.read_text()
        except OSError:  # the thread has ended meanwhile
            continue
        if about.rpartition(")")[2].split()[0] in _WORKING:
            return True
    return False


# ---------------------------------------------------------------- HTTP


async def _request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await reader.readexactly(int(headers.get("content-length") or 0))
    path, _, query = target.partition("?")
    return Request(method, path, dict(urllib.parse.parse_qsl(query, keep_blank_values=True)), headers, body)


async def _serve(far: Far, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while (asked := await _request(reader, writer)) is not None:
            found = await far.answer(asked)
            about = {"Content-Length": str(len(found.body)), **found.headers}
            head = "".join(f"{name}: {value}\r\n" for name, value in about.items())
            body = b"" if asked.method == "HEAD" else found.body
            writer.write(f"HTTP/1.1 {found.status} .\r\n{head}\r\n".encode("latin-1") + body)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def _main(port: int) -> None:
    far = Far()
    server = await asyncio.start_server(lambda reader, writer: _serve(far, reader, writer), HOST, port, backlog=512)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1])))
