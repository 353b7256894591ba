"""`SchemaVersionSensor`: waits for a version of a table's schema that is newer than one that was seen."""

from collections.abc import Mapping, Sequence
from typing import Any

from airflow_provider_schemas.sensors.base import WaitingSensor
from airflow_provider_schemas.triggers.version import SchemaVersionTrigger


class SchemaVersionSensor(WaitingSensor):
    """Waits until the table has a version newer than one that was seen, or its history went back; also until there is a table.

    The result is ``{"table", "branch", "version", "previous", "digest", "changes", "by", "run", "rewound"}``.

    :param table: the table, ``db.t``.
    :param since: what counts as seen: ``"last_run"``, what this task saw when it was last green, and the first time
        nothing; ``"now"``, the newest version when the task begins; the number of a version; or the digest of its file.

    Further: ``conn_id``, ``branch``, ``deferrable``, ``poke_interval`` (60 s), ``timeout`` (6 h), ``soft_fail``, ``mode``.
    """

    template_fields: Sequence[str] = ("conn_id", "table", "branch", "since")
    waits = SchemaVersionTrigger

    def __init__(self, *, table: str, since: int | str = "last_run", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.table = table
        self.since = since

    def _read_request(self, context: Mapping[str, Any]) -> dict[str, Any]:
        from airflow_provider_schemas.sensors.version_baseline import read_request

        return read_request(self, context)

    def _finish(self, event: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        from airflow_provider_schemas.sensors.version_baseline import finish

        return finish(self, context, event)
