"""`SchemaNotifier`: tells of a gate that did not fit and of a table that was changed, over any notifier that Airflow has."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from airflow.sdk import BaseNotifier, Context

from airflow_provider_schemas.notifications.messages import KINDS, Message, message_of

VARIABLE = "schema_message"
# Under what a gate, and under what a task that changes tables, says what it found out, before anything is raised.
_SAID = ("schema_verdict", "schema_change")
# What a task says of the two. Airflow calls it an error to ask for what is not there.
_WHICH = "told_under"
_TOLD = ("breaks", "warns", "changes")

Send = BaseNotifier | Callable[[Message], object]


class SchemaNotifier(BaseNotifier):
    """A callback of a gate, of a guarded task or of a task that changes a table.

    Stock notifiers tell that a task failed, in words that the author of the DAG has written. This one reads what the task
    found out and hands it on: to notifiers, whose templates then know `schema_message`, or to functions, which are
    given the same mapping. Of a task that failed for other reasons it says nothing.

        gate = SchemaGateOperator(
            ...,
            on_failure_callback=SchemaNotifier(SlackNotifier(text="{{ schema_message.text }}")),
            on_success_callback=SchemaNotifier(SlackNotifier(text="{{ schema_message.text }}"), only=["warns"]),
        )

    The message has a title, the whole as text, markdown and html, its kind, and what it was made of: table or tables,
    job, run, owners, log_url. What people wrote into comments and names is put in by the template and never read as one.

    Send is a notifier or a function, or several; without one the message becomes a warning in the log of the task.
    Only are the kinds that are told: breaks, warns, fits, changes.
    """

    def __init__(self, send: Send | Sequence[Send] = (), *, only: str | Iterable[str] = _TOLD, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.send: tuple[Send, ...] = tuple(send) if isinstance(send, Sequence) else (send,)
        self.only = (only,) if isinstance(only, str) else tuple(only)
        if strange := [one for one in self.only if one not in KINDS]:
            raise ValueError(f"{strange[0]!r} is no kind of message. There are {', '.join(KINDS)}.")

    def notify(self, context: Context) -> None:
        """Tell what the task found out, if it is to be told."""
        which = getattr(context.get("task"), _WHICH, None)
        said = next((one for key in ([which] if isinstance(which, str) else _SAID) if (one := _pulled(context, key))), None)
        message = message_of(said, context)
        if message is None or message["kind"] not in self.only:
            return
        if not self.send:
            self.log.warning("%s", message["text"])
        for one in self.send:
            _hand(one, message, context)


def _hand(send: Send, message: Message, context: Mapping[str, Any]) -> None:
    if isinstance(send, BaseNotifier):
        # A notifier keeps what it has rendered: the next message needs one that has not.
        copy.copy(send)({**context, VARIABLE: message})
    else:
        send(message)


def _pulled(context: Mapping[str, Any], key: str) -> Any:
    """What this task has said under a key."""
    ti = context.get("ti")
    return None if ti is None else ti.xcom_pull(task_ids=ti.task_id, key=key, map_indexes=ti.map_index)
