"""The presets: policies that have a name everywhere. `odf-additive` lets optional fields and words for people pass, and nothing else."""

from typing import Any

import pytest

from airflow_provider_schemas.core import Policy, TableSchema, Version, check, evolve
from airflow_provider_schemas.core.policies.policy import PRESETS, preset
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.formats import table_file

ADDITIVE: dict[str, Any] = {"mode": "odf-additive"}
TABLE = TableSchema.create(
    columns="id BIGINT NOT NULL, qty INT, price DECIMAL(10, 2), at TIMESTAMP(3), name VARCHAR(10), sure INT NOT NULL, "
    "m MAP<INT, STRING>, r ROW<x INT, z INT>, d INT"
)

# What Open Data Fabric asks of a chain: only new optional fields, and what is said about them.
PASSES = [
    ("ADD COLUMN coupon STRING", "FIELD_ADDED_NULLABLE"),
    ("ALTER COLUMN qty COMMENT 'pieces'", "FIELD_DOC_CHANGED"),
    ("SET COMMENT 'orders'", "FIELD_DOC_CHANGED"),
]
BLOCKED = [
    ("DROP COLUMN qty", "FIELD_DROPPED"),
    ("DROP COLUMN r.x", "FIELD_DROPPED"),
    ("RENAME COLUMN qty TO quantity", "FIELD_RENAMED"),
    ("RENAME COLUMN qty TO QTY", "FIELD_RENAMED_CASE"),
    ("ALTER COLUMN qty FIRST", "FIELD_REORDERED"),
    ("ALTER COLUMN qty TYPE BIGINT", "TYPE_WIDENED"),
    ("ALTER COLUMN qty TYPE SMALLINT", "TYPE_NARROWED"),
    ("ALTER COLUMN qty TYPE FLOAT", "TYPE_LOSSY"),
    ("ALTER COLUMN qty TYPE STRING", "TYPE_STRINGIFIED"),
    ("ALTER COLUMN price TYPE DECIMAL(8, 2)", "DECIMAL_DIGITS_REDUCED"),
    ("ALTER COLUMN at TYPE TIMESTAMP(6)", "TIMESTAMP_PRECISION_RAISED"),
    ("ALTER COLUMN at TYPE TIMESTAMP(0)", "TIMESTAMP_PRECISION_LOWERED"),
    ("ALTER COLUMN name TYPE VARCHAR(20)", "LENGTH_RELAXED"),
    ("ALTER COLUMN name TYPE VARCHAR(5)", "LENGTH_TIGHTENED"),
    ("ALTER COLUMN sure DROP NOT NULL", "NULLABILITY_RELAXED"),
    ("ALTER COLUMN qty SET DEFAULT 5", "WRITE_DEFAULT_CHANGED"),
]


def level(change: str, rule: str, policy: dict[str, Any]) -> Verdict:
    report = check(TABLE, evolve(TABLE, [change]), policy)
    return next(one.verdict for one in report.findings if one.rule == rule)


@pytest.mark.parametrize(("change", "rule"), PASSES)
def test_what_only_adds_or_explains_passes(change: str, rule: str) -> None:
    assert level(change, rule, ADDITIVE) is Verdict.OK
    assert check(TABLE, evolve(TABLE, [change]), ADDITIVE).fits


def test_a_field_inside_a_struct_passes_with_a_warning_for_jobs_that_move_the_whole_struct() -> None:
    assert level("ADD COLUMN r.y INT", "FIELD_ADDED_NULLABLE", ADDITIVE) is Verdict.WARN


@pytest.mark.parametrize(("change", "rule"), BLOCKED)
def test_everything_else_is_blocked(change: str, rule: str) -> None:
    assert level(change, rule, ADDITIVE) is Verdict.BREAK


# What remains besides: additions, words, other spellings, tuning, and nothing at all.
@pytest.mark.parametrize("rule", [one.id for one in RULES.values() if one.judges in (Judges.TWO, Judges.HISTORY)])
def test_each_rule_about_a_step_blocks_but_for_those_that_add_or_say(rule: str) -> None:
    harmless = {"FIELD_ADDED_NULLABLE", "FIELD_DOC_CHANGED", "TYPE_SPELLING_CHANGED", "OPTION_TUNING", "NO_CHANGE"}
    assert (PRESETS["odf-additive"].get(rule) == "block") is (rule not in harmless)


def test_it_is_a_mode_in_any_case_and_further_rules_are_added_to_its_own() -> None:
    policy = Policy.read({"mode": "ODF-Additive", "rules": {"FIELD_REORDERED": "warn"}})
    assert policy.rules["FIELD_REORDERED"] == "warn"
    assert policy.rules["FIELD_DROPPED"] == "block"
    assert Policy.read(ADDITIVE) == Policy.read({"mode": "odf-additive", "rules": {}})


def test_it_keeps_what_a_policy_says_besides() -> None:
    policy = Policy.read({**ADDITIVE, "against": "all", "readers": ["iceberg-v2"]})
    assert (policy.against, policy.readers) == ("all", ("iceberg-v2",))


def test_it_has_its_name_where_it_is_asked_for_by_name() -> None:
    found = preset("odf-additive")
    assert found is not None
    assert (found.name, found.rules) == ("odf-additive", Policy.read(ADDITIVE).rules)
    assert preset("mine") is None


def test_a_mode_that_is_no_preset_is_told_which_there_are() -> None:
    with pytest.raises(PolicyError) as caught:
        Policy.read({"mode": "odf"})
    assert caught.value.code == "policy.unknown-mode"
    assert "odf-additive" in caught.value.fix


def test_a_table_file_names_it() -> None:
    table = Version.read(TableSchema.create("id BIGINT NOT NULL, qty INT").to_json().encode(), 0)
    text = "table: shop.orders\npolicy: odf-additive\ncolumns:\n- {name: id, type: BIGINT NOT NULL}\n- {name: qty, type: BIGINT}\n"
    report = table_file.plan(table_file.read(text), table).report
    assert report.verdict is Verdict.BREAK
    assert not [note for note in report.notes if "stands for nothing" in note]
    added = text.replace("BIGINT}", "INT}") + "- {name: coupon, type: STRING}\n"
    assert table_file.plan(table_file.read(added), table).report.fits
