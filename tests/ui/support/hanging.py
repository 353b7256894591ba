"""A server that takes every connection and never says a word: a storage that hangs."""

import contextlib
import socket
from collections.abc import Iterator

from tests.servers.process import HOST


@contextlib.contextmanager
def hanging_server() -> Iterator[int]:
    """Listen on a port while the block runs. The system accepts the connections, and nobody reads what comes."""
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen(512)
        port: int = listening.getsockname()[1]
        yield port
