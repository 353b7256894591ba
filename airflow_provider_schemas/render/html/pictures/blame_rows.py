"""The columns of a version as rows: type, comment, and each version that made the column what it is."""

from collections.abc import Iterator

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_blame import ColumnBlame, TableBlame
from airflow_provider_schemas.core.blame.lifelines import NAMED_BY_TEXT
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.render.html.pictures.lifeline_rows import states_text
from airflow_provider_schemas.render.html.pictures.origins import each_version_once, origin_day, origin_who
from airflow_provider_schemas.render.html.pictures.plain_text import depth_class, plain
from airflow_provider_schemas.render.wording import counted

_STEPS = 3
"""So many versions are named for each of many columns, the newest first; the lifelines have all of them."""
_ALL_STEPS = 100
_FEW = 5
"""So few columns are shown with all that is known of them."""


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
    limit = _limit(blame)
    return [_row(column, blame, limit) for column in blame.columns]


def _limit(blame: TableBlame) -> int:
    """Return how many versions are named for a column."""
    return _ALL_STEPS if len(blame.columns) <= _FEW else _STEPS


def blame_origins(blame: TableBlame) -> tuple[Origin, ...]:
    """Return the versions that the rows name, the newest first."""
    return each_version_once(origin for column in blame.columns for origin, _ in _shown_steps(column, _limit(blame)))


def _row(column: ColumnBlame, blame: TableBlame, limit: int) -> BlameRow:
    hidden = max(len(column.changes) + (column.added is not None) - limit, 0)
    return BlameRow(
        path=plain(column.path),
        id="" if column.id is None else str(column.id),
        depth=depth_class(column.depth),
        type=plain(column.type),
        comment=plain(column.comment),
        steps=tuple(_step(origin, what) for origin, what in _shown_steps(column, limit)),
        more=f"and {counted(hidden, 'earlier change')}" if hidden else "",
        unknown="" if column.added is not None else _unknown(blame),
    )


def _unknown(blame: TableBlame) -> str:
    if blame.oldest is None:
        return "there before the versions that are known"
    return f"there since v{blame.oldest} or before"


def _shown_steps(column: ColumnBlame, limit: int) -> Iterator[tuple[Origin, str]]:
    """Yield the newest versions that did something to a column, and what; the one that added it, where that fits."""
    for change in column.changes[:limit]:
        words = states_text(state for state in change.states if state not in NAMED_BY_TEXT or not change.text)
        yield change.origin, " ".join(part for part in (words, plain(change.text)) if part)
    if column.added is not None and len(column.changes) < limit:
        yield column.added, "added"


def _step(origin: Origin, what: str) -> BlameStep:
    return BlameStep(origin.number, plain(origin.title), origin_day(origin), origin_who(origin), what)
