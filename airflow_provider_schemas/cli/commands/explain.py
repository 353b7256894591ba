"""`explain`: what a rule or the code of an error means, offline; without a name, all rules."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.errors import Fault, SchemaError, collect
from airflow_provider_schemas.render.explain import facts, names
from airflow_provider_schemas.render.explain.explained import catalogue, explained
from airflow_provider_schemas.render.explain.lines import lines_of
from airflow_provider_schemas.render.explain.pages import list_of, page_of

FORMAT = 1
_HEADS = ("code", "rule", "what is found")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument(
        "names",
        nargs="*",
        type=options.text,
        metavar="RULE|CODE",
        help="FIELD_RENAMED, F07, or the code of an error such as table.not-there; without one, all rules are listed",
    )


def run(args: Namespace) -> Answer:
    """Answer with the explanations; nothing is explained if one of the names means nothing."""
    if not args.names:
        return _list(args)
    explanations = [explained(named) for named in _meanings(args.names)]
    data = {"format": FORMAT, "explained": explanations}
    if args.format == "markdown":
        return Answer(data=data, text=page_of(explanations))
    return Answer([TextLine(*line) for line in lines_of(explanations)], data)


def _meanings(given: Sequence[str]) -> list[names.Named]:
    faults: list[Fault] = []
    found: list[names.Named] = []
    for name in given:
        meanings: tuple[names.Named, ...] = collect(faults, partial(names.meanings, name)) or ()
        found += [named for named in meanings if named not in found]
    if faults:
        raise SchemaError.of(faults)
    return found


def _list(args: Namespace) -> Answer:
    families = catalogue()
    data = {"format": FORMAT, "families": families, "errors": sorted(facts.codes())}
    if args.format == "markdown":
        return Answer(data=data, text=list_of(families))
    return Answer([*_list_parts(families)], data)


def _list_parts(families: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    for family in families:
        yield TextLine(family["name"])
        yield Rows([(rule["code"], rule["rule"], rule["change"]) for rule in family["rules"]], _HEADS, 2)
    yield TextLine("")
    yield TextLine("airflow-schemas explain FIELD_RENAMED", typed=True)
