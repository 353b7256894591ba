"""`show`: a schema with everything that is known about it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.operands import Operand, read_operand
from airflow_provider_schemas.cli.output.result import Answer, Part, TextLine
from airflow_provider_schemas.cli.output.schema_text import headline, policy_parts, schema_parts
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.render.version_entries import origin, tells_origin, when

if TYPE_CHECKING:
    from airflow_provider_schemas.render.html.pictures.schema_rows import TitledSchema


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument(
        "object",
        metavar="TABLE|FILE",
        help="db.table, db.table:41, db.table@branch, a file, the folder of an ODF chain, or - for standard input",
    )


def run(args: Namespace) -> Answer:
    """Answer with the schema; for machines, with the content of its file, without secrets."""
    operand = read_operand(args.object, args)
    if operand.odf is not None:
        from airflow_provider_schemas.cli.output.odf_result import show_answer

        return show_answer(operand.label, operand.odf)
    return Answer([*_parts(operand)], json.loads(operand.schema.to_json()), page=partial(_page, operand))


def _page(operand: Operand) -> "TitledSchema":
    """Return the schema as a page shows it."""
    from airflow_provider_schemas.render.html.pictures.schema_rows import TitledSchema

    version = operand.version
    origin = Origin.of(version) if version is not None and tells_origin(version) else None
    policy = policy_parts(operand.table.policy()) if operand.table is not None else ()
    notes = tuple(part.text for part in policy if isinstance(part, TextLine))
    return TitledSchema(operand.label, operand.schema, origin, notes)


def _parts(operand: Operand) -> Iterator[Part]:
    schema = operand.schema
    yield TextLine(f"{operand.label}  {headline(schema)}")
    if operand.version is not None and tells_origin(operand.version):
        yield TextLine(f"{when(operand.version)} {origin(operand.version)}", 2)
    yield from schema_parts(schema)
    if operand.table is not None:
        yield from policy_parts(operand.table.policy())
