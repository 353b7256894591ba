"""Who reads and writes a table, or one column of it."""

from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict


class ColumnReader(Struct, frozen=True):
    """A registered job, and what it uses of a table."""

    name: str
    team: str = ""
    owner: str = ""
    contact: str = ""
    reads: bool = True
    writes: bool = False
    columns: tuple[str, ...] = ()
    """The paths that the job names; empty where it uses all columns, or where its contract names none."""
    uses_all: bool = False
    verdict: Verdict = Verdict.OK
    """Whether the job fits the version that was asked about."""
    sentence: str = ""
    """Why the job does not fit."""
    last_seen: str = ""
    is_stale: bool = False
    is_pending: bool = False


class ColumnReaders(Struct, frozen=True):
    """The answer to `who TABLE[.COLUMN]`."""

    table: str
    column: str
    """Empty where the whole table was asked about."""
    version: int
    readers: tuple[ColumnReader, ...]
    others: int = 0
    """How many registered jobs of the table do not use the column."""
    owner: str = ""
    contact: str = ""
    unreadable: tuple[str, ...] = ()
    """Contracts that cannot be read: their jobs may use the column, too."""
    notes: tuple[str, ...] = ()
    """What the answer rests on: registered contracts only; a job that registered nothing is not known."""
