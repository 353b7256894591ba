"""`SchemaValidateOperator`: what changes, a table file or a whole schema would make of a table, and whom that breaks. Writes no version."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, ClassVar

from airflow.sdk import BaseOperator
from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError, InvalidSchemaError
from airflow_provider_schemas.render import summary
from airflow_provider_schemas.store import refusing
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import last_words, plain, planning, telling, wishes
from airflow_provider_schemas.tasks.changing import DEFAULT, At, at, terms_of
from airflow_provider_schemas.tasks.planning import Found, Key
from airflow_provider_schemas.tasks.settling import settled
from airflow_provider_schemas.tasks.wishes import Wish

RESULT = "schema_plan"
_MEANINGS = ("fail", "skip", "warn")


class SchemaValidateOperator(BaseOperator):
    """Show what would become of a table, judge it by the table's policy and by what jobs have registered, and return the plan.

    :param table: `db.table`; a table file says it itself
    :param changes: short texts such as "ADD COLUMN coupon STRING", REST objects, or a list of them
    :param target: instead of changes, a table file, or a whole schema: SQL text, columns, or a schema file. What a table
        file does not mention stays, what a whole schema does not mention goes
    :param on_incompatible: what a break means: "fail", "skip" or "warn"
    :param save: keep the plan in the registry, so that it can be approved and applied by its digest
    :param applied_by: the task that will apply it: what that task did in an earlier run is not planned again
    :param key: the name under which that task does it, if it has one
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count
    """

    template_fields: Collection[str] = (
        "conn_id", "table", "branch", "changes", "target", "on_incompatible", "save", "policy", "override", "applied_by", "key",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {"changes": "json", "policy": "json"}
    ui_color = "#dae8fc"

    def __init__(
        self,
        *,
        table: Any = None,
        changes: Any = None,
        target: Any = None,
        conn_id: str = DEFAULT,
        branch: str | None = None,
        on_incompatible: str = "fail",
        save: bool | str = False,
        policy: Any = None,
        override: str = "",
        applied_by: str | None = None,
        key: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.table = table
        self.branch = branch
        self.changes = changes
        self.target = target
        self.on_incompatible = on_incompatible
        self.save = save
        self.policy = policy
        self.override = override
        self.applied_by = applied_by
        self.key = key

    def execute(self, context: Any) -> dict[str, Any]:
        with settled():
            meaning = plain.choice(self.on_incompatible, "on_incompatible", _MEANINGS, "fail")
            here, save = at(self.conn_id, context), plain.switch(self.save, "save", False)
            wish = wishes.of(self.changes, self.target, here.run.folder, whole=True)
            table = here.table(wishes.table_of(self.table, wish), self.branch)
            key = self._key(here, wish)
            terms = terms_of(self.policy, self.override, here)
            found = planning.found(table, wish, key=key, dag_run=context["dag_run"] if save else None, terms=terms)
            told = self._told(here, table, found, key, save=save, by_key=isinstance(wish.wanted, tuple) or key.said)
            context["ti"].xcom_push(key=RESULT, value=told)
            if found.plan is None:
                self._say_done(found)
            else:
                self._end(found.plan, meaning)
            return told

    def _key(self, here: At, wish: Wish) -> Key:
        said, task = plain.text(self.key, "key"), plain.text(self.applied_by, "applied_by")
        return Key(said, True) if said else Key(wish.key(here.run, task) if task else "")

    def _told(self, here: At, table: Table, found: Found, key: Key, *, save: bool, by_key: bool) -> dict[str, Any]:
        """What XCom is told; the plan itself is kept where it is asked for and says something."""
        about: dict[str, Any] = {"store": here.store.url, "conn_id": here.hook.conn_id, "branch": table.branch_name}
        if found.plan is None:
            return telling.done_before(found, table.name, **about)
        saved = save and not found.plan.unchanged
        if saved:
            table.save_plan(found.plan, run=here.run.text)
        return telling.planned(found.plan, **about) | {"saved": saved, "key": key.text if key.text and by_key else None}

    def _say_done(self, found: Found) -> None:
        note, *warnings = telling.undone(found)
        self.log.info("%s", note)
        for line in warnings:
            self.log.warning("%s", line)

    def _end(self, plan: Plan, meaning: str) -> None:
        """Show the plan, at the end of the log where it stops the task; and raise for what must not be applied."""
        lines = telling.plan_lines(plan, now=datetime.now(UTC))
        breaks, invalid = plan.verdict is Verdict.BREAK, plan.verdict is Verdict.INVALID
        if invalid or (breaks and meaning != "warn"):
            last_words.arrange(self, "skip" if meaning == "skip" and not invalid else "fail", "\n".join(lines))
        else:
            last_words.say("\n".join(lines), "warn" if breaks else "fits")
        if invalid:
            raise InvalidSchemaError.of(plan.report.faults())
        if breaks and meaning == "fail":
            raise IncompatibleSchemaError.about(plan.report, f"{summary(plan.report)}.", fix=refusing.broken(plan.report).fix)
        if breaks and meaning == "skip":
            raise AirflowSkipException(summary(plan.report))
