"""The terminal: its width, its height, and whether it shows colours. `shutil` tells the sizes, too, and takes long to load."""

import os
import sys
from typing import TextIO

_OFF = ("0", "false")


def terminal_columns(fallback: int) -> int:
    """Return the width that COLUMNS says, or else the terminal; the fallback where there is none."""
    return _said("COLUMNS") or _size()[0] or fallback


def terminal_lines(fallback: int) -> int:
    """Return the height that LINES says, or else the terminal; the fallback where there is none."""
    return _said("LINES") or _size()[1] or fallback


def supports_colors(stream: TextIO | None) -> bool:
    """Return whether a text for a stream, or for standard output, has colours.

    The first one that is set decides: NO_COLOR; FORCE_COLOR and then CLICOLOR_FORCE, where 0 or false counts as not forced;
    CLICOLOR=0; TERM=dumb. Where none is, colours go to a terminal.
    """
    environment = os.environ
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"].lower() not in _OFF
    if environment.get("CLICOLOR_FORCE", "0").lower() not in ("", *_OFF):
        return True
    if environment.get("CLICOLOR") == "0" or environment.get("TERM") == "dumb":
        return False
    return is_terminal(sys.stdout if stream is None else stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; one that is closed is none."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def _said(name: str) -> int:
    """Return the size that a variable of the environment says; 0 where it says none."""
    try:
        return max(int(os.environ[name]), 0)
    except (KeyError, ValueError):
        return 0


def _size() -> tuple[int, int]:
    try:
        size = os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]  # None is caught below
    except (AttributeError, ValueError, OSError):
        return 0, 0
    return size.columns, size.lines
