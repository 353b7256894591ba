"""A trigger that waits for one thing and then ends: the loop that those of the sensors share."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from airflow_provider_schemas.triggers.look import Look, NewsLog, Patience, RepeatedLook, error_event, pause, safe_text


def make_event(payload: dict[str, Any]) -> TriggerEvent:
    """Return the event with this payload."""
    return TriggerEvent(payload)  # type: ignore[no-untyped-call]  # Airflow's own


class WaitingTrigger(BaseTrigger):
    """Looks every poll seconds, until there is an event or errors last too long. The timeout is given where the task defers."""

    def __init__(self, *, poll: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's own
        self.poll = poll

    @staticmethod
    @abstractmethod
    def make_look(**about: Any) -> Look:
        """Make the object that looks. About is what `about` returns, and the poll where it looks again and again.

        Subclasses import its module here, which the triggerer's loop must not wait for.
        """

    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """Return the arguments of `make_look`, in an order that never changes; all of it plain JSON."""

    def serialize(self) -> tuple[str, dict[str, Any]]:
        trigger_class = type(self)
        return f"{trigger_class.__module__}.{trigger_class.__qualname__}", {**self.about(), "poll": self.poll}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        repeated_look = RepeatedLook(self.make_look, {**self.about(), "poll": self.poll})
        news_log = NewsLog(self.log)
        patience = Patience()
        while True:
            try:
                answer = await repeated_look.look()
            except Exception as error:  # noqa: BLE001  # a trigger that raises fails its task without a word
                if not patience.tolerates(error):
                    yield make_event(error_event(error))
                    return
                news_log.warn(f"{safe_text(error)} Looking again every {self.poll:g} s.")
            else:
                patience.restore()
                news_log.info(answer.message)
                if answer.event is not None:
                    yield make_event({**answer.event, "said": answer.message})
                    return
            await pause(self.poll)
