"""Who reads a table as rows: each job with whom to call, and whether it fits; and jobs by versions, with a sentence above them."""

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_readers import ColumnReader, ColumnReaders
from airflow_provider_schemas.core.blame.readers_by_version import ReaderRow, ReadersByVersion
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.html.marks import MARKS_IN_HTML
from airflow_provider_schemas.render.html.pictures.plain_text import plain
from airflow_provider_schemas.render.wording import VERDICTS, counted, listed

_NAMED_COLUMNS = 8
_NAMED_VERSIONS = 12
_UNKNOWN = "not known"
# The team of jobs that have none, as the registry writes it.
_NO_TEAM = "default"


class JobRow(Struct, frozen=True):
    """A registered job."""

    name: str
    owner: str
    contact: str
    uses: str
    columns: str
    fit: "FitCell"
    why: str
    remarks: tuple[str, ...]


class FitCell(Struct, frozen=True):
    """Whether a job fits a version."""

    verdict: str
    """Empty where nobody could judge."""
    mark: str
    word: str
    title: str


class FitRow(Struct, frozen=True):
    """A job against each version."""

    name: str
    owner: str
    contact: str
    cells: tuple[FitCell, ...]
    remarks: tuple[str, ...] = ()


# ---------------------------------------------------------------- who reads


def job_rows(readers: ColumnReaders) -> list[JobRow]:
    """Return a row for each job, in their order."""
    return [_job(reader) for reader in readers.readers]


def readers_sentence(readers: ColumnReaders) -> str:
    """Return how many jobs read what was asked about, and how many others there are."""
    about = readers.column or readers.table
    jobs = f"{counted(len(readers.readers), 'job')} with a contract"
    verb = "uses" if len(readers.readers) == 1 else "use"
    sentence = f"{jobs} {verb} {plain(about)}." if readers.readers else f"No job with a contract uses {plain(about)}."
    if not readers.others:
        return sentence
    return f"{sentence} {counted(readers.others, 'other job')} of the table {_does(readers.others)} not use it."


def _does(number: int) -> str:
    return "does" if number == 1 else "do"


def _job(reader: ColumnReader) -> JobRow:
    return JobRow(
        name=plain(reader.name),
        owner=plain(reader.owner),
        contact=plain(reader.contact),
        uses=" and ".join(word for word, does in (("reads", reader.reads), ("writes", reader.writes)) if does) or _UNKNOWN,
        columns=_columns(reader),
        fit=_fit_cell(reader.verdict, ""),
        why=plain(reader.sentence),
        remarks=tuple(_remarks(reader)),
    )


def _columns(reader: ColumnReader) -> str:
    if reader.uses_all:
        return "all columns"
    if not reader.columns:
        return "no columns named"
    return listed(map(plain, reader.columns), _NAMED_COLUMNS)


def _remarks(reader: ColumnReader) -> Iterator[str]:
    yield from _team(reader)
    if reader.last_seen:
        yield f"last seen {_day(reader.last_seen)}"
    yield from _doubts(reader)


def _team(job: ColumnReader | ReaderRow) -> Iterator[str]:
    """Yield the team that registered the job: whom to call is the owner, who may be somebody else."""
    if job.team not in ("", _NO_TEAM):
        yield f"registered by {plain(job.team)}"


def _day(moment: str) -> str:
    """Return the day of a moment; the text itself if it is no moment."""
    try:
        return datetime.fromisoformat(moment).date().isoformat()
    except ValueError:
        return plain(moment)


def _doubts(job: ColumnReader | ReaderRow) -> Iterator[str]:
    if job.is_pending:
        yield "waits for a version to come"
    if job.is_stale:
        yield "stale: may not run any more"


# ---------------------------------------------------------------- jobs by versions


def fit_rows(matrix: ReadersByVersion) -> list[FitRow]:
    """Return a row for each job, with a cell for each version."""
    return [_fit_row(row, matrix) for row in matrix.rows]


def _fit_row(row: ReaderRow, matrix: ReadersByVersion) -> FitRow:
    return FitRow(
        name=plain(row.name),
        owner=plain(row.owner),
        contact=plain(row.contact),
        cells=tuple(_fits(row, matrix)),
        remarks=(*(_team(row) if _is_namesake(row, matrix) else ()), *_doubts(row)),
    )


def _is_namesake(row: ReaderRow, matrix: ReadersByVersion) -> bool:
    return sum(other.name == row.name for other in matrix.rows) > 1


def used_fits(matrix: ReadersByVersion) -> list[FitCell]:
    """Return each answer that some cell gives, for the list above the table."""
    given = {verdict for row in matrix.rows for verdict in row.verdicts}
    return [_fit_cell(verdict, "") for verdict in (*Verdict, None) if verdict in given]


def way_back(matrix: ReadersByVersion) -> str:
    """Return to which versions the table can go back without breaking a job; that nobody knows, where that is so."""
    if not matrix.versions:
        return "No version is known."
    if matrix.unreadable:
        contracts = listed(map(plain, matrix.unreadable), _NAMED_COLUMNS)
        return f"Whether the table can go back is not known: these contracts cannot be read: {contracts}."
    judged = [row for row in matrix.rows if not row.is_pending]
    if not judged:
        return "No job has registered what it reads, so the jobs that a way back breaks are not known."
    known = f"of {counted(len(judged), 'registered contract')}"
    earlier = len(matrix.versions) - 1
    if not earlier:
        return "There is no earlier version to go back to."
    fitting = list(_fitting_versions(matrix))
    if not fitting:
        return f"Each of {counted(earlier, 'earlier version')} breaks some {known}, or could not be judged."
    return f"The table can go back to {listed(fitting, _NAMED_VERSIONS)} without breaking any {known}."


def _fitting_versions(matrix: ReadersByVersion) -> Iterator[str]:
    """Yield the earlier versions that break no job; those of which some job warns say so."""
    fitting = set(matrix.breaking_nobody)
    for place, version in enumerate(matrix.versions):
        if place and version.number in fitting:
            warns = any(row.verdicts[place] is Verdict.WARN for row in matrix.rows)
            yield f"{plain(version.title)} (with warnings)" if warns else plain(version.title)


def current_state(matrix: ReadersByVersion) -> str:
    """Return whom the newest version breaks; empty where that is nobody, or nothing is known."""
    broken = [row for row in matrix.rows if row.verdicts and row.verdicts[0] in (Verdict.BREAK, Verdict.INVALID)]
    if not broken or not matrix.versions:
        return ""
    return f"v{matrix.versions[0].number}, the newest one, breaks {listed((plain(row.name) for row in broken), _NAMED_COLUMNS)}."


def _fits(row: ReaderRow, matrix: ReadersByVersion) -> Iterator[FitCell]:
    for place, version in enumerate(matrix.versions):
        verdict = row.verdicts[place] if place < len(row.verdicts) else None
        sentence = row.sentences[place] if place < len(row.sentences) else ""
        yield _fit_cell(verdict, f"{plain(row.name)}, {plain(version.title)}: {_word(verdict)}. {plain(sentence)}".strip())


def _fit_cell(verdict: Verdict | None, title: str) -> FitCell:
    if verdict is None:
        return FitCell("", "?", _UNKNOWN, title)
    return FitCell(verdict.value, MARKS_IN_HTML[verdict], VERDICTS[verdict], title)


def _word(verdict: Verdict | None) -> str:
    return _UNKNOWN if verdict is None else VERDICTS[verdict]
