"""What both sensors are: they look once, and if that is not the end of it wait in the triggerer, never without a timeout.

The same classes look in a worker and in the triggerer. Trouble of a storage is never taken for the end of a wait,
and soft_fail turns no error into a skip: whatever is raised for one is no AirflowException then.

DAG files import this, so that whatever needs the library is imported when the task runs.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NoReturn

from airflow.sdk import BaseSensorOperator, PokeReturnValue
from airflow.sdk.exceptions import AirflowException, AirflowSensorTimeout, AirflowSkipException

from airflow_provider_schemas.errors import Fault, SchemaError, StorageError
from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.error_handling import final
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output.extra_links import ChangedByLink
from airflow_provider_schemas.triggers.look import Answer, Look, Told, Trouble, passing, say, text_of
from airflow_provider_schemas.triggers.polling_trigger import WaitingTrigger

TIMEOUT = timedelta(hours=6)
POLL = 60.0


class WaitingSensor(BaseSensorOperator):
    """Waits in the triggerer. With deferrable=False in a worker, as its mode says."""

    operator_extra_links = (ChangedByLink(),)
    ui_color = "#e8f0ea"
    changed_by_run = ""

    def __init__(
        self,
        *,
        conn_id: str = DEFAULT,
        branch: str = NOT_SAID,
        deferrable: bool = True,
        poke_interval: timedelta | float = POLL,
        timeout: timedelta | float = TIMEOUT,
        **kwargs: Any,
    ) -> None:
        super().__init__(poke_interval=poke_interval, timeout=timeout, **kwargs)
        self.conn_id, self.branch, self.deferrable = conn_id, branch, deferrable

    # ------------------------------------------------------------ what a sensor says of itself

    waits: ClassVar[type[WaitingTrigger]]
    """What waits for it, and names what looks for it."""

    @abstractmethod
    def _asked(self, context: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is asked, as the arguments of the trigger but poll."""

    @abstractmethod
    def _green(self, event: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the result of the task for an event; None if the event does not hold any more."""

    def _look_with(self, asked: Mapping[str, Any]) -> Look:
        return self.waits.make_look(**asked)

    def _trigger(self, asked: Mapping[str, Any]) -> WaitingTrigger:
        return self.waits(**asked, poll=self.poke_interval)

    # ------------------------------------------------------------ how it waits

    def execute(self, context: Any) -> Any:
        with self._settled():
            asked = self._asked(context)
            if self.deferrable:
                return self._wait(asked, context, datetime.now(UTC) + timedelta(seconds=self.timeout))
        self._poking = _Poking(self, asked, context)
        try:
            return super().execute(context)
        except AirflowSensorTimeout as error:
            raise AirflowSensorTimeout(self._in_vain(context)) from error

    def poke(self, context: Any) -> bool | PokeReturnValue:
        with self._settled():
            return self._poking.poke()

    def _wait(self, asked: Mapping[str, Any], context: Mapping[str, Any], deadline: datetime) -> dict[str, Any]:
        """The result if it is there; else this ends in a deferral."""
        look = self._look_with(asked)
        answer = look.look()
        found = None if answer.event is None else self._green(answer.event, context)
        if found is not None:
            say(self.log.info, answer.said)
            return found
        say(self.log.info, " ".join(part for part in (answer.said, self._until(deadline), look.owner()) if part))
        return self._defer(asked, deadline)

    def _defer(self, asked: Mapping[str, Any], deadline: datetime) -> NoReturn:
        left = max(deadline - datetime.now(UTC), timedelta(seconds=1))
        kept = {"deadline": deadline.isoformat()}
        self.defer(trigger=self._trigger(asked), method_name="execute_complete", kwargs=kept, timeout=left)

    def execute_complete(self, context: Any, event: Any = None, deadline: str = "") -> Any:
        """Go on where the trigger ended. `dag.test` hands over the event alone."""
        with self._settled():
            if not isinstance(event, Mapping) or event.get("status") != "ok":
                raise _error_of(event)
            say(self.log.info, event.get("said", ""))
            found = self._green(event, context)
            if found is not None:
                return found
            until = datetime.fromisoformat(deadline) if deadline else datetime.now(UTC) + timedelta(seconds=self.timeout)
            self.log.info("It does not hold any more. %s", self._until(until))
            return self._defer(self._asked(context), until)

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any) -> Any:
        try:
            return super().resume_execution(next_method, next_kwargs, context)
        except AirflowSensorTimeout as error:
            raise AirflowSensorTimeout(self._in_vain(context)) from error
        except AirflowSkipException:
            say(self.log.warning, self._in_vain(context))
            raise

    # ------------------------------------------------------------ what it says

    def _until(self, deadline: datetime) -> str:
        day = "" if deadline.date() == datetime.now(UTC).date() else "%Y-%m-%d "
        return f"Looking every {self.poke_interval:g} s until {deadline:{day}%H:%M} UTC."

    def _in_vain(self, context: Mapping[str, Any]) -> str:
        """What there is to say when the time is over: what is missing still. Whoever cannot look does not know that it is."""
        waited = f"Waited {timedelta(seconds=self.timeout)} in vain."
        try:
            look = self._look_with(self._asked(context))
            return f"{waited} {look.look().said} {look.owner()}".strip()
        except SchemaError as error:
            if passing(error) and (self.soft_fail or self.never_fail):
                raise
            return f"{waited} {text_of(error)}"

    @contextmanager
    def _settled(self) -> Iterator[None]:
        """Errors as they end a task; where some are turned into a skip, as none that could be."""
        try:
            yield
        except SchemaError as error:
            from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

            hide_in_chain(error)
            raise (_unskippable(error) if self.soft_fail or self.never_fail else final(error)) from error


class _Poking:
    """A wait in a worker: trouble of a storage is borne for a while where one process sees it all."""

    def __init__(self, sensor: WaitingSensor, asked: Mapping[str, Any], context: Mapping[str, Any]) -> None:
        self._sensor, self._asked, self._context = sensor, asked, context
        self._look: Look | None = None
        self._told, self._trouble = Told(sensor.log), Trouble()
        self._again = bool(context.get("task_reschedule_count"))

    def poke(self) -> PokeReturnValue:
        try:
            answer, owner = self._looked()
        except Exception as error:
            self._drop()
            if self._sensor.reschedule or not self._trouble.met(error):
                raise
            self._told.warn(f"{text_of(error)} Looking again every {self._sensor.poke_interval:g} s.")
            return PokeReturnValue(is_done=False)
        self._trouble.over()
        found = None if answer.event is None else self._sensor._green(answer.event, self._context)
        if found is not None or not self._again:
            self._told.say(" ".join(part for part in (answer.said, "" if found else owner) if part))
        return PokeReturnValue(is_done=found is not None, xcom_value=found)

    def _looked(self) -> tuple[Answer, str]:
        self._look = self._look or self._sensor._look_with(self._asked)
        answer = self._look.look()
        return answer, "" if answer.event else self._look.owner()

    def _drop(self) -> None:
        """Look with a new one the next time."""
        if self._look is not None:
            self._look.forget()
        self._look = None


def _unskippable(error: SchemaError) -> SchemaError:
    """The error as one that Airflow does not take for a reason to skip."""
    return SchemaError.of(error.faults) if isinstance(error, AirflowException) else error


def _error_of(event: Any) -> SchemaError:
    """The error of a trigger, as it was raised there."""
    said = event if isinstance(event, Mapping) else {}
    faults = [Fault(one["code"], one["path"], one["message"], one["fix"]) for one in said.get("faults", [])]
    message = str(said.get("message", "the trigger ended without an answer."))
    kind = StorageError if said.get("retry", True) else SchemaError
    return kind.of(faults or [Fault("sensor.failed", "", message, "Clear the task to try again.")])
