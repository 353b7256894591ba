"""`SchemaRestoreOperator`: go back to a version, by a new one that has its fields and ids. No version is deleted."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.operators.change_base import ChangeOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.change.run_change import ChangeResult, TaskContext


class SchemaRestoreOperator(ChangeOperator):
    """Write a new version that is what an old one was.

    Going back is asked for anew by each run: its key names the run, so that a run that is cleared does not go back
    again, and a new one does.

    :param table: `db.table`
    :param version: the number of the version to go back to
    :param expected_version: refuse unless this is the newest version: its number, or (number, digest)
    :param key: names this attempt: one with the same key is done once
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count; recorded in the version
    :param unchecked: why a description that names another place, or format, of its data is not compared with the files there; recorded
    :param branch: the branch of the table
    :param engine: who is to run the statements of a table that a catalog keeps: "spark" or "flink"
    """

    template_fields: Collection[str] = (*ChangeOperator.template_fields, "branch", "version", "expected_version", "engine")

    def __init__(
        self, *, version: Any, expected_version: Any = NOT_SAID, branch: str = NOT_SAID, engine: str = "spark", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.version = version
        self.expected_version = expected_version
        self.branch = branch
        self.engine = engine

    def _change(self, task: "TaskContext") -> "ChangeResult":
        from airflow_provider_schemas.tasks.change.restore import restore

        return restore(self, task)
