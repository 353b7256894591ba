"""Waiting for a version of a table's schema that is newer than one that was seen."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.triggers.polling_trigger import WaitingTrigger
from airflow_provider_schemas.triggers.seen_versions import table_entry

if TYPE_CHECKING:
    from airflow_provider_schemas.triggers.version_poller import VersionLook


class SchemaVersionTrigger(WaitingTrigger):
    """Ends with `{"status": "ok", "table": ..., "version": ..., "digest": ...}` or `{"status": "error", ...}`."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None, version: int, digest: str, poll: float, table_id: str = "") -> None:
        """Version and digest are what was seen: -1 for nothing at all; without a digest only the number counts.

        Table id is the peer's, where others keep the table.
        """
        super().__init__(poll=poll)
        self.conn_id = conn_id
        self.table = table
        self.branch = branch
        self.version = version
        self.digest = digest
        self.table_id = table_id

    @staticmethod
    def make_look(**about: Any) -> "VersionLook":
        from airflow_provider_schemas.triggers.version_poller import VersionLook

        return VersionLook(**about)

    def about(self) -> Mapping[str, Any]:
        return {
            "conn_id": self.conn_id,
            "table": self.table,
            "branch": self.branch,
            "version": self.version,
            "digest": self.digest,
            **table_entry(self.table_id),
        }
