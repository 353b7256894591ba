"""The keys of a partition in the names of the folders on the way to a data file: dt=2026-11-18."""

import re
from typing import Final

_ESCAPED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
# The value of NULL in the name of a folder of Hive and Spark.
HIVE_NULL: Final = "__HIVE_DEFAULT_PARTITION__"


def keys_between(base: str, path: str) -> tuple[tuple[str, str], ...]:
    """Return the keys of the folders below the base on the way to a file, with their texts as the folders spell them."""
    if not path.startswith(f"{base}/"):
        return ()
    keys: list[tuple[str, str]] = []
    for folder in path[len(base) :].strip("/").split("/")[:-1]:
        key, mark, text = folder.partition("=")
        if mark and key:
            keys.append((unescaped(key), text))
    return tuple(keys)


def unescaped(text: str) -> str:
    """Return a text in the name of a folder as Hive and Spark read it."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
