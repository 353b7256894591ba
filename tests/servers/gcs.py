"""Google Cloud Storage: a small server that keeps its promises, and an emulator that does not."""

import contextlib
import http.client
import json
import os
from collections.abc import Iterator
from typing import Any

from tests.servers.bucket import Storage
from tests.servers.process import HOST, free_port, python_server

# gcsfs would ask Google itself, by another protocol, of what kind a bucket is.
os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"


@contextlib.contextmanager
def gcs_honest() -> Iterator[Storage]:
    """A server that makes a file only if none is there, when asked to, while the block runs."""
    port = free_port()
    with python_server("tests.servers.gcs_process", str(port), port=port):
        yield Storage("gcs", "gs", port, options, make_bucket)


@contextlib.contextmanager
def gcs_dishonest() -> Iterator[Storage]:
    """gcp-storage-emulator, which ignores every condition, while the block runs."""
    port = free_port()
    with python_server("gcp_storage_emulator", "start", "--host", HOST, "--port", str(port), "--in-memory", "--quiet", port=port):
        yield Storage("gcs", "gs", port, options, make_bucket)


def options(port: int) -> dict[str, Any]:
    """What gcsfs needs: no token at all."""
    return {"token": "anon", "endpoint_url": f"http://{HOST}:{port}", "project": "schemas"}


def make_bucket(port: int, name: str) -> None:
    """A bucket, made with one request."""
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    try:
        connection.request("POST", "/storage/v1/b?project=schemas", json.dumps({"name": name}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, (answer.status, answer.reason)
    finally:
        connection.close()
