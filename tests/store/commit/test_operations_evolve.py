"""A table is changed once, whoever asks how often; by changes, by a schema, by a table file; and only as its policy allows."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Policy, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import (
    ChangeError,
    ConflictError,
    ContractError,
    IncompatibleSchemaError,
    NotThereError,
    PolicyError,
    RefusedNameError,
    TableFileError,
)
from airflow_provider_schemas.store.registry import policies
from airflow_provider_schemas.store.storage import commit_steps
from tests.support.stores import at, bytes_of, columns, guarded, lake, orders, written

# ---------------------------------------------------------------- once, by key


def test_the_same_key_twice_is_once(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    first = table.evolve("ADD COLUMN coupon STRING", key="run 1")
    again = table.evolve("ADD COLUMN coupon STRING", key="run 1")
    assert (first.outcome, again.outcome, again.digest) == ("created", "already applied", first.digest)
    assert table.numbers() == (0, 1)


def test_a_key_counts_even_if_a_later_version_undid_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING", key="march")
    table.evolve("DROP COLUMN coupon", override="moved")
    again = table.evolve("ADD COLUMN coupon STRING", key="march")
    assert (again.outcome, again.number) == ("already applied", 1)
    assert again.notes == ("already applied as version 1 (ana); the table is at version 2",)
    assert "coupon" not in columns(table)


def test_a_key_is_found_however_long_ago_it_was(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN c0 STRING", key="first")
    for number in range(1, 30):
        table.evolve(f"ADD COLUMN c{number} STRING", key=f"run {number}")
    assert (table.evolve("ADD COLUMN c0 STRING", key="first").number, table.latest().number) == (1, 30)


def test_a_key_is_asked_before_what_was_expected(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING", key="run 1", expected_version=0)
    assert table.evolve("ADD COLUMN coupon STRING", key="run 1", expected_version=0).outcome == "already applied"


def test_a_version_of_somebody_else_with_nonsense_for_a_key_stops_nobody(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    path = tmp_path / "lake/shop.db/orders/schema/schema-0"
    path.write_text(path.read_text().replace('"actor": "ana"', '"actor": 5').replace('"actor" : "ana"', '"actor" : 5'))
    assert lake(tmp_path).table("shop.orders").history()[0].outside
    assert table.evolve("ADD COLUMN coupon STRING", key="run 1").created


# ---------------------------------------------------------------- once, by effect


def test_the_same_changes_without_a_key_are_unchanged_and_say_who_made_them(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    wanted = ["ADD COLUMN coupon STRING", "ALTER COLUMN amount TYPE DECIMAL(12, 2)"]
    table.evolve(wanted, run="manual__1")
    again = table.evolve(wanted)
    assert (again.outcome, again.number) == ("unchanged", 1)
    assert again.notes == ("unchanged: these changes are version 1 (run manual__1, ana)",)


def test_a_batch_that_is_done_in_part_is_refused(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    with pytest.raises(ChangeError) as error:
        table.evolve(["ADD COLUMN coupon STRING", "ADD COLUMN note STRING"])
    assert error.value.code == "change.part-done"
    assert table.numbers() == (0, 1)


def test_no_changes_at_all_are_none(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.evolve([]).outcome == "unchanged"
    assert table.evolve(target=table.schema()).outcome == "unchanged"
    for wrong in ({}, {"changes": [], "target": table.schema()}):
        with pytest.raises(ChangeError):
            table.evolve(**wrong)  # type: ignore[arg-type]  # neither, and both


def test_of_two_equal_changes_at_once_the_second_finds_it_done(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.JUDGED, lambda: other.evolve("ADD COLUMN coupon STRING")):
        second = table.evolve("ADD COLUMN coupon STRING")
    assert (second.outcome, second.attempts, second.number) == ("unchanged", 2, 1)


def test_whoever_comes_second_is_judged_against_what_the_first_wrote(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.JUDGED, lambda: other.evolve("ADD COLUMN coupon STRING")):
        second = table.evolve("ADD COLUMN note STRING")
    assert (second.outcome, second.attempts, second.number) == ("created", 2, 2)
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2, "coupon": 3, "note": 4}
    with at(commit_steps.JUDGED, lambda: other.evolve("DROP COLUMN note", override="x")), pytest.raises(ChangeError):
        table.evolve("ALTER COLUMN note TYPE BINARY(3)", override="x")
    assert table.latest().number == 3


# ---------------------------------------------------------------- what the caller expects


def test_a_version_can_be_expected_by_number_by_digest_or_as_it_is(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    for expected in (lambda: 0, lambda: (1, table.latest().digest), table.latest):
        table.evolve(f"ADD COLUMN c{table.latest().number} INT", expected_version=expected())
    assert table.latest().number == 3


def test_a_table_that_is_not_what_was_expected_is_left_alone(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    first = table.latest()
    table.evolve("ADD COLUMN coupon STRING")
    for expected in (0, 2, (1, "0" * 64), first, (0, first.digest)):
        with pytest.raises(ConflictError, match="was expected at version") as error:
            table.evolve("ADD COLUMN note STRING", expected_version=expected)
        assert error.value.code == "commit.expected-version"
        assert error.value.fix
    assert table.numbers() == (0, 1)


def test_a_table_that_moves_during_the_commit_is_not_what_was_expected(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.JUDGED, lambda: other.evolve("ADD COLUMN coupon STRING")), pytest.raises(ConflictError):
        table.evolve("ADD COLUMN note STRING", expected_version=0)
    assert "note" not in columns(table)


def test_a_table_that_is_not_there_is_not_evolved(tmp_path: Path) -> None:
    with pytest.raises(NotThereError):
        lake(tmp_path).table("shop.orders").evolve("ADD COLUMN a INT")
    assert not any((tmp_path / "lake").iterdir())


# ---------------------------------------------------------------- policies


def test_a_caller_can_only_be_stricter(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    lenient = Policy(protect={"data": "off", "jobs": "off", "writers": "off"})  # type: ignore[arg-type]  # read from plain values
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("ALTER COLUMN amount TYPE INT", policy=lenient)
    strict = {"protect": {"data": "block", "jobs": "block", "writers": "block"}}
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("RENAME COLUMN cust_id TO customer_id", policy=strict)
    assert table.numbers() == (0,)
    assert table.evolve("RENAME COLUMN cust_id TO customer_id").report.verdict is Verdict.WARN


def test_an_override_is_recorded_and_shown_in_the_history(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    done = table.evolve("ALTER COLUMN amount TYPE INT", override="INC-7")
    assert done.provenance is not None
    assert done.provenance.policy == "override: INC-7"
    assert "INC-7" in str(table.history()[0])
    assert any("INC-7" in one for one in done.report.notes)


def test_an_approval_and_the_run_are_recorded(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    done = table.evolve("ALTER COLUMN amount TYPE INT", approval="raj", run="scheduled__1", actor="bo", expected_version=0)
    entry = table.history()[0]
    assert done.report.verdict is Verdict.BREAK
    assert (entry.approval, entry.run, entry.actor) == ("raj", "scheduled__1", "bo")
    assert "by bo (run scheduled__1, approved by raj)" in str(entry)


def test_a_policy_by_name_comes_from_the_registry(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    with pytest.raises(PolicyError, match="not there"):
        table.evolve("SET OPTION schemas.policy = strict")
    policies.save(store.registry, {"protect": {"jobs": "block"}}, name="strict")
    table.evolve("SET OPTION schemas.policy = strict")
    assert table.policy().name == "strict"
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("RENAME COLUMN cust_id TO customer_id")


def test_a_waiver_lets_a_finding_through_in_plans_and_commits(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    assert table.plan("ALTER COLUMN amount TYPE INT").verdict is Verdict.BREAK
    for one in table.plan("ALTER COLUMN amount TYPE INT").report.findings:
        table.waive(one.rule, "amount", until="2999-01-01", reason="INC-9")
    planned = table.plan("ALTER COLUMN amount TYPE INT")
    assert planned.verdict is not Verdict.BREAK
    assert all("INC-9" in one.waived for one in planned.report.findings if one.path == "amount")
    assert table.evolve("ALTER COLUMN amount TYPE INT").created


# ---------------------------------------------------------------- jobs


def test_an_evolution_that_breaks_a_job_names_it_with_whom_to_call(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.register({"name": "daily", "owner": "team-bi", "contact": "#bi", "columns": ["cust_id"]})
    with pytest.raises(IncompatibleSchemaError, match=r"daily \(team-bi, #bi\)") as error:
        table.evolve("RENAME COLUMN cust_id TO customer_id")
    assert error.value.report.verdict is Verdict.BREAK
    assert table.numbers() == (0,)


def test_a_contract_that_was_registered_during_the_commit_is_told_of(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.JUDGED, lambda: other.register("cust_id BIGINT", consumer="daily")):
        done = table.evolve("RENAME COLUMN cust_id TO customer_id")
    assert done.created
    assert [[(finding.rule, finding.path) for finding in one.findings] for one in done.late] == [[("EXPECT_FIELD_RENAMED", "cust_id")]]


def test_a_contract_that_came_during_the_commit_and_fits_is_no_matter(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.JUDGED, lambda: other.register("amount DECIMAL(10, 2)", consumer="daily")):
        assert table.evolve("RENAME COLUMN cust_id TO customer_id").late == ()


def test_a_contract_that_nobody_can_read_stops_every_change_but_one_with_a_reason(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    folder = tmp_path / "lake/_schemas/contracts/shop/orders/team-bi/daily"
    folder.mkdir(parents=True)
    (folder / "contract-0").write_text("{")
    with pytest.raises(ContractError, match="contract-0"):
        table.evolve("ADD COLUMN coupon STRING")
    assert table.numbers() == (0,)
    assert any("contract-0" in one for one in table.plan("ADD COLUMN coupon STRING").report.notes)
    assert table.evolve("ADD COLUMN coupon STRING", override="INC-1").created


# ---------------------------------------------------------------- live, or all


def test_what_only_a_version_forbids_that_no_file_uses_is_allowed_against_live(tmp_path: Path) -> None:
    store, everything = lake(tmp_path), {"against": "all"}
    table = orders(store)
    assert table.references().live == frozenset()
    assert table.plan("ALTER COLUMN amount TYPE INT").verdict is Verdict.WARN
    assert table.plan("ALTER COLUMN amount TYPE INT", policy=everything).verdict is Verdict.BREAK
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("ALTER COLUMN amount TYPE INT", policy=everything)
    table.bind(str(tmp_path / "data/dt=1"), 0)
    assert table.references().live == frozenset({0})
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("ALTER COLUMN amount TYPE INT")


def test_where_nobody_knows_which_files_there_are_every_version_counts(tmp_path: Path) -> None:
    (tmp_path / "lake/shop.db/orders/manifest").mkdir(parents=True)
    table = orders(lake(tmp_path))
    (tmp_path / "lake/shop.db/orders/snapshot").mkdir()
    (tmp_path / "lake/shop.db/orders/snapshot/snapshot-1").write_text("{")
    assert table.references().live is None
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("ALTER COLUMN amount TYPE INT")


# ---------------------------------------------------------------- a table file

FILE = """
table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: amount, type: "DECIMAL(12, 2)"}
  - {name: coupon, type: STRING}
primary_key: [order_id]
"""


def test_what_a_table_file_does_not_mention_stays_and_is_listed(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    planned = table.plan(target=written(FILE))
    assert planned.left_alone == ("cust_id",)
    done = table.evolve(target=written(FILE))
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2, "coupon": 3}
    assert done.plan is not None
    assert done.plan.left_alone == ("cust_id",)


def test_a_table_file_twice_is_once_also_from_its_path(tmp_path: Path) -> None:
    table, path = orders(lake(tmp_path)), tmp_path / "orders.yaml"
    path.write_text(FILE)
    assert [table.evolve(target=one).outcome for one in (path, str(path), written(FILE))] == ["created", "unchanged", "unchanged"]
    assert table.numbers() == (0, 1)


def test_a_column_that_may_be_another_one_renamed_stops_the_plan(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    text = FILE.replace("{name: coupon, type: STRING}", "{name: customer_id, type: BIGINT}")
    with pytest.raises(TableFileError, match="cust_id") as error:
        table.evolve(target=written(text))
    assert "was" in str(error.value)
    table.evolve(target=written(text.replace("type: BIGINT}", "type: BIGINT, was: cust_id}")))
    assert columns(table)["customer_id"] == 1


def test_a_table_file_of_march_does_not_undo_what_was_done_in_june(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve(target=written(FILE))
    table.evolve("ALTER COLUMN amount TYPE DECIMAL(20, 2)")
    before = bytes_of(tmp_path)
    with pytest.raises(TableFileError, match="restore version 1") as error:
        table.evolve(target=written(FILE))
    assert error.value.code == "table-file.older-state"
    assert bytes_of(tmp_path) == before


def test_a_table_file_about_another_table_is_refused(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    store.create_table("shop.users", "a INT")
    with pytest.raises(RefusedNameError, match=r"about shop\.orders"):
        store.table("shop.users").evolve(target=written(FILE))


def test_a_table_file_can_accept_what_breaks_until_a_day(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    narrow = FILE.replace('"DECIMAL(12, 2)"', '"DECIMAL(8, 2)"')
    rules = {one.rule for one in table.plan(target=written(narrow)).report.findings if one.path == "amount"}
    with pytest.raises(IncompatibleSchemaError):
        table.evolve(target=written(narrow))
    accepts = ", ".join(f"{rule}: agreed" for rule in rules)
    day = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    agreed = narrow.replace('"DECIMAL(8, 2)"}', f'"DECIMAL(8, 2)", accepts: {{{accepts}, until: {day}}}}}')
    assert table.evolve(target=written(agreed)).created


def test_changes_come_as_text_as_mappings_or_as_a_schema(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    forms: list[Any] = [
        {"changes": "ADD COLUMN a INT"},
        {"changes": {"action": "addColumn", "fieldNames": ["b"], "dataType": "INT"}},
        {"changes": [{"action": "addColumn", "fieldNames": ["c"], "dataType": "INT"}, "ADD COLUMN d INT"]},
    ]
    for form in forms:
        assert table.evolve(**form).created
    assert table.evolve(target=evolve(table.schema(), ["ADD COLUMN e INT"])).created
    assert list(columns(table)) == ["order_id", "cust_id", "amount", "a", "b", "c", "d", "e"]


def test_a_second_attempt_that_expects_the_version_before_its_own_is_unchanged(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    first = table.evolve("ADD COLUMN later INT", expected_version=0)
    again = table.evolve("ADD COLUMN later INT", expected_version=0)
    assert (first.number, again.number, again.outcome) == (1, 1, "unchanged")
