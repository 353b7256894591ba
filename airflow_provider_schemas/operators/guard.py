"""The guard: the gate on any task, asked before it executes, once a try. What was checked is handed to its Spark job."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from airflow_provider_schemas.assets import SCHEME
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.operators.pre_execute import hook_on, refuse_never_asked
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, VERDICT, Asked
from airflow_provider_schemas.tasks.gate.never_asked import starts_on_triggerer
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output import log_footer

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.gate.verdict import Verdict

_Task = TypeVar("_Task")
_Plain = Mapping[str, Any]
_NOT_ASKED = "SCHEMA GUARD  the tables of this task were not checked: "
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
    """A guard: `pre_execute=schema_guard("lake", reads=["shop.orders"])`, or `schema_guard(...).on(task)`.

    The arguments are those of `SchemaGateOperator`, and may be templates, also the names of tables in a mapping.
    """
    if isinstance(conn_id, Mapping):  # Airflow has called it with a context
        from airflow_provider_schemas.tasks.error_handling import settled

        with settled():
            message = "schema_guard was given the context of a task instead of a connection, so that nothing would be checked."
            fix = 'Call it where the hook is named: pre_execute=schema_guard("lake", reads=["shop.orders"]).'
            raise ContractError(message, code="guard.not-called", path="pre_execute", fix=fix)
    about: dict[str, Any] = {"reads": reads, "writes": writes, "branch": branch, "version": version, "policy": policy}
    return SchemaGuard(Asked(conn_id=conn_id, on_incompatible=on_incompatible, on_missing=on_missing, register=register, **about))


class SchemaGuard(Struct, frozen=True):
    """A hook for `pre_execute` that stops the task when a table breaks it."""

    asked: Asked
    on_trouble: Literal["raise", "warn"] = "raise"
    """What it means that nobody can tell: raise, or say so and go on, for a guard that is put on tasks nobody looked at."""
    referred: tuple[tuple[str, str], ...] = ()
    """Tables that are taken from the names of assets, with these names: asked about only if the asset is one of ours."""

    def on(self, task: _Task) -> _Task:
        """Guard a task: an operator, a mapped one, a decorated task, or each task of a group. Gives back what it was given.

        Tasks that are added to a group later are not guarded: call it after the last of them.
        """
        hook_on(task, self)
        return task

    def __call__(self, context: _Plain) -> None:
        task, ti = context["task"], context["ti"]
        if _goes_on(ti):
            if not _memory(task, ti):
                self._check_asked(task)
            return
        if _paused(ti):
            msgspec.structs.replace(
                self, asked=msgspec.structs.replace(self.asked, on_incompatible="warn", on_missing="warn"), on_trouble="warn"
            )._ask(context, _memory(task, ti))
        else:
            self._ask(context, _memory(task, ti))

    def _ask(self, context: _Plain, memory: "_Memory") -> None:
        task = context["task"]
        asked = self._confirmed(context)
        if asked is None or any(guard == self for guard, _ in memory):
            return
        from airflow_provider_schemas.operators.render_templates import rendered

        verdict = self._verdict(rendered(asked, context), context, memory)
        if verdict is not None:
            from airflow_provider_schemas.tasks.gate.enforce import act
            from airflow_provider_schemas.tasks.spark.spark_conf import hand_over

            act(verdict, context)
            hand_over(task, verdict.spark())

    def _check_asked(self, task: Any) -> None:
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
        log_footer.log_lines(f"{_NOT_ASKED}{trouble}", "warn")

    def _confirmed(self, context: _Plain) -> Asked | None:
        """What is asked, without tables that turn out to be assets of somebody else; None if nothing remains."""
        known = getattr(context.get("inlet_events"), "_assets", None)  # Airflow has looked up what names refer to
        if not self.referred or not isinstance(known, Mapping):
            return self.asked
        ours = {one.name for one in known.values() if one.uri.startswith(f"{SCHEME}:")}
        strange = {table for table, name in self.referred if name not in ours}
        reads = [table for table in self.asked.reads if table not in strange]
        return msgspec.structs.replace(self.asked, reads=reads) if reads else None

    def _verdict(self, asked: Asked, context: _Plain, memory: "_Memory") -> "Verdict | None":
        """The verdict, which is remembered; None if nobody can tell, and that is no reason to stop."""
        try:
            from airflow_provider_schemas.tasks.gate.decide import fit

            verdict = fit(asked, context)
            memory.append((self, _pushed(verdict, memory, context["ti"])))
            return verdict
        except Exception as error:
            if self.on_trouble == "raise":
                raise
            from airflow_provider_schemas.store.storage.chained_errors import without_queries

            trouble = without_queries(str(error))
        finally:
            log_footer.end_group()  # hooks run in a group that the log folds
        log_footer.log_lines(f"{_NOT_ASKED}{trouble}", "warn")
        return None


_Memory = list[tuple[SchemaGuard, _Plain]]


def _pushed(verdict: "Verdict", memory: _Memory, ti: Any) -> _Plain:
    """What is in XCom now: the verdict, with those of the guards before this one."""
    said = verdict.to_dict()
    if not memory:
        return said
    from airflow_provider_schemas.tasks.error_handling import settled

    with settled():
        both = _both(memory[-1][1], said)
    ti.xcom_push(key=VERDICT, value=both)
    return both


def _goes_on(ti: Any) -> bool:
    """Whether this try began earlier, and goes on after a deferral or after an answer."""
    method = getattr(_begun(ti), "next_method", None)
    return isinstance(method, str) and bool(method)


def _paused(ti: Any) -> bool:
    """Whether this try was let through earlier, and goes on after a sensor's pause.

    Airflow forgets the XComs of a task at each such start. So the tables are judged again, for the verdict that the
    run leaves behind: what does not fit now is warned of, is no reason to stop what began, and does not count as seen.
    """
    begun = _begun(ti)
    return _pauses(ti) > 0 and VERDICT in (getattr(begun, "xcom_keys_to_clear", None) or ())


def _pauses(ti: Any) -> int:
    pauses = getattr(_begun(ti), "task_reschedule_count", None)
    return pauses if isinstance(pauses, int) else 0


def _begun(ti: Any) -> Any:
    return getattr(ti, "_ti_context_from_server", None)


def _memory(task: Any, ti: Any) -> _Memory:
    """What was found since this try began or went on after a pause; `dag.test` runs several in one process."""
    this = (ti.run_id, ti.map_index, ti.try_number, _pauses(ti))
    found = task.__dict__.get(_MEMORY)
    if found is None or found[0] != this:
        found = task.__dict__[_MEMORY] = (this, [])
    memory: _Memory = found[1]
    return memory


def _both(one: _Plain, other: _Plain) -> _Plain:
    """Two verdicts as one, so that the next run finds what was seen of all tables."""
    mixed = [
        name for name, about in other["tables"].items() if name in one["tables"] and _elsewhere(one, one["tables"][name], other, about)
    ]
    if mixed:
        message = f"two guards of this task speak of two tables called {mixed[0]}, of another store or branch."
        raise ContractError(message, code="guard.two-tables", path=mixed[0], fix="Gate one of them in a task of its own.")
    from airflow_provider_schemas.tasks.spark.spark_conf import joined_tables

    return {
        **other,
        "verdict": min(one["verdict"], other["verdict"], key=_WEIGHTS.index),
        "fits": one["fits"] and other["fits"],
        "outcome": min(one["outcome"], other["outcome"], key=(*OUTCOMES, "fits").index),
        **{count: one[count] + other[count] for count in ("lists", "gets", "millis")},
        "notes": [*one["notes"], *other["notes"]],
        "tables": {**one["tables"], **other["tables"]},
        "spark": joined_tables(one["spark"], other["spark"]),
    }


def _elsewhere(one: _Plain, about: _Plain, other: _Plain, about_it: _Plain) -> bool:
    return (one["conn_id"], about.get("branch")) != (other["conn_id"], about_it.get("branch"))
