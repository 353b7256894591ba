"""By id or by name: names that change, swap, return, differ in case or stay as an alias, and what nobody should notice of it."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.contracts.contract import Need
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.table_schema import Options
from tests.core.support.check_inputs import (
    DROPPED,
    HOSTILE,
    STRUCT,
    A,
    all_names,
    by_id,
    by_path,
    contracts_for,
    data_of,
    foreign,
    job,
    line,
    needing,
    plain,
    policies,
    renamed,
    renamed_contract,
    rules_of,
    shuffled,
    steps,
    under,
    versions,
)

create = TableSchema.create


# ---------------------------------------------------------------- other names


@given(steps(), st.data())
def test_other_names_for_every_field_change_nothing_for_readers_by_id(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    names = all_names(old, new, *history)
    others = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    policy = data.draw(policies(readers=["paimon", "iceberg-v2"]))
    contracts = [untyped(data.draw(contracts_for(old))), untyped(data.draw(contracts_for(new, "other")))]
    said = check(old, new, policy, history=history, contracts=contracts)
    again = check(
        renamed(old, others),
        renamed(new, others),
        policy,
        history=[renamed(one, others) for one in history],
        contracts=[renamed_contract(one, others) for one in contracts],
    )
    assert by_id(again) == by_id(said)


def untyped(contract: Contract) -> Contract:
    """The contract without types of structs, whose texts hold names."""
    columns = [Need(**{**one.model_dump(), "type": None if "<" in (one.type or "") else one.type}) for one in contract.columns]
    return Contract(**{**contract.model_dump(), "columns": tuple(columns)})


@given(versions().map(lambda found: [plain(one) for one in found]), st.data())
@example([create("a INT, b INT"), create("b INT")], None)
def test_names_full_of_signs_are_names_like_all_others(found: list[TableSchema], data: Any) -> None:
    *history, old, new = found
    names = all_names(*found)
    if data is None:
        others = dict(zip(names, ["a.b", "c`d"], strict=False))
    else:
        wild = data.draw(st.lists(HOSTILE, min_size=len(names), max_size=len(names), unique_by=lambda name: name.lower()))
        others = dict(zip(names, wild, strict=True))
    policy = under(protect=["data", "jobs", "writers"], registry_complete=True)
    wanted = needing(name="job", columns=tuple({"name": one} for one in old.names), shape="closed")
    contracts = [
        Contract(**{**wanted.model_dump(), "columns": tuple({"name": names[one]} for one in old.names)}) for names in (same(names), others)
    ]
    said = check(old, new, policy, history=history, contracts=contracts[:1])
    again = check(
        renamed(old, others), renamed(new, others), policy, history=[renamed(one, others) for one in history], contracts=contracts[1:]
    )
    assert by_id(again) == by_id(said)


def same(names: list[str]) -> dict[str, str]:
    return {one: one for one in names}


@given(steps(2, 2), st.data())
def test_schemas_without_ids_are_judged_as_those_with_ids_where_nothing_was_renamed(step: Any, data: st.DataObject) -> None:
    old, new, _ = step
    old, new = without_attributes(old), without_attributes(new)
    said = check(old, new)
    told = {one.rule for one in said.findings}
    assume(not told & {"FIELD_RENAMED", "FIELD_RENAMED_CASE", "FIELD_READDED", "FIELD_MOVED", "FIELD_ID_REUSED"})
    assert by_path(check(old, shuffled(new), by_name=True)) == by_path(said)


def without_attributes(schema: TableSchema) -> TableSchema:
    options = {key: value for key, value in schema.options.items() if not key.startswith("schemas.")}
    return msgspec.structs.replace(schema, options=Options(options))


# ---------------------------------------------------------------- names that come back, swap, or stay as an alias


@pytest.mark.parametrize("place", ["FIRST", "AFTER a", "AFTER b", "LAST"])
def test_a_name_that_differs_in_case_only_is_told_of_wherever_it_stands(place: str) -> None:
    old = create("a INT, b INT, c INT")
    assert "NAME_CASE_COLLISION" in rules_of(check(old, evolve(old, [f"ADD COLUMN B INT {place}"])))


def test_an_option_whose_text_stayed_names_another_column_after_a_swap() -> None:
    old = create("k INT, a INT, b INT", primary_keys=["k"], options={"sequence.field": "a"})
    assert "OPTION_MEANING_CHANGED" in rules_of(check(old, foreign(old, (1, {"name": "b"}), (2, {"name": "a"}))))


BACK = {"id": 1, "name": "b", "type": "INT"}


@pytest.mark.parametrize(
    ("old", "new", "history"),
    [
        (DROPPED, foreign(DROPPED, (1, BACK | {"type": "INT NOT NULL"})), A),
        (DROPPED, foreign(DROPPED, (1, BACK | {"type": "TINYINT"})), A),
        (
            evolve(STRUCT, ["DROP COLUMN r"]),
            foreign(
                evolve(STRUCT, ["DROP COLUMN r"]),
                (1, {"id": 1, "name": "r", "type": {"type": "ROW", "fields": [{"id": 2, "name": "x", "type": "TINYINT"}]}}),
            ),
            STRUCT,
        ),
    ],
    ids=["NOT NULL now", "narrower now", "narrower inside now"],
)
def test_a_field_that_comes_back_otherwise_than_it_went_breaks_data(old: TableSchema, new: TableSchema, history: TableSchema) -> None:
    assert data_of(check(old, new, history=[history])) is Verdict.BREAK


def test_a_name_that_returns_is_none_to_readers_where_no_file_that_counts_has_it() -> None:
    first, second, third = line("a INT, b INT", ["DROP COLUMN b"], ["ADD COLUMN b INT"])
    assert data_of(check(second, third, under(readers="spark-4-parquet"), history=[first], live={1})) is Verdict.OK


def test_a_column_renamed_to_a_name_that_files_hold_brings_those_values_back_by_name() -> None:
    new = evolve(A, ["DROP COLUMN a", "RENAME COLUMN b TO a", 'SET OPTION schemas.field.1 = {"alias": "b"}'])
    assert data_of(check(A, new, under(readers="spark-4-parquet"))) is Verdict.BREAK


ALIASED = create("b INT NOT NULL, c INT", options={"schemas.field.0": '{"alias": "a"}'})


@pytest.mark.parametrize(
    "batch",
    [["ALTER COLUMN b TYPE STRING"], ["ALTER COLUMN b DROP NOT NULL"], ["DROP COLUMN b"]],
    ids=" ".join,
)
def test_a_job_that_uses_an_alias_is_a_victim_of_what_happens_to_the_column(batch: list[str]) -> None:
    assert [
        one.name for one in check(ALIASED, evolve(ALIASED, batch), contracts=[job({"a": "INT NOT NULL"}, read_with="read_table")]).consumers
    ] == ["job"]


def test_a_new_column_that_takes_the_name_of_an_alias_is_invalid_and_breaks_the_jobs_that_use_it() -> None:
    old = create("b INT, c INT", options={"schemas.field.0": '{"alias": "a"}'})
    new = msgspec.structs.replace(evolve(old, ["ADD COLUMN z INT"]), fields=create("b INT, c INT, a INT").fields)  # as another writer may
    report = check(old, new, contracts=[job({"a": "INT"}, read_with="read_table")])
    assert report.verdict is Verdict.INVALID
    assert [one.fault for one in report.findings if one.fault] == ["attributes.alias-taken"]
    assert [one.name for one in report.consumers] == ["job"]


def test_a_column_that_a_job_reads_by_an_alias_or_a_pin_is_not_unread() -> None:
    policy = under(registry_complete=True)
    assert rules_of(check(ALIASED, evolve(ALIASED, ["DROP COLUMN b"]), policy, contracts=[job(["a"])]))[0] == "FIELD_DROPPED"
    later = evolve(A, ["RENAME COLUMN b TO z"])
    pinned = job([{"name": "b", "id": 1}])
    assert rules_of(check(later, evolve(later, ["DROP COLUMN z"]), policy, contracts=[pinned]))[0] == "FIELD_DROPPED"


def test_a_rename_whose_alias_has_ended_already_is_a_rename() -> None:
    new = evolve(A, ["RENAME COLUMN b TO z", 'SET OPTION schemas.field.1 = {"alias": {"b": "2020-01-01"}}'])
    assert rules_of(check(A, new)) == ["FIELD_RENAMED"]


def test_a_name_in_another_case_warns_jobs_that_are_registered_as_it_warns_all_others() -> None:
    new = evolve(A, ["RENAME COLUMN b TO B"])
    assert check(A, new, contracts=[job(["b"])]).verdict is check(A, new).verdict is Verdict.WARN


def test_an_exception_for_one_of_two_swapped_names_is_not_for_the_other() -> None:
    new = foreign(A, (0, {"name": "b"}), (1, {"name": "a"}))
    policy = under(protect="FULL", exceptions=[{"rule": "FIELD_RENAMED", "path": "a", "until": "2999-01-01", "reason": "x"}])
    assert [(one.path, one.verdict) for one in check(A, new, policy).findings] == [("a", Verdict.WARN), ("b", Verdict.BREAK)]


def test_evidence_and_exceptions_may_spell_a_name_as_it_is() -> None:
    old = create("`two words` BIGINT, c INT")
    new = evolve(old, [{"action": "updateColumnType", "fieldNames": ["two words"], "newDataType": "INT"}])
    excepted = under(exceptions=[{"rule": "TYPE_NARROWED", "path": "two words", "until": "2999-01-01", "reason": "x"}])
    assert check(old, new, excepted).verdict is Verdict.WARN
    assert check(old, new, evidence=[Evidence(path="two words", fits="INT")]).verdict is Verdict.WARN


def test_a_pinned_column_that_was_renamed_is_not_also_an_extra_one() -> None:
    contract = Contract.of(A, pin=True, shape="closed", name="job")
    assert rules_of(check_contract(evolve(A, ["RENAME COLUMN b TO z"]), contract)) == ["EXPECT_FIELD_RENAMED"]


# ---------------------------------------------------------------- aliases with an end, and inside structs

NOW, LATER = datetime(2026, 11, 18, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
UNTIL = evolve(A, ["RENAME COLUMN b TO z", 'SET OPTION schemas.field.1 = {"alias": {"b": "2026-12-31"}}'])
WITHOUT = evolve(UNTIL, [{"action": "removeOption", "key": "schemas.field.1"}])
OVER = evolve(UNTIL, ['SET OPTION schemas.field.1 = {"alias": {"b": "2020-01-01"}}'])


@pytest.mark.parametrize("new", [WITHOUT, OVER], ids=["removed", "its end moved into the past"])
def test_an_alias_that_goes_while_it_is_valid_breaks_the_job_that_uses_it(new: TableSchema) -> None:
    (one,) = check(UNTIL, new, contracts=[job(["b"], read_with="read_table")], now=NOW).findings
    assert (one.rule, one.path, one.verdict, [victim.name for victim in one.consumers]) == ("FIELD_DROPPED", "b", Verdict.BREAK, ["job"])
    assert "alias" in one.fix


@pytest.mark.parametrize("new", [WITHOUT, OVER], ids=["removed", "its end moved into the past"])
def test_an_alias_that_goes_after_its_end_breaks_nobody(new: TableSchema) -> None:
    report = check(UNTIL, new, under(protect="FULL"), contracts=[job(["b"], read_with="read_table")], now=LATER)
    assert (rules_of(report), report.verdict) == (["FIELD_DOC_CHANGED"], Verdict.OK)


INNER = evolve(STRUCT, ["RENAME COLUMN r.x TO q", 'SET OPTION schemas.field.2 = {"alias": "x"}'])


def test_a_field_of_a_struct_can_be_called_by_its_alias() -> None:
    contract = job({"r.x": "INT"}, read_with="read_table")
    assert check(STRUCT, INNER, contracts=[contract]).consumers == ()
    (one,) = check_contract(INNER, contract).findings
    assert (one.rule, one.new, one.verdict) == ("EXPECT_FIELD_RENAMED", "r.q", Verdict.WARN)


def test_a_job_that_calls_a_field_of_a_struct_by_its_alias_is_a_victim_when_the_field_changes() -> None:
    new = evolve(INNER, ["ALTER COLUMN r.q TYPE STRING"])
    assert [one.name for one in check(INNER, new, contracts=[job({"r.x": "INT"}, read_with="read_table")]).consumers] == ["job"]


# ---------------------------------------------------------------- pins inside structs

MOVED = evolve(STRUCT, ["RENAME COLUMN r TO s"])
PINNED = job([{"name": "r.x", "id": 2, "type": "INT"}])


@pytest.mark.parametrize("batch", [["ALTER COLUMN s.x TYPE STRING"], ["DROP COLUMN s.x"], ["DROP COLUMN s"]], ids=" ".join)
def test_a_job_that_is_pinned_to_a_field_of_a_renamed_struct_is_a_victim_of_what_happens_to_the_field(batch: list[str]) -> None:
    report = check(MOVED, evolve(MOVED, batch), under(registry_complete=True), contracts=[PINNED])
    assert [one.name for one in report.consumers] == ["job"]
    assert "FIELD_DROPPED_UNREAD" not in rules_of(report)


def test_a_field_of_a_struct_whose_name_must_be_quoted_is_read_by_a_job_that_takes_the_struct() -> None:
    old = TableSchema.create("`[` ROW<x INT, y INT>, c INT")
    new = evolve(old, [{"action": "dropColumn", "fieldNames": ["[", "x"]}])
    assert rules_of(check(old, new, under(registry_complete=True), contracts=[job(["["])])) == ["FIELD_DROPPED"]


def test_a_job_that_names_a_field_in_a_struct_of_any_type_reads_it() -> None:
    contract = job({"r": {"type": "ROW<x INT, y INT>", "accepts": "any"}})
    assert rules_of(check(STRUCT, evolve(STRUCT, ["DROP COLUMN r.x"]), under(registry_complete=True), contracts=[contract])) == [
        "FIELD_DROPPED"
    ]


# ---------------------------------------------------------------- what is said of ids, keys and attributes


def test_an_id_that_returns_inside_a_new_struct_is_told_with_what_it_was() -> None:
    again = {"id": 2, "name": "r", "type": {"type": "ROW", "fields": [{"id": 1, "name": "q", "type": "STRING"}]}}
    said = check(DROPPED, foreign(DROPPED, (1, again)), history=[A]).findings
    assert [one.message for one in said if one.rule == "FIELD_ID_REUSED"] == ["field id 1 was b INT and is r.q STRING now."]


def test_a_field_that_comes_back_not_null_is_not_said_to_be_new() -> None:
    said = check(DROPPED, foreign(DROPPED, (1, BACK | {"type": "INT NOT NULL"})), history=[A]).findings
    (one,) = [one for one in said if one.rule == "FIELD_ADDED_REQUIRED"]
    assert one.message == "b is back and NOT NULL: INT NOT NULL; rows that were written while it was gone have no value for it."


UNIT = 'SET OPTION schemas.field.1 = {"unit": "EUR"}'


def test_attributes_that_come_and_go_with_their_field_are_not_told_of_by_themselves() -> None:
    old = evolve(A, [UNIT])
    assert rules_of(check(old, evolve(old, ["DROP COLUMN b"]))) == ["FIELD_DROPPED"]
    assert rules_of(check(TableSchema.create("a INT"), evolve(TableSchema.create("a INT"), ["ADD COLUMN b INT", UNIT]))) == [
        "FIELD_ADDED_NULLABLE"
    ]


def test_other_attributes_are_not_called_a_comment() -> None:
    (one,) = check(A, evolve(A, ['SET OPTION schemas.field.1 = {"note": "x"}'])).findings
    assert one.message == "what is said about b changed."


def test_a_key_of_the_same_names_is_told_with_its_fields() -> None:
    old = TableSchema.create("k INT, v INT", primary_keys=["k"])
    said = check(old, foreign(old, (0, {"name": "v"}), (1, {"name": "k", "type": "INT NOT NULL"}))).findings
    messages = [one.message for one in said if one.rule == "PRIMARY_KEY_CHANGED"]
    assert messages == ["the primary key is (k, field 1) now, and was (k, field 0)."]


# ---------------------------------------------------------------- the next step in words


def test_a_name_that_another_field_bears_now_cannot_be_kept_as_an_alias() -> None:
    said = check(A, foreign(A, (0, {"name": "b"}), (1, {"name": "a"}))).findings
    assert [("alias" in one.fix, f"Another field is called {one.old} now" in one.fix) for one in said] == [(False, True)] * 2


def test_a_partition_key_cannot_be_renamed_back_or_kept_as_an_alias() -> None:
    old = TableSchema.create("p STRING, v INT", partition_keys=["p"])
    new = foreign(old, (0, {"name": "q"}), partitionKeys=["q"])
    (one,) = [one for one in check(old, new).findings if one.rule == "FIELD_RENAMED"]
    assert (one.changes, "alias" in one.fix) == ((), False)
    assert check_contract(new, job(["p"]), seen=old).findings[0].changes == ()


def test_a_required_column_in_the_primary_key_cannot_be_added_nullable() -> None:
    old = TableSchema.create("k INT, v INT", primary_keys=["k"])
    new = foreign(old, (2, {"id": 2, "name": "n", "type": "INT NOT NULL"}), primaryKeys=["k", "n"])
    (one,) = [one for one in check(old, new).findings if one.rule == "FIELD_ADDED_REQUIRED"]
    assert (one.changes, one.fix.startswith("Create a new table")) == ((), True)


def test_another_number_of_buckets_stops_writers_until_the_files_are_rewritten() -> None:
    old = TableSchema.create("k INT, v INT", primary_keys=["k"], options={"bucket": "4"})
    (one,) = check(old, evolve(old, ["SET OPTION bucket = 8"])).findings
    assert (one.rule, one.data, one.jobs, one.writers) == ("OPTION_TUNING", Verdict.OK, Verdict.OK, Verdict.BREAK)
    assert "rescales" in one.fix
