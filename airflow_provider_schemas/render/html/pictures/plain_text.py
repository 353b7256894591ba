"""Texts from outside as a page may show them: on one line, what cannot be seen as an escape, addresses without their secrets."""

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.render.sanitize import clean

_DEEPEST = 8
"""From this depth on, fields stand no further in."""


def plain(text: str) -> str:
    """Return the text without control characters and without passwords. Escaping for HTML is the template's part."""
    return without_credentials(clean(text))


def depth_class(depth: int) -> str:
    """Return the class by which a nested field stands further in; empty for a column."""
    return f"d{min(depth, _DEEPEST)}" if depth else ""
