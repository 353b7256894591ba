"""The line that says what became of a run: it never sounds better than the exit code."""

import pytest

from airflow_provider_schemas.core.report import Consumer, Finding, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.headline import headline


def report(table: str, verdict: Verdict, *readers: str) -> Report:
    """A report with one finding."""
    finding = Finding("FIELD_DROPPED", "a", "a is gone.", verdict=verdict, consumers=tuple(map(Consumer, readers)))
    return Report((finding,), table)


FINE = Report((), "shop.users")
OTHER = Report((), "shop.coupons")
FINE_ORDERS = Report((), "shop.orders")
WARNED = report("shop.clicks", Verdict.WARN)
BROKEN = report("shop.orders", Verdict.BREAK, "daily", "weekly")
INVALID = report("shop.parcels", Verdict.INVALID)
FAULT = Fault("x", "a.yaml", "it is wrong.")


@pytest.mark.parametrize(
    ("reports", "faults", "line"),
    [
        ((), (), "– nothing was judged"),
        ((), (FAULT,), "⛔ 1 thing could not be judged"),
        ((FINE,), (), "✔ shop.users fits"),
        ((FINE,), (FAULT, FAULT), "⛔ shop.users fits; 2 things could not be judged"),
        ((FINE, FINE), (), "✔ shop.users fits"),
        ((FINE, OTHER), (), "✔ 2 tables fit"),
        ((BROKEN, FINE_ORDERS), (), "✖ shop.orders breaks daily, weekly: a dropped"),
        ((FINE, WARNED), (), "⚠ 1 of 2 tables warns"),
        ((FINE, WARNED, BROKEN), (), "✖ 1 of 3 tables breaks daily, weekly"),
        ((BROKEN, BROKEN, INVALID), (), "⛔ 1 of 2 tables is invalid, 1 breaks daily, weekly"),
    ],
)
def test_the_headline_of_a_run(reports: tuple[Report, ...], faults: tuple[Fault, ...], line: str) -> None:
    assert headline(CheckRun(reports, faults=faults)) == line


def test_warnings_that_fail_a_run_are_told_as_such() -> None:
    assert headline(CheckRun((FINE, WARNED), strict=True)) == "⚠ 1 of 2 tables warns; warnings fail this run (--strict)"
    assert headline(CheckRun((FINE,), strict=True)) == "✔ shop.users fits"
