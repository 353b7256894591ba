"""The vectors: one file a subject, one JSON object a line.

They lie beside this module, or in the folder that SCHEMAS_VECTORS names, so that other files of the same
form run through the same tests. A file that is not there holds no rows. A line that is no row becomes one
all the same, whose test fails and says why: nothing in a file is passed over in silence.
"""

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

# The code of a refusal of which only that is known.
ANY = ""
OWN = Path(__file__).parent / "vectors"

Content = Mapping[str, Any]


class Row(NamedTuple):
    """One line of a file."""

    name: str
    """The id of its test: the stem of the file, and its own id."""
    id: str
    group: str
    content: Content
    fault: str = ""
    """Why the line is no row."""


def folder() -> Path:
    """Where the files lie."""
    return Path(os.environ.get("SCHEMAS_VECTORS") or OWN)


def read(subject: str, where: Path | None = None) -> list[Row]:
    """The rows of one subject."""
    path = (where or folder()) / f"{subject}.jsonl"
    if not path.is_file():
        return []
    # Not splitlines(): a JSON text may hold U+2028, which is no end of a line here.
    lines = path.read_text("utf-8").split("\n")
    return _distinct([_row(subject, number, line) for number, line in enumerate(lines, 1) if line.strip()])


def _row(subject: str, number: int, line: str) -> Row:
    here = f"line-{number}"
    try:
        content = json.loads(line)
    except ValueError as error:
        return Row(f"{subject}-{here}", here, "?", {}, f"line {number} is not JSON: {error}")
    if isinstance(content, dict) and "op" in content:
        content = _of_odf(content)
    if not isinstance(content, dict) or not isinstance(content.get("group"), str):
        return Row(f"{subject}-{here}", here, "?", {}, f"line {number} names no group")
    number_of_row = str(content.get("id", here))
    return Row(f"{subject}-{number_of_row}", number_of_row, content["group"], content)


def _of_odf(content: dict[str, Any]) -> dict[str, Any]:
    """A row about Open Data Fabric, in the form of the others: a refusal there has no code."""
    rest = {key: value for key, value in content.items() if key not in ("op", "expected")}
    expected = content.get("expected")
    refused = isinstance(expected, dict) and expected.get("error") in ("error", "panic")
    answer = {} if "expected" not in content else {"error": {"code": ANY}} if refused else {"expect": expected}
    return {**rest, "group": content["op"], **answer}


def _distinct(rows: list[Row]) -> list[Row]:
    """Rows whose test ids differ, also where a file uses an id twice."""
    seen: Counter[str] = Counter()
    found = []
    for row in rows:
        seen[row.name] += 1
        found.append(row if seen[row.name] == 1 else row._replace(name=f"{row.name}-again-{seen[row.name] - 1}"))
    return found
