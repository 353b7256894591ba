"""The comments of GitHub and of GitLab, on this machine, as far as ours are written there. Written from their references."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

# The tokens that are known, and who bears them; a reader may not write.
BOT = "token-of-the-bot"
OTHER = "token-of-somebody"
READER = "token-of-a-fork"
_PAGE = 100


class Comments:
    """The comments of one pull request."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.status = 200
        self.redirect = ""
        self.url = ""

    def add(self, author: str, body: str) -> None:
        """Write a comment."""
        self.all.append({"id": len(self.all) + 1, "author": author, "body": body})

    @property
    def bodies(self) -> list[str]:
        """The texts, the oldest first."""
        return [comment["body"] for comment in self.all]


class _Handler(BaseHTTPRequestHandler):
    comments: Comments

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        if self.comments.redirect:
            self.send_header("Location", self.comments.redirect)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))


class _GitHub(_Handler):
    def do_POST(self) -> None:
        asked = self.body()
        token = self.headers["Authorization"].removeprefix("Bearer ")
        self.comments.requests.append(re.findall(r"addComment|updateIssueComment|comments", asked["query"])[0])
        if self.comments.status != 200:
            self.answer(self.comments.status, {"message": "not now"})
        elif token not in (BOT, OTHER, READER):
            self.answer(401, {"message": "Bad credentials"})
        elif "mutation" not in asked["query"]:
            self.answer(200, {"data": {"node": {"comments": self._page(token, asked["variables"]["before"])}}})
        elif token == READER:
            error = {"type": "FORBIDDEN", "message": "Resource not accessible by integration"}
            self.answer(200, {"data": None, "errors": [error]})
        else:
            self._write(token, asked)
            self.answer(200, {"data": {}})

    def _page(self, token: str, before: str | None) -> dict[str, Any]:
        end = int(before) if before else len(self.comments.all)
        start = max(0, end - _PAGE)
        nodes = [
            {"id": f"IC_{comment['id']}", "body": comment["body"], "viewerDidAuthor": comment["author"] == token}
            for comment in self.comments.all[start:end]
        ]
        return {"nodes": nodes, "pageInfo": {"hasPreviousPage": start > 0, "startCursor": str(start)}}

    def _write(self, token: str, asked: dict[str, Any]) -> None:
        node, body = asked["variables"]["id"], asked["variables"]["body"]
        if "addComment" in asked["query"]:
            assert node == "PR_1"
            self.comments.add(token, body)
        else:
            self.comments.all[int(node.removeprefix("IC_")) - 1]["body"] = body


class _GitLab(_Handler):
    notes = "/api/v4/projects/7/merge_requests/1/notes"

    def do_GET(self) -> None:
        if not self._known():
            return
        address = urlsplit(self.path)
        if address.path == "/api/v4/user":
            self.answer(200, {"id": self.headers["PRIVATE-TOKEN"]})
            return
        page = int(parse_qs(address.query)["page"][0])
        notes = [
            {"id": comment["id"], "body": comment["body"], "author": {"id": comment["author"]}} for comment in reversed(self.comments.all)
        ]
        self.answer(200, notes[(page - 1) * _PAGE : page * _PAGE])

    def do_POST(self) -> None:
        body = self.body()["body"]
        if self._known(writes=True):
            assert self.path == self.notes
            self.comments.add(self.headers["PRIVATE-TOKEN"], body)
            self.answer(201, {})

    def do_PUT(self) -> None:
        body = self.body()["body"]
        if self._known(writes=True):
            number = int(self.path.removeprefix(f"{self.notes}/"))
            self.comments.all[number - 1]["body"] = body
            self.answer(200, {})

    def _known(self, *, writes: bool = False) -> bool:
        self.comments.requests.append(f"{self.command} {urlsplit(self.path).path}")
        token = self.headers["PRIVATE-TOKEN"]
        if self.comments.status != 200:
            self.answer(self.comments.status, {})
        elif token not in (BOT, OTHER, READER):
            self.answer(401, {})
        elif writes and token == READER:
            self.answer(403, {"message": "403 Forbidden"})
        else:
            return True
        return False


@contextmanager
def _served(kind: type[_Handler], path: str) -> Iterator[Comments]:
    comments = Comments()
    handler = type("Handler", (kind,), {"comments": comments})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    comments.url = f"http://127.0.0.1:{server.server_port}{path}"
    try:
        yield comments
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def github() -> Any:
    """Serve the GraphQL of GitHub."""
    return _served(_GitHub, "/graphql")


def gitlab() -> Any:
    """Serve the REST of GitLab."""
    return _served(_GitLab, "/api/v4")
