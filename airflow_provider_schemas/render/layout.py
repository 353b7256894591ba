"""Lines on a terminal: how wide a text is, where it breaks, and cells that stand below each other.

Widths are columns of the terminal, not characters: Chinese takes two, an accent on its own none, a colour code
none. Words are never cut; one that is wider than the terminal stands on a line of its own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category, east_asian_width

STACKED = 60
"""Below this width nothing stands side by side."""
GAP = 2
HANG = 4

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
    """The columns that the text takes."""
    if "\x1b" in text:
        text = _CODES.sub("", text)
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if east_asian_width(char) in "WF":
        return 2
    return 0 if category(char) in ("Mn", "Me", "Cf") or _JOINING[0] <= char <= _JOINING[1] else 1


def padded(text: str, width: int) -> str:
    """The text, and blanks up to this width."""
    return text + " " * (width - display_width(text))


# ---------------------------------------------------------------- lines


def wrapped(text: str, width: int, later: int | None = None) -> list[str]:
    """The text in lines of this width, all but the first of the later one; broken at blanks, and one line at least."""
    room = width if later is None else later
    lines: list[str] = []
    line, filled = "", 0
    for gap, word, size in _pieces(text, room):
        if line and filled + len(gap) + size > (room if lines else width):
            lines.append(line)
            line, filled = "", 0
        lead = gap if line else ""
        line, filled = f"{line}{lead}{word}", filled + len(lead) + size
    return [*lines, line]


def _pieces(text: str, width: int) -> Iterator[tuple[str, str, int]]:
    """What stays together: words; and the single letters of wide ones, which are written without blanks, if they fill a line."""
    for gap, word, _ in _WORDS.findall(text):
        size = display_width(word)
        if size <= width or word.isascii():
            yield gap, word, size
        else:
            for number, piece in enumerate(_letters(word)):
                yield "" if number else gap, piece, display_width(piece)


def _letters(word: str) -> Iterator[str]:
    """The word, cut before and behind each wide letter."""
    held = ""
    for char in word:
        size = _char_width(char)
        if held and size and 2 in (size, _char_width(held[0])):
            yield held
            held = ""
        held += char
    yield held


def longest(text: str) -> int:
    """The width of the widest word."""
    return max((size for _, _, size in _pieces(text, 2)), default=0)


def paragraph(text: str, width: int, *, indent: int = 0, hang: int | None = None) -> list[str]:
    """The text below an indent; all lines but the first hang at another one."""
    later = indent if hang is None else hang
    first, *rest = wrapped(text, width - indent, width - later)
    return [" " * indent + first, *(" " * later + line for line in rest)]


def labelled(label: str, text: str, width: int, *, indent: int, column: int) -> list[str]:
    """A label, and its text in the column beside it; on a narrow terminal behind it."""
    if width < STACKED or longest(text) > width - column:
        return paragraph(f"{label}: {text}", width, indent=indent, hang=indent + GAP)
    first, *rest = wrapped(text, width - column)
    return [padded(" " * indent + label, column) + first, *(" " * column + line for line in rest)]


def two_sided(left: str, right: str, width: int, *, widest_gap: int | None = None) -> list[str]:
    """Put two texts at the two ends of a line, not further apart than the gap, or below each other where they do not fit."""
    free = width - display_width(left) - display_width(right)
    if right and free >= GAP:
        gap = free if widest_gap is None else min(free, widest_gap)
        return [left + " " * gap + right]
    return [*paragraph(left, width, hang=GAP), *(paragraph(right, width, indent=GAP) if right else [])]


def commands_apart(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield the lines; of one that is too wide, the command at its end on a line of its own, whole."""
    for line in lines:
        parts = _COMMAND.fullmatch(line)
        if parts is None or display_width(line) <= width:
            yield line
            continue
        indent = min(line.index(parts["command"]), _COMMAND_INDENT)
        yield from [parts["label"]] if parts["label"] else []
        yield f"{' ' * indent}{parts['command']}"


def is_command(line: str) -> bool:
    """Whether a line holds a command and nothing else, which is never broken or cut."""
    parts = _COMMAND.fullmatch(line)
    return parts is not None and not parts["label"]


# ---------------------------------------------------------------- cells


def grid(rows: Sequence[Sequence[str]], width: int, *, indent: int = 0) -> list[list[str]]:
    """The lines of each row, its cells below those of the other rows.

    Columns that do not fit into one line go below it, in all rows alike; on a narrow terminal all but the first
    do. A cell that is far wider than the others moves only its own row.
    """
    starts = _starts(rows, width, indent)
    return [_row(cells, starts, width, indent + HANG) for cells in rows]


def _starts(rows: Sequence[Sequence[str]], width: int, indent: int) -> list[int | None]:
    """Where each column begins; None is below the line."""
    columns = [[display_width(cell) for cell in cells] for cells in zip(*rows, strict=True)]
    starts: list[int | None] = []
    at = indent
    for number, sizes in enumerate(columns):
        if number and (width < STACKED or at + min(max(sizes), _least(width)) > width):
            return [*starts, *[None] * (len(columns) - number)]
        starts.append(at)
        at += GAP + max((size for size in sizes if size <= 2 * width // 5), default=0)
    return starts


def _least(width: int) -> int:
    """What a column must have to stand beside the others, if it does not need less."""
    return max(STACKED, width) // 2


def _row(cells: Sequence[str], starts: Sequence[int | None], width: int, below: int) -> list[str]:
    lines = [""]
    for cell, start in zip(cells, starts, strict=True):
        if not cell:
            continue
        beside = start is not None and longest(cell) <= width - start
        at = start if start is not None and beside else below
        if any(lines) and (not beside or len(lines) > 1 or display_width(lines[-1]) + GAP > at):
            lines.append("")
        first, *rest = wrapped(cell, width - at)
        lines[-1] = padded(lines[-1], at) + first
        lines += [" " * at + line for line in rest]
    return lines
