"""Who still holds a version, so that it does not expire; what cannot be known counts as a holder of all."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.hidden_addresses import text_without_paths
from airflow_provider_schemas.plugins.tables.open_table import open_table
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.store.retention.references import References

_MOST_VERSIONS: Final = 500
_MOST_HOLDERS: Final = 20


class HeldVersion(Struct, frozen=True):
    """A version, and who holds it."""

    number: int
    holders: tuple[str, ...]
    more: int = 0
    """The number of further holders."""


class HeldVersions(Struct, frozen=True):
    """The versions of a table, the newest first, and who holds them."""

    versions: tuple[HeldVersion, ...]
    everything: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    older: int = 0

    @property
    def free(self) -> int:
        """Return how many of the versions nobody holds; none where something could not be read."""
        if self.unreadable or self.everything:
            return 0
        return sum(not version.holders for version in self.versions)


def content(asked: Asked) -> Mapping[str, object]:
    """Return each version with who holds it."""
    with open_table(asked, jobs=True) as opened:
        held = held_versions(opened.table.references(), may_see_addresses=opened.may_see_addresses)
        return {**opened.frame("references"), "held": held}


def held_versions(references: References, *, may_see_addresses: bool) -> HeldVersions:
    """Return the references as rows, their texts as they may be shown; what a storage said is not shown to everybody."""
    shown = str if may_see_addresses else text_without_paths
    unreadable = references.unreadable
    if unreadable and not may_see_addresses:
        unreadable = (f"{counted(len(unreadable), 'place')} that may hold versions; whoever may read the connection sees which.",)
    newest = tuple(reversed(references.numbers))[:_MOST_VERSIONS]
    return HeldVersions(
        tuple(_row(references, number, shown) for number in newest),
        tuple(map(shown, references.everything)),
        unreadable,
        max(0, len(references.numbers) - _MOST_VERSIONS),
    )


def _row(references: References, number: int, shown: Callable[[str], str]) -> HeldVersion:
    holders = tuple(map(shown, references.held.get(number, ())))
    return HeldVersion(number, holders[:_MOST_HOLDERS], max(0, len(holders) - _MOST_HOLDERS))
