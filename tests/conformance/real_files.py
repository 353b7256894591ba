"""The schema files that Java Paimon wrote, as tests read them: `real/*.json`, or blocks of JSON in `real_schema_files.md`."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.conformance.rows import folder

_BLOCK = re.compile(r"^\*\*(\w+)\*\*.*?^```json\n(.*?)\n```", re.MULTILINE | re.DOTALL)


class RealFile(NamedTuple):
    """One schema file."""

    name: str
    """The id of its test."""
    text: str
    laid_out: bool
    """Whether the text has Java's layout, and not only its values."""


def read(where: Path | None = None) -> list[RealFile]:
    """All of them; none where there are no such files."""
    base = where or folder()
    files = [RealFile(f"real-{path.stem}", path.read_text("utf-8"), True) for path in sorted(base.glob("real/*.json"))]
    page = base / "real_schema_files.md"
    blocks = _BLOCK.findall(page.read_text("utf-8")) if page.is_file() else []
    return [*files, *(RealFile(f"{page.stem}-{name}", text, False) for name, text in blocks)]
