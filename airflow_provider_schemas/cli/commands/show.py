"""`show`: a schema with everything that is known of it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from airflow_provider_schemas.cli.operands import Thing, thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part
from airflow_provider_schemas.cli.output.schema_text import headline, policy_parts, schema_parts
from airflow_provider_schemas.render.version_entries import origin, when


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument(
        "object",
        metavar="TABLE|FILE",
        help="db.table, db.table:41, db.table@branch, a file, the folder of an ODF chain, or - for standard input",
    )


def run(args: Namespace) -> Answer:
    """The schema; for machines the content of its file, without secrets."""
    found = thing(args.object, args)
    if found.odf is not None:
        from airflow_provider_schemas.cli.output.odf_result import shown

        return shown(found.label, found.odf)
    return Answer([*_parts(found)], json.loads(found.schema.to_json()))


def _parts(found: Thing) -> Iterator[Part]:
    schema = found.schema
    yield Line(f"{found.label}  {headline(schema)}")
    if found.version is not None:
        yield Line(f"{when(found.version)} {origin(found.version)}", 2)
    yield from schema_parts(schema)
    if found.table is not None:
        yield from policy_parts(found.table.policy())
