"""What a comment is, and what a host of pull requests can do with one."""

from typing import Protocol

from msgspec import Struct

# A pull request with more comments than this gets a new one.
MAX_PAGES = 20


class Earlier(Struct, frozen=True):
    """The comment of an earlier run."""

    id: str
    body: str


class Host(Protocol):
    """A pull request of some host, and who may comment on it."""

    @property
    def name(self) -> str:
        """The name of the host."""

    def find(self, marker: str) -> Earlier | None:
        """Return the newest comment that this token has written and that begins with the marker."""

    def create(self, body: str) -> None:
        """Write a comment."""

    def replace(self, earlier: Earlier, body: str) -> None:
        """Write a comment in place of an earlier one."""


def write(host: Host, body: str) -> str:
    """Write the comment in place of the earlier one, and return what was done."""
    earlier = host.find(body.partition("\n")[0])
    if earlier is None:
        host.create(body)
        return "created"
    if earlier.body.strip() == body.strip():
        return "unchanged"
    host.replace(earlier, body)
    return "replaced"
