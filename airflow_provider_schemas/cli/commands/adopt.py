"""`adopt`: keep the schemas of a table whose data lie elsewhere. Does what `create --location` does; nothing is written at the location."""

from argparse import ArgumentParser, Namespace

from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file, table_in
from airflow_provider_schemas.cli.commands import create
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import of_file
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.errors import SchemaError

_FIX = "Write: adopt db.table s3://bucket/orders 'order_id BIGINT, coupon STRING', or adopt TABLEFILE where the file has a location."


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE", help="the name of the table; or a table file")
    parser.add_argument("place", nargs="?", metavar="LOCATION", help="where the data lies; left out where --location says it")
    parser.add_argument("columns", nargs="?", metavar="COLUMNS|FILE", help="'order_id BIGINT NOT NULL, coupon STRING', or a file")
    create.add_options(parser)


def run(args: Namespace) -> Answer:
    """The version that was written, or that holds already."""
    if args.location and args.columns is not None:
        message = "the location stands on the line twice."
        raise SchemaError(message, code="cli.twice", path="--location", fix="Leave --location out, or the location behind the table.")
    if args.location:
        args.columns = args.place
    else:
        args.location = args.place
    file = of_file(args.object).file if _is_file(args.object) else None
    if not args.location and not (file is not None and file.location):
        raise SchemaError("nobody says where the data lies.", code="cli.no-location", path=args.object, fix=_FIX)
    if file is None and args.columns is None:
        raise SchemaError("a table needs columns.", code="cli.no-columns", path=args.object, fix=_FIX)
    return create.run(args)


def _is_file(text: str) -> bool:
    return looks_like_a_file(text) or (table_in(text) is None and local_io.exists(text))
