"""`create`: create a table from a table file, from SQL text or from a schema file. A table that exists already stays unchanged."""

from argparse import ArgumentParser, Namespace
from shlex import quote
from typing import TYPE_CHECKING, Any

import msgspec

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import location, options
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file, parse_table
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.git import revision_option
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import read_file
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit.commit import Committed
    from airflow_provider_schemas.store.schema_store import SchemaStore


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("object", metavar="TABLEFILE|TABLE", help="a table file; or the name of the table, and its columns behind it")
    parser.add_argument("columns", nargs="?", metavar="COLUMNS|FILE", help="'order_id BIGINT NOT NULL, coupon STRING', or a file")
    add_options(parser)


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments about a new table besides its name and columns."""
    parser.add_argument("--primary-key", type=options.names, default=[], metavar="A,B", help="the columns of the primary key")
    parser.add_argument("--partitioned-by", type=options.names, default=[], metavar="A,B", help="the columns that partition the table")
    parser.add_argument("--option", type=options.pair, action="append", default=[], metavar="KEY=VALUE", help="an option; repeatable")
    parser.add_argument("--comment", action=RequiredText, help="what the table is for")
    parser.add_argument(
        "--location", action=RequiredText, metavar="URL", help="where the data lies; the schema then lies in the registry alone"
    )
    parser.add_argument(
        "--data-format", action=RequiredText, metavar="NAME", default="parquet", help="the format of that data: parquet, orc, avro ..."
    )
    dry_run.add(parser, "say what would be written; write nothing")
    policy_option.add_unchecked(parser)
    parser.add_argument("--key", action=RequiredText, help="name this attempt: one with the same key is done once")
    revision_option.add(parser)


def run(args: Namespace) -> Answer:
    """Create the table, and answer with the version that was written or that exists already."""
    open_store.store(args)  # a line without a store is refused before any file is read
    return make_table(args, *read_schema(args))


def make_table(args: Namespace, name: str, schema: TableSchema | TableFile) -> Answer:
    """Create a table, or adopt it where the line has a location."""
    store = open_store.store(args)
    if args.branch:
        fix = "Leave --branch out: branches are made of a table that is there."
        raise SchemaError("a table begins on its main branch.", code="cli.branch", path=name, fix=fix)
    if not args.location:
        return dry_run.answered(lambda: store.create_table(name, schema, **_terms(args)), args)
    whole = location.absolute(args.location, store)
    return dry_run.answered(lambda: _adopt(store, args, name, schema, whole), args)


def _adopt(store: "SchemaStore", args: Namespace, name: str, schema: TableSchema | TableFile, whole: str) -> "Committed":
    """Adopt the table at a location, with a note where the line did not say the whole of it."""
    commit = store.adopt(name, whole, schema=schema, format=args.data_format, **_terms(args))
    if whole == args.location:
        return commit
    return msgspec.structs.replace(commit, notes=(*commit.notes, f"the location is {whole}"))


def _terms(args: Namespace) -> dict[str, Any]:
    """Return on which terms the table is created, and from which commit."""
    return {"key": args.key, "unchecked": args.unchecked, "revision": revision_option.read_revision(args)}


# ---------------------------------------------------------------- the schema of the line


def names_file(text: str) -> bool:
    """Return whether an argument names a file, and not a table."""
    return looks_like_a_file(text) or (parse_table(text) is None and local_io.exists(text))


def read_schema(args: Namespace) -> tuple[str, TableSchema | TableFile]:
    """Return the name of the table on the line, and its schema. Standard input is read here, once."""
    if names_file(args.object):
        return _read_table_file(args)
    if args.columns is None:
        fix = f"Write them behind it: `airflow-schemas create {quote(args.object)} 'order_id BIGINT NOT NULL, coupon STRING'`."
        raise SchemaError("a table needs columns.", code="cli.no-columns", path=args.object, fix=fix)
    if not looks_like_a_file(args.columns) and not local_io.exists(args.columns):
        return args.object, TableSchema.create(args.columns, **_table_options(args))
    operand = read_file(args.columns)
    if operand.file is not None and not _table_options(args):
        return args.object, operand.file
    return args.object, _first_schema(operand.schema, args)


def _read_table_file(args: Namespace) -> tuple[str, TableFile]:
    file = read_file(args.object).file
    if file is None:
        message = "only a table file names its table."
        raise SchemaError(
            message, code="cli.no-name", path=args.object, fix=f"Write `airflow-schemas create db.table {quote(args.object)}`."
        )
    if args.columns is not None or _table_options(args):
        message = "a table file says itself what the table is."
        raise SchemaError(message, code="cli.twice", path=args.object, fix="Leave the columns and keys out.")
    return file.table, file


def _table_options(args: Namespace) -> dict[str, Any]:
    """Return what the line sets besides the columns: keys, options, a comment."""
    values = {
        "partition_keys": args.partitioned_by,
        "primary_keys": args.primary_key,
        "options": dict(args.option),
        "comment": args.comment,
    }
    return {key: value for key, value in values.items() if value}


def _first_schema(schema: TableSchema, args: Namespace) -> TableSchema:
    """Return the schema of a file as the first version of a table, with the options of the line."""
    of_line = _table_options(args)
    if not of_line:
        return msgspec.structs.replace(schema, unknown=(), id=0)
    of_file = {
        "partition_keys": schema.partition_keys,
        "primary_keys": schema.primary_keys,
        "options": Options(schema.options),
        "comment": schema.comment,
    }
    return TableSchema.create(schema.fields, **(of_file | of_line))
