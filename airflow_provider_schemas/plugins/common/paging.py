"""Lists in pages."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def page_count(rows: int, size: int) -> int:
    """Return how many pages of this size the rows fill; one where there is no row."""
    return max(1, -(-rows // size))


def rows_of_page(rows: Sequence[T], number: int, size: int) -> Sequence[T]:
    """Return the rows of a page; the first page is 1."""
    return rows[(number - 1) * size : number * size]
