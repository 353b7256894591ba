"""Policies: what blocks, against which versions, for which readers, with which exceptions, and which of two is stricter."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Finding, Policy, Report, TableSchema, check, evolve
from airflow_provider_schemas.core.engines.readers import READERS
from airflow_provider_schemas.core.policies.policy import MODES, Against, Level, Protect, Waiver
from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.core.rules import RULES, WAYS
from airflow_provider_schemas.errors import PolicyError
from tests.support.tables import batches, tables

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
OLD = TableSchema.create("id BIGINT NOT NULL, cust_id BIGINT, quantity BIGINT, legacy STRING")
NEW = evolve(OLD, ["RENAME COLUMN cust_id TO customer_id", "ALTER COLUMN quantity TYPE INT", "DROP COLUMN legacy"])
READS_CUST_ID = {"name": "daily_report", "columns": "cust_id BIGINT"}
READS_LEGACY = {"name": "ltv_model", "columns": ["legacy"]}

LEVELS = st.sampled_from(list(Level))
PROTECTS = st.builds(Protect, data=LEVELS, jobs=LEVELS, writers=LEVELS)
POLICIES = st.builds(
    Policy,
    protect=PROTECTS,
    against=st.sampled_from(list(Against)),
    readers=st.lists(st.sampled_from(list(READERS)), max_size=2).map(tuple),
    rules=st.dictionaries(st.sampled_from(list(RULES)), st.sampled_from(["ok", "warn", "block"]), max_size=2),
    registry_complete=st.booleans(),
)


def judged(policy: dict[str, Any] | Policy, **about: Any) -> Report:
    return check(OLD, NEW, policy, now=NOW, **about)


def finding(report: Report, rule: str) -> Finding:
    return next(one for one in report.findings if one.rule == rule)


def verdict(policy: dict[str, Any] | Policy, rule: str, **about: Any) -> Verdict:
    return finding(judged(policy, **about), rule).verdict


# ---------------------------------------------------------------- levels


# The old data of TYPE_NARROWED breaks, and old jobs are fine; FIELD_DROPPED is the other way round, and breaks writers too.
@pytest.mark.parametrize(("level", "expected"), [("block", "break"), ("contracts", "warn"), ("warn", "warn"), ("off", "ok")])
def test_each_question_blocks_warns_or_is_not_asked(level: str, expected: str) -> None:
    off = {"data": "off", "jobs": "off", "writers": "off"}
    assert verdict({"protect": {**off, "data": level}}, "TYPE_NARROWED") == expected
    assert verdict({"protect": {**off, "jobs": level}}, "FIELD_DROPPED") == expected
    assert verdict({"protect": {**off, "writers": level}}, "FIELD_DROPPED") == expected


@pytest.mark.parametrize(("level", "expected"), [("block", "break"), ("contracts", "break"), ("warn", "warn"), ("off", "ok")])
def test_contracts_blocks_where_a_registered_job_breaks(level: str, expected: str) -> None:
    policy = {"protect": {"data": "off", "jobs": level, "writers": "off"}}
    assert verdict(policy, "FIELD_DROPPED", contracts=[READS_LEGACY]) == expected
    assert verdict(policy, "FIELD_DROPPED", contracts=[READS_CUST_ID]) == ("warn" if level == "contracts" else expected)


def test_the_default_blocks_for_data_and_for_registered_jobs_and_warns_elsewhere() -> None:
    policy = Policy()
    assert (policy.protect.data, policy.protect.jobs, policy.protect.writers) == (Level.BLOCK, Level.CONTRACTS, Level.WARN)
    assert (policy.against, policy.readers, policy.registry_complete) == (Against.LIVE, ("paimon",), False)
    assert verdict(policy, "TYPE_NARROWED") is Verdict.BREAK
    assert verdict(policy, "FIELD_DROPPED") is Verdict.WARN
    assert verdict(policy, "FIELD_DROPPED", contracts=[READS_LEGACY]) is Verdict.BREAK


def test_what_blocks_nothing_is_answered_all_the_same() -> None:
    one = finding(judged({"mode": "NONE"}), "TYPE_NARROWED")
    assert one.verdict is Verdict.OK
    assert (one.data, one.jobs, one.writers) == (Verdict.BREAK, Verdict.OK, Verdict.BREAK)


def test_what_is_invalid_stays_invalid_under_any_policy() -> None:
    after = evolve(OLD, ["SET OPTION data-file.path-directory = data"])
    for policy in ({"mode": "NONE"}, {"rules": {"OPTION_IMMUTABLE_CHANGED": "ok"}}, {"enforce_from": "2099-01-01"}):
        report = check(OLD, after, policy)
        assert report.verdict is Verdict.INVALID
    assert "what is invalid stays invalid" in check(OLD, after, {"rules": {"OPTION_IMMUTABLE_CHANGED": "ok"}}).notes[0]


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("word", MODES)
def test_a_mode_is_a_word_for_what_is_protected(word: str) -> None:
    policy = Policy.read({"mode": word})
    assert (policy.protect.data, policy.protect.jobs) == MODES[word]
    assert policy.protect.word == word
    assert policy.against is Against.PREVIOUS
    assert Policy.read({"protect": word.lower()}) == policy


@pytest.mark.parametrize("word", ["BACKWARD", "FORWARD", "FULL"])
def test_transitive_is_against_all(word: str) -> None:
    policy = Policy.read({"mode": f"{word}_TRANSITIVE"})
    assert policy == Policy.read({"mode": word}).model_copy(update={"against": Against.ALL})


def test_backward_asks_data_forward_asks_jobs_and_full_asks_both() -> None:
    narrowed = {mode: verdict({"mode": mode}, "TYPE_NARROWED") for mode in MODES}
    dropped = {mode: verdict({"mode": mode}, "FIELD_DROPPED") for mode in MODES}
    assert narrowed == {"BACKWARD": "break", "FORWARD": "warn", "FULL": "break", "NONE": "ok"}
    assert dropped == {"BACKWARD": "warn", "FORWARD": "break", "FULL": "break", "NONE": "ok"}


def test_a_list_protects_what_it_names() -> None:
    protect = Policy.read({"protect": ["data", "writers"]}).protect
    assert (protect.data, protect.jobs, protect.writers) == (Level.BLOCK, Level.WARN, Level.BLOCK)
    assert protect.word == "BACKWARD"


def test_levels_for_which_nobody_has_a_word_have_none() -> None:
    assert Policy().protect.word == ""


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize(("level", "expected"), [("ok", "ok"), ("warn", "warn"), ("block", "break")])
def test_a_rule_can_be_set_one_by_one(level: str, expected: str) -> None:
    assert verdict({"rules": {"TYPE_NARROWED": level}}, "TYPE_NARROWED") == expected
    assert verdict({"rules": {"FIELD_DROPPED": level}}, "FIELD_DROPPED") == expected
    assert verdict({"rules": {"FIELD_DROPPED": level}}, "TYPE_NARROWED") == "break"


@given(st.data())
def test_setting_a_rule_to_ok_makes_nothing_worse(data: st.DataObject) -> None:
    old = data.draw(tables())
    new = evolve(old, data.draw(batches(old, max_size=3)))
    policy = data.draw(POLICIES)
    rule = data.draw(st.sampled_from([one.rule for one in check(old, new, policy).findings] or list(RULES)))
    eased = policy.model_copy(update={"rules": {**policy.rules, rule: "ok"}})
    assert SEVERITY[check(old, new, eased).verdict] <= SEVERITY[check(old, new, policy).verdict]


# ---------------------------------------------------------------- exceptions


def excepted(**about: Any) -> dict[str, Any]:
    return {"exceptions": [{"rule": "TYPE_NARROWED", "until": "2026-12-31", "reason": "all rows are small", **about}]}


@pytest.mark.parametrize("path", ["quantity", "*"])
def test_an_exception_lets_a_finding_through_and_says_so(path: str) -> None:
    one = finding(judged(excepted(path=path, by="ana")), "TYPE_NARROWED")
    assert one.verdict is Verdict.WARN
    assert one.waived == "until 2026-12-31: all rows are small, ana"


@pytest.mark.parametrize("about", [{"path": "cust_id"}, {"path": "quant"}, {"rule": "TYPE_LOSSY"}], ids=str)
def test_an_exception_for_something_else_lets_nothing_through(about: dict[str, str]) -> None:
    one = finding(judged(excepted(**about)), "TYPE_NARROWED")
    assert one.verdict is Verdict.BREAK
    assert one.waived == ""


@pytest.mark.parametrize(
    ("outer", "path", "covered"),
    [
        ("address", "address.city", True),
        ("lines", "lines[].sku", True),
        ("prices", "prices{}.net", True),
        ("prices", "prices{key}", True),
        ("address.city", "address.city", True),
        ("address.city", "address", False),
        ("addr", "address.city", False),
        ("address", "addresses", False),
        ("*", "anything[].at{}.all", True),
    ],
)
def test_an_exception_covers_a_path_and_what_is_inside_it(outer: str, path: str, covered: bool) -> None:
    policy = Policy(exceptions=(Waiver(rule="FIELD_DROPPED", path=outer, until="2099-12-31", reason="x"),))
    assert bool(policy.waivers("FIELD_DROPPED", [path])) is covered
    assert not policy.waivers("FIELD_RENAMED", [path])


def test_a_renamed_column_is_known_to_an_exception_by_both_names() -> None:
    for path in ("cust_id", "customer_id"):
        waiver = {"rule": "FIELD_RENAMED", "path": path, "until": "2099-12-31", "reason": "x"}
        assert finding(judged({"readers": ["spark-4-orc"], "exceptions": [waiver]}), "FIELD_RENAMED").verdict is Verdict.WARN


def test_an_exception_lasts_until_the_last_second_of_its_day() -> None:
    policy = excepted(until="2026-11-18")
    assert check(OLD, NEW, policy, now=datetime(2026, 11, 18, 23, 59, 59, tzinfo=UTC)).verdict is Verdict.WARN
    assert check(OLD, NEW, policy, now=datetime(2026, 11, 19, tzinfo=UTC)).verdict is Verdict.BREAK
    timed = excepted(until="2026-11-18T09:00+01:00")
    assert check(OLD, NEW, timed, now=datetime(2026, 11, 18, 7, 59, tzinfo=UTC)).verdict is Verdict.WARN
    assert check(OLD, NEW, timed, now=datetime(2026, 11, 18, 8, 0, tzinfo=UTC)).verdict is Verdict.BREAK


def test_an_exception_that_ended_is_named_where_it_would_have_helped() -> None:
    assert judged(excepted(until="2026-01-01")).notes == (
        "the exception for TYPE_NARROWED at * has ended (until 2026-01-01: all rows are small)",
    )
    assert judged(excepted(until="2026-01-01", path="cust_id")).notes == ()


def test_an_exception_for_one_job_lets_that_job_break_and_no_other() -> None:
    waiver = {"rule": "FIELD_DROPPED", "path": "legacy", "until": "2099-12-31", "reason": "x", "consumer": "ltv_model"}
    policy = {"protect": {"data": "off"}, "exceptions": [waiver]}
    one = finding(judged(policy, contracts=[READS_LEGACY]), "FIELD_DROPPED")
    assert (one.verdict, one.jobs) == (Verdict.WARN, Verdict.BREAK)
    other = {**READS_LEGACY, "name": "churn"}
    assert finding(judged(policy, contracts=[READS_LEGACY, other]), "FIELD_DROPPED").verdict is Verdict.BREAK
    assert finding(judged(policy, contracts=[other]), "FIELD_DROPPED").verdict is Verdict.BREAK


def test_an_exception_for_one_job_does_not_excuse_the_data() -> None:
    policy = excepted(consumer="daily_report")
    assert (
        finding(judged(policy, contracts=[{"name": "daily_report", "columns": "quantity BIGINT"}]), "TYPE_NARROWED").verdict
        is Verdict.BREAK
    )


# ---------------------------------------------------------------- beginnings


def test_before_its_day_a_policy_only_warns_and_says_so() -> None:
    early = judged({"enforce_from": "2026-11-19"})
    assert early.verdict is Verdict.WARN
    assert early.notes == ("the policy only warns until 2026-11-19",)
    for day in ("2026-11-18", "2026-11-18T12:00Z", "2020-01-01"):
        assert judged({"enforce_from": day}).verdict is Verdict.BREAK
        assert judged({"enforce_from": day}).notes == ()


# ---------------------------------------------------------------- which versions

FIRST = TableSchema.create("id BIGINT NOT NULL, quantity BIGINT")
SECOND = evolve(FIRST, ["ALTER COLUMN quantity TYPE SMALLINT"])
THIRD = evolve(SECOND, ["ALTER COLUMN quantity TYPE INT"])


@pytest.mark.parametrize(
    ("against", "live", "rules"),
    [
        ("previous", None, {"TYPE_WIDENED"}),
        ("all", None, {"TYPE_WIDENED", "TYPE_NARROWED"}),
        ("all", [1], {"TYPE_WIDENED", "TYPE_NARROWED"}),
        ("live", None, {"TYPE_WIDENED", "TYPE_NARROWED"}),
        ("live", [0, 1], {"TYPE_WIDENED", "TYPE_NARROWED"}),
        ("live", [1], {"TYPE_WIDENED"}),
        ("live", [0], {"TYPE_WIDENED", "TYPE_NARROWED"}),
        ("live", [], {"TYPE_WIDENED"}),
    ],
)
def test_only_versions_that_count_can_break(against: str, live: list[int] | None, rules: set[str]) -> None:
    report = check(SECOND, THIRD, {"against": against}, history=[FIRST], live=live)
    assert {one.rule for one in report.findings} == rules
    assert report.verdict is (Verdict.BREAK if "TYPE_NARROWED" in rules else Verdict.WARN)


def test_a_finding_about_older_files_names_their_schema_and_speaks_of_data_only() -> None:
    one = finding(check(SECOND, THIRD, history=[FIRST]), "TYPE_NARROWED")
    assert one.versions == (0,)
    assert "Files of schema 0 hold BIGINT." in one.message
    assert (one.data, one.jobs, one.writers) == (Verdict.BREAK, Verdict.OK, Verdict.OK)


def test_a_narrowing_hurts_nobody_once_no_file_is_left() -> None:
    report = check(OLD, NEW, live=[])
    one = finding(report, "TYPE_NARROWED")
    assert (one.data, one.jobs, one.writers) == (Verdict.OK, Verdict.OK, Verdict.BREAK)
    assert report.fits


def test_a_field_that_returns_is_found_in_history_only_where_history_counts() -> None:
    dropped = evolve(OLD, ["DROP COLUMN legacy"])
    back = evolve(dropped, ["ADD COLUMN legacy STRING"])
    assert {one.rule for one in check(dropped, back, {"against": "all"}, history=[OLD]).findings} == {"FIELD_READDED"}
    assert {one.rule for one in check(dropped, back, {"against": "previous"}, history=[OLD]).findings} == {"FIELD_ADDED_NULLABLE"}


# ---------------------------------------------------------------- two policies


LENIENT = Policy(name="lenient", protect=Protect(data=Level.WARN, jobs=Level.OFF))
STRICT = Policy(name="strict", protect=Protect(data=Level.BLOCK, jobs=Level.BLOCK, writers=Level.BLOCK))


@given(st.data(), POLICIES, POLICIES)
def test_of_two_policies_the_stricter_verdict_counts(data: st.DataObject, one: Policy, other: Policy) -> None:
    old = data.draw(tables())
    new = evolve(old, data.draw(batches(old, max_size=3)))
    alone = [check(old, new, policy, now=NOW).verdict for policy in (one, other)]
    for both in (one.stricter(other), other.stricter(one)):
        assert check(old, new, both, now=NOW).verdict is max(alone, key=SEVERITY.__getitem__)


def test_a_policy_joined_with_itself_is_itself() -> None:
    assert STRICT.stricter(STRICT) == STRICT


def test_three_policies_are_judged_by_all_of_them() -> None:
    about_rule = Policy(rules={"FIELD_DROPPED": "block"})
    both = LENIENT.stricter(Policy(protect=Protect(data=Level.OFF, jobs=Level.OFF))).stricter(about_rule)
    assert finding(judged(both), "FIELD_DROPPED").verdict is Verdict.BREAK


def test_a_policy_that_holds_others_is_joined_whole() -> None:
    held = LENIENT.stricter(STRICT)
    for both in (LENIENT.stricter(held), held.stricter(LENIENT), Policy(protect=Protect(data=Level.OFF)).stricter(held)):
        assert finding(judged(both), "FIELD_DROPPED").verdict is Verdict.BREAK


def test_a_caller_without_a_wish_gets_the_policy_of_the_table() -> None:
    assert STRICT.for_caller(None) == STRICT


def test_a_caller_can_be_stricter_and_not_weaker() -> None:
    assert judged(LENIENT.for_caller(STRICT)).verdict is Verdict.BREAK
    assert judged(STRICT.for_caller(LENIENT)).verdict is Verdict.BREAK
    assert judged(LENIENT.for_caller(LENIENT)).verdict is Verdict.WARN


def test_a_caller_that_says_why_can_be_weaker_and_that_is_recorded() -> None:
    report = judged(STRICT.for_caller(LENIENT, override="INC-4711, agreed with team-bi"))
    assert report.verdict is Verdict.WARN
    assert report.notes == ("judged under a weaker policy than the table's own: INC-4711, agreed with team-bi",)


# ---------------------------------------------------------------- readers


def test_the_worst_of_the_readers_counts() -> None:
    renamed = evolve(OLD, ["RENAME COLUMN cust_id TO customer_id"])
    found = {reader: check(OLD, renamed, {"readers": [reader]}).findings[0].data for reader in READERS}
    assert found == {
        "paimon": "ok",
        "spark-4-parquet": "break",
        "spark-4-orc": "break",
        "iceberg-v2": "ok",
        "spark-iceberg": "ok",
        "delta": "break",
        "spark-delta": "ok",
    }
    assert check(OLD, renamed, {"readers": ["paimon", "spark-4-orc"]}).findings[0].data is Verdict.BREAK


def test_a_reader_may_be_said_to_find_columns_in_another_way() -> None:
    renamed = evolve(OLD, ["RENAME COLUMN cust_id TO customer_id"])
    assert check(OLD, renamed, {"readers": ["spark-4-parquet by id"]}).findings[0].data is Verdict.OK
    assert check(OLD, renamed, {"readers": ["delta by id"]}).findings[0].data is Verdict.OK
    assert check(OLD, renamed, {"readers": ["paimon by name"]}).findings[0].data is Verdict.BREAK


def test_readers_are_named_once_and_none_is_paimon() -> None:
    assert Policy(readers=("delta", "Delta", "delta by name")).readers == ("delta",)
    assert Policy(readers=()).readers == ("paimon",)
    assert Policy.read({"readers": "spark-4-orc"}).readers == ("spark-4-orc",)


# ---------------------------------------------------------------- bad policies


def faults(value: Any) -> list[tuple[str, str]]:
    with pytest.raises(PolicyError) as refused:
        Policy.read(value)
    assert all(fault.fix and fault.message.endswith(".") for fault in refused.value.faults)
    return [(fault.path, fault.code) for fault in refused.value.faults]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    found = faults({
        "protect": {"data": "blck", "jobs": "warn", "reader": "off"},
        "against": "alll",
        "readers": ["spark-5"],
        "rules": {"FIELD_RENAMD": "ok", "FIELD_DROPPED": "maybe"},
        "exceptions": [{"rule": "FIELD_RENAMED", "until": "tomorrow"}, {"rule": "T99", "until": "2026-12-31", "reason": ""}],
        "enforce_from": "31.12.2026",
        "registry_complete": "perhaps",
        "exeptions": [],
    })  # fmt: skip
    paths = {path for path, _ in found}
    assert {
        "protect.data",
        "protect.reader",
        "against",
        "readers[0]",
        "rules.FIELD_RENAMD",
        "rules.FIELD_DROPPED",
        "exceptions[0].until",
        "exceptions[0].reason",
        "exceptions[1].rule",
        "exceptions[1].reason",
        "enforce_from",
        "registry_complete",
        "exeptions",
    } <= paths


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"mode": "BACKWARDS"}, "policy.unknown-mode"),
        ({"mode": "NONE_TRANSITIVE_TRANSITIVE"}, "policy.unknown-mode"),
        ({"mode": 3}, "policy.unknown-mode"),
        ({"mode": "FULL", "protect": {"data": "off"}}, "policy.twice"),
        ({"protect": "everything"}, "policy.unknown-mode"),
        ({"mod": "FULL"}, "policy.unknown-key"),
        ({"rules": {"FIELD_GONE": "ok"}}, "policy.unknown-rule"),
        ({"rules": []}, "policy.bad-value"),
        ({"exceptions": {"rule": "FIELD_DROPPED"}}, "policy.bad-value"),
        ({"exceptions": [{}]}, "policy.missing"),
        ({1: "FULL"}, "policy.key"),
    ],
    ids=str,
)
def test_a_bad_policy_is_refused_with_its_reason(value: Any, code: str) -> None:
    assert code in [found for _, found in faults(value)]


@pytest.mark.parametrize("value", [None, "FULL", 3, [], ["data"]], ids=str)
def test_what_is_no_mapping_is_no_policy(value: Any) -> None:
    assert faults(value)


@pytest.mark.parametrize("name", [name for name, _ in WAYS.values()])
def test_a_rule_that_no_finding_has_cannot_be_set(name: str) -> None:
    assert faults({"rules": {name: "ok"}}) == [(f"rules.{name}", "policy.unknown-rule")]


def test_a_misspelled_rule_is_answered_with_the_nearest() -> None:
    with pytest.raises(PolicyError, match="Did you mean 'FIELD_RENAMED'"):
        Policy.read({"rules": {"FIELD_RENAMD": "ok"}})


def test_a_policy_without_anything_is_the_default() -> None:
    assert Policy.read({}) == Policy()
