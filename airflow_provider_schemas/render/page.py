"""What a text is written on: how wide it is, whether it has colours, and how much goes on it."""

import os
import shutil
import sys
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Self, TextIO

from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict

COLUMNS = 80
"""Where nobody knows the width."""
LIMIT = 50

_CODES: Mapping[str, str] = MappingProxyType({
    Verdict.OK: "32",
    Verdict.WARN: "33",
    Verdict.BREAK: "1;31",
    Verdict.INVALID: "1;31",
    "strong": "1",
    "quiet": "2",
})  # fmt: skip

_CHANGING_VERBS = frozenset({"evolve", "waive", "bind", "restore"})


class Sheet(Struct, frozen=True):
    """A width, colours or none, and the amount."""

    width: int = COLUMNS
    color: bool = False
    verbose: bool = False
    limit: int = LIMIT
    now: datetime | None = None
    """The moment from which days are counted; without one, dates are written out."""
    connection: str = ""
    """The option that names the store in every command that changes it: `--conn lake`."""

    @classmethod
    def of(cls, *, width: int | None, color: bool | None, stream: TextIO | None, verbose: bool, limit: int, now: datetime | None) -> Self:
        """The sheet that is asked for; what is not said is asked of the terminal."""
        columns = shutil.get_terminal_size((COLUMNS, 24)).columns if width is None else width
        return cls(max(columns, 1), _colored(stream) if color is None else color, verbose, max(limit, 1), now)

    def ink(self, text: str, style: str) -> str:
        """The text in the colour of a verdict, strong or quiet."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text

    def connected(self, command: str) -> str:
        """Return the command with the connection behind its verb, where the verb changes a store."""
        program, _, rest = command.partition(" ")
        verb, _, words = rest.partition(" ")
        if not self.connection or not words or verb not in _CHANGING_VERBS:
            return command
        return f"{program} {verb} {self.connection} {words}"


def _colored(stream: TextIO | None) -> bool:
    """Colours are for terminals, and for people who have not said that they want none."""
    asked = sys.stdout if stream is None else stream
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and asked is not None and asked.isatty()
