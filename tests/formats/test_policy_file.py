"""The file of a policy is read and written, and whatever is wrong with it is told with file and line."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.engines.readers import READERS
from airflow_provider_schemas.core.policies.policy import MODES, Against, Level, Policy
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.formats.policy_file import read, write

STRICT = """\
name: strict
protect:
  jobs: block
  writers: block
against: all
readers:
  - paimon
  - spark-4-parquet by id
rules:
  TYPE_WIDENED: ok
exceptions:
  - rule: FIELD_RENAMED
    path: cust_id
    until: '2026-12-31'
    reason: the job moves
    by: ana
enforce_from: '2026-06-01'
registry_complete: true
"""


def test_a_policy_is_read_and_written() -> None:
    policy = read(STRICT)
    assert (policy.name, policy.against, policy.readers) == ("strict", Against.ALL, ("paimon", "spark-4-parquet by id"))
    assert policy.exceptions[0].by == "ana"
    assert write(policy) == STRICT


def test_a_policy_that_is_the_default_says_nothing() -> None:
    assert write(Policy()) == "{}\n"
    assert read("{}") == Policy()


def test_dates_need_no_quotes() -> None:
    assert read("enforce_from: 2026-06-01").enforce_from == "2026-06-01"


def test_every_fault_is_told_at_once_with_its_line() -> None:
    text = """\
protect: {data: block, jobs: blok}
rules:
  FIELD_RENAMD: ok
  TYPE_WIDENED: no
exceptions:
  - {rule: FIELD_RENAMED, until: tomorrow, reason: x}
  - {rule: FIELD_RENAMED, until: 2026-12-31}
readers: [spark]
agianst: all
"""
    with pytest.raises(PolicyError) as caught:
        read(text, "p.yaml")
    assert [one.path for one in caught.value.faults] == [
        "p.yaml:1 protect.jobs",
        "p.yaml:3 rules.FIELD_RENAMD",
        "p.yaml:4 rules.TYPE_WIDENED",
        "p.yaml:6 exceptions[0].until",
        "p.yaml:7 exceptions[1].reason",
        "p.yaml:8 readers[0]",
        "p.yaml:9 agianst",
    ]


NO_POLICIES = ["", "- a", "a: 1\na: 2", "protect: [[]]", "protect: [dta]", "rules: 5", "exceptions: {a: b}", "5: 6"]


@pytest.mark.parametrize("source", [None, 5, b"\xff", *NO_POLICIES])
def test_nothing_else_escapes(source: Any) -> None:
    with pytest.raises(PolicyError):
        read(source)


MODE = st.sampled_from([*MODES, *(f"{one}_TRANSITIVE" for one in MODES if one != "NONE")]).map(lambda mode: {"mode": mode})
LEVELS = st.fixed_dictionaries({}, optional=dict.fromkeys(("data", "jobs", "writers"), st.sampled_from(list(Level))))
PLAIN = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(min_size=1, max_size=5),
        "protect": LEVELS,
        "against": st.sampled_from(list(Against)),
        "readers": st.lists(st.sampled_from(list(READERS)), min_size=1),
        "rules": st.dictionaries(st.sampled_from(list(RULES)), st.sampled_from(["ok", "warn", "block"]), max_size=3),
        "exceptions": st.lists(
            st.fixed_dictionaries(
                {"rule": st.sampled_from(list(RULES)), "until": st.just("2026-12-31"), "reason": st.text(min_size=1, max_size=9)}
            ),
            max_size=2,
        ),
        "registry_complete": st.booleans(),
    },
)


@given(PLAIN | MODE)
def test_what_is_written_is_read_again(keys: dict[str, Any]) -> None:
    policy = Policy.read(keys)
    assert read(write(policy)) == policy
