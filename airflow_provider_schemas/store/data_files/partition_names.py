"""The names that the folder of a partition may have: as Java spells it by the table's options, the other way, or as older Python did.

No manifest says it. Java writes a DATE as a number of days unless `partition.legacy-name` is false, and escapes what a
path could misunderstand. So does pypaimon today; before, it wrote what Python prints.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from airflow_provider_schemas.core.casts.cast_value import cast_value, to_python
from airflow_provider_schemas.core.casts.float_text import to_single
from airflow_provider_schemas.core.casts.time_text import DAY, date_text
from airflow_provider_schemas.core.types.atomic import STRING
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError
from airflow_provider_schemas.store.data_files.partition_values import Key, PartitionValue

# From 0.001 and up to ten million Java prints no exponent.
_WITHOUT_EXPONENT: Final = range(-3, 7)
_NULL: Final = "__DEFAULT_PARTITION__"
_ESCAPED: Final = {char: f"%{char:02X}" for char in (*range(32), 127, *b"\"#%'*/:=?\\{}[]^")}


def null_names(options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts for NULL: as the options have it, and the default, since the options may be newer than the folder."""
    return tuple(dict.fromkeys((options.get("partition.default-name", _NULL), _NULL)))


def shares_null_folder(value: PartitionValue) -> bool:
    """Return whether a value shares the folder of NULL."""
    return value is None or (isinstance(value, str) and not value.strip())


class FolderNames:
    """The names that the folders of one table's partitions may have."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._null = null_names(options)
        self._legacy = options.get("partition.legacy-name", "true").strip().lower() != "false"

    def candidates(self, key: Key, value: PartitionValue) -> tuple[str, ...]:
        """Return the names that the folder may have, the one that the table's options ask for first."""
        if value is None:
            return tuple(_escape(key.name, text) for text in self._null)
        if isinstance(value, str) and shares_null_folder(value):  # not every blank of Python's is one of Java's
            return tuple(_escape(key.name, text) for text in (*self._null, value))
        old = _legacy_text(key, value)
        new = _texts(key, value)
        names = [_escape(key.name, text) for text in ((old, *new) if self._legacy else (*new, old))]
        return tuple(dict.fromkeys([*names, *_names_by_python(key, value)]))


def _escape(name: str, text: str) -> str:
    return f"{name.translate(_ESCAPED)}={text.translate(_ESCAPED)}"


def _texts(key: Key, value: PartitionValue) -> tuple[str, ...]:
    """Return the value cast to a string. A time with a zone is printed in the writer's zone, which nobody knows: in UTC as a rule."""
    if isinstance(value, str):
        return (value,)
    text = str(cast_value(value, key.type, STRING))
    if isinstance(value, float) and isfinite(value) and value:
        return text, _shortest_text(value, key.type.root)
    return (text,)


def _shortest_text(value: float, root: Root) -> str:
    """Print a number in as few digits as tell it from others, as Java does since 19; before, it printed some more."""
    narrow = to_single if root is Root.FLOAT else float
    texts = (f"{value:.{digits}g}" for digits in range(1, 18))
    number = Decimal(next(text for text in texts if narrow(float(text)) == value)).normalize()
    exponent = number.adjusted()
    if exponent in _WITHOUT_EXPONENT:
        return _with_point(number)
    return f"{_with_point(number.scaleb(-exponent))}E{exponent}"


def _with_point(number: Decimal) -> str:
    text = f"{number:f}"
    return text if "." in text else f"{text}.0"


def _legacy_text(key: Key, value: PartitionValue) -> str:
    """Print the value as Java keeps it in memory."""
    to_text = _LEGACY_TEXT.get(key.type.root)
    if to_text is None:
        return _texts(key, value)[0]
    return to_text(value)


def _timestamp_text(value: Any) -> str:
    """Print 2026-11-18T10:00, with seconds, and fractions in groups of three digits, where there are any."""
    days, millis = divmod(value.millis, DAY)
    minutes, rest = divmod(millis, 60_000)
    nanos = rest % 1000 * 1_000_000 + value.nanos
    text = f"{date_text(days)}T{minutes // 60:02d}:{minutes % 60:02d}"
    if not rest and not nanos:
        return text
    text = f"{text}:{rest // 1000:02d}"
    if not nanos:
        return text
    digits = f"{nanos:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f"{text}.{digits}"


_LEGACY_TEXT: Final[Mapping[Root, Callable[[PartitionValue], str]]] = {
    Root.DATE: str,
    Root.TIME: str,
    Root.TIMESTAMP: _timestamp_text,
    Root.TIMESTAMP_LTZ: _timestamp_text,
}


def _names_by_python(key: Key, value: PartitionValue) -> tuple[str, ...]:
    """Return the names with what Python prints for the value, escaped, and as it is where a path can hold it."""
    try:
        text = str(to_python(value, key.type))
    except CastError:  # Python has no such value
        return ()
    escaped = _escape(key.name, text)
    if "/" in text or "\0" in text:
        return (escaped,)
    return escaped, f"{key.name}={text}"
