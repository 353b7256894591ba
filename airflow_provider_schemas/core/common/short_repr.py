"""One short line for `repr`: what a shell, a notebook, a debugger and a failed assertion show of a value.

A class that inherits `ShortRepr` says in `_short_text` what matters of its values. The line is never longer than `MAX_LENGTH`, holds no
credentials and no character that a terminal obeys, and making it never raises, whatever the value is made of.
"""

from collections.abc import Sequence
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials

MAX_LENGTH = 120
_MAX_NAME = 40
_MORE = "..."
# A name is cut before its addresses are looked for: a shell must not wait for megabytes.
_SEARCHED = 2_000


class ShortRepr:
    """A value that `repr` shows on one short line. It stands before the other bases of a class."""

    __slots__ = ()

    def _short_text(self) -> str:
        """Return what matters of the value."""
        return ""

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            text = self._short_text()
        except Exception:  # noqa: BLE001  # a debugger shows values that are half made, or made of anything
            text = "(its members cannot be shown)"
        return _cut(f"<{name} {_cleaned(text)}".rstrip(), MAX_LENGTH - 1) + ">"

    def __rich_repr__(self) -> Any:
        """Return nothing, so that rich shows the short line instead of all members."""
        return None


class BoundedRepr:
    """A value that people write in code: `repr` shows the call that makes it, as far as it goes into one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        try:
            return bounded(super().__repr__())
        except Exception:  # noqa: BLE001  # likewise; and what is deep cannot be shown at all
            return f"{type(self).__name__}(...)"

    def __rich_repr__(self) -> Any:
        """Return nothing, so that rich shows the short line instead of all members."""
        return None


def bounded(text: str) -> str:
    """Return a text on one line, without credentials, and no longer than a line may be."""
    return _cut(_cleaned(text), MAX_LENGTH)


def named(text: str, default: str = "") -> str:
    """Return a name as the line shows it: on one line, short, and without credentials; the default for an empty name."""
    return _cut(_cleaned(text), _MAX_NAME) or default


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 column, 2 columns."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names: a, b, c, ..."""
    first = [named(name) for name in names[:most]]
    if len(names) > most:
        first.append(_MORE)
    return ", ".join(first)


def joined(*parts: str) -> str:
    """Return the parts that say something, with commas between them."""
    return ", ".join(part for part in parts if part)


def _cleaned(text: str) -> str:
    plain = without_credentials(text[:_SEARCHED])
    if plain.isprintable():
        return plain
    return repr(plain)[1:-1]


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: most - len(_MORE)] + _MORE
