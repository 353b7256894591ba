"""How many columns, keys and options differ in what: one line, and the same for machines."""

from collections import Counter
from collections.abc import Iterable, Iterator

from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind
from airflow_provider_schemas.render.wording import counted

UNCHANGED = "unchanged"
OTHER = "other"
# Kinds that are things; the others are what happened to columns.
_THINGS = (RowKind.COMMENT, RowKind.DEFAULT, RowKind.OPTION, RowKind.KEY)


def difference_counts(columns: Iterable[DiffRow], table: Iterable[DiffRow], others: int = 0) -> dict[str, int]:
    """Return the number of rows of each kind, of unchanged columns and fields, and of differences that no row shows."""
    counts = Counter(_kinds(columns))
    for row in table:
        counts[row.kinds[-1]] += 1
    known = {kind.value: counts[kind] for kind in RowKind}
    return {**known, OTHER: others, UNCHANGED: counts[UNCHANGED]}


def _kinds(rows: Iterable[DiffRow]) -> Iterator[str]:
    for row in rows:
        if not row.differs:
            yield UNCHANGED
        yield from row.kinds
        yield from _kinds(row.children)


def counts_text(counts: dict[str, int]) -> str:
    """Return the counts as words, without those that are none: 2 added, 1 renamed, 14 unchanged."""
    if not any(number for word, number in counts.items() if word != UNCHANGED):
        return "no difference"
    return ", ".join(_words(word, number) for word, number in counts.items() if number)


def _words(word: str, number: int) -> str:
    return counted(number, word) if word in _THINGS else f"{number:,} {word}"
