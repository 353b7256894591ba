"""Texts for XCom: on one line, without secrets, and not longer than anybody reads."""

from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.render.sanitize import clean

_MAX_TEXT = 500
_MAX_NOTES = 10


def short(text: str) -> str:
    """Return a text from outside on one line, without secrets and not longer than anybody reads."""
    line = clean(without_credentials(text))
    if len(line) <= _MAX_TEXT:
        return line
    return f"{line[: _MAX_TEXT - 3]}..."


def notes_entry(notes: Iterable[str]) -> dict[str, Any]:
    """Return the notes, each once, and how many more there are than anybody reads."""
    distinct = list(dict.fromkeys(notes))
    entry: dict[str, Any] = {"notes": [short(note) for note in distinct[:_MAX_NOTES]]}
    if len(distinct) > _MAX_NOTES:
        entry["more_notes"] = len(distinct) - _MAX_NOTES
    return entry
