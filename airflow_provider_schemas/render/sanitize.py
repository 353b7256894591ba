"""Texts from outside on one line that can do nothing: names, comments and reasons as a terminal or a page may have them.

What moves a cursor, turns the direction of writing or cannot be seen is shown as an escape, so that two names
that look alike do not; line ends and tabs are blanks.
"""

JOINED = "\u00a0"
"""A blank of our own at which no line breaks; it is a plain one in what comes out."""

_BLANKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")


def clean(text: str) -> str:
    """The text on one line, without anything that a terminal would obey."""
    return text if text.isprintable() else "".join(map(_visible, text.strip()))


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    if char in _BLANKS or char.isspace():
        return " "
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"
