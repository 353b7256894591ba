"""How rows and failures are written down, the same for everybody."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

ERROR = "error: "
REFUSED_CHANGE = "refused: "
# Where Spark says what is wrong with a file, without the path of it.
_CLASS = re.compile(r"\[([A-Z_]+(?:\.[A-Z_]+)*)\]")
# What we say of a value, up to what to do about it.
_OURS = re.compile(r"\[USER_RAISED_EXCEPTION\] (.*?)\. Correct ", re.DOTALL)


def rows(frame: Any) -> str:
    """The rows of a frame in an order of their own; those of one column as bare values."""
    found = frame.select(*(_clock(frame, one) for one in frame.schema)).collect()
    return ", ".join(sorted(_row(one) for one in found)) or "no rows"


def _clock(frame: Any, field: Any) -> Any:
    """Instants as the session's clock shows them, which Python would show by its own."""
    column = frame[field.name]
    return column.cast("string").alias(field.name) if field.dataType.typeName().startswith("timestamp") else column


def _row(row: Any) -> str:
    values = [value(one) for one in row]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def value(found: Any) -> str:
    """A value as people write it."""
    write = _WRITTEN.get(type(found).__mro__[-2] if isinstance(found, tuple) else type(found))
    return str(found) if write is None else write(found)


def _all(found: Iterable[Any]) -> str:
    return ", ".join(map(value, found))


def _text(found: str) -> str:
    return found if found.isprintable() else found.encode("unicode_escape").decode()


_WRITTEN: Mapping[type, Callable[[Any], str]] = {
    str: _text,
    type(None): lambda _: "NULL",
    bool: lambda found: str(found).lower(),
    bytes: lambda found: f"X'{found.hex()}'",
    bytearray: lambda found: f"X'{found.hex()}'",
    tuple: lambda found: f"{{{_all(found)}}}",
    list: lambda found: f"[{_all(found)}]",
    dict: lambda found: f"{{{', '.join(f'{value(key)} -> {value(one)}' for key, one in found.items())}}}",
}


def failure(error: BaseException) -> str:
    """What an error of Spark's says, in the names that Spark gives its errors, the innermost last."""
    text = str(error)
    if found := _OURS.search(text):
        return f"{ERROR}{found[1]}"
    names = [name for name in _CLASS.findall(text) if not name.startswith("SQLSTATE")]
    if "NullPointerException" in text:
        return f"{ERROR}NullPointerException"
    return ERROR + (names[-1] if names else next(iter(text.splitlines()), type(error).__name__))
