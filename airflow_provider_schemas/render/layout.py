"""Lines on a terminal: the width of a text, where it breaks, and cells below each other.

Widths are columns of the terminal, not characters: Chinese takes two, an accent on its own none, a colour code
none. Words are never cut; one that is wider than the terminal has a line of its own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category, east_asian_width

STACKED = 60
"""Below this width nothing stands side by side."""
GAP = 2
HANG = 4

ELLIPSIS = "…"

_CODES = re.compile(r"\x1b\[[0-9;]*m")
# A command in backticks, which is never broken: its first line alone does something else. Its words may hold backticks in quotes.
TYPED = re.compile(r"""`(?P<command>airflow-schemas (?:'[^']*'|"[^"]*"|[^`'"])*)`""")
_WORDS = re.compile(rf"( *)({TYPED.pattern}[^ ]*|[^ ]+)")
# A line that ends in a command, with or without a label before it.
_COMMAND = re.compile(r"(?P<label>(?: *[^ ](?:.*?[^ ])??(?= {2}))?) *(?P<command>(?:airflow-schemas|airflow tasks test|echo) .*)")
_COMMAND_INDENT = 8
# Vowels and final consonants of Korean, which join the syllable before them.
_JOINING = ("\u1160", "\u11ff")


def display_width(text: str) -> int:
    """Return the number of columns that the text takes."""
    if "\x1b" in text:
        text = _CODES.sub("", text)
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if east_asian_width(char) in "WF":
        return 2
    if category(char) in ("Mn", "Me", "Cf") or _JOINING[0] <= char <= _JOINING[1]:
        return 0  # it joins the one before
    return 1


def padded(text: str, width: int) -> str:
    """Return the text with blanks up to this width."""
    return text + " " * (width - display_width(text))


def shortened(text: str, width: int) -> str:
    """Return a text without colours; one that takes more columns is cut, and ends in an ellipsis."""
    if display_width(text) <= width:
        return text
    return text[: _longest_prefix(text, width - 1)] + ELLIPSIS


def pieces_of(text: str, width: int, *, hang: int = 0) -> Iterator[str]:
    """Yield a text in lines of this width, at blanks where there are some; a word that is wider is cut. Later lines hang."""
    rest = text
    lead = ""
    while True:
        end = _longest_prefix(rest, width - len(lead))
        if end == len(rest):
            yield lead + rest
            return
        blank = rest.rfind(" ", 1, end + 1)
        cut = blank if rest[:blank].strip() and blank > 0 else end
        yield lead + rest[:cut].rstrip()
        rest = rest[cut:].lstrip()
        lead = " " * hang


def _longest_prefix(text: str, width: int) -> int:
    """Return how many letters at the beginning fit into this width; at least one."""
    for number, char in enumerate(text):
        width -= _char_width(char)
        if width < 0:
            return max(number, 1)
    return len(text)


# ---------------------------------------------------------------- lines


def wrapped(text: str, width: int, later: int | None = None) -> list[str]:
    """Break a text at blanks into at least one line; the first one has this width, the others have the later one."""
    room = width if later is None else later
    lines: list[str] = []
    line = ""
    filled = 0
    for gap, word, size in _pieces(text, room):
        if line and filled + len(gap) + size > (room if lines else width):
            lines.append(line)
            line = ""
            filled = 0
        lead = gap if line else ""
        line += lead + word
        filled += len(lead) + size
    return [*lines, line]


def _pieces(text: str, width: int) -> Iterator[tuple[str, str, int]]:
    """Yield what is never cut, with the gap before it and its width.

    These are words, and the single letters of words that fill a line: Chinese is written without blanks.
    """
    for gap, word, _ in _WORDS.findall(text):
        size = display_width(word)
        if size <= width or word.isascii():
            yield gap, word, size
        else:
            for number, piece in enumerate(_letters(word)):
                yield "" if number else gap, piece, display_width(piece)


def _letters(word: str) -> Iterator[str]:
    """Yield the parts of a word that is cut before and behind each wide letter."""
    held = ""
    for char in word:
        size = _char_width(char)
        if held and size and 2 in (size, _char_width(held[0])):
            yield held
            held = ""
        held += char
    yield held


def longest(text: str) -> int:
    """Return the width of the widest word."""
    return max((size for _, _, size in _pieces(text, 2)), default=0)


def paragraph(text: str, width: int, *, indent: int = 0, hang: int | None = None) -> list[str]:
    """Return the lines of a text behind an indent; all but the first are behind `hang` instead."""
    later = indent if hang is None else hang
    first, *rest = wrapped(text, width - indent, width - later)
    return [" " * indent + first, *(" " * later + line for line in rest)]


def labelled(label: str, text: str, width: int, *, indent: int, column: int) -> list[str]:
    """Return the lines of a label, and of its text in the column beside it; on a narrow terminal behind it."""
    if width < STACKED or longest(text) > width - column:
        return paragraph(f"{label}: {text}", width, indent=indent, hang=indent + GAP)
    first, *rest = wrapped(text, width - column)
    return [padded(" " * indent + label, column) + first, *(" " * column + line for line in rest)]


def two_sided(left: str, right: str, width: int, *, widest_gap: int | None = None) -> list[str]:
    """Put two texts at the two ends of a line, not further apart than the gap, or below each other where they do not fit."""
    free = width - display_width(left) - display_width(right)
    if right and free >= GAP:
        if widest_gap is not None:
            free = min(free, widest_gap)
        return [left + " " * free + right]
    lines = paragraph(left, width, hang=GAP)
    if right:
        lines += paragraph(right, width, indent=GAP)
    return lines


def commands_apart(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield the lines; of one that is too wide, the command at its end on a line of its own, whole."""
    for line in lines:
        parts = _COMMAND.fullmatch(line)
        if parts is None or display_width(line) <= width:
            yield line
            continue
        if parts["label"]:
            yield parts["label"]
        indent = min(line.index(parts["command"]), _COMMAND_INDENT)
        yield f"{' ' * indent}{parts['command']}"


def is_command(line: str) -> bool:
    """Return whether a line holds a command and nothing else, which is never broken or cut."""
    parts = _COMMAND.fullmatch(line)
    return parts is not None and not parts["label"]


# ---------------------------------------------------------------- cells


def grid(rows: Sequence[Sequence[str]], width: int, *, indent: int = 0) -> list[list[str]]:
    """Return the lines of each row, its cells below those of the other rows.

    Columns that do not fit into one line go below it, in all rows alike; on a narrow terminal all but the first
    do. A cell that is far wider than the others moves only its own row.
    """
    starts = _starts(rows, width, indent)
    return [_row(cells, starts, width, indent + HANG) for cells in rows]


def _starts(rows: Sequence[Sequence[str]], width: int, indent: int) -> list[int | None]:
    """Return where each column begins; None is below the line."""
    columns = [list(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    # A column needs so much to stand beside the others, unless its cells need less.
    least = max(STACKED, width) // 2
    starts: list[int | None] = []
    at = indent
    for number, sizes in enumerate(columns):
        if number and (width < STACKED or at + min(max(sizes), least) > width):
            return [*starts, *[None] * (len(columns) - number)]
        starts.append(at)
        at += GAP + max((size for size in sizes if size <= 2 * width // 5), default=0)
    return starts


def _row(cells: Sequence[str], starts: Sequence[int | None], width: int, below: int) -> list[str]:
    lines = [""]
    for cell, start in zip(cells, starts, strict=True):
        if not cell:
            continue
        at = below
        fits_beside = False
        if start is not None and longest(cell) <= width - start:
            at = start
            fits_beside = True
        if any(lines) and (not fits_beside or len(lines) > 1 or display_width(lines[-1]) + GAP > at):
            lines.append("")
        first, *rest = wrapped(cell, width - at)
        lines[-1] = padded(lines[-1], at) + first
        lines += [" " * at + line for line in rest]
    return lines
