"""Texts from outside on one harmless line: names, comments and reasons as a terminal or a page may show them.

Characters that move a cursor, turn the direction of writing or cannot be seen are shown as escapes, so that two
different names do not look alike; line ends and tabs become blanks.
"""

JOINED = "\u00a0"
"""A blank at which no line breaks; the finished text has a plain one in its place."""

_BLANKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")


def clean(text: str) -> str:
    """Return the text on one line, without anything that a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(map(_visible, text.strip()))


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    if char in _BLANKS or char.isspace():
        return " "
    if ord(char) <= 0xFFFF:
        return f"\\u{ord(char):04x}"
    return f"\\U{ord(char):08x}"
