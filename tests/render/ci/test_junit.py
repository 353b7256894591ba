"""JUnit's XML: a case a table, with the same name in every run; what was not judged is an error, and nothing is skipped."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.junit import MAX_ENTRIES, junit
from airflow_provider_schemas.render.sanitize import clean
from tests.render.ci.support.rich_run import rich_run

TEXTS = st.text(st.sampled_from("a<>&\"'\x00\x1b\ud800\ufffe\uffff\n\r\t]:#["), max_size=12)


def read(run: CheckRun) -> ET.Element:
    """The root of the document."""
    return ET.fromstring(junit(run).encode())


def outcomes(run: CheckRun) -> dict[str, str]:
    """What became of each case."""
    return {case.attrib["name"]: _outcome(case) for case in read(run).iter("testcase")}


def _outcome(case: ET.Element) -> str:
    return next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")


def test_each_table_is_a_case_and_so_is_what_could_not_be_judged() -> None:
    told = outcomes(rich_run())
    assert told["shop.orders"] == "failure"
    assert told["shop.coupons"] == "passed"
    assert told["shop.users (schemas/shop/users.yaml)"] == "failure"
    assert [outcome for name, outcome in told.items() if name.endswith("(storage.unreachable)")] == ["error"]
    assert "skipped" not in told.values()


def test_warnings_fail_a_case_only_where_they_fail_the_run() -> None:
    run = CheckRun((Report((Finding("X", "a", "a", verdict=Verdict.WARN),), "t"),))
    assert outcomes(run) == {"t": "passed"}
    assert outcomes(replace(run, strict=True)) == {"t": "failure"}
    assert outcomes(CheckRun((Report((), "t"),), strict=True)) == {"t": "passed"}


def test_what_is_invalid_or_was_not_read_is_an_error() -> None:
    invalid = Report((Finding("X", "a", "a", verdict=Verdict.INVALID),), "t")
    unread = Report((Finding("TABLE_UNREAD", "", "a", verdict=Verdict.WARN),), "u")
    assert outcomes(CheckRun((invalid, unread))) == {"t": "error", "u": "error"}


def test_the_numbers_are_those_of_the_cases() -> None:
    root = read(rich_run())
    for element in (root, *root.iter("testsuite")):
        told = [_outcome(case) for case in element.iter("testcase")]
        numbers = [int(element.attrib[name]) for name in ("tests", "failures", "errors", "skipped")]
        assert numbers == [len(told), told.count("failure"), told.count("error"), 0]


def test_a_run_that_judged_nothing_has_no_case_that_passed() -> None:
    assert read(CheckRun()).attrib["tests"] == "0"
    assert outcomes(CheckRun(faults=(Fault("x", "", "wrong."),))) == {"the run (x)": "error"}


def test_a_case_says_what_was_compared() -> None:
    case = next(case for case in read(rich_run()).iter("testcase") if case.attrib["name"] == "shop.orders")
    properties = {entry.attrib["name"]: entry.attrib["value"] for entry in case.iter("property")}
    assert properties["compared"] == "schemas/shop/orders.yaml with shop.orders version 41"


def test_a_case_tells_some_findings_and_counts_the_others() -> None:
    findings = tuple(Finding("X", f"a{number}", "wrong.", verdict=Verdict.BREAK) for number in range(MAX_ENTRIES + 5))
    (failure,) = read(CheckRun((Report(findings, "t"),))).iter("failure")
    assert (failure.text or "").endswith("... and 5 more")


@given(TEXTS)
def test_no_text_breaks_the_document(name: str) -> None:
    finding = Finding("X", name, name, name, Verdict.BREAK, old=name, new=name)
    root = read(CheckRun((Report((finding,), name, notes=(name,)),), (name,), (Fault(name, name, name, name),), (name,)))
    assert [case.tag for case in root.iter("testcase")] == ["testcase"] * 2
    assert root[0].attrib["name"] == (clean(name) or "the schema")
