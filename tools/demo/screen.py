"""What the demo prints: titles, paragraphs, commands and the results of steps, never wider than 100 columns."""

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TextIO

from tools.demo.progress import Progress
from tools.demo.wrapping import wrapped

_WIDEST = 100
_NARROWEST = 60
_CODES = {"bold": "1", "red": "31", "green": "32", "dim": "2"}


class Screen:
    """Lines for a terminal, or for a pipe, where nothing is coloured or rewritten."""

    def __init__(self, out: TextIO, *, terminal: bool, colour: bool, width: int) -> None:
        self.width = width
        self.progress = Progress(out, terminal=terminal, width=width)
        self._out = out
        self._colour = colour

    def title(self, text: str) -> None:
        """Print the title of a step."""
        self._write("")
        self._write(self.coloured(f"{f'---- {text} ':-<{self.width}}", "bold"))

    def paragraph(self, text: str, indent: str = "") -> None:
        """Print a text, wrapped."""
        for line in textwrap.wrap(text, self.width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False):
            self._write(line)

    def point(self, head: str, text: str) -> None:
        """Print a point of a list: its head in bold, and what is to be said of it."""
        first, *more = textwrap.wrap(f"{head}: {text}", self.width - 4, break_on_hyphens=False)
        self._write(f"  - {self.coloured(head, 'bold')}{first[len(head) :]}")
        for line in more:
            self._write(f"    {line}")

    def lines(self, lines: list[str], indent: str = "    ") -> None:
        """Print lines of a program, each wrapped by itself."""
        for line in lines:
            for part in wrapped(line, self.width, indent):
                self._write(part)

    def command(self, line: str) -> None:
        """Print a command that is run now."""
        self._write(self.coloured(f"$ {line}", "bold"))

    def paste(self, line: str) -> None:
        """Print a command that the reader may type; nothing else stands on the line."""
        self._write(f"    {line}")

    def result(self, good: bool, name: str, text: str) -> None:
        """Print how something ended."""
        mark = self.coloured("✓" if good else "✖", "green" if good else "red")
        self._write(f"  {mark} {name:8} {text}")

    def blank(self) -> None:
        """Print an empty line."""
        self._write("")

    def coloured(self, text: str, colour: str) -> str:
        """Return the text in a colour, where colours are shown."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self._colour else text

    def _write(self, line: str) -> None:
        self._out.write(f"{line}\n")
        self._out.flush()


def screen(out: TextIO = sys.stdout, environment: Mapping[str, str] = os.environ) -> Screen:
    """Return the screen of this process."""
    terminal = out.isatty() and environment.get("TERM", "dumb") != "dumb"
    columns = shutil.get_terminal_size((_WIDEST, 24)).columns if terminal else _WIDEST
    width = max(_NARROWEST, min(_WIDEST, columns))
    return Screen(out, terminal=terminal, colour=terminal and not environment.get("NO_COLOR"), width=width)
