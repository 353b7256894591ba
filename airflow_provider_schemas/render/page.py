"""The sheet that a text is written on: its width, its colours, and how much goes on it."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Self, TextIO

from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.terminal import supports_colors, terminal_columns

COLUMNS = 80
"""The width of a terminal that does not tell it."""
LIMIT = 50

# The eight colours of every terminal, whose theme makes them readable on light and on dark; neither black, white nor a bright one.
_CODES: Mapping[str, str] = MappingProxyType({
    Verdict.OK: "32",
    Verdict.WARN: "33",
    Verdict.BREAK: "1;31",
    Verdict.INVALID: "1;31",
    "strong": "1",
    "quiet": "2",
    "added": "32",
    "dropped": "31",
    "renamed": "36",
    "moved": "35",
    "retyped": "33",
    "changed": "34",
})  # fmt: skip

_STORE_VERBS = frozenset({"evolve", "waive", "bind", "restore", "plan"})


class Sheet(Struct, frozen=True):
    """The settings of a text: its width, whether it has colours, and how much it shows."""

    width: int = COLUMNS
    color: bool = False
    verbose: bool = False
    limit: int = LIMIT
    now: datetime | None = None
    """The moment from which days are counted; without one, dates are written out."""
    shortens: bool = False
    """Whether cells may be cut: a person looks at them. A pipe gets them whole."""
    connection: str = ""
    """The option that names the store in every command about a table of it: `--conn lake`."""

    @classmethod
    def of(cls, *, width: int | None, color: bool | None, stream: TextIO | None, verbose: bool, limit: int, now: datetime | None) -> Self:
        """Return the sheet with these settings; the terminal is asked for those that are None."""
        if width is None:
            width = terminal_columns(COLUMNS)
        if color is None:
            color = supports_colors(stream)
        return cls(max(width, 1), color, verbose, max(limit, 1), now)

    def ink(self, text: str, style: str) -> str:
        """Return the text in the colour of a verdict, strong or quiet."""
        if self.color and text:
            return f"\x1b[{_CODES[style]}m{text}\x1b[0m"
        return text

    def connected(self, command: str) -> str:
        """Return the command with the connection behind its verb, where the verb is about a table of a store."""
        program, _, rest = command.partition(" ")
        verb, _, words = rest.partition(" ")
        if not self.connection or not words or verb not in _STORE_VERBS:
            return command
        return f"{program} {verb} {self.connection} {words}"
