"""Rows with a count in place of those that did not change."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from airflow_provider_schemas.render.diff.rows import DiffRow

# So few unchanged rows stand as they are: a count would not be shorter.
_FEW = 2


def shown_rows(rows: Sequence[DiffRow], *, all_of_them: bool) -> Iterator[DiffRow]:
    """Yield the rows in the order of their lines, those inside a struct behind it; several unchanged ones as one with their number."""
    for differs, same in groupby(rows, key=lambda row: row.differs):
        run = list(same)
        if not differs and not all_of_them and len(run) > _FEW:
            yield DiffRow(None, None, depth=run[0].depth, hidden=len(run))
            continue
        for row in run:
            yield row
            yield from shown_rows(row.children, all_of_them=all_of_them)
