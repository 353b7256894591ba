"""Policies: which one a table has, what happens where one is missing or broken, and that none becomes weaker unsaid."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Policy, TableSchema, check, evolve
from airflow_provider_schemas.core.policies.policy import Level, Protect
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.errors import PolicyError, RefusedNameError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import policies
from airflow_provider_schemas.store.registry.policy_strictness import weakened
from airflow_provider_schemas.store.storage.local import LocalFiles

ORDERS = TableName("shop", "orders")
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, legacy STRING"


def table(**options: str) -> TableSchema:
    return TableSchema.create(COLUMNS, options={key.replace("_", "."): value for key, value in options.items()})


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path)


def written(files: LocalFiles, path: str, text: str) -> None:
    files.put(f"policies/{path}", text.encode())


def jobs(policy: Policy) -> Level:
    return policy.protect.jobs


# ---------------------------------------------------------------- where it is found


def test_a_table_has_the_built_in_default_where_nobody_says_anything(files: LocalFiles) -> None:
    found = policies.found(files, ORDERS, table())
    assert found == Policy(name="default")
    assert found.readers == ("paimon",)


def test_the_table_comes_before_its_database_and_that_before_the_registry(files: LocalFiles) -> None:
    written(files, "default.yaml", "protect: {jobs: 'off'}\n")
    assert jobs(policies.found(files, ORDERS, table())) is Level.OFF
    written(files, "databases/shop.yaml", "protect: {jobs: warn}\n")
    assert jobs(policies.found(files, ORDERS, table())) is Level.WARN
    assert jobs(policies.found(files, TableName("mart", "daily"), table())) is Level.OFF
    assert jobs(policies.found(files, ORDERS, table(schemas_policy='{"protect": {"jobs": "block"}}'))) is Level.BLOCK


def test_the_policy_of_a_table_may_be_a_name_and_default_leaves_it_to_others(files: LocalFiles) -> None:
    written(files, "strict.yaml", "protect: {jobs: block}\n")
    written(files, "databases/shop.yaml", "protect: {jobs: warn}\n")
    found = policies.found(files, ORDERS, table(schemas_policy="strict"))
    assert (jobs(found), found.name) == (Level.BLOCK, "strict")
    assert jobs(policies.found(files, ORDERS, table(schemas_policy="default"))) is Level.WARN


def test_a_preset_needs_no_file_and_gives_way_to_one_of_its_name(files: LocalFiles) -> None:
    named = table(schemas_policy="odf-additive")
    assert policies.found(files, ORDERS, named).rules["FIELD_DROPPED"] == "block"
    written(files, "odf-additive.yaml", "rules: {FIELD_DROPPED: warn}")
    assert dict(policies.found(files, ORDERS, named).rules) == {"FIELD_DROPPED": "warn"}


def test_a_policy_costs_one_walk_and_one_read(files: LocalFiles) -> None:
    written(files, "default.yaml", "protect: {jobs: warn}\n")
    before = files.count.snapshot()
    policies.found(files, ORDERS, table())
    lists, gets, puts = (now - then for now, then in zip(files.count.snapshot(), before, strict=True))
    assert (lists, gets, puts) == (1, 1, 0)


def test_a_name_that_stands_for_nothing_is_told_with_what_is_there_and_where_to_write_it(files: LocalFiles) -> None:
    written(files, "strict.yaml", "protect: {jobs: block}\n")
    with pytest.raises(PolicyError) as refused:
        policies.found(files, ORDERS, table(schemas_policy="strickt"))
    assert refused.value.code == "policy.not-there"
    assert "strict" in refused.value.message
    assert "policies/strickt.yaml" in refused.value.fix


@pytest.mark.parametrize("path", ["default.yaml", "databases/shop.yaml"])
def test_a_policy_that_cannot_be_read_is_told_with_file_and_line_and_is_never_the_default(files: LocalFiles, path: str) -> None:
    written(files, path, "protect: {jobs: block}\nreeders: [paimon]\nagainst: nobody\n")
    with pytest.raises(PolicyError) as refused:
        policies.found(files, ORDERS, table())
    assert [one.path for one in refused.value.faults] == [f"policies/{path}:2 reeders", f"policies/{path}:3 against"]


def test_a_policy_in_a_file_that_nobody_reads_is_no_default_either(files: LocalFiles) -> None:
    written(files, "default.yml", "protect: {jobs: block}\n")
    with pytest.raises(PolicyError) as refused:
        policies.found(files, ORDERS, table())
    assert refused.value.code == "policy.misplaced"
    assert "policies/default.yaml" in refused.value.fix


@pytest.mark.parametrize("text", ['{"protect": {"jobs": "sometimes"}}', '{"protect"', '{"reeders": []}', '{"name": 1, "name": 2}'])
def test_a_block_in_the_option_of_a_table_that_is_no_policy_names_the_option(files: LocalFiles, text: str) -> None:
    with pytest.raises(PolicyError) as refused:
        policies.found(files, ORDERS, table(schemas_policy=text))
    assert refused.value.path.startswith("shop.orders schemas.policy")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "..", "x\ny"])
def test_the_name_of_a_policy_is_no_way_out_of_the_registry(files: LocalFiles, name: str) -> None:
    with pytest.raises(RefusedNameError):
        policies.found(files, ORDERS, table(schemas_policy=name))
    with pytest.raises(RefusedNameError):
        policies.save(files, Policy(), name=name)
    with pytest.raises(RefusedNameError):
        policies.save(files, Policy(), database=name)


# ---------------------------------------------------------------- readers


@pytest.mark.parametrize(
    ("layout", "attributes", "readers"),
    [
        (Layout.PAIMON, {"format": "orc"}, ("paimon",)),
        (Layout.MINI_PAIMON, {}, ("paimon",)),
        (Layout.REGISTRY, {"format": "parquet"}, ("spark-4-parquet",)),
        (Layout.REGISTRY, {"format": "ORC"}, ("spark-4-orc",)),
        (Layout.REGISTRY, {"format": "delta"}, ("delta",)),
        (Layout.REGISTRY, {"format": "iceberg"}, ("spark-iceberg",)),
        (Layout.MOUNTED, {"format": "iceberg"}, ("spark-iceberg",)),
        (Layout.MOUNTED, {"format": "delta"}, ("spark-delta",)),
        (Layout.REGISTRY, {}, ("spark-4-parquet",)),
    ],
)
def test_readers_follow_from_the_format_of_the_table(
    files: LocalFiles, layout: Layout, attributes: dict[str, Any], readers: tuple[str, ...]
) -> None:
    schema = table(schemas_table=json.dumps(attributes))
    assert policies.found(files, ORDERS, schema, layout=layout).readers == readers


@pytest.mark.parametrize("attributes", ["", "{", "[]", "7", "null", '{"format": '])
def test_attributes_that_cannot_be_read_say_nothing_of_readers(files: LocalFiles, attributes: str) -> None:
    unreadable = TableSchema(table().fields, 2, options=Options({"schemas.table": attributes}))
    assert policies.found(files, ORDERS, unreadable, layout=Layout.REGISTRY).readers == ("spark-4-parquet",)
    assert policies.for_step(policies.Policies(files, ORDERS), unreadable, table(), layout=Layout.REGISTRY).readers == ("spark-4-parquet",)


def test_a_format_that_is_no_text_says_nothing_of_readers(files: LocalFiles) -> None:
    assert policies.found(files, ORDERS, table(schemas_table='{"format": 7}'), layout=Layout.REGISTRY).readers == ("spark-4-parquet",)


def test_readers_that_a_policy_names_stay(files: LocalFiles) -> None:
    written(files, "default.yaml", "readers: [delta]\nalso: [{protect: {jobs: block}}]\n")
    found = policies.found(files, ORDERS, table(), layout=Layout.REGISTRY)
    assert found.readers == ("delta",)
    assert [one.readers for one in found.also] == [("spark-4-parquet",)]


# ---------------------------------------------------------------- changes of policy


def test_a_step_that_makes_the_policy_weaker_is_judged_by_the_stricter(files: LocalFiles) -> None:
    old = table(schemas_policy='{"protect": {"jobs": "block"}}')
    new = evolve(old, [{"action": "setOption", "key": "schemas.policy", "value": '{"mode": "NONE"}'}, "DROP COLUMN legacy"])
    policy = policies.for_step(policies.Policies(files, ORDERS), old, new)
    assert check(old, new, policy, now=NOW).verdict is Verdict.BREAK
    assert check(old, new, policies.found(files, ORDERS, new), now=NOW).verdict is Verdict.OK


def test_a_step_that_takes_the_policy_away_is_judged_by_the_stricter(files: LocalFiles) -> None:
    old = table(schemas_policy='{"protect": {"jobs": "block"}}')
    new = evolve(old, [{"action": "removeOption", "key": "schemas.policy"}, "DROP COLUMN legacy"])
    assert check(old, new, policies.for_step(policies.Policies(files, ORDERS), old, new), now=NOW).verdict is Verdict.BREAK


def test_a_broken_policy_stops_its_own_mending_until_somebody_says_why(files: LocalFiles) -> None:
    broken, whole = table(schemas_policy="{"), table(schemas_policy='{"protect": {"jobs": "warn"}}')
    with pytest.raises(PolicyError, match="pass override"):
        policies.for_step(policies.Policies(files, ORDERS), broken, whole)
    policy = policies.for_step(policies.Policies(files, ORDERS), broken, whole, override="the option was cut off")
    assert [one.override for one in policy.joined()] == ["the option was cut off", ""]
    with pytest.raises(PolicyError):
        policies.for_step(policies.Policies(files, ORDERS), whole, broken, override="why not")


def test_it_is_told_in_what_a_step_makes_the_policy_weaker(files: LocalFiles) -> None:
    strict, loose = table(schemas_policy='{"protect": {"jobs": "block"}}'), table(schemas_policy='{"protect": {"jobs": "off"}}')
    there = policies.Policies(files, ORDERS)
    assert policies.weaker_by(there, strict, loose, None, NOW)
    assert policies.weaker_by(there, loose, strict, None, NOW) == ()
    assert policies.weaker_by(there, strict, strict, None, NOW) == ()


@pytest.mark.parametrize("broken", ["{", "nobody-knows-this", '{"mode": "SIDEWAYS"}'])
def test_a_policy_that_cannot_be_read_is_not_made_weaker(files: LocalFiles, broken: str) -> None:
    there = policies.Policies(files, ORDERS)
    unreadable, whole = table(schemas_policy=broken), table(schemas_policy='{"protect": {"jobs": "off"}}')
    assert policies.weaker_by(there, unreadable, whole, None, NOW) == ()
    assert policies.weaker_by(there, whole, unreadable, None, NOW) == ()


# ---------------------------------------------------------------- saving


def test_a_policy_that_was_saved_is_found(files: LocalFiles) -> None:
    policies.save(files, {"protect": {"jobs": "block"}}, database="shop")
    assert jobs(policies.found(files, ORDERS, table())) is Level.BLOCK
    policies.save(files, {"mode": "FULL"}, name="strict")
    assert policies.listed(files) == ("policies/databases/shop.yaml", "policies/strict.yaml")


@pytest.mark.parametrize(
    "weaker",
    [
        {"protect": {"jobs": "warn"}},
        {"against": "previous", "protect": {"jobs": "block"}},
        {"protect": {"jobs": "block"}, "rules": {"FIELD_DROPPED": "ok"}},
        {"protect": {"jobs": "block"}, "enforce_from": "2027-01-01"},
        {"protect": {"jobs": "block"}, "registry_complete": True},
        {"protect": {"jobs": "block"}, "readers": ["delta"]},
        {"protect": {"jobs": "block"}, "exceptions": [{"rule": "FIELD_DROPPED", "until": "2026-12-31", "reason": "x"}]},
    ],
    ids="+".join,
)
def test_a_weaker_policy_needs_a_reason_which_stays_in_it(files: LocalFiles, weaker: dict[str, Any]) -> None:
    policies.save(files, {"protect": {"jobs": "block"}}, now=NOW)
    with pytest.raises(PolicyError) as refused:
        policies.save(files, weaker, now=NOW)
    assert refused.value.code == "policy.weaker"
    policies.save(files, weaker, override="we said so", now=NOW)
    assert policies.found(files, ORDERS, table()).override == "we said so"
    policies.save(files, weaker, now=NOW)
    assert policies.found(files, ORDERS, table()).override == "we said so"


def test_a_stricter_policy_needs_no_reason_and_ends_the_old_one(files: LocalFiles) -> None:
    policies.save(files, {"mode": "NONE"}, override="first week", now=NOW)
    policies.save(files, {"protect": {"jobs": "block"}, "against": "all"}, now=NOW)
    assert policies.found(files, ORDERS, table()).override == ""


def test_the_policy_of_a_database_is_measured_by_what_counted_before(files: LocalFiles) -> None:
    policies.save(files, {"protect": {"jobs": "block"}}, now=NOW)
    with pytest.raises(PolicyError, match="jobs: block becomes warn"):
        policies.save(files, {"protect": {"jobs": "warn"}}, database="shop", now=NOW)


def test_a_policy_that_nobody_can_read_is_written_over_with_a_reason_only(files: LocalFiles) -> None:
    written(files, "default.yaml", "protect: [")
    with pytest.raises(PolicyError, match="To write over it"):
        policies.save(files, {"mode": "FULL"})
    policies.save(files, {"mode": "FULL"}, override="it was cut off")
    assert policies.found(files, ORDERS, table()).override == "it was cut off"


def test_what_is_judged_by_two_policies_is_as_strict_as_both() -> None:
    jobs, writers = Policy(protect=Protect(jobs=Level.BLOCK)), Policy(protect=Protect(writers=Level.BLOCK))
    both = jobs.stricter(writers)
    assert weakened(both, Policy(protect=Protect(jobs=Level.BLOCK, writers=Level.BLOCK)), NOW) == ()
    assert weakened(both, jobs, NOW) == ("writers: block becomes warn",)
    assert weakened(jobs, both, NOW) == ()
