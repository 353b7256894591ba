"""What a mounted database has to answer: which tables there are, and what one look at a table finds.

A source opens its connection only when it is asked for a table. Its errors are ours, whatever library met the failure.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.store.storage.files import Count


class MountedVersion(Struct, frozen=True):
    """A schema that the metadata of a table holds."""

    number: int
    """The peer's id of the schema."""
    digest: str
    """The sha256 of the peer's own schema, keys sorted, nulls and schema id left out: an upgrade of ours leaves it as it is."""
    schema: TableSchema
    """Its id is the number."""


class Head(Struct, frozen=True):
    """A schema that was current from a moment on."""

    number: int
    digest: str
    moment: int | None = None
    """Milliseconds since 1970, where the source knows."""
    table_id: str = ""
    """The peer's id of the table."""
    origin: str = ""
    """Who or what made it, where the source says so."""
    note: Provenance | None = None
    """The note of a commit of ours that made it."""


class Heads(Struct, frozen=True):
    """The schemas that were current, oldest first; neighbours differ in number, digest or table id."""

    entries: tuple[Head, ...]
    whole: bool
    """False where the log was cut, so that earlier heads are unknown."""


class LiveSchemas(Struct, frozen=True):
    """The schemas that live data files were written with."""

    numbers: frozenset[int] | None
    """None where nobody knows."""
    reason: str = ""
    """Why nobody knows."""
    holders: Mapping[int, tuple[str, ...]] = {}
    """Who needs each: "branch main", "tag audit-1"."""


class TableLook(Protocol):
    """What one look at a table found. Immutable; methods that ask the source again remember for ever what never changes."""

    @property
    def mark(self) -> str:
        """What changes whenever anything may have changed: an ETag, or the location of the metadata."""

    @property
    def table_id(self) -> str:
        """The peer's id of the table."""

    @property
    def head(self) -> int:
        """The number of the current schema, as the source says; it need not be the highest."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of all schemas that the metadata holds now, lowest first."""

    @property
    def location(self) -> str:
        """Where the data lie."""

    @property
    def branches(self) -> tuple[str, ...]:
        """The branches, without the main one."""

    def version(self, number: int) -> MountedVersion:
        """Return a schema that the metadata holds. Raise NotThereError if it holds none of this number."""

    def heads(self) -> Heads:
        """Return the schemas that were current. Older metadata may be read for it, at once."""

    def live(self) -> LiveSchemas:
        """Return the schemas that live data files were written with."""

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong with the metadata itself."""


class TableSource(Protocol):
    """A database that others keep."""

    @property
    def kind(self) -> str:
        """The table format, as messages say it: iceberg."""

    @property
    def url(self) -> str:
        """The address as people know it, without credentials."""

    @property
    def identity(self) -> str:
        """What tells this source from every other."""

    @property
    def evolve(self) -> bool:
        """Whether schemas may be changed through this mount."""

    @property
    def count(self) -> Count:
        """The count of the requests so far."""

    @property
    def at_once(self) -> int:
        """How many requests may be under way at once."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables as the peer has them: our grammar may not hold some."""

    def look(self, table: str, known: TableLook | None = None) -> TableLook | None:
        """Return what is known of a table now; the known look itself if nothing changed since; None if there is no such table."""

    def engine_names(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """Return the parts of the table's name in the SQL of each engine: spark-iceberg, trino."""


# ---------------------------------------------------------------- changing


class SchemaStep(Struct, frozen=True):
    """A step that was judged: the changes, what they were said to make, and the note that goes with it."""

    changes: tuple[SchemaChange, ...]
    judged: TableSchema
    note: Provenance
    """Its `commit` is the same at each try, so that a lost answer can be settled."""
    back_to: int | None = None
    """The number of an old schema that is to be the current one again, instead of changes."""


class SchemaAttempt(Struct, frozen=True):
    """What one try to change a table came to."""

    written: MountedVersion | None = None
    """The schema that is current since; None where nothing was written, so that it has to be judged again."""
    unclear: SchemaError | None = None
    """The answer was lost, and nothing has come of it so far: the error to raise where nobody tries again."""
    base: Any = None
    """What the source needs to find out later whether such a try has landed after all."""


class PastCommit(Struct, frozen=True):
    """A commit of ours that the metadata of a table names."""

    number: int | None
    """The number of the schema that it made; None where the metadata holds it no more."""
    changes: str = ""
    """What stands for the changes that it made; see `changes_sign`."""


def changes_sign(changes: Sequence[Mapping[str, Any]]) -> str:
    """Return what stands for changes in a list of commits; empty for none."""
    if not changes:
        return ""
    return hashlib.sha256(json.dumps(list(changes), sort_keys=True).encode()).hexdigest()[:32]


@runtime_checkable
class ChangeableSource(TableSource, Protocol):
    """A database whose schemas may be changed through its mount, where `evolve` says so."""

    def refused(self, look: TableLook, step: SchemaStep) -> tuple[Fault, ...]:
        """Return why the source, or readers of the table, cannot bear a step. Nothing is asked."""

    def commit(self, table: str, look: TableLook, step: SchemaStep, earlier: SchemaAttempt) -> SchemaAttempt:
        """Try to carry out a step on what the look has found.

        Earlier is the last try of the same step. Raise a StorageError `storage.unclear` if nobody can tell whether it was written.
        """

    def last_note(self, look: TableLook) -> Provenance | None:
        """Return the note of our last commit, as long as its schema is the current one."""

    def past_commit(self, look: TableLook, *, key: str | None = None, commit: str | None = None) -> PastCommit | None:
        """Return a commit of ours by its key or its id; None if the metadata names none."""
