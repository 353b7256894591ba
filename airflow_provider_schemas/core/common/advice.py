"""How faults of what people write name an entry, and which word they propose instead of one that nobody knows."""

from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.core.common.text import shown

_MAX_LISTED = 12


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Advice for a word that nobody knows: the nearest known one, or all of them."""
    from difflib import get_close_matches

    there = sorted(known)
    like = get_close_matches(word, there, n=1, cutoff=0.6) or [one for one in there if one.casefold() == word.casefold()]
    if like:
        return f"Did you mean {shown(like[0])}?"
    listed = ", ".join(there[:_MAX_LISTED]) + (" ..." if len(there) > _MAX_LISTED else "")
    return f"There are {listed}." if there else "Remove it."


def path_text(place: Iterable[Any]) -> str:
    """The path of an entry as messages show it: columns[2].type."""
    text = ""
    for step in place:
        if step == "[key]":  # pydantic's word for the key of a mapping, which stands before it
            continue
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text
