"""What one look at a Delta table found: the state of its log, and through it its past."""

from functools import cached_property
from typing import Final

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.mounts.delta.log_state import SchemaVersion
from airflow_provider_schemas.store.mounts.delta.metadata_faults import faults
from airflow_provider_schemas.store.mounts.delta.past_log import PastLog, joined
from airflow_provider_schemas.store.mounts.delta.read_log import ReadLog
from airflow_provider_schemas.store.mounts.source import Heads, LiveSchemas, MountedVersion

_NO_SCHEMAS: Final = "Delta's log does not say with which schema a data file was written"


class DeltaLook:
    """One look at a table. It does not change; what is older than the newest checkpoint is read when somebody asks for it, once."""

    def __init__(self, read: ReadLog, past: PastLog, location: str) -> None:
        self.read = read
        self.past = past
        self.location = location

    def __repr__(self) -> str:
        return f"DeltaLook({self.location!r}, head={self.head})"

    @property
    def mark(self) -> str:
        return self.read.mark

    @property
    def table_id(self) -> str:
        return self._newest.table.table_id

    @property
    def head(self) -> int:
        return self._newest.number

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(schema.number for schema in self._known_schemas)

    @property
    def branches(self) -> tuple[str, ...]:
        return ()

    def version(self, number: int) -> MountedVersion:
        """Return a schema of the log. One from before the newest checkpoint is looked for in older commits."""
        schema = _with_number(self.read.state.schemas, number)
        if schema is None and number < self.read.base:
            schema = _with_number(self.past.history().schemas, number)
        if schema is None:
            shown = ", ".join(map(str, self.numbers[-20:]))
            message = f"the log tells of no schema that came with version {number} of the table."
            raise NotThereError(message, path=str(number), fix=f"It tells of {shown}; older commits are deleted after a time.")
        content = schema.table.schema(number, self.location, self._newest.table.ids)
        return MountedVersion(number, schema.table.digest, content)

    def heads(self) -> Heads:
        """Return the schemas that were current; for those before the newest checkpoint, older commits are read."""
        return Heads(tuple(schema.head for schema in self._all_schemas), self.past.history().whole)

    def live(self) -> LiveSchemas:
        return LiveSchemas(None, _NO_SCHEMAS)

    def findings(self) -> tuple[Finding, ...]:
        return faults(self._newest.table, self.read.state.protocol)

    @property
    def _newest(self) -> SchemaVersion:
        return self.read.state.schemas[-1]

    @property
    def _known_schemas(self) -> tuple[SchemaVersion, ...]:
        """What is known without another request."""
        return self._all_schemas if self.past.is_read else self.read.state.schemas

    @cached_property
    def _all_schemas(self) -> tuple[SchemaVersion, ...]:
        return tuple(joined(self.past.history(), self.read.state.schemas))


def _with_number(schemas: tuple[SchemaVersion, ...], number: int) -> SchemaVersion | None:
    return next((schema for schema in schemas if schema.number == number), None)
