"""`create`: make a table, from a table file, from SQL text or from a schema file. Made again, it is left as it is."""

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import location, options
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file, table_in
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import of_file
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLEFILE|TABLE", help="a table file; or the name of the table, and its columns behind it")
    parser.add_argument("columns", nargs="?", metavar="COLUMNS|FILE", help="'order_id BIGINT NOT NULL, coupon STRING', or a file")
    add_options(parser)


def add_options(parser: ArgumentParser) -> None:
    """What can be typed of a new table besides its name and columns."""
    parser.add_argument("--primary-key", type=options.names, default=[], metavar="A,B", help="the columns of the primary key")
    parser.add_argument("--partitioned-by", type=options.names, default=[], metavar="A,B", help="the columns that partition the table")
    parser.add_argument("--option", type=options.pair, action="append", default=[], metavar="KEY=VALUE", help="an option; repeatable")
    parser.add_argument("--comment", action=Said, help="what the table is for")
    parser.add_argument("--location", action=Said, metavar="URL", help="where the data lies; the schema then lies in the registry alone")
    parser.add_argument(
        "--data-format", action=Said, metavar="NAME", default="parquet", help="the format of that data: parquet, orc, avro ..."
    )
    policy_option.add_unchecked(parser)
    parser.add_argument("--key", action=Said, help="name this attempt: one with the same key is done once")


def run(args: Namespace) -> Answer:
    """The version that was written, or that holds already."""
    open_store.store(args)  # a line without a store is refused before any file is read
    return made(args, *wanted(args))


def made(args: Namespace, name: str, schema: TableSchema | TableFile) -> Answer:
    """Make the table that was read from the line."""
    store = open_store.store(args)
    if args.branch:
        fix = "Leave --branch out: branches are made of a table that is there."
        raise SchemaError("a table begins on its main branch.", code="cli.branch", path=name, fix=fix)
    if args.location:
        whole = location.absolute(args.location, store)
        done = store.adopt(name, whole, schema=schema, format=args.data_format, key=args.key, unchecked=args.unchecked)
        if whole != args.location:
            done = msgspec.structs.replace(done, notes=(*done.notes, f"the location is {whole}"))
    else:
        done = store.create_table(name, schema, key=args.key, unchecked=args.unchecked)
    return commit_result.answer(done, args)


def names_file(said: str) -> bool:
    """Whether an argument names a file, and not a table."""
    return looks_like_a_file(said) or (table_in(said) is None and local_io.exists(said))


def wanted(args: Namespace) -> tuple[str, TableSchema | TableFile]:
    """Return the name of the table on the line, and its schema. Standard input is read here, once."""
    if names_file(args.object):
        return _of_file(args)
    if args.columns is None:
        fix = f"Write them behind it: create {args.object} 'order_id BIGINT NOT NULL, coupon STRING'."
        raise SchemaError("a table needs columns.", code="cli.no-columns", path=args.object, fix=fix)
    if looks_like_a_file(args.columns) or local_io.exists(args.columns):
        found = of_file(args.columns)
        return args.object, found.file if found.file is not None and not _said(args) else _with(found.schema, args)
    return args.object, TableSchema.create(args.columns, **_said(args))


def _of_file(args: Namespace) -> tuple[str, TableFile]:
    file = of_file(args.object).file
    if file is None:
        message = "only a table file names its table."
        raise SchemaError(message, code="cli.no-name", path=args.object, fix=f"Write: create db.table {args.object}.")
    if args.columns is not None or _said(args):
        message = "a table file says itself what the table is."
        raise SchemaError(message, code="cli.twice", path=args.object, fix="Leave the columns and keys out.")
    return file.table, file


def _said(args: Namespace) -> dict[str, Any]:
    """What the line says of the table beside its columns."""
    said = {
        "partition_keys": args.partitioned_by,
        "primary_keys": args.primary_key,
        "options": dict(args.option),
        "comment": args.comment,
    }
    return {key: value for key, value in said.items() if value}


def _with(schema: TableSchema, args: Namespace) -> TableSchema:
    """The schema of a file, as the first version of a table, with what the line says."""
    said = _said(args)
    if not said:
        return msgspec.structs.replace(schema, unknown=(), id=0)
    about = {
        "partition_keys": schema.partition_keys,
        "primary_keys": schema.primary_keys,
        "options": Options(schema.options),
        "comment": schema.comment,
    } | said
    return TableSchema.create(schema.fields, **about)
