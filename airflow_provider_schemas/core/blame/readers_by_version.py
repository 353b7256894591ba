"""Which registered jobs fit which of the last versions: to which version may a table go back without breaking anybody?"""

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.report import Verdict


class ReaderRow(Struct, frozen=True):
    """A job against each version."""

    name: str
    team: str
    owner: str
    contact: str
    verdicts: tuple[Verdict | None, ...]
    """One for each version, in their order; None where it could not be judged."""
    sentences: tuple[str, ...] = ()
    """Why, one for each version; empty where the job fits."""


class ReadersByVersion(Struct, frozen=True):
    """Registered jobs by versions, the newest version first."""

    table: str
    versions: tuple[Origin, ...]
    rows: tuple[ReaderRow, ...]
    unreadable: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def breaking_nobody(self) -> tuple[int, ...]:
        """Return the numbers of the versions that every registered job fits; none where a contract cannot be read."""
        if self.unreadable:
            return ()
        broken = {Verdict.BREAK, Verdict.INVALID, None}
        return tuple(
            version.number for place, version in enumerate(self.versions) if not any(row.verdicts[place] in broken for row in self.rows)
        )
