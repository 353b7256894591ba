"""`SchemaRestoreOperator`: go back to a version, by a new one that has its fields and ids. No version is deleted."""

from collections.abc import Collection
from typing import Any

from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import engines, plain, wishes
from airflow_provider_schemas.tasks.changing import At, ChangeOperator, Done, expected


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
    :param branch: the branch of the table
    :param engine: who is to run the statements of a table that a catalog keeps: "spark" or "flink"
    """

    template_fields: Collection[str] = (*ChangeOperator.template_fields, "branch", "version", "expected_version", "engine")

    def __init__(
        self, *, version: Any, expected_version: Any = None, branch: str | None = None, engine: str = "spark", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.version = version
        self.expected_version = expected_version
        self.branch = branch
        self.engine = engine

    def change(self, here: At) -> Done:
        number = plain.number(self.version, "version")
        if number is None:
            raise plain.refused("which version to go back to is not said.", "version", "Pass its number, such as 41.")
        table, terms = here.table(wishes.table_of(self.table, None), self.branch), self.terms(here)
        key = plain.text(self.key, "key") or f"{here.run.text}:restore {number}"
        try:
            done = table.restore(number, **terms, **here.about, key=key, expected_version=expected(self.expected_version))
        except ReadOnlyError as error:
            return self._by_the_engine(error, table, number, terms)
        return Done(done, table.schema(number) if done.created else None)

    def _by_the_engine(self, error: ReadOnlyError, table: Table, number: int, terms: dict[str, Any]) -> Done:
        """The answer where the engine has gone back; the error with its statements where it has not."""
        if error.code not in engines.KEPT_ELSEWHERE:
            raise error
        plan = table.restore_plan(number, **terms)
        done = engines.has_done(table, plan)
        if done is None:
            raise engines.to_run(error, table, plan, plain.text(self.engine, "engine") or "spark") from None
        return Done(done)
