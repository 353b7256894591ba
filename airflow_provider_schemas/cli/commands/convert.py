"""`convert`: a schema in another language, and what that language cannot hold."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import Thing, thing
from airflow_provider_schemas.cli.output.result import OK, WARN, Answer, Line
from airflow_provider_schemas.core.common.secrets import is_secret
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.registry import FORMATS, dump, load


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLE|FILE", help="db.table, a file, the folder of an ODF chain, or - for standard input")
    parser.add_argument("--to", required=True, choices=sorted(FORMATS), help="the language to write it in")
    parser.add_argument("--from", dest="source", choices=sorted(FORMATS), help="the language that the file is in, if it cannot be told")
    parser.add_argument("-o", "--output", action=Said, metavar="FILE", help="write it there, and not to standard output")


def run(args: Namespace) -> Answer:
    """The text, for another program to read; what it cannot hold goes to standard error."""
    label, schema, losses = _read(args)
    if args.output is None:
        _check_secrets(schema)
    dumped = dump(args.to, schema)
    lost = [*losses, *dumped.losses]
    if args.output is not None:
        local_io.write(args.output, dumped.text)
    told = [{"path": one.path, "what": one.what, "message": one.message} for one in lost]
    data = {"format": args.to, "text": dumped.text, "losses": told}
    return Answer(_parts(args, label, lost), data, WARN if lost else OK, text=None if args.output is not None else dumped.text)


def _parts(args: Namespace, label: str, lost: Sequence[Loss]) -> list[Line]:
    written = [] if args.output is None else [Line(f"{label} -> {args.output}  {args.to}")]
    head = [Line(f"{args.to} does not hold all of {label}:")] if lost else []
    return [*written, *head, *(Line(str(one), 2) for one in lost)]


def _read(args: Namespace) -> tuple[str, Any, Sequence[Loss]]:
    """The schema, of whichever model it is, and what was lost when it was read."""
    if args.source is not None:
        loaded = load(args.source, local_io.read(args.object))
        return local_io.label(args.object), loaded.schema, loaded.losses
    found = thing(args.object, args)
    return found.label, _schema(found), ()


def _schema(found: Thing) -> Any:
    return found.schema if found.odf is None else found.odf.schema


def _check_secrets(schema: Any) -> None:
    """What is printed ends in logs; what is left out would be no conversion."""
    keys = [key for key in schema.options if is_secret(key)] if isinstance(schema, TableSchema) else []
    if keys:
        message = f"the options hold secrets, which are not printed: {', '.join(keys)[:200]}."
        raise SchemaError(message, code="cli.secret", fix="Write the text to a file: -o FILE.")
