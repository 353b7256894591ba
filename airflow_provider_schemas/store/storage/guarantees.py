"""What each kind of storage promises when two writers ask for the same new file: a table by protocols."""

from enum import StrEnum
from typing import NamedTuple


class Means(StrEnum):
    """The ways to create a file that must not be there yet."""

    LINK = "hard link"
    CONDITION = "conditional put"
    LOCK = "lock within the process"
    NONE = "none"


class Guarantee(NamedTuple):
    """The promise of a kind of storage."""

    means: Means
    among: str
    """Who may write at the same time."""


_HOSTS = "writers on any host"
_BY_PROTOCOL: dict[str, Guarantee] = {
    "file": Guarantee(Means.LINK, "writers on any host that mounts the disk"),
    "s3": Guarantee(Means.CONDITION, _HOSTS),
    "gs": Guarantee(Means.CONDITION, _HOSTS),
    "abfs": Guarantee(Means.CONDITION, _HOSTS),
    "memory": Guarantee(Means.LOCK, "threads of one process"),
}
NOTHING = Guarantee(Means.NONE, "nobody: one writer at a time")

# Names of one protocol in different libraries.
_SAME = {
    "local": "file",
    "s3a": "s3",
    "s3n": "s3",
    "gcs": "gs",
    "az": "abfs",
    "abfss": "abfs",
    "adl": "abfs",
}


def one_name(protocol: str) -> str:
    """Return the protocol under the one name that we have for it."""
    return _SAME.get(protocol, protocol)


def guarantee(protocol: str) -> Guarantee:
    """Return what a storage of this protocol promises: nothing, if we do not know it."""
    return _BY_PROTOCOL.get(one_name(protocol), NOTHING)
