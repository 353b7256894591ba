"""The schemas that a log tells of, one after the other: a version of the table whose metadata brought another schema is a schema of ours.

A metaData action that leaves the schema as it was, because a property was set, makes no new one.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from airflow_provider_schemas.formats.delta import Actions, DeltaMetadata, Protocol
from airflow_provider_schemas.store.mounts.delta.log_content import Step
from airflow_provider_schemas.store.mounts.source import Head


class SchemaVersion(Struct, frozen=True):
    """A schema of a table."""

    number: int
    """The first version of the table that is known to have it."""
    table: DeltaMetadata
    """The newest metadata with this schema."""
    moment: int | None = None
    origin: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        """What tells the schema from the one before it."""
        return self.table.digest, self.table.table_id

    @property
    def head(self) -> Head:
        return Head(self.number, self.table.digest, self.moment, self.table.table_id, self.origin)


class LogState(Struct, frozen=True):
    """What a log says up to a version."""

    newest: int = -1
    """The newest version of the table."""
    schemas: tuple[SchemaVersion, ...] = ()
    """Oldest first; neighbours differ."""
    protocol: Protocol | None = None

    @property
    def identities(self) -> tuple[tuple[int, str, str], ...]:
        """What tells the schemas from those of another log."""
        return tuple((schema.number, *schema.identity) for schema in self.schemas)

    def after_checkpoint(self, version: int, actions: Actions) -> "LogState":
        """Return the state that a checkpoint holds: since when its schema is current, it does not say."""
        schemas = () if actions.metadata is None else (SchemaVersion(version, DeltaMetadata(actions.metadata)),)
        return LogState(version, schemas, actions.protocol)

    def after(self, steps: Iterable[Step]) -> "LogState":
        """Return the state after some commits."""
        newest = self.newest
        schemas = list(self.schemas)
        protocol = self.protocol
        for step in steps:
            newest = step.version
            protocol = step.actions.protocol or protocol
            _append(schemas, step)
        return LogState(newest, tuple(schemas), protocol)


def _append(schemas: list[SchemaVersion], step: Step) -> None:
    """Add the schema of a commit, if it brings one."""
    if step.actions.metadata is None:
        return
    info = step.actions.info
    moment = info.moment
    modified = step.entry.modified if moment is None else None
    if modified is not None:
        moment = int(modified * 1000)
    schema = SchemaVersion(step.version, DeltaMetadata(step.actions.metadata), moment, info.origin)
    if schemas and schemas[-1].identity == schema.identity:
        schemas[-1] = msgspec.structs.replace(schemas[-1], table=schema.table)
    else:
        schemas.append(schema)
