"""What somebody on call reads: the worst first, whom it breaks and what to do, and no more than fits."""

import io
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, evolve, validity
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render import json_text, markdown, summary, text
from airflow_provider_schemas.render.consumer_text import who
from airflow_provider_schemas.render.sanitize import JOINED
from tests.render.support import story

ORDERS = TableSchema.create("id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2), note STRING", primary_keys=["id"])


def shown(value: object, width: int = 100, **asked: object) -> str:
    return text(value, width=width, color=False, **asked)  # type: ignore[arg-type]  # whatever a test asks for


def judged(*changes: str, **about: object) -> Report:
    return check(ORDERS, evolve(ORDERS, changes), now=story.NOW, table="shop.orders", **about)  # type: ignore[arg-type]  # likewise


def stored(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


# ---------------------------------------------------------------- a report


def test_the_worst_comes_first_and_then_the_order_of_the_file() -> None:
    found = [
        Finding(rule, path, "", verdict=verdict, place=Place("t.yaml", line))
        for rule, path, verdict, line in [
            ("FIELD_DOC_CHANGED", "d", Verdict.WARN, 2),
            ("FIELD_DROPPED", "c", Verdict.BREAK, 9),
            ("TABLE_INVALID", "a", Verdict.INVALID, 9),
            ("FIELD_DROPPED", "b", Verdict.BREAK, 3),
        ]
    ]
    lines = [line for line in shown(Report(tuple(found))).splitlines() if line.startswith("  t.yaml")]
    assert [line.split()[0] for line in lines] == ["t.yaml:9", "t.yaml:3", "t.yaml:9", "t.yaml:2"]
    assert [line.split()[1] for line in lines] == ["⛔", "✖", "✖", "⚠"]


def test_what_is_fine_takes_one_line_unless_somebody_asks() -> None:
    report = judged("ADD COLUMN a STRING", "ADD COLUMN b INT")
    assert shown(report).splitlines() == [
        "✔ fits   shop.orders v0 -> v1",
        "  ✔ ok  a  STRING (FIELD_ADDED_NULLABLE), b  INT (FIELD_ADDED_NULLABLE)",
        "2 ok",
    ]
    assert "  ✔ FIELD_ADDED_NULLABLE  a  STRING" in shown(report, verbose=True).splitlines()


def test_much_that_is_fine_is_counted_by_rule() -> None:
    report = judged(*[f"ADD COLUMN new_{number} INT" for number in range(1_200)], "ALTER COLUMN note COMMENT 'n'")
    assert "  ✔ ok  1,200 FIELD_ADDED_NULLABLE, 1 FIELD_DOC_CHANGED" in shown(report).splitlines()


def test_equal_schemas_change_nothing() -> None:
    assert "✔ ok  nothing changes (NO_CHANGE)" in shown(judged())


def test_of_ten_thousand_findings_the_worst_are_shown_and_the_rest_is_counted() -> None:
    report = Report(tuple(Finding("FIELD_DROPPED", f"c{number}", "", verdict=Verdict.BREAK) for number in range(10_000)))
    lines = shown(report, limit=3).splitlines()
    assert lines[1].split()[:3] == ["✖", "FIELD_DROPPED", "10,000"]
    assert lines[-2:] == ["      these             c0, c1, c2, and 9,997 more", "10,000 break"]


def test_of_ten_thousand_kinds_of_findings_the_worst_are_shown_and_the_rest_is_counted() -> None:
    report = Report(tuple(Finding("FIELD_DROPPED", f"c{number}", "", verdict=Verdict.BREAK, why=f"{number}") for number in range(10_000)))
    lines = shown(report, limit=3).splitlines()
    assert [line.split()[2] for line in lines if line.startswith("  ✖")] == ["c0", "c1", "c2"]
    assert lines[-2:] == ["  ... and 9,997 more: 9,997 break", "10,000 break"]


def test_a_waived_finding_says_until_when_and_why() -> None:
    waiver = Waiver(rule="FIELD_DROPPED", path="note", until="2026-12-01", reason="INC-4711", by="raj")
    report = judged("DROP COLUMN note", policy=Policy(protect={"jobs": "block"}, exceptions=(waiver,)))  # type: ignore[arg-type]  # as people write it
    assert "waived            until 2026-12-01: INC-4711, raj" in shown(report)


def test_a_waived_finding_is_shown_even_if_it_is_fine() -> None:
    finding = Finding("FIELD_DROPPED", "a", "", verdict=Verdict.OK, waived="until 2026-12-01: INC-4711")
    assert "waived            until 2026-12-01: INC-4711" in shown(Report((finding,)))
    assert "until 2026-12-01: INC-4711" in markdown(Report((finding,)))


def test_an_exception_that_has_ended_is_a_note() -> None:
    waiver = Waiver(rule="FIELD_DROPPED", path="note", until="2026-11-01", reason="INC-4711")
    report = judged("DROP COLUMN note", policy=Policy(exceptions=(waiver,)))
    assert report.notes
    assert [line for line in shown(report).splitlines() if line.startswith("  note: ")]


def test_evidence_is_told() -> None:
    proof = {"path": "amount", "fits": "DECIMAL(8, 2)", "files": 12}
    assert "proven" in shown(judged("ALTER COLUMN amount TYPE DECIMAL(8, 2)", evidence=[proof]))


def test_readers_by_id_and_by_name_are_told_apart() -> None:
    report = judged("RENAME COLUMN cust_id TO customer_id")
    assert "data ok (by id) · readers " in shown(report)
    plain = judged("RENAME COLUMN cust_id TO customer_id", policy=Policy(readers=("spark-4-parquet by name",)))
    assert "data ✖ (by name) · readers " in shown(plain)


def test_versions_say_who_changed_the_table() -> None:
    first = shown(story.change_report(), versions=story.versions(), width=160).splitlines()[0]
    assert first.endswith("2026-11-18 01:12 UTC by ana (run scheduled__2026-11-18T01:00, approved by raj)")
    assert "by " not in shown(story.change_report(), width=160).splitlines()[0]


def test_days_are_counted_only_from_a_given_now() -> None:
    assert "last seen 2026-11-15" in shown(story.change_report())
    assert "last seen 3 days ago" in shown(story.change_report(), now=story.NOW)
    assert "last seen yesterday" in shown(story.change_report(), now=datetime(2026, 11, 16, tzinfo=UTC))
    assert "last seen 2026-11-18" in shown(story.change_report(), now=datetime(2026, 11, 16, tzinfo=UTC))


def test_an_invalid_schema_says_what_is_wrong_and_what_to_do() -> None:
    broken = replace(ORDERS, primary_keys=("nothing",))
    lines = shown(validity(broken)).splitlines()
    assert lines[0] == "⛔ invalid   schema" or lines[0].startswith("⛔ invalid")
    assert any(line.strip().startswith("found  ") for line in lines)
    assert any(line.strip().startswith("do instead  ") for line in lines)


def test_a_report_without_a_table_or_findings_is_a_line() -> None:
    assert shown(Report()) == "✔ fits   the schema"


def test_many_victims_are_named_up_to_the_limit() -> None:
    readers = tuple(Consumer(f"job_{number}") for number in range(100))
    finding = Finding("FIELD_DROPPED", "a", "", verdict=Verdict.BREAK, jobs=Verdict.BREAK, consumers=readers, verdicts=Answers())
    out = shown(Report((finding,), contracts=100), limit=2)
    assert "100 of 100 registered readers: job_0, job_1 and 98 more" in out


def test_an_explanation_is_given_once() -> None:
    out = shown(judged("DROP COLUMN note", "DROP COLUMN amount"))
    assert out.count("what happens") == 1
    assert out.count("next step") == 2


def test_a_reader_without_a_name_is_not_lost() -> None:
    finding = Finding("FIELD_DROPPED", "a", "", verdict=Verdict.BREAK, consumers=(Consumer("", "team-x"),))
    assert "a reader or writer without a name (team-x)" in shown(Report((finding,)))


def test_findings_with_and_without_a_place_stand_in_the_same_columns() -> None:
    found = [Finding("FIELD_DROPPED", "a", "", verdict=Verdict.WARN, place=place) for place in (None, Place("t.yaml", 3))]
    lines = [line for line in shown(Report(tuple(found))).splitlines() if "FIELD_DROPPED" in line]
    assert lines == ["            ⚠ FIELD_DROPPED  a", "  t.yaml:3  ⚠ FIELD_DROPPED  a"]


def test_a_place_without_a_file_is_a_line() -> None:
    finding = Finding("FIELD_DROPPED", "a", "", verdict=Verdict.WARN, place=Place("", 3))
    assert "  line 3  ⚠ FIELD_DROPPED  a" in shown(Report((finding,))).splitlines()


def test_a_reason_is_no_side_of_a_change() -> None:
    finding = Finding(
        "FIELD_DEPRECATED", "a", "a is deprecated (2099-12-31): gone soon.", verdict=Verdict.WARN, new="(2099-12-31): gone soon"
    )
    assert "  ⚠ FIELD_DEPRECATED  a" in shown(Report((finding,))).splitlines()


def test_a_job_with_several_needs_is_named_once() -> None:
    report = check_contract(ORDERS, Contract.of(["a", "b"], name="job", owner="team-x"), table="shop.orders")
    assert shown(report).count("job (team-x)") == 1
    assert shown(report).splitlines()[1] == "  job job (team-x)"


# ---------------------------------------------------------------- a gate


def test_tables_that_fit_share_a_line() -> None:
    assert shown(story.gate_reports()).splitlines()[-3] == "✔ fits   shop.users v7, clicks.web v3"


def test_a_gate_through_which_everything_goes_says_so() -> None:
    lines = shown(story.gate_reports()[1:]).splitlines()
    assert lines[0] == "✔ fits   2 tables, all fit"
    assert lines[-1] == "2 tables: 2 ok"


def test_the_worst_table_comes_first() -> None:
    wrong = check_contract(ORDERS, Contract.of(["nothing"], name="job"), table="a.b")
    lines = shown([*story.gate_reports()[1:], wrong]).splitlines()
    assert lines[2] == "✖ breaks   a.b v0"


def test_a_version_of_one_table_is_not_taken_for_that_of_another() -> None:
    twin = replace(story.gate_reports()[0], table="shop.twin")
    known = {story.TABLE: story.versions()}
    out = shown([story.gate_reports()[0], twin], versions=known, width=160)
    assert [line.count("by ana") for line in out.splitlines() if line.startswith("✖ breaks   shop.")] == [1, 0]
    assert "by ana" not in shown([story.gate_reports()[0], twin], versions=story.versions())


# ---------------------------------------------------------------- a plan


def test_a_plan_with_nothing_to_do_says_so() -> None:
    assert shown(Plan.of(stored(ORDERS), [], table="shop.orders")) == "shop.orders  v0, nothing to do"


def test_what_is_left_alone_is_said_even_where_nothing_is_to_do() -> None:
    plan = Plan.of(stored(ORDERS), [], left_alone=["note"])
    assert shown(plan).splitlines() == ["the table  v0, nothing to do", "  not in the file, left alone: note"]


def test_a_plan_of_a_new_table_shows_its_columns() -> None:
    lines = shown(Plan.of(None, ORDERS, table="shop.orders")).splitlines()
    assert lines[0].startswith("shop.orders  new, 4 columns, no approval needed")
    assert lines[1:] == [
        "  + id       BIGINT NOT NULL",
        "  + cust_id  BIGINT",
        "  + amount   DECIMAL(10, 2)",
        "  + note     STRING",
    ]


def test_a_plan_that_only_warns_needs_nobody() -> None:
    plan = Plan.of(stored(ORDERS), ["DROP COLUMN note"], table="shop.orders")
    assert "1 change, no approval needed (1 warning)" in shown(plan)


def test_signs_say_what_comes_and_what_goes() -> None:
    plan = Plan.of(stored(ORDERS), ["ADD COLUMN a INT", "DROP COLUMN note", "ALTER COLUMN cust_id TYPE STRING"])
    signs = {line.split()[1]: line.split()[0] for line in shown(plan).splitlines()[1:] if line[2] in "+-~"}
    assert signs == {"a": "+", "note": "-", "cust_id": "~"}


def test_the_changes_of_a_plan_are_shown_when_asked_for() -> None:
    plan = Plan.of(stored(ORDERS), ["DROP COLUMN note"])
    assert "    DROP COLUMN note" in shown(plan, verbose=True).splitlines()
    assert "DROP COLUMN" not in shown(plan)


def test_a_plan_that_no_changes_lead_to_says_so() -> None:
    other = TableSchema.create("id BIGINT NOT NULL, cust_id BIGINT", primary_keys=["id"], partition_keys=["cust_id"])
    plan = Plan.of(stored(ORDERS), other)
    assert not plan.expressed
    assert "a result that no changes lead to, " in shown(plan, width=120)


def test_a_plan_names_some_readers_on_the_line_and_all_of_them_below() -> None:
    readers = [Contract.of(["note"], name=f"job_{number}") for number in range(20)]
    out = shown(Plan.of(stored(ORDERS), ["DROP COLUMN note"], contracts=readers), width=200)
    assert "job_8, job_9 and 10 more · writers" in out
    assert "20 of 20 registered readers: " in out
    assert "job_19" in out


def test_a_plan_of_many_columns_shows_some_and_says_so() -> None:
    wide = TableSchema.create([{"name": f"c{number}", "type": "INT"} for number in range(60)])
    assert shown(Plan.of(None, wide), limit=2).splitlines()[1:] == ["  + c0  INT", "  + c1  INT", "  ... and 58 more columns"]
    plan = Plan.of(stored(ORDERS), [f"ADD COLUMN c{number} INT" for number in range(60)])
    assert shown(plan, limit=2, verbose=True).splitlines()[-1] == "    ... and 58 more changes"
    assert "... and 58 more changes" in markdown(plan, limit=2)


def test_a_plan_is_made_for_a_branch() -> None:
    assert "v0 on branch test -> v1" in shown(Plan.of(replace(stored(ORDERS), branch="test"), ["DROP COLUMN note"]), width=160)


# ---------------------------------------------------------------- a history


def test_versions_come_newest_first_in_whatever_order_they_are_given() -> None:
    out = shown(story.versions())
    assert shown(tuple(reversed(story.versions()))) == out
    assert [line[:3] for line in out.splitlines() if line.startswith("v")] == ["v42", "v41", "v40"]


def test_a_gap_between_versions_is_named() -> None:
    first, _, last = story.versions()
    assert "      since v40:" in shown([last, first]).splitlines()


def test_branches_are_told_apart_and_never_compared() -> None:
    first, second, _ = story.versions()
    lines = shown([first, replace(second, branch="test")]).splitlines()
    assert any(line.startswith("v41 (test)  ") for line in lines)
    assert sum("the earliest version here" in line for line in lines) == 2


def test_a_first_version_was_created_and_one_without_a_time_says_so() -> None:
    lines = shown([stored(replace(ORDERS, time_millis=0))]).splitlines()
    assert lines[1:] == ["v0  at an unknown time  by an outside writer", "      created with 4 columns"]


@pytest.mark.parametrize("millis", [-1, 2**62])
def test_a_time_that_no_calendar_has_is_unknown(millis: int) -> None:
    assert "at an unknown time" in shown([stored(replace(ORDERS, time_millis=millis))])


def test_provenance_that_nobody_can_read_is_that_of_an_outside_writer() -> None:
    odd = replace(ORDERS, unknown=((("schemas",), '{"actor": 5}'),))
    assert "by an outside writer" in shown([stored(odd)])


def test_no_versions_are_no_error() -> None:
    assert shown([], table="shop.orders") == "shop.orders  no versions"
    assert json_text([]).startswith("{")
    assert markdown([]).startswith("### the table: 0 versions")


def test_a_change_by_nobody_we_know_is_shown_as_the_columns_differ() -> None:
    out = shown(story.versions())
    assert "      ADD COLUMN utm_source STRING" in out.splitlines()


# ---------------------------------------------------------------- terminals


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in text(story.change_report(), stream=Terminal())
    assert "\x1b[" not in text(story.change_report(), stream=io.StringIO())
    assert "\x1b[" not in text(story.change_report(), stream=Terminal(), color=False)
    assert "\x1b[" in text(story.change_report(), stream=io.StringIO(), color=True)


def test_whoever_wants_no_colours_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in text(story.change_report(), stream=Terminal())


def test_colours_change_nothing_but_colours() -> None:
    for value in (story.change_report(), story.plan(), story.versions(), story.gate_reports()):
        for width in (40, 80, 160):
            plain = text(value, width=width, color=False)
            painted = text(value, width=width, color=True)
            for code in ("1;31", "31", "32", "33", "1", "2", "0"):
                painted = painted.replace(f"\x1b[{code}m", "")
            assert painted == plain


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert text(story.change_report(), color=False) == shown(story.change_report(), width=50)


# ---------------------------------------------------------------- the rest


@pytest.mark.parametrize("value", [None, 5, "text", {}, {"a": 1}, [1], [Report(), 2]])
@pytest.mark.parametrize("door", [text, markdown, json_text])
def test_what_cannot_be_shown_is_refused_with_advice(value: object, door: object) -> None:
    with pytest.raises(FormatError, match="Pass a Report"):
        door(value)  # type: ignore[operator]  # one of the doors


SUMMARIES = [
    (judged("ADD COLUMN a INT"), "shop.orders v1 fits"),
    (judged("DROP COLUMN note"), "shop.orders v1 fits, with 1 warning: note dropped"),
    (judged("ALTER COLUMN amount TYPE INT"), "shop.orders v1 breaks old data: amount is now INT (was DECIMAL(10, 2))"),
    (
        Report((Finding("TABLE_INVALID", "a", "there is no type X."),)),
        "the table is invalid: a: there is no type X",
    ),
    (Report(), "the table fits"),
    (
        Report(
            (
                Finding("FIELD_DROPPED", "a", "a is gone.", verdict=Verdict.BREAK, data=Verdict.BREAK),
                Finding("FIELD_DROPPED", "b", "b is gone.", verdict=Verdict.BREAK, consumers=(Consumer("job"),)),
                Finding("FIELD_DROPPED", "c", "c is gone.", verdict=Verdict.WARN, consumers=(Consumer("other"),)),
            )
        ),
        "the table breaks job: b dropped (+1 more)",
    ),
]


@pytest.mark.parametrize(("report", "line"), SUMMARIES)
def test_a_report_is_one_line_for_a_pager(report: Report, line: str) -> None:
    assert summary(report) == line


@pytest.mark.parametrize(
    ("rule", "path", "accepted"),
    [
        ("FIELD_DROPPED", "a", True),
        ("FIELD_ADDED_REQUIRED", "a[].b", True),
        ("PRIMARY_KEY_CHANGED", "primaryKeys", False),
        ("PARTITION_KEYS_CHANGED", "partitionKeys", False),
        ("OPTION_MEANING_CHANGED", "merge-engine", False),
    ],
)
def test_accepting_is_offered_where_a_table_file_can_say_it(rule: str, path: str, accepted: bool) -> None:
    found = shown(Report((Finding(rule, path, "m.", verdict=Verdict.BREAK, place=Place("t.yaml", 4)),)))
    assert ("or accept it" in found) is accepted


def test_what_a_table_file_says_of_the_table_goes_by_its_name() -> None:
    found = judged('SET OPTION schemas.table = \'{"owner": "me"}\'', "SET OPTION schemas.policy = gold")
    lines = shown(found, verbose=True)
    assert 'attributes of the table  not set -> {"owner": "me"}' in lines
    assert "policy  not set -> gold" in lines


@pytest.mark.parametrize(
    ("moment", "now", "told"),
    [
        ("2026-11-18T15:58:52+00:00", None, "2026-11-18"),
        ("2026-11-18T15:58:52+00:00", datetime(2026, 11, 18, tzinfo=UTC), "today"),
        ("2026-11-19T15:58:52+00:00", datetime(2026, 11, 18, tzinfo=UTC), "2026-11-19"),
        ("long ago", None, "long ago"),
    ],
)
def test_a_job_was_last_seen_on_a_day(moment: str, now: datetime | None, told: str) -> None:
    assert who(Consumer("a", last_seen=moment), now).endswith(f"last{JOINED}seen{JOINED}{told})")
