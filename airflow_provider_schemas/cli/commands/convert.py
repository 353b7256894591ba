"""`convert`: write a schema in another language, and report what that language cannot hold."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import read_operand
from airflow_provider_schemas.cli.output.result import OK, WARN, Answer, TextLine
from airflow_provider_schemas.core.common.secrets import is_secret
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.registry import FORMATS, dump, load


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("object", metavar="TABLE|FILE", help="db.table, a file, the folder of an ODF chain, or - for standard input")
    known = sorted(FORMATS)
    listed = ", ".join(known)
    parser.add_argument("--to", required=True, choices=known, metavar="FORMAT", help=f"the language to write it in: {listed}")
    parser.add_argument(
        "--from", dest="source", choices=known, metavar="FORMAT", help="the language that the file is in, if it cannot be told"
    )
    parser.add_argument(
        "-o", dest="output", action=RequiredText, metavar="FILE", help="(or --output) write it there, and not to standard output"
    )


def run(args: Namespace) -> Answer:
    """Answer with the text, for another program to read; losses go to standard error."""
    label, schema, read_losses = _read(args)
    if args.output is None:
        _check_secrets(schema)
    dumped = dump(args.to, schema)
    losses = [*read_losses, *dumped.losses]
    if args.output is not None:
        local_io.write(args.output, dumped.text)
    entries = [{"path": loss.path, "what": loss.what, "message": loss.message} for loss in losses]
    data = {"format": args.to, "text": dumped.text, "losses": entries}
    printed = dumped.text if args.output is None else None
    return Answer([*_parts(args, label, losses)], data, WARN if losses else OK, text=printed)


def _parts(args: Namespace, label: str, losses: Sequence[Loss]) -> Iterator[TextLine]:
    if args.output is not None:
        yield TextLine(f"{label} -> {args.output}  {args.to}")
    if losses:
        yield TextLine(f"{args.to} does not hold all of {label}:")
    for loss in losses:
        yield TextLine(str(loss), 2)


def _read(args: Namespace) -> tuple[str, Any, Sequence[Loss]]:
    """Return the label and the schema, in its own model, and what was lost when it was read."""
    if args.source is not None:
        loaded = load(args.source, local_io.read(args.object))
        return local_io.label(args.object), loaded.schema, loaded.losses
    operand = read_operand(args.object, args)
    return operand.label, operand.odf.schema if operand.odf else operand.schema, ()


def _check_secrets(schema: object) -> None:
    """Refuse to print secrets: they would end in logs, and a text without them would be no conversion."""
    if not isinstance(schema, TableSchema):
        return
    keys = [key for key in schema.options if is_secret(key)]
    if keys:
        message = f"the options hold secrets, which are not printed: {', '.join(keys)[:200]}."
        raise SchemaError(message, code="cli.secret", fix="Write the text to a file: -o FILE.")
