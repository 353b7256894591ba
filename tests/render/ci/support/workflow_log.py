"""A reader of workflow commands, as GitHub's documentation describes them: what a runner makes of the lines of a log."""

import re
from typing import NamedTuple

_COMMAND = re.compile(r"::([\w-]+)(?: (.*?))?::(.*)", re.DOTALL)


class Command(NamedTuple):
    """A command of a log."""

    name: str
    properties: dict[str, str]
    message: str


def read(line: str) -> Command | None:
    """Return the command of a line; None for a line that is shown as it is."""
    match = _COMMAND.match(line.lstrip())
    if match is None:
        return None
    properties: dict[str, str] = {}
    for part in (match[2] or "").split(","):
        key, _, value = part.partition("=")
        properties[key.strip()] = _property(value)
    return Command(match[1], properties, _data(match[3]))


def is_old_command(line: str) -> bool:
    """Return whether the runner finds a command of the older spelling, which may begin anywhere in a line."""
    return "##[" in line


def _data(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def _property(text: str) -> str:
    return _data(text.replace("%3A", ":").replace("%2C", ","))
