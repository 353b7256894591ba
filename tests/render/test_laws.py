"""Whatever the judge says about whatever tables, it can be shown, in any width and form."""

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.report_json import report_dict, report_of
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render import json_text, markdown, summary, text
from airflow_provider_schemas.render.api import Shown
from airflow_provider_schemas.render.layout import display_width, longest
from tests.cases import reading
from tests.support.tables import batches, tables

WIDTHS = st.integers(40, 200) | st.integers(1, 39)


@st.composite
def steps(draw: st.DrawFn) -> tuple[TableSchema, TableSchema]:
    """A table, and what a batch of changes or somebody else makes of it."""
    old = draw(tables())
    return old, draw(st.one_of(batches(old).map(lambda batch: evolve(old, batch)), tables()))


def reports(old: TableSchema, new: TableSchema) -> list[Report]:
    needed = Contract.of(old, name="job", owner="team")
    return [check(old, new, contracts=[needed], table="a.b"), check_contract(new, needed, seen=old, table="a.b")]


def stored(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


def assert_fits(shown: str, width: int) -> None:
    for line in shown.splitlines():
        whole = "  airflow-schemas " in line  # a command is never broken: half of it does something else
        assert width < 40 or whole or display_width(line) <= width or longest(line) > width - 8, line
    assert [one for one in shown if unicodedata.category(one)[0] == "C" and one != "\n"] == []
    assert all(line == line.rstrip() for line in shown.splitlines())


@given(steps(), WIDTHS, st.booleans())
def test_every_report_can_be_read(step: tuple[TableSchema, TableSchema], width: int, verbose: bool) -> None:
    found = reports(*step)
    values: list[Shown] = [*found, found]
    for one in values:
        assert_fits(text(one, width=width, color=False, verbose=verbose), width)
        markdown(one, verbose=verbose)
    assert not [one for one in found if "\n" in summary(one)]


def test_every_case_of_every_rule_can_be_read() -> None:
    for case in reading.cases():
        report = case.report()
        shown = text(report, width=100, color=False, verbose=True)
        assert_fits(shown, 100)
        assert case.rule in shown or not case.finding(report), str(case)
        assert case.rule in markdown(report, verbose=True) or not case.finding(report), str(case)
        assert report_of(json.loads(json_text(report))) == report
        assert summary(report)


@given(steps())
def test_every_victim_and_column_that_breaks_is_named(step: tuple[TableSchema, TableSchema]) -> None:
    report = check(*step, contracts=[Contract.of(step[0], name="nightly_job")], table="a.b")
    for shown in (text(report, width=60, color=False), markdown(report)):
        for one in report.findings[:20]:
            if one.verdict in ("break", "invalid"):
                assert one.rule in shown
                assert not one.consumers or "nightly_job" in shown


@given(steps())
def test_json_of_a_report_is_read_back(step: tuple[TableSchema, TableSchema]) -> None:
    for one in reports(*step):
        read = json.loads(json_text(one))
        assert read == report_dict(one)
        assert report_of(read) == one


@given(steps(), WIDTHS)
def test_every_plan_can_be_read(step: tuple[TableSchema, TableSchema], width: int) -> None:
    old, new = step
    for plan in (Plan.of(stored(old), new, table="a.b"), Plan.of(None, new)):
        assert_fits(text(plan, width=width, color=False), width)
        markdown(plan)
        assert Plan.from_json(json_text(plan)) == plan


@given(steps(), WIDTHS)
def test_every_history_can_be_read(step: tuple[TableSchema, TableSchema], width: int) -> None:
    old, new = stored(step[0]), Version(1, "0", step[1])
    shown = text([old, new], width=width, color=False, limit=1_000)
    assert_fits(shown, width)
    markdown([old, new])
    read = json.loads(json_text([old, new]))
    assert [one["number"] for one in read["versions"]] == [1, 0]
    plain = " ".join(shown.split())
    for change in read["versions"][0]["changes"]:
        assert " ".join(change["text"].split()) in plain


def test_a_history_tells_what_was_done() -> None:
    old = TableSchema.create("a INT, b STRING")
    batch = ["RENAME COLUMN a TO c", "DROP COLUMN b"]
    new = evolve(old, batch)
    read = json.loads(json_text([stored(old), stored(new)]))
    assert sorted(one["text"] for one in read["versions"][0]["changes"]) == sorted(batch)
