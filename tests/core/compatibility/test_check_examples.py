"""What a data engineer would ask the judge: small cases, each with its answer, and what the answer may cost."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.comparison import attributes, fields
from airflow_provider_schemas.core.compatibility import broken_contracts
from airflow_provider_schemas.core.contracts import check_contract as contract_check
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema import field_lookup
from tests.core.support.check_inputs import (
    DROPPED,
    STRUCT,
    A,
    counted,
    foreign,
    job,
    judged_against,
    line,
    needing,
    rules_of,
    table_of,
    under,
)

create = TableSchema.create


def test_the_rule_of_a_gap_does_not_depend_on_earlier_types_without_one() -> None:
    found = line("a SMALLINT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE DECIMAL(19, 0)"])
    for word in ("previous", "all"):
        assert rules_of(judged_against(word, found, readers=["spark-4-parquet"])) == ["TYPE_WIDENED_ENGINE_GAP"]


PARTED = create("k INT NOT NULL, p STRING NOT NULL, v INT", partition_keys=["p"], primary_keys=["k", "p"])


@pytest.mark.parametrize(
    ("contract", "members"),
    [
        (job([{"name": "p", "role": "partition"}]), {"partitionKeys": []}),
        (job([{"name": "k", "role": "key"}]), {"primaryKeys": []}),
        (job(["v"], partitioned_by=["p"]), {"partitionKeys": []}),
        (job(["v"], primary_key=["k", "p"]), {"primaryKeys": []}),
    ],
    ids=["role partition", "role key", "partitioned_by", "primary_key"],
)
def test_a_job_that_relies_on_a_key_is_a_victim_when_the_key_goes(contract: Contract, members: dict[str, Any]) -> None:
    assert check_contract(PARTED, contract).findings == ()
    new = foreign(PARTED, **members)
    assert check_contract(new, contract).verdict is Verdict.BREAK
    assert [one.name for one in check(PARTED, new, contracts=[contract]).consumers] == ["job"]


@pytest.mark.parametrize(
    "old",
    [create("r ARRAY<ROW<x INT, y INT>>"), create("r MAP<STRING, ROW<x INT, y INT>>"), create("r ROW<x INT, y INT>")],
    ids=["list", "map", "struct"],
)
@pytest.mark.parametrize("field", ["x", "y"])
def test_a_victim_stands_at_the_field_that_it_reads(old: TableSchema, field: str) -> None:
    part = {"ARRAY": ["r", "element"], "MAP": ["r", "value"], "ROW": ["r"]}[old.fields[0].type.root.name]
    new = evolve(old, [{"action": "updateColumnType", "fieldNames": [*part, one], "newDataType": "BIGINT"} for one in "xy"])
    hit = [one.path for one in check(old, new, contracts=[job({f"r.{field}": "INT"})]).findings if one.consumers]
    assert [path[-1] for path in hit] == [field]


def test_a_victim_stands_at_its_field_and_not_at_one_whose_name_begins_alike() -> None:
    old = create("r ROW<x INT, xy INT>")
    new = evolve(old, ["ALTER COLUMN r.x TYPE BIGINT", "ALTER COLUMN r.xy TYPE BIGINT"])
    assert [one.path for one in check(old, new, contracts=[job({"r.xy": "INT"})]).findings if one.consumers] == ["r.xy"]


def test_a_job_that_writes_a_field_of_a_struct_is_a_victim_when_it_goes() -> None:
    writer = job({"r": {"type": "ROW<x INT, y INT>", "role": "write"}})
    assert check_contract(evolve(STRUCT, ["DROP COLUMN r.y"]), writer).verdict is Verdict.BREAK


def test_a_job_that_reads_and_writes_needs_both_ways() -> None:
    both = job({"a": {"type": "BIGINT", "role": ["select", "write"]}})
    assert check_contract(A, both).verdict is Verdict.BREAK


def test_a_job_that_takes_the_exact_struct_does_not_take_another_field_in_it() -> None:
    exact = job({"r": {"type": "ROW<x INT, y INT>", "accepts": "exact"}})
    assert check_contract(evolve(STRUCT, ["ADD COLUMN r.z INT"]), exact).verdict is Verdict.BREAK


def test_evidence_about_files_excuses_no_writer() -> None:
    old = create("a INT, b INT", options={"alter-column-null-to-not-null.disabled": "false"})
    new = evolve(old, ["ALTER COLUMN b SET NOT NULL"])
    proof = [Evidence(path="b", not_null=True)]
    writer = job({"b": {"type": "INT", "role": "write"}})
    assert check(old, new, evidence=proof).verdict is Verdict.WARN
    assert check(old, new, evidence=proof, contracts=[writer]).verdict is Verdict.BREAK
    assert check(old, new, under(protect=["writers"]), evidence=proof).verdict is Verdict.BREAK


def test_a_change_that_is_accepted_for_the_only_job_it_breaks_does_not_block() -> None:
    spared = {"rule": "FIELD_DROPPED", "until": "2999-01-01", "reason": "moved", "consumer": "job"}
    policy = under(protect=["jobs"], registry_complete=True, exceptions=[spared])
    assert check(A, DROPPED, policy, contracts=[job(["b"])]).fits


def test_a_reader_without_the_type_is_told_of_where_the_name_was_there_before() -> None:
    new = evolve(A, ["DROP COLUMN b", "ADD COLUMN b TIME(3)"])
    assert "TYPE_UNREPRESENTABLE" in rules_of(check(A, new, under(readers="spark-4-parquet")))


@pytest.mark.parametrize("kind", ["MAP<ROW<y INT COMMENT 'old'>, INT>", "MULTISET<ROW<y INT COMMENT 'old'>>"])
def test_a_comment_inside_a_key_is_a_comment(kind: str) -> None:
    old = create(f"m {kind}, n INT")
    new = table_of(TableSchema.from_json(old.to_json().replace("old", "new")), id=1)
    assert rules_of(check(old, new)) == ["FIELD_DOC_CHANGED"]


def test_a_job_is_named_once_at_a_finding() -> None:
    old = create("a INT, b INT, c INT")
    contract = Contract.of(old, name="job", shape="positional")
    for one in check(old, evolve(old, ["ALTER COLUMN c FIRST"]), contracts=[contract]).findings:
        assert len({consumer.name for consumer in one.consumers}) == len(one.consumers)


def test_evidence_that_is_about_nothing_is_told_of() -> None:
    assert any("nothing" in note for note in check(A, DROPPED, evidence=[Evidence(path="bb", not_null=True)]).notes)


# ---------------------------------------------------------------- how much is done


def test_a_thousand_contracts_do_not_cost_a_thousand_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    old = create([{"name": f"c{number}", "type": "INT"} for number in range(1_000)])
    new = evolve(old, ["ALTER COLUMN c7 TYPE BIGINT"])
    contracts = [
        needing(
            name=f"job{number}",
            columns=({"name": f"c{number}", "type": "INT"}, {"name": "c7" if number % 10 == 0 else "c8", "type": "INT"}),
        )
        for number in range(1_000)
        if number not in (7, 8)
    ]
    compared, asked = [0], [0]
    counted(monkeypatch, fields.Comparison, "__init__", compared)
    counted(monkeypatch, contract_check, "column_lacks", asked)
    report = check(old, new, contracts=contracts)
    assert compared == [1]
    assert len(report.consumers) == 100
    # Only needs at the column that changed are looked at: once after the step, and once before it for each broken job.
    assert asked[0] <= 200


WIDE = create([{"name": "r", "type": f"ROW<{', '.join(f'f{number} INT' for number in range(300))}>"}])


def test_jobs_that_read_many_fields_of_one_struct_do_not_look_through_it_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    new = evolve(WIDE, [f"ALTER COLUMN r.f{number} TYPE BIGINT" for number in range(300)])
    contracts = [job({f"r.f{number}": "INT" for number in range(300)}) for _ in range(10)]
    looked, walked = [0], [0]
    counted(monkeypatch, field_lookup, "inner", looked)
    counted(monkeypatch, broken_contracts, "_around", walked)
    report = check(WIDE, new, contracts=contracts)
    assert all(len(one.consumers) == 1 for one in report.findings)
    assert looked[0] <= 2  # the struct before and after
    assert walked[0] <= 4 * 300  # once for each difference, and not for each pair of a difference and a need


def test_a_job_that_goes_by_position_is_explained_without_comparing_every_column_with_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    old = create([{"name": f"c{number}", "type": "INT"} for number in range(300)])
    new = table_of(old, id=1, fields=json.loads(old.to_json())["fields"][::-1])
    asked = [0]
    counted(monkeypatch, broken_contracts, "plain", asked)
    report = check(old, new, contracts=[Contract.of(old, name="job", shape="positional")])
    assert report.consumers
    assert asked[0] <= 5 * 300


def test_attributes_of_many_fields_in_a_struct_are_placed_by_looking_through_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    new = evolve(WIDE, [f'SET OPTION schemas.field.{number} = {{"unit": "m"}}' for number in range(1, 301)])
    looked = [0]
    counted(monkeypatch, attributes, "inside", looked)
    assert set(rules_of(check(WIDE, new))) == {"FIELD_MEANING_CHANGED"}
    assert looked[0] <= 2


def test_a_contract_about_another_table_is_no_victim_of_this_one() -> None:
    gone = evolve(A, ["DROP COLUMN b"])
    mine, other = Contract.of(["b"], name="mine", table="shop.a"), Contract.of(["b"], name="other", table="shop.z")
    report = check(A, gone, contracts=[mine, other], table="shop.a")
    assert ([one.name for one in report.consumers], report.contracts) == (["mine"], 1)
    assert [one.name for one in check(A, gone, contracts=[mine, other]).consumers] == ["mine", "other"]
