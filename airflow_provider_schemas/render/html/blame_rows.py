"""The columns of a version as rows: type, comment, and each version that made the column what it is."""

from collections.abc import Iterator

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_blame import ColumnBlame, TableBlame
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.render.html.lifeline_rows import states_text
from airflow_provider_schemas.render.html.origins import each_version_once, origin_day, origin_name, origin_who
from airflow_provider_schemas.render.html.plain_text import depth_class, plain
from airflow_provider_schemas.render.wording import counted

_STEPS = 3
"""So many versions are named for a column, the newest first; the lifelines have all of them."""


class BlameStep(Struct, frozen=True):
    """A version that made a column what it is."""

    number: int
    name: str
    day: str
    who: str
    what: str


class BlameRow(Struct, frozen=True):
    """A column or nested field."""

    path: str
    id: str
    depth: str
    type: str
    comment: str
    steps: tuple[BlameStep, ...]
    more: str = ""
    unknown: str = ""
    """Why nothing tells since when the column is there."""


def blame_rows(blame: TableBlame) -> list[BlameRow]:
    """Return a row for each column, in their order."""
    return [_row(column, blame) for column in blame.columns]


def blame_origins(blame: TableBlame) -> tuple[Origin, ...]:
    """Return the versions that the rows name, the newest first."""
    return each_version_once(origin for column in blame.columns for origin, _ in _shown_steps(column))


def _row(column: ColumnBlame, blame: TableBlame) -> BlameRow:
    hidden = max(len(column.changes) + (column.added is not None) - _STEPS, 0)
    return BlameRow(
        path=plain(column.path),
        id="" if column.id is None else str(column.id),
        depth=depth_class(column.depth),
        type=plain(column.type),
        comment=plain(column.comment),
        steps=tuple(_step(origin, what) for origin, what in _shown_steps(column)),
        more=f"and {counted(hidden, 'earlier change')}" if hidden else "",
        unknown="" if column.added is not None else _unknown(blame),
    )


def _unknown(blame: TableBlame) -> str:
    if blame.oldest is None:
        return "since before the versions that are known"
    return f"since v{blame.oldest} or before"


def _shown_steps(column: ColumnBlame) -> Iterator[tuple[Origin, str]]:
    """Yield the newest versions that did something to a column, and what; the one that added it, where that fits."""
    for change in column.changes[:_STEPS]:
        yield change.origin, " ".join(part for part in (states_text(change.states), plain(change.text)) if part)
    if column.added is not None and len(column.changes) < _STEPS:
        yield column.added, "added"


def _step(origin: Origin, what: str) -> BlameStep:
    return BlameStep(origin.number, origin_name(origin), origin_day(origin), origin_who(origin), what)
