"""The rows of a diff as lines of a table: the cells of both versions, what happened in words, and whom it breaks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer, Verdict
from airflow_provider_schemas.render.consumer_text import who
from airflow_provider_schemas.render.diff.counts import counts_text
from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind, Side, shown_rows
from airflow_provider_schemas.render.html.marks import MARKS_IN_HTML
from airflow_provider_schemas.render.html.pictures.plain_text import depth_class, plain
from airflow_provider_schemas.render.html.table_diff import BothTexts, Impact, TableDiff
from airflow_provider_schemas.render.wording import VERDICTS, counted, listed

_NAMED_JOBS = 6
_NOTHING = "\u2014"
_NOT_NULL = " NOT NULL"


class DiffCell(Struct, frozen=True):
    """One side of a line."""

    name: str = ""
    type: str = ""
    notes: tuple[str, ...] = ()
    """The comment and the default, where they differ."""


class RowVerdict(Struct, frozen=True):
    """What the report says of a line."""

    verdict: Verdict
    mark: str
    word: str
    jobs: str
    mends: str
    """The jobs that work again."""
    why: str
    rules: tuple[str, ...]


class DiffLine(Struct, frozen=True):
    """A column, a nested field, a key or an option; or the number of unchanged ones."""

    old: DiffCell | None = None
    new: DiffCell | None = None
    id: str = ""
    depth: str = ""
    state: str = ""
    """The class of the line: added, dropped, changed; empty where nothing differs."""
    is_same: bool = False
    """Whether one cell tells both sides, so that a page of a thousand columns stays small."""
    is_renamed: bool = False
    is_retyped: bool = False
    words: tuple[str, ...] = ()
    judged: RowVerdict | None = None
    hidden: str = ""


def diff_title(diff: TableDiff) -> str:
    """Return the title of a page about a diff: shop.orders: v41 \u2192 v42."""
    step = f"{plain(diff.old_title)} \u2192 {plain(diff.new_title)}"
    return f"{plain(diff.table)}: {step}" if diff.table else step


def diff_lines(diff: TableDiff) -> tuple[DiffLine, ...]:
    """Return the lines of the columns, nested fields behind their column."""
    return tuple(_column_lines(diff))


def table_lines(diff: TableDiff) -> tuple[DiffLine, ...]:
    """Return the lines of keys, options and the comment of the table."""
    return tuple(_line(row, diff, "") for row in diff.table_rows)


def diff_counts(diff: TableDiff) -> str:
    """Return how many rows differ in what: 2 added, 1 renamed, 14 unchanged."""
    return counts_text(dict(diff.counts))


def other_verdicts(diff: TableDiff) -> tuple[RowVerdict, ...]:
    """Return what the report says of no row."""
    return tuple(_verdict(impact, diff) for impact in diff.others)


def basis(diff: TableDiff) -> str:
    """Return what the last cells of the lines rest on: how many jobs were asked; that nobody was, where that is so."""
    if diff.report is None:
        return "Whom the changes break was not checked."
    if not diff.report.contracts:
        return "No job has registered what it reads, so the jobs that break are not known."
    return f"Checked against {counted(diff.report.contracts, 'registered contract')}."


# ---------------------------------------------------------------- columns


def _column_lines(diff: TableDiff) -> Iterator[DiffLine]:
    previous: dict[int, str] = {}
    for row in shown_rows(diff.rows, all_of_them=diff.all_rows):
        if row.hidden:
            yield DiffLine(hidden=f"{counted(row.hidden, 'field' if row.depth else 'column')} unchanged", depth=depth_class(row.depth))
            previous[row.depth] = ""
            continue
        yield _line(row, diff, previous.get(row.depth, ""))
        if row.new is not None:
            previous[row.depth] = row.new.name


def _line(row: DiffRow, diff: TableDiff, previous: str) -> DiffLine:
    texts = diff.texts.get(row.id, ()) if row.id is not None else ()
    impact = diff.impacts.get(_key(row)) if row.kinds else None
    return DiffLine(
        old=_cell(row.old, texts, lambda text: text.old),
        new=_cell(row.new, texts, lambda text: text.new),
        id="" if row.id is None else str(row.id),
        depth=depth_class(row.depth),
        state=_state(row),
        is_same=diff.all_rows and not row.differs,
        is_renamed=RowKind.RENAMED in row.kinds,
        is_retyped=_is_retyped(row),
        words=tuple(_words(row, previous)),
        judged=_verdict(impact, diff) if impact else None,
    )


def _key(row: DiffRow) -> int | str:
    """Return what the report is kept by for a row."""
    if row.id is not None:
        return row.id
    side = row.new or row.old
    return side.name if side else ""


def _cell(side: Side | None, texts: Iterable[BothTexts], take: Callable[[BothTexts], str]) -> DiffCell | None:
    if side is None:
        return None
    notes = tuple(f"{text.kind.value} {plain(take(text)) or _NOTHING}" for text in texts)
    return DiffCell(plain(side.name), plain(side.type), notes)


# ---------------------------------------------------------------- what happened

_STATES: Mapping[RowKind, str] = MappingProxyType({RowKind.ADDED: "added", RowKind.DROPPED: "dropped"})
_OF_TYPE = frozenset({RowKind.RETYPED, RowKind.NULLABILITY, RowKind.OPTION, RowKind.KEY})


def _state(row: DiffRow) -> str:
    if not row.kinds:
        return ""
    return _STATES.get(row.kinds[0], "changed")


def _is_retyped(row: DiffRow) -> bool:
    return not _OF_TYPE.isdisjoint(row.kinds)


def _words(row: DiffRow, previous: str) -> Iterator[str]:
    if row.kinds[:1] == (RowKind.ADDED,):
        yield f"added after {plain(previous)}" if previous else "added"
        return
    if row.kinds[:1] == (RowKind.DROPPED,):
        yield "dropped"
        return
    for kind in row.kinds:
        yield _word(kind, row)


def _word(kind: RowKind, row: DiffRow) -> str:
    if kind is RowKind.MOVED and row.places is not None:
        return f"moved from place {row.places[0]:,} to {row.places[1]:,}"
    if kind is RowKind.NULLABILITY and row.old is not None and row.new is not None:
        return _nullability(row.old.type, row.new.type)
    return _KIND_WORDS.get(kind, kind.value)


_KIND_WORDS: Mapping[RowKind, str] = MappingProxyType({
    RowKind.COMMENT: "comment changed",
    RowKind.DEFAULT: "default changed",
    RowKind.OPTION: "changed",
    RowKind.KEY: "changed",
})  # fmt: skip


def _nullability(old: str, new: str) -> str:
    """Return which way it went, where the ends of both types tell."""
    before = old.endswith(_NOT_NULL)
    after = new.endswith(_NOT_NULL)
    if before and not after:
        return "may be NULL now"
    if after and not before:
        return "NOT NULL now"
    return "nullability changed"


# ---------------------------------------------------------------- whom it breaks


def _verdict(impact: Impact, diff: TableDiff) -> RowVerdict:
    if diff.is_doubtful and impact.verdict is Verdict.OK and not impact.waived:
        verdict, mark, word = Verdict.WARN, "?", "not known"
    elif impact.waived and impact.verdict is Verdict.OK:
        verdict, mark, word = impact.verdict, MARKS_IN_HTML[impact.verdict], "waived"
    else:
        verdict, mark, word = impact.verdict, MARKS_IN_HTML[impact.verdict], VERDICTS[impact.verdict]
    return RowVerdict(
        verdict=verdict,
        mark=mark,
        word=word,
        jobs=_jobs(impact.consumers),
        mends=_jobs(impact.mends),
        why=plain(" ".join(impact.messages)),
        rules=impact.rules,
    )


def _jobs(jobs: Sequence[Consumer]) -> str:
    """Return the names of jobs, and whom to call."""
    return listed((plain(who(replace(job, last_seen=""))) for job in jobs), _NAMED_JOBS)
