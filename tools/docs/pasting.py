"""Whether a Python block can be pasted into a prompt, as readers do.

A prompt runs an indented statement at the blank line behind it. What follows without one is a SyntaxError there,
though no file minds.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

MESSAGE = "a Python prompt refuses this line: put a blank line before it, or begin a new block."


def stuck_lines(text: str) -> Iterator[int]:
    """The lines of the block, from 1, on which a statement follows an indented one without a blank line."""
    lines = text.splitlines()
    for before, after in pairwise(ast.parse(text).body):
        between = lines[(before.end_lineno or before.lineno) : _start(after) - 1]
        if _waits(before) and all(line.strip() for line in between):
            yield _start(after)


def _waits(statement: ast.stmt) -> bool:
    """Whether a prompt waits for more of it: loops, branches, definitions."""
    return hasattr(statement, "body") or isinstance(statement, ast.Match)


def _start(statement: ast.stmt) -> int:
    """The line on which it begins, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])
