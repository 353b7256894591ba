"""Who uses a column is found by the field that a job means; which versions a job fits is what `check_contract` says of each."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, TableSchema, Version, check_contract, evolve
from airflow_provider_schemas.core.blame import job_verdicts
from airflow_provider_schemas.core.blame.column_readers import REGISTERED_ONLY, ColumnReader, who_reads
from airflow_provider_schemas.core.blame.path_fields import path_fields
from airflow_provider_schemas.core.blame.readers_by_version import readers_by_version
from airflow_provider_schemas.core.blame.registered_job import RegisteredJob
from airflow_provider_schemas.core.changes.schema_change import SetOption
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ColumnNotFoundError
from tests.core.support.check_inputs import contracts_for, counted, line, policies, version, versions

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TABLE = "id BIGINT, cust_id BIGINT, address ROW<street STRING, zip INT>, items ARRAY<ROW<sku STRING>>"


def job(name: str, columns: Any, **about: Any) -> RegisteredJob:
    said = {key: about.pop(key) for key in ("is_stale", "is_pending") if key in about}
    return RegisteredJob(name, Contract.of(columns, name=name, **about), "shop", **said)


JOBS = (
    job("ids", "id BIGINT"),
    job("renamed", [{"name": "cust_id", "id": 1}], owner="team-c", contact="#c"),
    job("whole", "address ROW<street STRING, zip INT>"),
    job("zips", ["address.zip"]),
    job("skus", ["items.sku"]),
    job("writer", [{"name": "id", "role": "write"}]),
    job("all", "id BIGINT", shape="closed"),
    job("keyed", {"columns": [], "primary_key": ["id"]}),
)


def users(column: str = "", schemas: Sequence[TableSchema] = (TableSchema.create(TABLE),)) -> list[str]:
    return [reader.name for reader in who_reads(JOBS, version(schemas[-1]), column).readers]


def reader(name: str, column: str = "") -> ColumnReader:
    return next(found for found in who_reads(JOBS, version(TableSchema.create(TABLE)), column).readers if found.name == name)


# ---------------------------------------------------------------- who


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("id", ["ids", "writer", "all", "keyed"]),
        ("ID", ["ids", "writer", "all", "keyed"]),
        ("cust_id", ["renamed", "all"]),
        ("address", ["whole", "zips", "all"]),
        ("address.zip", ["whole", "zips", "all"]),
        ("address.street", ["whole", "all"]),
        ("items[].sku", ["skus", "all"]),
        ("items", ["skus", "all"]),
        ("", [one.name for one in JOBS]),
    ],
)
def test_a_column_is_used_by_who_names_it_what_is_inside_it_or_what_is_around_it(column: str, expected: list[str]) -> None:
    assert users(column) == expected


def test_a_renamed_column_is_used_by_who_is_pinned_to_it() -> None:
    schemas = line(TABLE, ["RENAME COLUMN cust_id TO customer_id"])
    found = who_reads(JOBS, version(schemas[-1]), "customer_id")
    (renamed, everything) = found.readers
    assert (renamed.name, renamed.columns, renamed.verdict, renamed.owner, renamed.contact) == (
        "renamed", ("cust_id",), Verdict.BREAK, "team-c", "#c",
    )  # fmt: skip
    assert renamed.sentence == "cust_id is now customer_id (field id 1)."
    assert (everything.name, everything.uses_all) == ("all", True)
    assert found.others == len(JOBS) - 2


def test_a_column_that_is_gone_is_answered_by_the_jobs_that_still_name_it() -> None:
    found = who_reads(JOBS, version(line(TABLE, ["RENAME COLUMN cust_id TO customer_id"])[-1]), "cust_id")
    assert [one.name for one in found.readers] == ["renamed"]
    assert found.notes[:2] == (
        "This version has no column cust_id; the jobs name it in their contracts.",
        "cust_id is customer_id now: find out who uses that as well.",
    )


def test_a_column_is_used_by_who_means_it_and_by_who_reads_its_name() -> None:
    swapped = line("a INT, b INT", ["RENAME COLUMN a TO x", "RENAME COLUMN b TO a", "RENAME COLUMN x TO b"])
    jobs = [job("pinned", [{"name": "a", "id": 0}]), job("by name", ["a"])]
    used = {name: [one.name for one in who_reads(jobs, version(swapped[-1]), name).readers] for name in "ab"}
    assert used == {"a": ["pinned", "by name"], "b": ["pinned"]}


def test_a_column_is_used_by_who_cannot_tell_it_from_one_that_differs_in_case_only() -> None:
    head = version(TableSchema.create("a INT, A INT, b INT"))
    jobs = [job("small", ["a"]), job("other", ["b"])]
    assert [one.name for one in who_reads(jobs, head, "A").readers] == ["small"]


def test_a_name_in_another_case_finds_the_jobs_that_name_a_column_that_is_gone() -> None:
    head = version(line(TABLE, ["RENAME COLUMN cust_id TO customer_id"])[-1])
    assert [one.name for one in who_reads(JOBS, head, "CUST_ID").readers] == ["renamed"]


@pytest.mark.parametrize(
    ("column", "advice"), [("cust", "'cust_id'"), ("address.zp", "'zip'"), ("id.x", "Check"), ("adress.zip", "'address'")]
)
def test_a_column_that_nobody_knows_is_refused_with_the_names_that_may_be_meant(column: str, advice: str) -> None:
    with pytest.raises(ColumnNotFoundError) as refused:
        users(column)
    assert advice in refused.value.fix


def test_what_a_job_does_is_told() -> None:
    assert [(one.reads, one.writes) for one in (reader("ids"), reader("writer"))] == [(True, False), (False, True)]
    assert (reader("all").columns, reader("all").uses_all) == ((), True)
    assert reader("keyed", "id").columns == ("id",)


def test_an_answer_says_what_it_rests_on_and_whose_the_table_is() -> None:
    schema = TableSchema.create(TABLE, options={"schemas.table": '{"owner": "team-orders", "contact": "#orders"}'})
    found = who_reads([], version(schema), unreadable=["The contract of x cannot be read: contract.invalid."])
    assert (found.owner, found.contact, found.notes, len(found.unreadable)) == ("team-orders", "#orders", (REGISTERED_ONLY,), 1)


@given(versions(least=1, most=3), st.data())
def test_who_uses_a_table_is_the_union_over_its_columns(schemas: list[TableSchema], data: st.DataObject) -> None:
    drawn = [data.draw(contracts_for(schemas[0])) for _ in range(3)]
    jobs = [RegisteredJob(f"job-{place}", contract) for place, contract in enumerate(drawn)]
    head = version(schemas[-1])
    named: set[str] = set()
    for found in path_fields(head.schema).values():
        named.update(one.name for one in who_reads(jobs, head, found.path).readers)
    whole = {one.name: one for one in who_reads(jobs, head).readers}
    assert named <= whole.keys() == {one.name for one in jobs}
    assert {name for name, one in whole.items() if one.uses_all and head.schema.fields} <= named


# ---------------------------------------------------------------- readers by version


def test_a_version_that_every_job_fits_breaks_nobody() -> None:
    schemas = line("id BIGINT, cust_id BIGINT", ["ADD COLUMN note STRING"], ["RENAME COLUMN cust_id TO customer_id"])
    jobs = [job("old", [{"name": "cust_id", "id": 1}]), job("notes", ["note"]), job("later", ["coupon"], is_pending=True)]
    matrix = readers_by_version(jobs, [version(schema) for schema in schemas], table="s.t")
    assert [origin.number for origin in matrix.versions] == [2, 1, 0]
    verdicts = {row.name: "".join(str(verdict)[0] for verdict in row.verdicts) for row in matrix.rows}
    assert verdicts == {"old": "boo", "notes": "oob", "later": "bbb"}
    assert matrix.breaking_nobody == (1,)
    assert matrix.rows[0].sentences[0] == "cust_id is now customer_id (field id 1)."


def test_without_jobs_and_with_a_contract_that_cannot_be_read_no_version_is_called_harmless() -> None:
    known = [version(TableSchema.create(TABLE))]
    assert readers_by_version([], known).breaking_nobody == ()
    assert readers_by_version(JOBS[:1], known).breaking_nobody == (0,)
    assert readers_by_version(JOBS[:1], known, unreadable=["x"]).breaking_nobody == ()


def test_only_the_newest_versions_are_judged() -> None:
    schemas = line(TABLE, *[[f"ADD COLUMN c{number} INT"] for number in range(4)])
    known = [version(schema) for schema in schemas]
    assert [origin.number for origin in readers_by_version(JOBS, known, last=2).versions] == [4, 3]
    assert readers_by_version(JOBS, known, last=0).versions == ()


@given(versions(least=2, most=5), st.data())
def test_each_verdict_is_that_of_check_contract(schemas: list[TableSchema], data: st.DataObject) -> None:
    jobs = [RegisteredJob(f"job-{place}", data.draw(contracts_for(data.draw(st.sampled_from(schemas))))) for place in range(3)]
    policy = data.draw(st.none() | policies())
    known: list[Version] = [version(schema) for schema in schemas]
    matrix = readers_by_version(jobs, known, policy)
    for row, one in zip(matrix.rows, jobs, strict=True):
        expected = [check_contract(found.schema, one.contract, policy=policy).verdict for found in reversed(known)]
        assert list(row.verdicts) == expected


def test_a_job_is_judged_again_where_another_column_makes_the_name_of_its_column_ambiguous() -> None:
    schemas = line("z INT", ["RENAME COLUMN z TO ID"])
    schemas.append(evolve(schemas[-1], [SetOption("schemas.field.0", '{"aliases": ["z"]}')]))
    schemas.append(evolve(schemas[-1], ["ADD COLUMN id INT"]))
    contract = Contract.of({"columns": [{"name": "z", "id": 0}]}, name="pinned", read_with="read_table")
    jobs = [RegisteredJob("pinned", contract), RegisteredJob("by engine", contract.model_copy(update={"read_with": ""}))]
    known = [version(schema) for schema in schemas]
    for row, one in zip(readers_by_version(jobs, known).rows, jobs, strict=True):
        expected = [check_contract(found.schema, one.contract) for found in reversed(known)]
        assert list(row.sentences) == [job_verdicts.sentence(report) for report in expected]


def test_a_job_is_judged_again_only_where_a_step_can_touch_it(monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = [TableSchema.create(", ".join(f"c{number} BIGINT" for number in range(1000)))]
    for number in range(19):
        schemas.append(evolve(schemas[-1], [f"RENAME COLUMN c{number * 7} TO r{number}", f"ALTER COLUMN c{500 + number} COMMENT 'x'"]))
    jobs = [job(f"counted-{place}", [f"c{place * 30 + column}" for column in range(30)]) for place in range(30)]
    known = [version(schema) for schema in schemas]
    calls = [0]
    counted(monkeypatch, job_verdicts, "check_contract", calls)
    first = readers_by_version(jobs, known, now=NOW)
    assert 30 <= calls[0] <= 90
    judged = calls[0]
    assert readers_by_version(jobs, known, now=NOW) == first
    assert calls[0] == judged
