"""A typed name finds the rule or the code that it means, in any case and spelling; another one is told what is near."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.rules import CATALOGUE, RULES, WAYS, Rule
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.render.explain import facts
from airflow_provider_schemas.render.explain.names import CodeFamily, ErrorCode, Way, meanings


@pytest.mark.parametrize("rule", CATALOGUE, ids=lambda rule: rule.id)
def test_a_rule_is_found_by_its_id_its_code_its_page_and_the_code_of_its_error(rule: Rule) -> None:
    page = f"docs/rules/{rule.id}.md"
    names = [rule.id, rule.id.lower(), rule.id.replace("_", "-"), page, f" {rule.id} ", f"rule.{rule.id.lower().replace('_', '-')}"]
    assert [meanings(name) for name in names] == [(rule,)] * len(names)
    assert rule in meanings(rule.code) == meanings(rule.code.lower())


def test_all_rules_of_a_code_are_meant() -> None:
    assert [rule.id for rule in meanings("T13") if isinstance(rule, Rule)] == ["LENGTH_RELAXED", "LENGTH_TIGHTENED"]


@pytest.mark.parametrize("code", ["type.length-out-of-range", "table.not-there", "cli.base", "yaml.syntax", "Type.Length-Out-Of-Range"])
def test_the_code_of_an_error_is_found(code: str) -> None:
    assert meanings(code) == (ErrorCode(code.lower()),)


@pytest.mark.parametrize("rule", [rule for rule in CATALOGUE if rule.faults], ids=lambda rule: rule.id)
def test_the_code_of_a_check_is_found(rule: Rule) -> None:
    assert [meanings(code) for code in rule.faults] == [(ErrorCode(code),) for code in rule.faults]


@pytest.mark.parametrize("name", ["type", "type.", "TYPE."])
def test_the_beginning_of_codes_is_all_of_them(name: str) -> None:
    (family,) = meanings(name)
    assert isinstance(family, CodeFamily)
    assert family.prefix == "type."
    assert "type.length-out-of-range" in family.codes


@pytest.mark.parametrize("name", ["T09", "t09", "DECIMAL_SCALE_RAISED", "decimal_scale_raised"])
def test_a_way_to_apply_rules_is_found(name: str) -> None:
    assert meanings(name) == (Way("T09", *WAYS["T09"]),)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("FIELD_RENAMD", "FIELD_RENAMED"),
        ("filed-dropped", "FIELD_DROPPED"),
        ("tabel.not-there", "table.not-there"),
        ("expect_field_mising", "EXPECT_FIELD_MISSING"),
    ],
)
def test_a_misspelled_name_is_told_what_is_near(name: str, near: str) -> None:
    with pytest.raises(NotThereError) as caught:
        meanings(name)
    assert caught.value.code == "explain.unknown"
    assert f"Did you mean {near}" in caught.value.fix


def test_what_is_near_to_nothing_is_told_where_all_are() -> None:
    with pytest.raises(NotThereError) as caught:
        meanings("\x1b[31m" + "q" * 100_000)
    assert caught.value.fix == "All rules: `airflow-schemas explain`."
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1_000


@given(st.text(max_size=30) | st.sampled_from(sorted(RULES)) | st.sampled_from(sorted(facts.codes())).map(lambda code: code[:-1]))
def test_any_text_means_something_or_is_refused(name: str) -> None:
    with suppress(NotThereError):
        (found,) = {type(named) for named in meanings(name)}
        assert found in (Rule, ErrorCode, CodeFamily, Way)
