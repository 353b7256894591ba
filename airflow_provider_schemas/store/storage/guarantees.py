"""What each storage promises when two writers ask for the same new file: data, by the protocol of its addresses."""

from enum import StrEnum
from typing import NamedTuple


class Means(StrEnum):
    """How a file is created that must not be there yet."""

    LINK = "hard link"
    CONDITION = "conditional put"
    LOCK = "lock within the process"
    NONE = "none"


class Guarantee(NamedTuple):
    """What a kind of storage offers."""

    means: Means
    among: str
    """Who may write at the same time."""


_HOSTS = "writers on any host"
_OF_PROTOCOL: dict[str, Guarantee] = {
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
    """The protocol under the one name that we have for it."""
    return _SAME.get(protocol, protocol)


def guarantee(protocol: str) -> Guarantee:
    """What storage of this protocol offers; nothing, if it is none that we know."""
    return _OF_PROTOCOL.get(one_name(protocol), NOTHING)
