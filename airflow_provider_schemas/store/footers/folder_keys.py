"""What the folders on the way to a data file say of its rows: dt=2026-11-18."""

import re
from typing import Final

_ESCAPED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
# How Hive and Spark call the folder of NULL.
HIVE_NULL: Final = "__HIVE_DEFAULT_PARTITION__"


def keys_between(base: str, path: str) -> tuple[tuple[str, str], ...]:
    """The keys of the folders below the base on the way to a file, with their texts as the folders spell them."""
    inside = path[len(base) :].strip("/").split("/")[:-1] if path.startswith(f"{base}/") else []
    return tuple((unescaped(key), text) for one in inside for key, mark, text in [one.partition("=")] if mark and key)


def unescaped(text: str) -> str:
    """A text in the name of a folder as Hive and Spark read it."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
