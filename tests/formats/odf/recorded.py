"""The rows of recorded answers about ODF, from the folder of the conformance tests; none where there is no such file."""

import json

from tests.conformance.rows import Content, folder


def rows(op: str) -> list[Content]:
    """The rows of one kind."""
    path = folder() / "odf.jsonl"
    lines = path.read_text("utf-8").split("\n") if path.is_file() else []
    return [row for row in map(json.loads, filter(str.strip, lines)) if row["op"] == op]
