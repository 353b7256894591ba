"""`adopt`: keep the schemas of a table whose data lie elsewhere. Does what `create --location` does; nothing is written at the location."""

from argparse import ArgumentParser, Namespace

from airflow_provider_schemas.cli.commands import create
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile

_FIX = "Write `airflow-schemas adopt db.table s3://bucket/orders 'order_id BIGINT, coupon STRING'`, or adopt a table file with a location."


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE", help="the name of the table; or a table file")
    parser.add_argument("place", nargs="?", metavar="LOCATION", help="where the data lies; left out where --location says it")
    parser.add_argument("columns", nargs="?", metavar="COLUMNS|FILE", help="'order_id BIGINT NOT NULL, coupon STRING', or a file")
    create.add_options(parser)


def run(args: Namespace) -> Answer:
    """Keep the schema, and answer with the version that was written or that exists already."""
    if args.location and args.columns is not None:
        message = "the location stands on the line twice."
        raise SchemaError(message, code="cli.twice", path="--location", fix="Leave --location out, or the location behind the table.")
    if args.location:  # the columns stand directly behind the table
        args.columns = args.place
    else:
        args.location = args.place
    names_file = create.names_file(args.object)
    if not args.location and not names_file:
        raise _no_location(args.object)
    if args.columns is None and not names_file:
        raise SchemaError("a table needs columns.", code="cli.no-columns", path=args.object, fix=_FIX)
    name, schema = create.read_schema(args)
    if not args.location and not (isinstance(schema, TableFile) and schema.location):
        raise _no_location(args.object)
    return create.make_table(args, name, schema)


def _no_location(text: str) -> SchemaError:
    return SchemaError("nobody says where the data lies.", code="cli.no-location", path=local_io.label(text), fix=_FIX)
