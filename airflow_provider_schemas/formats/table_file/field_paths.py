"""Paths of fields as people write them in a table file, and as a plan lists them: `address.zip`, `lines.element.sku`.

Findings call the element of a list `lines[]` and the value of a map `m{}`; both spellings are read. A name that is
no plain word stands in back-quotes.
"""

import re
from collections.abc import Sequence

from airflow_provider_schemas.core.difference import MARKS, word

Steps = tuple[str, ...]

_STEPS = {mark: step for step, mark in MARKS.items()}
_STEP = re.compile(r"(\.?)(?:`((?:[^`]|``)+)`|([^.`\[\]{}]+)|(\[\]|\{\}|\{key\}))")


def steps_of(text: str) -> Steps:
    """The names on the way; a text that is no path is one name."""
    steps: list[str] = []
    end = 0
    while found := _STEP.match(text, end):
        dot, quoted, bare, mark = found.groups()
        # A name follows a dot, unless it is the first one; a mark follows what it stands for.
        if bool(dot) is not (bool(steps) and mark is None) or (mark and not steps):
            break
        steps.append(quoted.replace("``", "`") if quoted else bare or _STEPS[mark])
        end = found.end()
    return tuple(steps) if steps and end == len(text) else (text,)


def dotted(steps: Sequence[str]) -> str:
    """The path as a plan lists it, and as `dropped` takes it."""
    return ".".join(map(word, steps))
