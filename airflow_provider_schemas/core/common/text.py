"""Texts from outside: what no file can hold, and how a message shows what it got."""

from airflow_provider_schemas.core.common.secrets import without_credentials

# Longer than any name we have heard of.
MAX_NAME = 4_096
_WHOLE = 80
_PART = 60


def half_pair(text: str) -> bool:
    """Whether the text holds half a surrogate pair, which no file can hold."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def shown(value: object) -> str:
    """The value as an error message shows it: quoted, and short whatever it is."""
    if isinstance(value, str):
        value = without_credentials(value)
    if isinstance(value, str | bytes) and len(value) > _WHOLE:
        return f"{value[:_PART]!r}... ({len(value)} characters)"
    try:
        whole = repr(value)
    except (ValueError, RecursionError):  # numbers of thousands of digits, nesting without end
        return f"a {type(value).__name__}"
    whole = without_credentials(whole)
    return whole if len(whole) <= _WHOLE else f"{whole[:_PART]}... ({len(whole)} characters)"
