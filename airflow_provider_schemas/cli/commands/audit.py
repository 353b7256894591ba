"""`audit`: what is wrong with the histories and ids of tables, those of mounted databases among them. Data files are not looked at."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.output.result import Answer, Judged, Part, Shown, TextLine
from airflow_provider_schemas.core.report import Report, Verdict, worst
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import counted

_UNREAD = "TABLE_UNREAD"
_NOT_LOOKED_AT = "data files were not looked at"
_NOTE = f"this is an audit of histories and ids; {_NOT_LOOKED_AT}"


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("names", nargs="*", metavar="DATABASE|TABLE", help="audit these only; all tables, mounted ones too, without one")


def run(args: Namespace) -> Answer:
    """Answer with what was found, table by table."""
    from airflow_provider_schemas.store.table_inspection import inspect_tables

    if args.branch:
        fix = "Leave --branch out, or ask about one branch of a table: `airflow-schemas log db.table@branch`."
        raise SchemaError("an audit looks at no branch.", code="cli.branch", path="--branch", fix=fix)
    args.progress.begin("looking at tables")
    store = open_store.store(args)
    inspected = inspect_tables(store, args.names, progress=args.progress.reach)
    reports = [missing_tables.with_hint(_without_fine(report), store) for report in inspected]
    found = [report for report in reports if report.findings]
    unread = [report for report in found if any(finding.rule == _UNREAD for finding in report.findings)]
    verdict = worst(report.verdict for report in found)
    data = {"tables": len(reports), "verdict": verdict.value, "reports": [*map(report_dict, found)]}
    return Answer([*_parts(reports, found, len(unread))], data, verdict.value, failed=bool(unread), judged=Judged(reports, notes=(_NOTE,)))


def _without_fine(report: Report) -> Report:
    return replace(report, findings=tuple(finding for finding in report.findings if finding.verdict is not Verdict.OK))


def _parts(reports: Sequence[Report], found: Sequence[Report], unread: int) -> Iterator[Part]:
    findings = sum(len(report.findings) for report in found)
    said = f"{counted(findings, 'finding')} in {counted(len(found), 'table')}" if found else "nothing was found"
    left = f", {unread:,} not" if unread else ""
    yield TextLine(f"{counted(len(reports) - unread, 'table')} looked at{left}: {said}; {_NOT_LOOKED_AT}")
    yield from map(Shown, found)
