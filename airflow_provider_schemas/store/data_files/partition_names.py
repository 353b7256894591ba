"""What the folder of a partition may be called: as Java spells it by the table's options, the other way, or as older Python did.

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
from airflow_provider_schemas.store.data_files.partition_values import Key

# From 0.001 and up to ten million Java prints no exponent.
_PLAIN: Final = range(-3, 7)
_NULL: Final = "__DEFAULT_PARTITION__"
_ESCAPED: Final = {char: f"%{char:02X}" for char in (*range(32), 127, *b"\"#%'*/:=?\\{}[]^")}


def null_names(options: Mapping[str, str]) -> tuple[str, ...]:
    """What stands for NULL: as the options say, and as they say by default, for they may have said so before."""
    return tuple(dict.fromkeys((options.get("partition.default-name", _NULL), _NULL)))


def is_blank(value: Any) -> bool:
    """Whether a value shares the folder of NULL."""
    return value is None or (isinstance(value, str) and not value.strip())


class Spelling:
    """How the partitions of one table are spelled."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._null = null_names(options)
        self._legacy = options.get("partition.legacy-name", "true").strip().lower() != "false"

    def names(self, key: Key, value: Any) -> tuple[str, ...]:
        """The names that the folder may have, the one that the table's options say first."""
        if is_blank(value):  # a text of blanks goes with NULL; but not every blank of Python's is one of Java's
            return tuple(_folder(key.name, text) for text in (*self._null, value) if text is not None)
        old, new = _old(key, value), _new(key, value)
        spelled = [_folder(key.name, text) for text in ((old, *new) if self._legacy else (*new, old))]
        return tuple(dict.fromkeys([*spelled, *(name for text in _pythons(key, value) for name in _both(key.name, text))]))


def _folder(name: str, text: str) -> str:
    return f"{name.translate(_ESCAPED)}={text.translate(_ESCAPED)}"


def _new(key: Key, value: Any) -> tuple[str, ...]:
    """What the value is as a string. One with a zone is shown in the zone of whoever wrote it, which nobody knows: UTC as a rule."""
    if isinstance(value, str):
        return (value,)
    text = str(cast_value(value, key.type, STRING))
    return (text, _shortest(value, key.type.root)) if isinstance(value, float) and isfinite(value) and value else (text,)


def _shortest(value: float, root: Root) -> str:
    """A number in as few digits as tell it from others: so prints Java since 19, and before it some more."""
    narrow = to_single if root is Root.FLOAT else float
    texts = (f"{value:.{digits}g}" for digits in range(1, 18))
    number = Decimal(next(one for one in texts if narrow(float(one)) == value)).normalize()
    exponent = number.adjusted()
    if exponent in _PLAIN:
        return _pointed(number)
    return f"{_pointed(number.scaleb(-exponent))}E{exponent}"


def _pointed(number: Decimal) -> str:
    text = f"{number:f}"
    return text if "." in text else f"{text}.0"


def _old(key: Key, value: Any) -> str:
    """What Java prints for the value as it is kept."""
    spell = _OLD.get(key.type.root)
    return spell(value) if spell else _new(key, value)[0]


def _clock(value: Any) -> str:
    """2026-11-18T10:00, and seconds and fractions in groups of three digits where there are any."""
    days, millis = divmod(value.millis, DAY)
    minutes, rest = divmod(millis, 60_000)
    nanos = rest % 1000 * 1_000_000 + value.nanos
    text = f"{date_text(days)}T{minutes // 60:02d}:{minutes % 60:02d}"
    if not rest and not nanos:
        return text
    digits = f"{nanos:09d}"
    while nanos and digits.endswith("000"):
        digits = digits[:-3]
    return f"{text}:{rest // 1000:02d}" + (f".{digits}" if nanos else "")


_OLD: Final[Mapping[Root, Callable[[Any], str]]] = {
    Root.DATE: str,
    Root.TIME: str,
    Root.TIMESTAMP: _clock,
    Root.TIMESTAMP_LTZ: _clock,
}


def _pythons(key: Key, value: Any) -> tuple[str, ...]:
    """What Python prints for the value, if it has such a value."""
    try:
        return (str(to_python(value, key.type)),)
    except CastError:
        return ()


def _both(name: str, text: str) -> tuple[str, ...]:
    """The name of a folder with escapes, and without, where a path can hold the text."""
    plain = () if "/" in text or "\0" in text else (f"{name}={text}",)
    return (_folder(name, text), *plain)
