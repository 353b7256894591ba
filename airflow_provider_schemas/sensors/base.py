"""What both sensors share: they look once, and if they have to wait do so in the triggerer, never without a timeout.

The same classes look in a worker and in the triggerer. Errors of a storage never count as the end of a wait, and soft_fail
turns no error into a skip: with it, errors are raised as exceptions that do not derive from AirflowException.

DAG files import this, so that modules that need the library are imported when the task runs.
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
from airflow_provider_schemas.triggers.look import Look, LookAnswer, NewsLog, Patience, is_passing, log_lines, safe_text
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
        self.conn_id = conn_id
        self.branch = branch
        self.deferrable = deferrable

    # ------------------------------------------------------------ what subclasses define

    waits: ClassVar[type[WaitingTrigger]]
    """The trigger that waits for the sensor, and makes the object that looks."""

    @abstractmethod
    def _read_request(self, context: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the trigger, except poll."""

    @abstractmethod
    def _finish(self, event: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the result of the task for an event; None if the event does not hold any more."""

    # ------------------------------------------------------------ how it waits

    def execute(self, context: Any) -> Any:
        with self._settled():
            request = self._read_request(context)
            if self.deferrable:
                return self._wait(request, context, datetime.now(UTC) + timedelta(seconds=self.timeout))
        self._poking = _Poking(self, request, context)
        try:
            return super().execute(context)
        except AirflowSensorTimeout as error:
            raise AirflowSensorTimeout(self._timeout_message(context)) from error

    def poke(self, context: Any) -> bool | PokeReturnValue:
        with self._settled():
            return self._poking.poke()

    def _wait(self, request: Mapping[str, Any], context: Mapping[str, Any], deadline: datetime) -> dict[str, Any]:
        """Return the result if it is there; else defer."""
        look = self.waits.make_look(**request)
        answer = look.look()
        result: dict[str, Any] | None = self._finish_answer(answer, context)
        if result is not None:
            log_lines(self.log.info, answer.message)
            return result
        log_lines(self.log.info, " ".join(part for part in (answer.message, self._until(deadline), look.owner()) if part))
        return self._defer(request, deadline)

    def _finish_answer(self, answer: LookAnswer, context: Mapping[str, Any]) -> Any:
        """Return the result of a look; None while there is nothing that ends the wait."""
        if answer.event is None:
            return None
        return self._finish(answer.event, context)

    def _defer(self, request: Mapping[str, Any], deadline: datetime) -> NoReturn:
        trigger = self.waits(**request, poll=self.poke_interval)
        left = max(deadline - datetime.now(UTC), timedelta(seconds=1))
        kept = {"deadline": deadline.isoformat()}
        self.defer(trigger=trigger, method_name="execute_complete", kwargs=kept, timeout=left)

    def execute_complete(self, context: Any, event: Any = None, deadline: str = "") -> Any:
        """Go on where the trigger ended. `dag.test` hands over the event alone."""
        with self._settled():
            if not isinstance(event, Mapping) or event.get("status") != "ok":
                raise _read_error(event)
            log_lines(self.log.info, event.get("said", ""))
            result = self._finish(event, context)
            if result is not None:
                return result
            until = datetime.now(UTC) + timedelta(seconds=self.timeout)
            if deadline:
                until = datetime.fromisoformat(deadline)
            self.log.info("It does not hold any more. %s", self._until(until))
            return self._defer(self._read_request(context), until)

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any) -> Any:
        try:
            return super().resume_execution(next_method, next_kwargs, context)
        except AirflowSensorTimeout as error:
            raise AirflowSensorTimeout(self._timeout_message(context)) from error
        except AirflowSkipException:
            log_lines(self.log.warning, self._timeout_message(context))
            raise

    # ------------------------------------------------------------ messages and errors

    def _until(self, deadline: datetime) -> str:
        day = "" if deadline.date() == datetime.now(UTC).date() else "%Y-%m-%d "
        return f"Looking every {self.poke_interval:g} s until {deadline:{day}%H:%M} UTC."

    def _timeout_message(self, context: Mapping[str, Any]) -> str:
        """Say what is missing still when the time is over; with soft_fail, raise where that cannot be known."""
        waited = f"Waited {timedelta(seconds=self.timeout)} in vain."
        try:
            look = self.waits.make_look(**self._read_request(context))
            return f"{waited} {look.look().message} {look.owner()}".strip()
        except SchemaError as error:
            if is_passing(error) and (self.soft_fail or self.never_fail):
                raise
            return f"{waited} {safe_text(error)}"

    @contextmanager
    def _settled(self) -> Iterator[None]:
        """Raise errors as they end a task; where Airflow would turn some into a skip, as others."""
        try:
            yield
        except SchemaError as error:
            from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

            hide_in_chain(error)
            if self.soft_fail or self.never_fail:
                raise _unskippable(error) from error
            raise final(error) from error


class _Poking:
    """A wait in a worker: errors of a storage are tolerated for a while where one process sees all of them."""

    def __init__(self, sensor: WaitingSensor, request: Mapping[str, Any], context: Mapping[str, Any]) -> None:
        self._sensor = sensor
        self._request = request
        self._context = context
        self._look: Look | None = None
        self._news_log = NewsLog(sensor.log)
        self._patience = Patience()
        self._is_rescheduled = bool(context.get("task_reschedule_count"))

    def poke(self) -> PokeReturnValue:
        try:
            answer, owner = self._look_once()
        except Exception as error:
            self._drop_look()
            if self._sensor.reschedule or not self._patience.tolerates(error):
                raise
            self._news_log.warn(f"{safe_text(error)} Looking again every {self._sensor.poke_interval:g} s.")
            return PokeReturnValue(is_done=False)
        self._patience.restore()
        result = self._sensor._finish_answer(answer, self._context)
        if result:
            owner = ""
        if result is not None or not self._is_rescheduled:
            self._news_log.info(" ".join(part for part in (answer.message, owner) if part))
        return PokeReturnValue(is_done=result is not None, xcom_value=result)

    def _look_once(self) -> tuple[LookAnswer, str]:
        self._look = self._look or self._sensor.waits.make_look(**self._request)
        answer = self._look.look()
        if answer.event:
            return answer, ""
        return answer, self._look.owner()

    def _drop_look(self) -> None:
        """Have the next look made by a new object."""
        if self._look is not None:
            self._look.forget()
        self._look = None


def _unskippable(error: SchemaError) -> SchemaError:
    """Return the error as one that Airflow does not turn into a skip."""
    if isinstance(error, AirflowException):
        return SchemaError.of(error.faults)
    return error


def _read_error(event: Any) -> SchemaError:
    """Return the error of a trigger, as it was raised there."""
    payload = event if isinstance(event, Mapping) else {}
    faults = [Fault(fault["code"], fault["path"], fault["message"], fault["fix"]) for fault in payload.get("faults", [])]
    message = str(payload.get("message", "the trigger ended without an answer."))
    error_class = StorageError if payload.get("retry", True) else SchemaError
    return error_class.of(faults or [Fault("sensor.failed", "", message, "Clear the task to try again.")])
