"""The width of the terminal. `shutil` tells the same, and loads what reads archives, which takes longer than a short command takes."""

import os
import sys


def terminal_columns(fallback: int) -> int:
    """Return the width that COLUMNS says, or else the terminal; the fallback where there is none."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0:
        return columns
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or fallback  # type: ignore[union-attr]  # None is caught below
    except (AttributeError, ValueError, OSError):
        return fallback
