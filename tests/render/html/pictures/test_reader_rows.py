"""Who reads, and to which version a table can go back: nothing is promised that nobody judged."""

import pytest

from airflow_provider_schemas.core.blame.column_readers import ColumnReader, ColumnReaders
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.readers_by_version import ReaderRow, ReadersByVersion
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.pictures.reader_rows import (
    current_state,
    fit_rows,
    job_rows,
    readers_sentence,
    used_fits,
    way_back,
)
from tests.render.html.support.html_tables import ReadHtml

OK = Verdict.OK
WARN = Verdict.WARN
BREAK = Verdict.BREAK
BACK = "The table can go back to {} without breaking any of {}."
NOBODY = "No job has registered what it reads, so the jobs that a way back breaks are not known."


def job(name: str, *verdicts: Verdict | None, is_pending: bool = False) -> ReaderRow:
    return ReaderRow(name, "bi", "team-bi", "#bi-oncall", verdicts, ("",) * len(verdicts), is_pending=is_pending)


def matrix(*rows: ReaderRow, versions: int = 3, unreadable: tuple[str, ...] = ()) -> ReadersByVersion:
    return ReadersByVersion("shop.orders", tuple(Origin(number) for number in range(41 + versions, 41, -1)), rows, unreadable)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            (job("a", BREAK, OK, OK), job("b", OK, BREAK, OK)),
            BACK.format("v42", "2 registered contracts"),
        ),
        ((job("a", BREAK, WARN, OK),), BACK.format("v43 (with warnings), v42", "1 registered contract")),
        ((job("a", OK, BREAK, BREAK),), "Each of 2 earlier versions breaks some of 1 registered contract, or could not be judged."),
        ((job("a", OK, None, None),), "Each of 2 earlier versions breaks some of 1 registered contract, or could not be judged."),
        ((), NOBODY),
        (
            (job("a", OK, OK, OK, is_pending=True),),
            "No job has registered what it reads, so the jobs that a way back breaks are not known.",
        ),
    ],
)
def test_the_sentence_above_the_matrix_says_where_the_table_can_go(rows: tuple[ReaderRow, ...], sentence: str) -> None:
    assert way_back(matrix(*rows)) == sentence


def test_no_way_back_is_promised_while_a_contract_cannot_be_read() -> None:
    sentence = way_back(matrix(job("a", OK, OK, OK), unreadable=("jobs/odd.json",)))
    assert sentence == "Whether the table can go back is not known: these contracts cannot be read: jobs/odd.json."


def test_one_version_alone_has_no_way_back() -> None:
    assert way_back(matrix(job("a", OK), versions=1)) == "There is no earlier version to go back to."
    assert way_back(matrix(versions=0)) == "No version is known."


def test_whom_the_newest_version_breaks_is_named() -> None:
    assert current_state(matrix(job("a", BREAK, OK, OK), job("b", OK, OK, OK))) == "v44, the newest one, breaks a."
    assert current_state(matrix(job("a", OK, OK, OK))) == ""


def test_a_cell_that_nobody_judged_says_so() -> None:
    cells = fit_rows(matrix(job("a", OK, None)))[0].cells
    assert [(cell.verdict, cell.word) for cell in cells] == [("ok", "fits"), ("", "not known"), ("", "not known")]
    assert [cell.word for cell in used_fits(matrix(job("a", OK, None)))] == ["fits", "not known"]


def test_the_matrix_has_a_row_for_each_job_and_a_cell_for_each_version() -> None:
    verdicts = [OK, WARN, BREAK, Verdict.INVALID, None] * 4
    rows = tuple(job(f"job_{number}", *verdicts) for number in range(30))
    page = fragment(matrix(*rows, versions=20))
    shown = ReadHtml(page).rows_of("matrix")
    assert [len(row.cells) for row in shown] == [21] * 30
    assert [cell.classes for cell in shown[0].cells[1:6]] == ["verdict-ok", "verdict-warn", "verdict-break", "verdict-invalid", ""]
    assert [cell.text for cell in shown[0].cells[1:6]] == ["\u2714fits", "\u26a0warns", "\u2716breaks", "\u2298invalid", "?not known"]
    assert len(page.encode()) < 150_000


def test_who_reads_a_column_says_whom_to_call_and_what_is_not_known() -> None:
    readers = ColumnReaders(
        "shop.orders",
        "amount",
        42,
        (
            ColumnReader("daily_report", "bi", "team-bi", "#bi-oncall", columns=("amount",), verdict=BREAK, sentence="amount is gone."),
            ColumnReader("churn", uses_all=True, verdict=None, is_stale=True, last_seen="2025-01-01"),
        ),
        others=1,
        unreadable=("jobs/odd.json",),
    )
    assert readers_sentence(readers) == "2 jobs with a contract use amount. 1 other job of the table does not use it."
    assert [row.fit.word for row in job_rows(readers)] == ["breaks", "not known"]
    shown = ReadHtml(fragment(readers))
    assert [cell.text for cell in shown.rows_of("jobs")[0].cells] == [
        "daily_reportregistered by bi",
        "\u2716 breaksamount is gone.",
        "team-bi",
        "#bi-oncall",
        "reads",
        "amount",
    ]
    assert "jobs/odd.json" in shown.text


def test_nobody_reads_is_said_of_registered_jobs_only() -> None:
    assert readers_sentence(ColumnReaders("shop.orders", "", 42, ())) == "No job with a contract uses shop.orders."


def test_the_team_that_registered_a_job_is_not_taken_for_its_owner() -> None:
    of_team = ColumnReader("churn", "team-orders", "team-ml", "#ml-oncall", verdict=OK, last_seen="2026-11-18T03:10:59+00:00")
    of_none = ColumnReader("report", "default", "team-bi", verdict=OK)
    rows = job_rows(ColumnReaders("shop.orders", "", 7, (of_team, of_none)))
    assert [(row.owner, row.remarks) for row in rows] == [
        ("team-ml", ("registered by team-orders", "last seen 2026-11-18")),
        ("team-bi", ()),
    ]


def test_the_matrix_names_the_team_of_jobs_that_share_a_name() -> None:
    assert [row.remarks for row in fit_rows(matrix(job("a", OK, OK, OK)))] == [()]
    assert [row.remarks for row in fit_rows(matrix(job("a", OK, OK, OK), job("a", OK, OK, OK)))] == [("registered by bi",)] * 2
