"""Read the output of `airflow dags test` line by line: which task starts, which task ends, and what it wrote in between.

The lines of Airflow's own machinery are left out. The lines of this provider, and what the code of a task prints, are kept.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# The loggers of this provider. What the code of a task prints has no logger.
_OURS = re.compile(r"airflow\.task\.(schemas|operators\.airflow_provider_schemas\..*)")
_BEGIN = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z \[\w+ *\] (?P<text>.*)")
_END = re.compile(r"(?P<text>.*?) *\[(?P<logger>[\w.]+)\](?: \w+=.*)?")
_FAILED = "Task failed with exception"
_TASK = re.compile(r"\[DAG TEST\] (?P<event>starting|end task) task_id=(?P<task>[\w.-]+)")
_GROUP = "::"
_UNKNOWN = "unknown"


@dataclass
class TaskLog:
    """The lines of a task, and the traceback of its exception."""

    task: str
    lines: list[str] = field(default_factory=list)
    traceback: list[str] = field(default_factory=list)
    ended: bool = False

    @property
    def error(self) -> list[str]:
        """Return the message of the exception: the last part of the traceback, which is not indented."""
        heads = [number for number, line in enumerate(self.traceback) if line and not line[0].isspace()]
        return self.traceback[heads[-1] :] if heads else []


class DagTestLog:
    """Follow the output of one `airflow dags test`."""

    def __init__(self) -> None:
        self.tasks: list[TaskLog] = []
        self._held: list[str] = []
        self._in_traceback = False

    def feed(self, line: str) -> TaskLog | None:
        """Read a line. Return the task that starts or ends with it, if any."""
        changed = [self._read(logger, text) for logger, text in self._messages(line)]
        return next((task for task in reversed(changed) if task), None)

    @property
    def running(self) -> TaskLog | None:
        """Return the task that has started and has not ended."""
        return self.tasks[-1] if self.tasks and not self.tasks[-1].ended else None

    def _read(self, logger: str, text: str) -> TaskLog | None:
        if event := _TASK.match(text):
            return self._change(event["event"], event["task"])
        if task := self.running:
            self._add(task, logger, text)
        return None

    def _change(self, event: str, name: str) -> TaskLog:
        self._in_traceback = False
        if event == "starting":
            self.tasks.append(TaskLog(name))
        else:
            self.tasks[-1].ended = True
        return self.tasks[-1]

    def _add(self, task: TaskLog, logger: str, text: str) -> None:
        if text.startswith(_FAILED):
            self._in_traceback = True
        elif _OURS.fullmatch(logger):
            self._in_traceback = False
            if not text.startswith(_GROUP):
                task.lines.append(text)
        elif logger:
            self._in_traceback = False
        elif self._in_traceback:
            task.traceback.append(text)
        else:
            task.lines.append(text)

    def _messages(self, line: str) -> Iterator[tuple[str, str]]:
        """Split the output into texts, each with its logger, which stands behind the last line of a message."""
        begin = _BEGIN.fullmatch(line)
        if begin and self._held:  # the message before was cut off: nobody knows whose it is
            yield from ((_UNKNOWN, text) for text in self._held)
            self._held = []
        if not begin and not self._held:
            yield "", line
            return
        self._held.append(begin["text"] if begin else line)
        if end := _END.fullmatch(self._held[-1]):
            yield from ((end["logger"], text) for text in [*self._held[:-1], end["text"]])
            self._held = []
