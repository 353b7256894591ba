"""`who`: the registered jobs that use a table, or one column of it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.column_name import parse_column
from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted

if TYPE_CHECKING:
    from airflow_provider_schemas.core.blame.column_readers import ColumnReader, ColumnReaders

_HEADS = ("", "job", "whom to call", "does", "columns", "last seen")
# The team of jobs that have none, as the registry writes it.
_NO_TEAM = "default"
_UNKNOWN = "? unknown"
# What a job does with a column, by whether it reads it and whether it writes it.
_DOES = {(True, True): "reads and writes", (True, False): "reads", (False, True): "writes", (False, False): ""}


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("column", metavar="TABLE[.COLUMN]", help="db.table, or a column of it: db.table.amount, db.table.address.city")


def run(args: Namespace) -> Answer:
    """Answer with the jobs, whom to call, and whether each fits the newest version."""
    reference = parse_column(args.column)
    if reference.table.version is not None:
        fix = "Leave the number out; `airflow-schemas check` judges a job against an older version."
        raise SchemaError("who asks about the newest version.", code="cli.version", path=args.column, fix=fix)
    table = open_store.open_table(args, reference.table)
    found = table.who(reference.column)
    lines = [TextLine(text) for text in (*found.unreadable, *found.notes)]
    return Answer([*_parts(found), *lines], _data(found), failed=bool(found.unreadable), page=lambda: found)


def _parts(found: "ColumnReaders") -> Iterator[Part]:
    subject = f"{found.table}.{found.column}" if found.column else found.table
    owner = ", ".join(text for text in (found.owner, found.contact) if text)
    title = f"{subject} v{found.version}  {_count(found)}"
    yield TextLine(f"{title} · owner {owner}" if owner else title)
    if found.readers:
        yield Rows([_row(reader) for reader in found.readers], _HEADS, headed=True)
    for reader in found.readers:
        if reader.sentence:
            yield TextLine(f"{_name(reader)}: {reader.sentence}", 2)


def _count(found: "ColumnReaders") -> str:
    """Return how many jobs use it: used by 2 of 3 registered contracts."""
    total = len(found.readers) + found.others
    if not total:
        return "no contract is registered"
    if not found.column:
        return f"used by {counted(total, 'registered contract')}"
    return f"used by {len(found.readers)} of {counted(total, 'registered contract')}"


def _row(reader: "ColumnReader") -> tuple[str, ...]:
    whom = ", ".join(text for text in (reader.owner, reader.contact) if text)
    return (_verdict(reader), _name(reader), whom, _DOES[reader.reads, reader.writes], _columns(reader), _seen(reader))


def _name(reader: "ColumnReader") -> str:
    """Return the job, with its team where it has one."""
    return reader.name if reader.team in ("", _NO_TEAM) else f"{reader.name} ({reader.team})"


def _verdict(reader: "ColumnReader") -> str:
    if reader.is_pending:
        return "waits"
    if reader.verdict is None:
        return _UNKNOWN
    return f"{MARKS[reader.verdict]} {VERDICTS[reader.verdict]}"


def _columns(reader: "ColumnReader") -> str:
    names = ", ".join(reader.columns)
    if not reader.uses_all:
        return names
    return f"all columns, among them {names}" if names else "all columns"


def _seen(reader: "ColumnReader") -> str:
    day = reader.last_seen[:10]
    return f"{day}, long ago" if reader.is_stale else day


def _data(found: "ColumnReaders") -> dict[str, Any]:
    return {
        "table": found.table,
        "column": found.column,
        "version": found.version,
        "owner": found.owner,
        "contact": found.contact,
        "readers": [_reader_data(reader) for reader in found.readers],
        "others": found.others,
        "unreadable": list(found.unreadable),
        "notes": list(found.notes),
    }


def _reader_data(reader: "ColumnReader") -> dict[str, Any]:
    return {
        "job": reader.name,
        "team": reader.team,
        "owner": reader.owner,
        "contact": reader.contact,
        "reads": reader.reads,
        "writes": reader.writes,
        "columns": list(reader.columns),
        "uses_all": reader.uses_all,
        "verdict": reader.verdict,
        "sentence": reader.sentence,
        "last_seen": reader.last_seen,
        "stale": reader.is_stale,
        "pending": reader.is_pending,
    }
