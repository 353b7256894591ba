"""Paths of fields as people write them in a table file, and as a plan lists them: `address.zip`, `lines.element.sku`.

Findings call the element of a list `lines[]` and the value of a map `m{}`; both spellings are read. A name that
is not a plain word stands in back-quotes.
"""

import re
from collections.abc import Sequence

from airflow_provider_schemas.core.difference import MARKS, word

Steps = tuple[str, ...]

_STEPS = {mark: step for step, mark in MARKS.items()}
_STEP = re.compile(r"(\.?)(?:`((?:[^`]|``)+)`|([^.`\[\]{}]+)|(\[\]|\{\}|\{key\}))")


def steps_of(text: str) -> Steps:
    """Return the names on the way to a field; a text that is not a path is one name."""
    steps: list[str] = []
    end = 0
    while found := _STEP.match(text, end):
        dot, quoted, bare, mark = found.groups()
        # A name follows a dot, unless it is the first one; a mark follows the field that it is about.
        if bool(dot) is not (bool(steps) and mark is None) or (mark and not steps):
            break
        unquoted = (quoted or "").replace("``", "`")
        steps.append(unquoted or bare or _STEPS[mark])
        end = found.end()
    if not steps or end < len(text):
        return (text,)
    return tuple(steps)


def dotted(steps: Sequence[str]) -> str:
    """Write the path as a plan lists it, and as `dropped` takes it."""
    return ".".join(map(word, steps))
