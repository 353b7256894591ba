"""A policy that nobody has written judges as the one that says the same."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Policy, check
from airflow_provider_schemas.core.policies.given_policy import excused, judging
from airflow_provider_schemas.core.policies.levels import Level
from airflow_provider_schemas.core.policies.plain_policy import Judging, PlainPolicy, Protection
from airflow_provider_schemas.core.policies.policy import Protect, Waiver
from tests.core.support.check_inputs import contracts_for, steps

ASKED = [name for name in vars(Judging) if not name.startswith("_")]
LEVELS = st.sampled_from(Level)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


@given(LEVELS, LEVELS, LEVELS, steps(), st.data())
def test_it_gives_the_same_report(data: Level, jobs: Level, writers: Level, step: Any, more: st.DataObject) -> None:
    old, new, history = step
    contracts = [more.draw(contracts_for(old))]
    plain, written = PlainPolicy(Protection(data, jobs, writers)), Policy(protect=Protect(data=data, jobs=jobs, writers=writers))
    report = check(old, new, plain, history=history, contracts=contracts, now=NOW)
    assert report == check(old, new, written, history=history, contracts=contracts, now=NOW)


@given(steps())
def test_no_policy_is_the_default_policy(step: Any) -> None:
    old, new, history = step
    assert check(old, new, history=history, now=NOW) == check(old, new, Policy(), history=history, now=NOW)


def test_it_answers_every_question_as_the_default_policy() -> None:
    plain, written = PlainPolicy(), Policy()
    assert {"protect", "rules", "profiles", "joined"} <= set(ASKED)
    values = [name for name in ASKED if name not in ("protect", "enforced", "waivers", "joined")]
    assert [getattr(plain, name) for name in values] == [getattr(written, name) for name in values]
    assert plain.protect._asdict() == dict(written.protect)
    assert plain.enforced(NOW) == written.enforced(NOW)
    assert plain.waivers("FIELD_DROPPED", ["a"]) == written.waivers("FIELD_DROPPED", ["a"])
    assert list(plain.joined()) == [plain]


def test_with_exceptions_it_becomes_one_that_people_write() -> None:
    waiver = Waiver(rule="FIELD_DROPPED", until="2030-01-01", reason="nobody reads it")
    strict = PlainPolicy(Protection(Level.BLOCK, Level.BLOCK, Level.OFF))
    assert excused(strict, ()) is strict
    assert excused(strict, [waiver]) == Policy.read({"protect": strict.protect._asdict(), "exceptions": [waiver]})


def test_what_a_caller_hands_in_is_judged_by() -> None:
    written, plain = Policy.read({"mode": "FULL"}), PlainPolicy(Protection(jobs=Level.OFF))
    assert judging(written) is written
    assert judging(plain) is plain
    assert judging({"mode": "FULL"}) == written
    assert judging(None) == PlainPolicy()
