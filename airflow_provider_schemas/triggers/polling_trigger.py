"""A trigger that waits for one thing and then ends: the loop that those of the sensors share."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from airflow_provider_schemas.triggers.look import Look, Looks, Told, Trouble, error_event, pause, text_of


def fired(payload: dict[str, Any]) -> TriggerEvent:
    """The event with this payload."""
    return TriggerEvent(payload)  # type: ignore[no-untyped-call]  # Airflow's own


class WaitingTrigger(BaseTrigger):
    """Looks every poll seconds, until an event comes of it or trouble lasts too long. A timeout is the business of whoever defers."""

    def __init__(self, *, poll: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's own
        self.poll = poll

    @staticmethod
    @abstractmethod
    def make_look(**about: Any) -> Look:
        """Make what looks. Subclasses import its module here, which the triggerer's loop must not wait for."""

    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """What `make_look` takes, in an order that never changes; all of it plain JSON."""

    def serialize(self) -> tuple[str, dict[str, Any]]:
        kind = type(self)
        return f"{kind.__module__}.{kind.__qualname__}", {**self.about(), "poll": self.poll}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        looks, told, trouble = Looks(self.make_look, self.about()), Told(self.log), Trouble()
        while True:
            try:
                answer = await looks.look()
            except Exception as error:  # noqa: BLE001  # a trigger that raises fails its task without a word
                if not trouble.met(error):
                    yield fired(error_event(error))
                    return
                told.warn(f"{text_of(error)} Looking again every {self.poll:g} s.")
            else:
                trouble.over()
                told.say(answer.said)
                if answer.event is not None:
                    yield fired({**answer.event, "said": answer.said})
                    return
            await pause(self.poll)
