"""S3: the moto server, in a process of its own."""

import contextlib
import http.client
from collections.abc import Iterator
from typing import Any

from tests.servers.bucket import Storage
from tests.servers.process import HOST, free_port, python_server

REGION = "us-east-1"


@contextlib.contextmanager
def s3() -> Iterator[Storage]:
    """An S3 server while the block runs."""
    port = free_port()
    with python_server("tests.servers.moto_process", str(port), port=port):
        yield Storage("s3", "s3", port, options, make_bucket)


def options(port: int) -> dict[str, Any]:
    """What s3fs needs; the keys open nothing anywhere."""
    endpoint = {"endpoint_url": f"http://{HOST}:{port}", "region_name": REGION}
    return {"key": "testing", "secret": "testing", "client_kwargs": endpoint}


def make_bucket(port: int, name: str) -> None:
    """A bucket, made with one request."""
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    try:
        connection.request("PUT", f"/{name}", headers={"Host": f"{HOST}:{port}", "Content-Length": "0"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, (answer.status, answer.reason)
    finally:
        connection.close()
