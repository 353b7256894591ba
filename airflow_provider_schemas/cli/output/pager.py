"""A text that is longer than the screen goes through a pager, where a person looks at it. The exit code stays that of the command."""

import os
import shlex
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from airflow_provider_schemas.render.layout import display_width
from airflow_provider_schemas.render.terminal import is_terminal, terminal_columns, terminal_lines

PAGER = "AIRFLOW_SCHEMAS_PAGER"
_DEFAULT = "less"
_NONE = ("", "cat")
# The options of less, unless the environment sets them: end where it fits on the screen, show colours, leave the text on the screen.
_LESS = "FRX"
_SHOW_COLORS = "-R"
# How `env` and its like say that there is no such program.
_NOT_RUN = (126, 127)
_COLUMNS = 80
_LINES = 24


def paged(text: str, stream: TextIO, args: Namespace) -> bool:
    """Show a text in a pager, and return whether that was done; else it has to be printed."""
    if args.no_pager or not _is_looked_at(stream) or not _is_long(text):
        return False
    try:
        words = shlex.split(program())
    except ValueError:  # a quote that does not end
        return False
    return bool(words) and _show(text, words, stream)


def program() -> str:
    """Return the pager of the environment; empty where none is wanted."""
    for name in (PAGER, "PAGER"):
        if name in os.environ:
            said = os.environ[name].strip()
            return "" if said in _NONE else said
    return _DEFAULT


def in_ci() -> bool:
    """Return whether a CI runs the command: nobody sits before its terminal."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def _is_looked_at(stream: TextIO) -> bool:
    return is_terminal(stream) and not in_ci() and os.environ.get("TERM") != "dumb"


def _is_long(text: str) -> bool:
    """Return whether a text and the line for the next command need more lines than the screen has."""
    lines = text.rstrip("\n").split("\n")
    screen = terminal_lines(_LINES)
    if len(lines) >= screen:
        return True
    columns = terminal_columns(_COLUMNS)
    return sum(max(-(-display_width(line) // columns), 1) for line in lines) >= screen


def _show(text: str, words: list[str], stream: TextIO) -> bool:
    """Write a text to the pager, and wait until it ends; return whether it ran. A reader who leaves it early has seen enough."""
    import subprocess  # which takes longer to load than a short command has

    stream.flush()
    environment = {"LESS": _LESS, "LV": "-c", **os.environ}
    if os.path.basename(words[0]) == "less" and "r" not in environment["LESS"].lower():  # noqa: PTH119  # a word, and no path that is looked at
        words = [*words, _SHOW_COLORS]
    try:
        pager = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=stream.fileno(), env=environment)  # noqa: S603  # the user names it, as for git
    except (OSError, ValueError):  # it is not there, or is no program
        return False
    with _interrupts_left_to_pager():
        pager.communicate(text.encode(stream.encoding or "utf-8", "backslashreplace"))
    return pager.returncode not in _NOT_RUN


@contextmanager
def _interrupts_left_to_pager() -> Iterator[None]:
    """Ignore Ctrl-C while the pager runs: there it ends a search, and not the command."""
    before = None
    with suppress(ValueError):  # only the main thread may
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
        sys.stdout.flush()
