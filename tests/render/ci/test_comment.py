"""A comment: the marker first, the worst first, below the limits of hosts, and nobody is called by it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.comment import GITHUB, MARKER, comment
from tests.render.ci.support.rich_run import DOCS, HOSTILE, large_run, rich_run

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TAGS = re.compile(r"<!--.*?-->|</?\w[^>]*>")
TEXTS = st.sampled_from([HOSTILE, "@team", "<!-- x", "--> y", "</details>", "[a](b)", "| a", "`", "\\", "#1"])


def links(page: str) -> set[str]:
    """Where the links of a page lead."""
    tokens = [inner for token in PARSER.parse(page) for inner in (token, *(token.children or ()))]
    return {str(token.attrs.get("href") or token.attrs.get("src")) for token in tokens if token.type in ("link_open", "image")}


def html_of(page: str) -> list[str]:
    """The tags and comments of a page that are no text, in order."""
    tokens = [inner for token in PARSER.parse(page) for inner in (token, *(token.children or ()))]
    return [tag for token in tokens if token.type in ("html_block", "html_inline") for tag in TAGS.findall(token.content)]


def plain_text(page: str) -> str:
    """What a page says outside of code."""
    tokens = [inner for token in PARSER.parse(page) for inner in (token.children or ())]
    return " ".join(token.content for token in tokens if token.type == "text")


def test_the_first_line_is_the_marker_and_the_second_the_verdict() -> None:
    lines = comment(rich_run()).splitlines()
    assert lines[0] == MARKER
    assert lines[1].startswith("### ⛔ 1 of 5 tables is invalid, 2 break daily_report, ltv_model")


def test_what_breaks_says_whom_and_whom_to_call() -> None:
    page = comment(rich_run())
    assert "daily_report (team-bi, #bi-oncall" in page
    assert "- **owner of the table:** team-orders, #orders-oncall" in page


def test_without_an_address_there_are_no_links() -> None:
    assert links(comment(rich_run(""))) == set()
    assert links(comment(rich_run())) == {f"{DOCS}docs/rules/{rule}.md" for rule in _rules_of_the_catalogue()}


def _rules_of_the_catalogue() -> set[str]:
    return {"FIELD_RENAMED", "FIELD_DROPPED", "FIELD_DROPPED_UNREAD", "EXPECT_FIELD_MISSING", "TYPE_NARROWED"}


@given(TEXTS)
def test_nobody_is_called_and_nothing_is_marked_up(name: str) -> None:
    finding = Finding(
        "X", name, name, name, Verdict.BREAK, old=name, new=name, consumers=(Consumer(name, name, name),), owner=name, contact=name
    )
    page = comment(CheckRun((Report((finding,), name, notes=(name,)),), (name, name), (Fault(name, name, name, name),), (name,)))
    assert links(page) == set()
    assert "@" not in plain_text(page)
    assert html_of(page) == [MARKER, *["<details>", "<summary>", "</summary>", "</details>"] * 2]


@pytest.mark.parametrize("limit", [5_000, GITHUB, 1_000_000])
def test_a_comment_is_below_its_limit_and_counts_what_is_left_out(limit: int) -> None:
    page = comment(large_run(), limit=limit)
    assert limit * 0.5 < len(page.encode()) <= limit
    assert " findings more: not shown here, the milder ones.**" in page
    assert page.index("FIELD_RENAMED") < page.index(" findings more:")
    assert "FIELD_REORDERED" not in page


def test_one_long_finding_does_not_take_the_room_of_the_others() -> None:
    readers = tuple(Consumer("r" * 3_000) for _ in range(60))
    long = Finding("FIELD_RENAMED", "p" * 9_000, "m" * 90_000, "f" * 90_000, Verdict.BREAK, consumers=readers, old="o" * 9_000)
    short = Finding("FIELD_DROPPED", "small", "small is gone.", verdict=Verdict.BREAK)
    page = comment(
        CheckRun((Report((long, short), "t" * 5_000, notes=("n" * 90_000,)),), ("c" * 90_000,), (Fault("x", "y" * 400, "z" * 4_000),))
    )
    assert len(page.encode()) <= GITHUB
    assert "FIELD_DROPPED" in page


def test_faults_stand_above_everything_and_are_counted_where_they_are_many() -> None:
    faults = tuple(Fault("x", f"schemas/{number}.yaml", "it is wrong. " * 20) for number in range(900))
    page = comment(CheckRun((Report((), "shop.orders"), Report((), "shop.users")), faults=faults))
    assert page.splitlines()[1] == "### ⛔ 2 tables fit; 900 things could not be judged"
    assert "more: could not be judged, too.**" in page
    assert page.index("not judged:") < page.index("| table |")
    assert len(page.encode()) <= GITHUB


def test_a_run_without_tables_judged_nothing() -> None:
    assert comment(CheckRun(notes=("no table file changed",))).splitlines()[1] == "### – nothing was judged"


def test_a_finding_of_which_all_is_said_folds_nothing() -> None:
    finding = Finding("X", "a", "a is wrong.", "Mend it.", Verdict.BREAK)
    page = comment(CheckRun((Report((replace(finding, message="a"),), "t"),)))
    assert "- **do instead:** Mend it." in page
    assert page.count("<details>") == ("**found:**" in page)


def test_commands_are_completed() -> None:
    run = replace(rich_run(), reports=(), faults=(Fault("x", "", "it is not there.", "Run `airflow-schemas ls`."),))
    assert "airflow-schemas ls --conn lake" in comment(run, lambda text: text.replace("schemas ls", "schemas ls --conn lake"))


def test_what_a_verdict_rests_on_is_told_beside_what_was_compared() -> None:
    report = Report((), "lake.clicks", judged_by="footer (1 of 12)", at="2026-11-20T08:00:00Z")
    assert "- compared lake.clicks v7 with the store (judged by footer (1 of 12))" in comment(
        CheckRun((report,), ("lake.clicks v7 with the store",))
    )


def test_a_comment_is_the_same_at_every_run_of_a_day() -> None:
    def seen(at: str) -> CheckRun:
        finding = Finding("FIELD_DROPPED", "a", "a is gone.", verdict=Verdict.BREAK, consumers=(Consumer("daily", last_seen=at),))
        return CheckRun((Report((finding,), "t"),))

    assert "last seen 2026-11-20)" in comment(seen("2026-11-20T08:00:00Z"))
    assert comment(seen("2026-11-20T08:00:00Z")) == comment(seen("2026-11-20T09:30:00Z"))


def test_a_command_in_a_sentence_is_code() -> None:
    finding = Finding("X", "a", "a is wrong.", "Take it away, `airflow-schemas ls shop`; or keep it.", Verdict.BREAK)
    page = comment(CheckRun((Report((finding,), "t"),)))
    assert "- **do instead:** Take it away, `airflow-schemas ls shop`; or keep it." in page


def test_a_table_that_is_alone_has_no_row_since_the_headline_says_as_much() -> None:
    alone = Report((), "shop.orders")
    assert "| table |" not in comment(CheckRun((alone,), ("a with b",)))
    assert "| | table | what | breaks |\n" in comment(CheckRun((alone, Report((), "shop.users")), ("a with b", "c with d")))


def test_a_table_that_is_compared_twice_has_its_versions_of_the_store_alone() -> None:
    page = comment(CheckRun((Report((), "shop.orders"), Report((), "shop.orders", old=4, new=5)), ("a with main", "a with the store")))
    assert "| ✔ | shop.orders | fits |  |" in page
    assert "| ✔ | shop.orders v4 -> v5 | fits |  |" in page
    assert "- compared a with main\n- compared a with the store" in page


def test_what_breaks_says_how_to_accept_it_without_a_click() -> None:
    finding = Finding("FIELD_RENAMED", "a", "a is b.", verdict=Verdict.BREAK, old="a", new="b", place=Place("a.yaml", 3))
    page = comment(CheckRun((Report((finding,), "shop.orders"),)))
    assert page.index("**or accept it:**") < page.index("<details>")


def test_a_note_of_several_tables_is_told_once() -> None:
    reports = tuple(Report((), table, notes=("no store is named",)) for table in ("shop.orders", "shop.users"))
    assert "- note: shop.orders, shop.users: no store is named" in comment(CheckRun(reports))


def test_a_finding_that_is_the_same_against_git_and_a_store_is_told_once() -> None:
    finding = Finding("FIELD_DROPPED", "a", "a is gone.", verdict=Verdict.BREAK)
    page = comment(CheckRun((Report((finding,), "shop.orders"), Report((finding,), "shop.orders", old=4, new=5))))
    assert page.count("FIELD_DROPPED") == 1
    assert page.count("| ✖ |") == 2
