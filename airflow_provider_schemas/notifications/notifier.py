"""`SchemaNotifier`: tells of a gate that did not fit and of a table that was changed, over any notifier that Airflow has."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from airflow.sdk import BaseNotifier, Context

from airflow_provider_schemas.notifications.messages import KINDS, Message, message_of

VARIABLE = "schema_message"
# The XCom keys of a gate, and of a task that changes tables, which both push before they raise.
_KEYS = ("schema_verdict", "schema_change")
# The attribute of a task that names its key. Airflow logs an error for a key that is not there.
_KEY_ATTRIBUTE = "told_under"
_DEFAULT_KINDS = ("breaks", "warns", "changes")

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

    def __init__(self, send: Send | Sequence[Send] = (), *, only: str | Iterable[str] = _DEFAULT_KINDS, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.send: tuple[Send, ...] = tuple(send) if isinstance(send, Sequence) else (send,)
        self.only = (only,) if isinstance(only, str) else tuple(only)
        unknown = [kind for kind in self.only if kind not in KINDS]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no kind of message. There are {', '.join(KINDS)}.")

    def notify(self, context: Context) -> None:
        """Send what the task found out, if it is of a kind that is wanted."""
        message = message_of(_pull_entry(context), context)
        if message is None or message["kind"] not in self.only:
            return
        if not self.send:
            self.log.warning("%s", message["text"])
        for send in self.send:
            _send_message(send, message, context)


def _send_message(send: Send, message: Message, context: Mapping[str, Any]) -> None:
    if isinstance(send, BaseNotifier):
        # A notifier keeps what it has rendered: the next message needs a fresh copy.
        copy.copy(send)({**context, VARIABLE: message})
    else:
        send(message)


def _pull_entry(context: Mapping[str, Any]) -> Any:
    """Return what this task has pushed under its key, or under the first of both that holds something."""
    ti = context.get("ti")
    if ti is None:
        return None
    own_key = getattr(context.get("task"), _KEY_ATTRIBUTE, None)
    keys = (own_key,) if isinstance(own_key, str) else _KEYS
    for key in keys:
        entry = ti.xcom_pull(task_ids=ti.task_id, key=key, map_indexes=ti.map_index)
        if entry:
            return entry
    return None
