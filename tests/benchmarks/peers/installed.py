"""Which peers are here. None is needed: the table is printed with those that are installed."""

import importlib
import importlib.metadata
from importlib.util import find_spec

from tests.benchmarks.contest import Contestant

# The library, and the module here that measures it.
_PEERS = {"pypaimon": "paimon", "pyiceberg": "iceberg", "fastavro": "avro", "pyarrow": "arrow"}


def peer(name: str) -> Contestant:
    """This peer; its library is imported only now."""
    found: Contestant = importlib.import_module(f"tests.benchmarks.peers.{_PEERS[name]}").PEER
    return found


def peers() -> list[Contestant]:
    """The peers that are installed."""
    return [peer(name) for name in _PEERS if find_spec(name)]


def versions() -> dict[str, str]:
    """The version of every library that is measured."""
    names = ("msgspec", *_PEERS)
    return {name: importlib.metadata.version(name) if find_spec(name) else "not installed" for name in names}
