"""Check the arguments of callers before anything is done with them: not every caller has its types checked."""

from collections.abc import Iterable
from typing import Any, TypeGuard

from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.core.schema.revision import MOST_REVISION, is_revision
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, NotThereError, StorageError

# Longer than any name of a run with all its parameters; a key stays in every version that it made.
MOST_TEXT = 4_096
MOST_AT_ONCE = 1_000


Seen = Version | int | tuple[int, str] | tuple[int, str, str]
"""A version that somebody saw: itself, its number, its number and digest, or these and the peer's id of the table."""


def text(value: object, what: str) -> str:
    """Return the text, if a file can hold it."""
    if not isinstance(value, str):
        raise ChangeError(f"{what} is a {type(value).__name__}, and no text.", code="argument.no-text", path=what, fix="Pass text.")
    if half_pair(value):
        fix = "Pass text that can be encoded as UTF-8."
        raise ChangeError(f"{what} holds half a character: {shown(value)}.", code="argument.half-character", path=what, fix=fix)
    return value


def short_text(value: object, what: str) -> str:
    """Return the text, if it is not longer than what a version may record."""
    checked = text(value, what)
    if len(checked) > MOST_TEXT:
        fix = f"Pass no more than {MOST_TEXT:,} characters: a hash of it, for instance."
        raise ChangeError(f"{what} is {len(checked):,} characters long.", code="argument.too-long", path=what, fix=fix)
    return checked


def revision(value: object, what: str = "revision") -> str:
    """Return the commit of a repository, without blanks around it; empty for none."""
    checked = text(value, what).strip()
    if checked and not is_revision(checked):
        message = f"{what} is {shown(checked)}, which is no commit."
        fix = f"Pass the whole commit, at most {MOST_REVISION} plain letters, digits and signs; leave it out where it is not known."
        raise ChangeError(message, code="argument.no-revision", path=what, fix=fix)
    return checked


def many(values: object, what: str) -> tuple[Any, ...]:
    """Return several values as a tuple. A text or a mapping is one value, and is refused."""
    if isinstance(values, str | bytes | dict) or not isinstance(values, Iterable):
        raise ChangeError(f"{what} is a {type(values).__name__}, and no list.", code="argument.no-list", path=what, fix="Pass a list.")
    return tuple(values)


def at_once(value: object) -> int:
    """Return how many requests may be under way at once."""
    if _is_number(value) and 1 <= value <= MOST_AT_ONCE:
        return value
    message = f"{shown(value)} is no number of requests at once."
    fix = f"Pass a whole number from 1 to {MOST_AT_ONCE}."
    raise StorageError(message, code="storage.at-once", path="at_once", fix=fix)


def seen(value: object) -> tuple[int, str | None, str]:
    """Return the number of a version that somebody saw, its digest if that is known, and the peer's id of the table or an empty text."""
    if isinstance(value, Version):
        return value.number, value.digest, value.table_id
    if _is_number(value):
        return value, None, ""
    if (
        isinstance(value, tuple | list)
        and len(value) in (2, 3)
        and _is_number(value[0])
        and all(isinstance(part, str) for part in value[1:])
    ):
        return value[0], value[1], value[2] if len(value) == 3 else ""
    fix = "Pass a version, its number, or its number and digest."
    raise NotThereError(f"{shown(value)} is no version that could have been seen.", code="version.no-version", path="version", fix=fix)


def number(value: object) -> int:
    """Return the number of a version."""
    if _is_number(value):
        return value
    raise NotThereError(f"{shown(value)} is no number of a version.", code="version.no-version", path="version", fix="Pass a whole number.")


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
