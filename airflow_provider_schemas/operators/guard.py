"""The guard: a gate on any task, which checks before the task executes, once a try, and hands what was checked to its Spark job."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Struct

from airflow_provider_schemas.assets import SCHEME
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.operators.pre_execute import hook_on, refuse_never_asked
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, VERDICT, GateArguments
from airflow_provider_schemas.tasks.gate.never_asked import starts_on_triggerer
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output import log_footer

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.gate.verdict import GateVerdict

_Task = TypeVar("_Task")
_PlainVerdict = Mapping[str, Any]
_NOT_CHECKED = "SCHEMA GUARD  the tables of this task were not checked: "
# What the guards of a task found in this try, kept on the task while it runs.
_MEMORY = "_schemas_guarded"
_WEIGHTS = ("invalid", "break", "warn", "ok")


def schema_guard(
    conn_id: str = SchemaStoreHook.default_conn_name,
    *,
    reads: Any = NOT_SAID,
    writes: Any = NOT_SAID,
    branch: str = NOT_SAID,
    version: Any = NOT_SAID,
    on_incompatible: str = "fail",
    on_missing: str = "fail",
    policy: Any = NOT_SAID,
    register: bool = True,
) -> "SchemaGuard":
    """Return a guard: `pre_execute=schema_guard("lake", reads=["shop.orders"])`, or `schema_guard(...).on(task)`.

    The arguments are those of `SchemaGateOperator`, and may be templates, also the names of tables in a mapping.
    """
    if isinstance(conn_id, Mapping):  # Airflow has called it with a context
        from airflow_provider_schemas.tasks.error_handling import settled

        with settled():
            message = "schema_guard was given the context of a task instead of a connection, so that nothing would be checked."
            fix = 'Call it where the hook is named: pre_execute=schema_guard("lake", reads=["shop.orders"]).'
            raise ContractError(message, code="guard.not-called", path="pre_execute", fix=fix)
    asked = GateArguments(
        conn_id=conn_id,
        reads=reads,
        writes=writes,
        branch=branch,
        version=version,
        on_incompatible=on_incompatible,
        on_missing=on_missing,
        policy=policy,
        register=register,
    )
    return SchemaGuard(asked)


class SchemaGuard(Struct, frozen=True):
    """A hook for `pre_execute` that stops the task when a table breaks it."""

    is_schema_guard: ClassVar[bool] = True
    """By this a gate knows that a task behind it is guarded: the gate stands below this module."""

    asked: GateArguments
    on_trouble: Literal["raise", "warn"] = "raise"
    """What happens where the tables cannot be checked: raise, or warn and go on, for guards that a policy puts on every task."""
    referred: tuple[tuple[str, str], ...] = ()
    """Tables that are taken from the names of assets, with these names: checked only if the asset is one of ours."""

    def on(self, task: _Task) -> _Task:
        """Guard a task: an operator, a mapped one, a decorated task, or each task of a group; and return it.

        Tasks that are added to a group later are not guarded: call it after the last of them.
        """
        hook_on(task, self)
        return task

    def __call__(self, context: Mapping[str, Any]) -> None:
        task = context["task"]
        ti = context["ti"]
        memory = _memory_of_try(task, ti)
        if _is_resumed(ti):
            if not memory:
                self._refuse_triggerer_start(task)
        elif _is_after_pause(ti):
            self._that_warns()._check(context, memory)
        else:
            self._check(context, memory)

    def _that_warns(self) -> "SchemaGuard":
        """Return a guard that checks the same, and stops nothing."""
        asked = msgspec.structs.replace(self.asked, on_incompatible="warn", on_missing="warn")
        return msgspec.structs.replace(self, asked=asked, on_trouble="warn")

    def _check(self, context: Mapping[str, Any], memory: "_Memory") -> None:
        """Check the tables, unless an equal guard has done so in this try, and end the task where they do not fit."""
        task = context["task"]
        asked = self._without_foreign_assets(context)
        if asked is None or any(guard == self for guard, _ in memory):
            return
        from airflow_provider_schemas.operators.render_templates import render_arguments

        verdict = self._judge(render_arguments(asked, context), context, memory)
        if verdict is not None:
            from airflow_provider_schemas.tasks.gate.enforce import enforce
            from airflow_provider_schemas.tasks.spark.spark_conf import hand_over

            enforce(verdict, context)
            hand_over(task, verdict.spark())

    def _refuse_triggerer_start(self, task: Any) -> None:
        """Refuse a task that began on the triggerer: a hook given as an argument does not know its task any earlier."""
        if not starts_on_triggerer(task):
            return
        from airflow_provider_schemas.tasks.error_handling import settled

        try:
            with settled():
                refuse_never_asked(task)
        except Exception as error:
            if self.on_trouble == "raise":
                raise
            trouble = str(error)
        log_footer.log_lines(f"{_NOT_CHECKED}{trouble}", "warn")

    def _without_foreign_assets(self, context: Mapping[str, Any]) -> GateArguments | None:
        """Return the arguments without tables that turn out to be assets of somebody else; None if no table remains."""
        assets = getattr(context.get("inlet_events"), "_assets", None)  # Airflow has looked up what names refer to
        if not self.referred or not isinstance(assets, Mapping):
            return self.asked
        own_names = {asset.name for asset in assets.values() if asset.uri.startswith(f"{SCHEME}:")}
        foreign_tables = {table for table, name in self.referred if name not in own_names}
        reads = [table for table in self.asked.reads if table not in foreign_tables]
        return msgspec.structs.replace(self.asked, reads=reads) if reads else None

    def _judge(self, asked: GateArguments, context: Mapping[str, Any], memory: "_Memory") -> "GateVerdict | None":
        """Return the verdict, and remember it; None if the tables cannot be checked, and the guard only warns."""
        try:
            from airflow_provider_schemas.tasks.gate.decide import decide

            verdict = decide(asked, context)
            memory.append((self, _push(verdict, memory, context["ti"])))
            return verdict
        except Exception as error:
            if self.on_trouble == "raise":
                raise
            from airflow_provider_schemas.store.storage.chained_errors import without_queries

            trouble = without_queries(str(error))
        finally:
            log_footer.end_group()  # hooks run in a group that the log folds
        log_footer.log_lines(f"{_NOT_CHECKED}{trouble}", "warn")
        return None


_Memory = list[tuple[SchemaGuard, _PlainVerdict]]


def _push(verdict: "GateVerdict", memory: _Memory, ti: Any) -> _PlainVerdict:
    """Put the verdict into XCom, with those of the guards before this one, and return what is there now."""
    plain = verdict.to_dict()
    if not memory:
        return plain
    from airflow_provider_schemas.tasks.error_handling import settled

    with settled():
        joined = _join_verdicts(memory[-1][1], plain)
    ti.xcom_push(key=VERDICT, value=joined)
    return joined


def _is_resumed(ti: Any) -> bool:
    """Return whether this try began earlier, and goes on after a deferral or after an answer."""
    method = getattr(_server_context(ti), "next_method", None)
    return isinstance(method, str) and bool(method)


def _is_after_pause(ti: Any) -> bool:
    """Return whether this try was let through earlier, and goes on after a sensor's pause.

    Airflow forgets the XComs of a task at each such start. So the tables are judged again, for the verdict that the
    run leaves behind: what does not fit now is warned of, is no reason to stop what began, and does not count as seen.
    """
    cleared = getattr(_server_context(ti), "xcom_keys_to_clear", None) or ()
    return _count_pauses(ti) > 0 and VERDICT in cleared


def _count_pauses(ti: Any) -> int:
    pauses = getattr(_server_context(ti), "task_reschedule_count", None)
    return pauses if isinstance(pauses, int) else 0


def _server_context(ti: Any) -> Any:
    return getattr(ti, "_ti_context_from_server", None)


def _memory_of_try(task: Any, ti: Any) -> _Memory:
    """Return the verdicts since this try began or went on after a pause; `dag.test` runs several tries in one process."""
    current_try = (ti.run_id, ti.map_index, ti.try_number, _count_pauses(ti))
    kept = task.__dict__.get(_MEMORY)
    if kept is None or kept[0] != current_try:
        kept = task.__dict__[_MEMORY] = (current_try, [])
    memory: _Memory = kept[1]
    return memory


def _join_verdicts(first: _PlainVerdict, second: _PlainVerdict) -> _PlainVerdict:
    """Return two verdicts as one, so that the next run finds what was seen of all tables."""
    for name in second["tables"]:
        if name in first["tables"] and _origin(first, name) != _origin(second, name):
            message = f"two guards of this task speak of two tables called {name}, of another store or branch."
            raise ContractError(message, code="guard.two-tables", path=name, fix="Gate one of them in a task of its own.")
    from airflow_provider_schemas.tasks.output.xcom_limit import joined_texts, within_limit
    from airflow_provider_schemas.tasks.spark.spark_conf import joined_tables

    return within_limit(
        {
            **second,
            **joined_texts(first, second),
            "verdict": min(first["verdict"], second["verdict"], key=_WEIGHTS.index),
            "fits": first["fits"] and second["fits"],
            "outcome": min(first["outcome"], second["outcome"], key=(*OUTCOMES, "fits").index),
            **{count: first[count] + second[count] for count in ("lists", "gets", "puts", "millis")},
            "notes": [*first["notes"], *second["notes"]],
            "spark": joined_tables(first["spark"], second["spark"]),
        }
    )


def _origin(verdict: _PlainVerdict, table: str) -> tuple[str, str | None]:
    """Return the connection and the branch that a table was checked with."""
    return verdict["conn_id"], verdict["tables"][table].get("branch")
