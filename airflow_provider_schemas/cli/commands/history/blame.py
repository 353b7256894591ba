"""`blame`: since when each column is as it is, and by whom."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.column_name import ColumnReference, parse_column
from airflow_provider_schemas.cli.output.origins import origin_data, when
from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.core.blame.lifelines import NAMED_BY_TEXT
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.core.blame.column_blame import ColumnBlame, ColumnChange, TableBlame
    from airflow_provider_schemas.core.blame.origin import Origin

_HEADS = ("id", "column", "type", "since", "by", "what changed, and in which run")
_CHANGES = ("version", "when", "by", "what changed")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("column", metavar="TABLE[.COLUMN]", help="db.table, or a column of it: db.table.amount, db.table.address.city")
    parser.add_argument("--version", type=options.number, metavar="N", help="the columns of version N; without it, of the newest")


def run(args: Namespace) -> Answer:
    """Answer with the versions that made the columns what they are."""
    reference = parse_column(args.column)
    table = open_store.open_table(args, reference.table)
    args.progress.begin(f"reading the history of {table.name}")
    found = table.blame(_version(reference, args), reference.column)
    parts = _column_parts(found) if reference.column else _table_parts(found)
    lines = [TextLine(note) for note in found.notes]
    return Answer([*parts, *lines], _data(found), failed=bool(found.unreadable), page=lambda: found)


def _version(reference: ColumnReference, args: Namespace) -> int | None:
    """Return the version that the line names, behind the table or by its option."""
    named: int | None = reference.table.version
    if named is None or args.version is None or named == args.version:
        return args.version if named is None else named
    message = f"the line names two versions, {named} and {args.version}."
    raise SchemaError(message, code="cli.version", path=args.column, fix="Name one of them.")


# ---------------------------------------------------------------- a whole table


def _table_parts(found: "TableBlame") -> Iterator[Part]:
    columns = sum(column.depth == 0 for column in found.columns)
    yield TextLine(f"{found.table} {found.version.title}  {counted(columns, 'column')}")
    yield Rows([_row(column, found) for column in found.columns], _HEADS, headed=True, indent=2)


def _row(column: "ColumnBlame", found: "TableBlame") -> tuple[str, ...]:
    since = column.since
    if since is None:
        return (_id(column), column.path, column.type, f"before v{found.oldest}", "not known", "")
    changed = [_change_text(column.changes[0])] if column.changes else []
    about = "; ".join([*changed, *since.circumstances()])
    return (_id(column), column.path, column.type, f"{since.title} {when(since)[:10]}", _writer(since), about)


def _writer(origin: "Origin") -> str:
    """Return who wrote a version, below the word by."""
    if origin.earliest is not None:
        return "not known"
    return origin.writer.removeprefix("by ")


def _id(column: "ColumnBlame") -> str:
    return "" if column.id is None else str(column.id)


def _change_text(change: "ColumnChange") -> str:
    """Return what a version did: renamed: cust_id -> customer_id."""
    words = ", ".join(state for state in change.states if state not in NAMED_BY_TEXT)
    return ": ".join(part for part in (words, change.text) if part)


# ---------------------------------------------------------------- a column


def _column_parts(found: "TableBlame") -> Iterator[Part]:
    yield TextLine(f"{found.table} {found.version.title}")
    for column in found.columns:
        number = f"id {column.id}" if column.id is not None else ""
        yield TextLine("  ".join(part for part in (column.path, column.type, number, column.comment) if part), 2)
        yield Rows([*_change_rows(column, found)], _CHANGES, indent=6)


def _change_rows(column: "ColumnBlame", found: "TableBlame") -> Iterator[tuple[str, ...]]:
    for change in column.changes:
        yield (change.origin.title, when(change.origin), change.origin.byline, _change_text(change))
    if column.added is None:
        yield (f"before v{found.oldest}", "", "by whom is not known", "older than what is known")
    else:
        yield (column.added.title, when(column.added), column.added.byline, "added")


# ---------------------------------------------------------------- for machines


def _data(found: "TableBlame") -> dict[str, Any]:
    return {
        "table": found.table,
        "version": origin_data(found.version),
        "oldest": found.oldest,
        "columns": [_column_data(column) for column in found.columns],
        "unreadable": list(found.unreadable),
        "notes": list(found.notes),
    }


def _column_data(column: "ColumnBlame") -> dict[str, Any]:
    return {
        "path": column.path,
        "id": column.id,
        "type": column.type,
        "comment": column.comment,
        "depth": column.depth,
        "since": origin_data(column.since),
        "added": origin_data(column.added),
        "changes": [
            {"version": origin_data(change.origin), "states": list(change.states), "text": change.text} for change in column.changes
        ],
    }
