"""Advice in faults of user input: the path of an entry, and the word that was probably meant."""

from collections.abc import Iterable

from airflow_provider_schemas.core.common.text import shown

_MAX_LISTED = 12
# Words that people write for keys of ours, where the key is known.
_SYNONYMS = {
    "name": ("job", "table"),
    "consumer": ("job",),
    "task": ("job",),
    "tables": ("reads",),
    "inputs": ("reads",),
    "outputs": ("writes",),
    "fields": ("columns",),
    "schema": ("columns",),
    "schemas": ("folder",),
    "path": ("folder",),
    "paths": ("folder",),
    "dtype": ("type",),
    "data_type": ("type",),
    "description": ("comment",),
    "doc": ("comment",),
    "partitions": ("partitioned_by",),
    "partition_by": ("partitioned_by",),
}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the advice for an unknown word: the nearest known word, or all of them."""
    from difflib import get_close_matches

    words = sorted(known)
    for meant in _SYNONYMS.get(word.casefold(), ()):
        if meant in words:
            return f"Did you mean {shown(meant)}?"
    similar = get_close_matches(word, words, n=1, cutoff=0.6) or [name for name in words if name.casefold() == word.casefold()]
    if similar:
        return f"Did you mean {shown(similar[0])}?"
    if not words:
        return "Remove it."
    listed = ", ".join(words[:_MAX_LISTED])
    if len(words) > _MAX_LISTED:
        listed += f" and {len(words) - _MAX_LISTED:,} more"
    return f"There are {listed}."


def path_text(location: Iterable[str | int]) -> str:
    """Return the path of an entry as messages show it, such as columns[2].type."""
    text = ""
    for step in location:
        if step == "[key]":  # pydantic's word for the key of a mapping, which stands before it
            continue
        if isinstance(step, int):
            text += f"[{step}]"
        elif text:
            text += f".{step}"
        else:
            text = str(step)  # keys of YAML are not always text
    return text
