"""Texts from outside: what no file can hold, and how a message shows a value."""

from airflow_provider_schemas.core.common.secrets import without_credentials

# Longer than any name we have heard of.
MAX_NAME = 4_096
# A longer value is cut to a part.
_LONGEST_WHOLE = 80
_PART = 60
# Addresses are looked for in the beginning of a text: a message shows much less, and a thousand faults
# of one text of megabytes must not be a thousand searches of all of it.
_SEARCHED = 10_000


def half_pair(text: str) -> bool:
    """Return whether the text holds half a surrogate pair, which no file can hold."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def shown(value: object) -> str:
    """Return any value as an error message shows it: quoted, short, and without credentials."""
    if isinstance(value, str):
        return _show_text(value)
    if isinstance(value, bytes) and len(value) > _LONGEST_WHOLE:
        return f"{value[:_PART]!r}... ({len(value)} characters)"
    try:
        whole = repr(value)
    except (ValueError, RecursionError):  # numbers of thousands of digits, nesting without end
        return f"a {type(value).__name__}"
    whole = without_credentials(whole)
    if len(whole) <= _LONGEST_WHOLE:
        return whole
    return f"{whole[:_PART]}... ({len(whole)} characters)"


def _show_text(text: str) -> str:
    head = without_credentials(text[:_SEARCHED])
    if len(text) > _SEARCHED:
        return f"{head[:_PART]!r}... ({len(text)} characters)"
    if len(head) <= _LONGEST_WHOLE:
        return repr(head)
    return f"{head[:_PART]!r}... ({len(head)} characters)"
