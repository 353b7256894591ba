"""What a page shows of a terminal: commands with their output, and how far that is what was printed."""

import difflib
import re

# A command may go on after a backslash at the end of a line.
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    return [(found[1], found[2]) for found in _COMMAND.finditer(text)]


def difference(shown: str, printed: str) -> str:
    """Empty where the page shows what was printed; `...` stands for anything."""
    wanted, got = _lines(shown), _lines(printed)
    pattern = ".*".join(re.escape(part) for part in "\n".join(wanted).split("..."))
    if re.fullmatch(pattern, "\n".join(got), re.DOTALL):
        return ""
    return "\n".join(["the page shows something else:", *difflib.unified_diff(wanted, got, "shown", "printed", lineterm="")])


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]
