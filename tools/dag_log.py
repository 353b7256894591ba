"""What tasks said in the output of `airflow dags test`: their own lines, without those of Airflow's machinery."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Who speaks for a task of ours. What a task prints has no such name.
_OURS = re.compile(r"airflow\.task\.(schemas|operators\.airflow_provider_schemas\..*)")
_BEGIN = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z \[\w+ *\] (?P<said>.*)")
_END = re.compile(r"(?P<said>.*?) *\[(?P<logger>[\w.]+)\](?: \w+=.*)?")
_FAILED = "Task failed with exception"
_TASK = re.compile(r"\[DAG TEST\] (?P<what>starting|end task) task_id=(?P<task>[\w.]+)")


class Said(NamedTuple):
    """A task, and the lines that it said."""

    task: str
    lines: list[str]


def told(output: str) -> list[Said]:
    """The tasks that ran, in order."""
    found: list[Said] = []
    printing = False
    for logger, line in _lines(output):
        if task := _TASK.match(line):
            if task["what"] == "starting":
                found.append(Said(task["task"], []))
            printing = task["what"] == "starting"
        elif line.startswith(_FAILED):
            printing = False  # a traceback follows
        elif (found and _OURS.fullmatch(logger)) or (printing and not logger):
            found[-1].lines.append(line)
    return [Said(one.task, [line for line in one.lines if not line.startswith("::")]) for one in found]


def _lines(output: str) -> Iterator[tuple[str, str]]:
    """Each line with the name of its logger, which stands behind the last line of what was logged; printed lines have none."""
    held: list[str] = []
    for line in output.splitlines():
        begin = _BEGIN.fullmatch(line)
        if begin is None and not held:
            yield "", line
            continue
        held.append(begin["said"] if begin else line)
        if end := _END.fullmatch(held[-1]):
            yield from ((end["logger"], one) for one in [*held[:-1], end["said"]])
            held = []
