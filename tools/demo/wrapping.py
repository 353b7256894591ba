"""Fit lines into the width of the screen. A command stays whole, so that it can be pasted."""

import re
import textwrap

_LABEL = re.compile(r"(\s*\S.{0,22}?\s{2,})(?=\S)")
_GAP = re.compile(r" {3,}")
_COMMAND = re.compile(r"airflow(-schemas)? [a-z]")


def wrapped(line: str, width: int, indent: str = "") -> list[str]:
    """Return the lines that show this line; what follows a label is aligned under its own first word."""
    line = f"{indent}{line.rstrip()}"
    if len(line) <= width:
        return [line]
    label = _LABEL.match(line)
    start = label.end() if label else len(_margin(line))
    squeezed = line[:start] + _GAP.sub("  ", line[start:])
    if len(squeezed) <= width:
        return [squeezed]
    text = line[start:]
    if _COMMAND.match(text):
        return [*([label[0].rstrip()] if label else []), f"{_margin(line)}{'    ' if label else ''}{text}"]
    return textwrap.wrap(
        squeezed,
        width,
        subsequent_indent=" " * label.end() if label else f"{_margin(line)}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
