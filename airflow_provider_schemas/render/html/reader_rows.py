"""Who reads a table as rows: each job with whom to call, and whether it fits; and jobs by versions, with a sentence above them."""

from collections.abc import Iterator

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_readers import ColumnReader, ColumnReaders
from airflow_provider_schemas.core.blame.readers_by_version import ReaderRow, ReadersByVersion
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.html.plain_text import plain
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted, listed

_NAMED_COLUMNS = 8
_NAMED_VERSIONS = 12
_UNKNOWN = "not known"


class JobRow(Struct, frozen=True):
    """A registered job."""

    name: str
    owner: str
    contact: str
    uses: str
    columns: str
    verdict: str
    mark: str
    verdict_word: str
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


# ---------------------------------------------------------------- who reads


def job_rows(readers: ColumnReaders) -> list[JobRow]:
    """Return a row for each job, in their order."""
    return [_job(reader) for reader in readers.readers]


def readers_sentence(readers: ColumnReaders) -> str:
    """Return how many jobs read what was asked about, and how many others there are."""
    about = readers.column or readers.table
    jobs = counted(len(readers.readers), "registered job")
    verb = "uses" if len(readers.readers) == 1 else "use"
    sentence = f"{jobs} {verb} {plain(about)}." if readers.readers else f"No registered job uses {plain(about)}."
    if not readers.others:
        return sentence
    return f"{sentence} {counted(readers.others, 'other registered job')} of the table {_does(readers.others)} not use it."


def _does(number: int) -> str:
    return "does" if number == 1 else "do"


def _job(reader: ColumnReader) -> JobRow:
    return JobRow(
        name=plain(reader.name),
        owner=_owner(reader.team, reader.owner),
        contact=plain(reader.contact),
        uses=" and ".join(word for word, does in (("reads", reader.reads), ("writes", reader.writes)) if does) or _UNKNOWN,
        columns=_columns(reader),
        verdict=reader.verdict.value,
        mark=MARKS[reader.verdict],
        verdict_word=VERDICTS[reader.verdict],
        why=plain(reader.sentence),
        remarks=tuple(_remarks(reader)),
    )


def _owner(team: str, owner: str) -> str:
    return ", ".join(dict.fromkeys(plain(part) for part in (team, owner) if part))


def _columns(reader: ColumnReader) -> str:
    if reader.uses_all:
        return "all columns"
    if not reader.columns:
        return "no columns named"
    return listed(map(plain, reader.columns), _NAMED_COLUMNS)


def _remarks(reader: ColumnReader) -> Iterator[str]:
    if reader.is_pending:
        yield "pending: not registered yet"
    if reader.last_seen:
        yield f"last seen {plain(reader.last_seen)}"
    if reader.is_stale:
        yield "stale: may not run any more"


# ---------------------------------------------------------------- jobs by versions


def fit_rows(matrix: ReadersByVersion) -> list[FitRow]:
    """Return a row for each job, with a cell for each version."""
    return [
        FitRow(plain(row.name), _owner(row.team, row.owner), plain(row.contact), tuple(_fits(row, matrix)))
        for row in matrix.rows
    ]  # fmt: skip


def way_back(matrix: ReadersByVersion) -> str:
    """Return to which versions the table can go back without breaking a job; that nobody knows, where that is so."""
    if not matrix.versions:
        return "No version is known."
    if matrix.unreadable:
        number = counted(len(matrix.unreadable), "contract")
        return f"Whether the table can go back is not known: {number} cannot be read ({listed(map(plain, matrix.unreadable), _NAMED_VERSIONS)})."
    if not matrix.rows:
        return "No job has registered what it reads, so the jobs that a way back breaks are not known."
    current = matrix.versions[0].number
    fitting = [number for number in matrix.breaking_nobody if number != current]
    known = f"of {counted(len(matrix.rows), 'registered job')}"
    earlier = len(matrix.versions) - 1
    if not earlier:
        return "There is no earlier version to go back to."
    if not fitting:
        return f"Each of {counted(earlier, 'earlier version')} breaks some {known}, or could not be judged."
    return f"The table can go back to {listed((f'v{number}' for number in fitting), _NAMED_VERSIONS)} without breaking any {known}."


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
        word = VERDICTS[verdict] if verdict is not None else _UNKNOWN
        mark = MARKS[verdict] if verdict is not None else "?"
        title = f"{plain(row.name)}, v{version.number}: {word}. {plain(sentence)}".strip()
        yield FitCell("" if verdict is None else verdict.value, mark, word, title)
