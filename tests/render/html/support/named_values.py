"""Values that HTML shows, in which one text stands wherever a text from outside can stand."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SetOption
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.html import html
from airflow_provider_schemas.render.html.api import document, fragment
from tests.cases.hostile_names import replaced_texts
from tests.render.html.support.verdicts import RED
from tests.render.support import story

DOCS = "https://docs.example/"
# What is no text from outside: words out of a list, and times that are compared.
_KEPT = frozenset({"verdict", "answers", "tells_more"})


def report_named(text: str, rule: str = "FIELD_RENAMED") -> Report:
    """A report with this text in every place; its rules are known, so that they have links."""
    consumer = Consumer(text, text, text, text, text, text)
    broken = Finding(
        rule,
        text,
        text,
        fix=text,
        verdict=Verdict.BREAK,
        changes=(RenameColumn(("a",), text or "a"), SetOption(text or "k", text)),
        id=1,
        old=text,
        new=f"{text}2",
        verdicts=Answers(),
        jobs=Verdict.BREAK,
        writers=Verdict.WARN,
        consumers=(consumer,),
        owner=text,
        contact=text,
        place=Place(text, 3),
        versions=(1, 2),
        waived=text,
        fault=text,
        why=text,
        mends=(consumer,),
    )
    unknown = Finding(text, text, text, fix=text, verdict=Verdict.INVALID, owner=text)
    fine = Finding("FIELD_ADDED_NULLABLE", text, text, verdict=Verdict.OK, new=text, owner=text, contact=text)
    many = [replace(broken, path=f"{text}{number}", rule="FIELD_DROPPED") for number in range(3)]
    return Report((broken, unknown, fine, *many), text, 1, 2, 3, (text,))


def verdict_named(text: str) -> dict[str, Any]:
    """The plain values of a verdict with this text in every place."""
    value = replaced_texts(RED, text, keep=_KEPT)
    assert isinstance(value, dict)
    first = next(iter(value["tables"].values()))
    first["findings"][0]["rule"] = "FIELD_RENAMED"
    value["links"] = {"changed_by": f"/dags/{quote(text, safe='', errors='replace')}"}
    return value


def plan_named(text: str) -> Plan:
    """A plan with this text in every place."""
    report = report_named(text)
    return replace(story.plan(), table=text, left_alone=(text,), report=report, changes=report.findings[0].changes)


def run_named(text: str) -> CheckRun:
    """A run with this text in every place."""
    fault = Fault("cli.x", f"files/{text}", text, text)
    return CheckRun((report_named(text), report_named(text, "TYPE_CHANGED")), (text,), (fault,), (text,), docs=DOCS)


PAGES: Mapping[str, Callable[[str], str]] = {
    "report": lambda text: document(report_named(text), docs=DOCS, now=story.NOW),
    "reports": lambda text: document([report_named(text), report_named(text, "TYPE_CHANGED")], docs=DOCS),
    "plan": lambda text: document(plan_named(text), docs=DOCS),
    "verdict": lambda text: document(verdict_named(text), docs=DOCS),
    "run": lambda text: html(run_named(text)),
    "title": lambda text: document([], title=text),
    "piece of a verdict": lambda text: fragment(verdict_named(text), docs=DOCS),
    "piece of a report": lambda text: fragment(report_named(text), docs=DOCS),
}
"""Each page and piece, made with a text."""
