"""Reports together."""

from airflow_provider_schemas.core import Finding, Report
from airflow_provider_schemas.core.report import Verdict, verdicts_of_tables


def report(table: str, verdict: Verdict) -> Report:
    """Return a report with one finding."""
    return Report((Finding("FIELD_DROPPED", "a", "a is gone.", verdict=verdict),), table=table)


def test_several_reports_on_one_table_are_one_verdict_the_worst() -> None:
    reports = [report("a.b", Verdict.BREAK), report("c.d", Verdict.OK), report("a.b", Verdict.WARN)]
    assert verdicts_of_tables(reports) == [Verdict.BREAK, Verdict.OK]


def test_reports_without_a_table_count_by_themselves() -> None:
    assert verdicts_of_tables([report("", Verdict.WARN), report("", Verdict.OK)]) == [Verdict.WARN, Verdict.OK]
