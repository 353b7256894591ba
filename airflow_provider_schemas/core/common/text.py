"""Texts from outside: what no file can hold, and how a message shows what it got."""

from airflow_provider_schemas.core.common.secrets import without_credentials

# Longer than any name we have heard of.
MAX_NAME = 4_096
_WHOLE = 80
# The beginning in which addresses are looked for: what is shown is much shorter.
_SEARCHED = 10_000
_PART = 60


def half_pair(text: str) -> bool:
    """Whether the text holds half a surrogate pair, which no file can hold."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def shown(value: object) -> str:
    """The value as an error message shows it: quoted, and short whatever it is."""
    if isinstance(value, str):
        return _shown_text(value)
    if isinstance(value, bytes) and len(value) > _WHOLE:
        return f"{value[:_PART]!r}... ({len(value)} characters)"
    try:
        whole = repr(value)
    except (ValueError, RecursionError):  # numbers of thousands of digits, nesting without end
        return f"a {type(value).__name__}"
    whole = without_credentials(whole)
    return whole if len(whole) <= _WHOLE else f"{whole[:_PART]}... ({len(whole)} characters)"


def _shown_text(text: str) -> str:
    """The text, without what its addresses hold. A thousand faults of one text of megabytes are not a thousand searches of all of it."""
    head = without_credentials(text[:_SEARCHED])
    if len(text) <= _SEARCHED and len(head) <= _WHOLE:
        return repr(head)
    length = len(head) if len(text) <= _SEARCHED else len(text)
    return f"{head[:_PART]!r}... ({length} characters)"
