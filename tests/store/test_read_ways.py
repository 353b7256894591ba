"""How a job reads, as its contract says: in the forms of a contract, in the registry, and what becomes of an alias by each way."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, check_contract, evolve
from airflow_provider_schemas.core.contracts.read_ways import resolves_aliases
from airflow_provider_schemas.core.engines.readers import READERS, Reader, parse_reader
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.store.table import Table

RENAME = ["RENAME COLUMN cust_id TO customer_id", """SET OPTION schemas.field.1 = '{"alias": {"cust_id": "2999-12-31"}}'"""]
NEED = {"columns": "cust_id BIGINT"}


def made(path: Path) -> tuple[SchemaStore, Table]:
    store = SchemaStore(path / "lake")
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    return store, store.table("shop.orders")


# ---------------------------------------------------------------- what may be said


@pytest.mark.parametrize(
    ("said", "kept"),
    [("", ""), ("read_table", "read_table"), (" View ", "view"), ("Spark-4-Parquet", "spark-4-parquet"), ("delta by ID", "delta by id")],
)
def test_a_way_is_kept_in_one_spelling(said: str, kept: str) -> None:
    assert Contract.of({**NEED, "read_with": said}).read_with == kept


@pytest.mark.parametrize("wrong", ["readtable", "spark", "x" * 10_000, "paimon by luck", "read_table, view"])
def test_what_is_no_way_is_told_with_the_ways_that_there_are(wrong: str) -> None:
    with pytest.raises(ContractError, match=r"read_with: .* is no way to read a table\. .*Use read_table, view, paimon") as caught:
        Contract.of({**NEED, "read_with": wrong})
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("wrong", [None, 5, ["view"], {"a": 1}])
def test_a_way_is_a_text(wrong: Any) -> None:
    with pytest.raises(ContractError, match="read_with"):
        Contract.of({**NEED, "read_with": wrong})


def test_the_file_of_a_job_says_how_it_reads_all_its_tables_or_one() -> None:
    text = "job: j\nread_with: read_table\nreads:\n  a.b: x INT\n  a.c: {columns: [y], read_with: view}\nwrites:\n  a.d: [z]\n"
    found = contract_file.read(text)
    assert [(one.table, one.read_with) for one in found] == [("a.b", "read_table"), ("a.c", "view"), ("a.d", "")]
    assert contract_file.read(contract_file.write(found)) == found
    with pytest.raises(ContractError, match=r"f\.yaml:2 read_with: .*Did you mean read_table\?"):
        contract_file.read("job: j\nread_with: read_tabel\nreads: {a.b: [x]}\n", "f.yaml")
    with pytest.raises(ContractError, match=r"reads\.a\.b\.read_with: .*is no way"):
        contract_file.read("job: j\nreads:\n  a.b:\n    columns: [x]\n    read_with: wiev\n", "f.yaml")


def test_a_registered_contract_keeps_it_and_another_way_is_another_contract(tmp_path: Path) -> None:
    _, table = made(tmp_path)
    first = table.register(Contract.of({**NEED, "read_with": "read_table"}), consumer="job")
    again = table.register(Contract.of({**NEED, "read_with": "read_table"}), consumer="job")
    other = table.register(Contract.of(NEED), consumer="job")
    assert (first.number, again.number, other.number) == (0, 0, 1)
    assert [one.contract.read_with for one in table.registered()] == [""]


# ---------------------------------------------------------------- for whom an alias works


@pytest.mark.parametrize("engine", sorted(READERS))
@pytest.mark.parametrize("way", ["", "read_table", "view", *READERS, "spark-4-parquet by id", "paimon by name"])
def test_the_table_of_ways_and_engines(way: str, engine: str) -> None:
    works = {"read_table": {"paimon", "spark-4-parquet", "spark-4-orc"}, "view": {"paimon"}}
    assert resolves_aliases(Contract.of({**NEED, "read_with": way}).read_with, [parse_reader(engine)]) is (engine in works.get(way, ()))


def test_a_view_works_only_where_every_engine_finds_columns_by_id() -> None:
    assert not resolves_aliases("view", [parse_reader("paimon"), parse_reader("spark-4-parquet")])
    assert not resolves_aliases("view", [Reader("paimon", "name")])
    assert not resolves_aliases("view", [])


@pytest.mark.parametrize(
    ("way", "fits"), [("", False), ("spark-4-parquet", False), ("paimon", False), ("view", True), ("read_table", True)]
)
def test_every_door_gives_one_answer(tmp_path: Path, way: str, *, fits: bool) -> None:
    store, table = made(tmp_path)
    contract = Contract.of({**NEED, "read_with": way}, name="job")
    table.register(contract)
    plan = table.plan(RENAME)
    assert ([one.rule for one in plan.report.findings], plan.report.fits) == (["FIELD_RENAMED_ALIASED" if fits else "FIELD_RENAMED"], fits)
    if not fits:
        with pytest.raises(IncompatibleSchemaError, match="breaks job"):
            table.evolve(RENAME)
    table.evolve(RENAME, override="" if fits else "a test")
    about = [
        judge(store, {"shop.orders": {**NEED, "read_with": way}}).verdict,
        judge(store, {"shop.orders": "@registered"}, consumer="job").verdict,
        check_contract(table.schema(), contract).verdict,
    ]
    assert about == [Verdict.WARN if fits else Verdict.BREAK] * 3
    if fits:
        assert table.register(contract, consumer="another").consumer == "another"
    else:
        with pytest.raises(IncompatibleSchemaError, match="cust_id is now customer_id"):
            table.register(contract, consumer="another")


def test_an_alias_works_for_no_writer(tmp_path: Path) -> None:
    store, table = made(tmp_path)
    contract = {
        "columns": [{"name": "order_id", "type": "BIGINT NOT NULL"}, {"name": "cust_id", "type": "BIGINT"}],
        "read_with": "read_table",
    }
    table.register(contract, consumer="reader")
    writes = {**contract, "columns": [{**one, "role": "write"} for one in contract["columns"]]}  # type: ignore[dict-item]
    table.register(writes, consumer="writer")
    plan = table.plan(RENAME)
    assert ([one.rule for one in plan.report.findings], [one.name for one in plan.report.consumers]) == (["FIELD_RENAMED"], ["writer"])
    table.evolve(RENAME, override="a test")
    assert judge(store, writes={"shop.orders": contract}).verdict is Verdict.BREAK


def test_one_job_that_goes_by_name_makes_the_alias_a_break_and_only_that_job_is_named(tmp_path: Path) -> None:
    _, table = made(tmp_path)
    table.register({**NEED, "read_with": "read_table"}, consumer="moved")
    table.register(NEED, consumer="by_name")
    report = table.plan(RENAME).report
    assert [(one.rule, [job.name for job in one.consumers]) for one in report.findings] == [("FIELD_RENAMED", ["by_name"])]


def test_a_rename_of_which_no_registered_job_is_known_is_a_rename_with_or_without_an_alias(tmp_path: Path) -> None:
    _, table = made(tmp_path)
    assert [one.rule for one in table.plan(RENAME).report.findings] == ["FIELD_RENAMED"]
    assert table.plan(RENAME, policy={"protect": "FULL"}).verdict is Verdict.BREAK
    table.register(["order_id"], consumer="of another column")
    assert [one.rule for one in table.plan(RENAME).report.findings] == ["FIELD_RENAMED"]


def test_a_caller_of_a_stricter_policy_does_not_make_a_view_over_parquet_work(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "registry", layout="registry")
    store.adopt("shop.orders", str(tmp_path / "data"), "order_id BIGINT, cust_id BIGINT", format="parquet")
    table = store.table("shop.orders")
    table.register({**NEED, "read_with": "view"}, consumer="job")
    for policy in (None, {"protect": "FULL"}, {"readers": ["paimon"]}):
        assert table.plan(RENAME, policy=policy).verdict is Verdict.BREAK
    table.evolve(RENAME, override="a test")
    for policy in (None, {"protect": "FULL"}, {"readers": ["paimon"]}):
        assert judge(store, {"shop.orders": {**NEED, "read_with": "view"}}, policy=policy).verdict is Verdict.BREAK


def test_a_nested_alias_follows_the_same_rule() -> None:
    old = TableSchema.create("id BIGINT, lines ARRAY<ROW<sku STRING, n INT>>")
    new = evolve(old, ["RENAME COLUMN lines.element.sku TO article", """SET OPTION schemas.field.2 = '{"alias": ["sku"]}'"""])
    for way, fits in (("", False), ("read_table", True)):
        assert check_contract(new, {"columns": ["lines.sku"], "read_with": way}).fits is fits


@pytest.mark.parametrize(("way", "rule"), [("read_table", "FIELD_RENAMED_ALIASED"), ("", "FIELD_RENAMED")])
@pytest.mark.parametrize("columns", [["address.city"], "address ROW<city STRING, zip STRING>", "address ROW<CITY STRING, zip STRING>"])
def test_a_rename_inside_a_struct_is_aliased_for_jobs_that_name_the_field_by_a_path_or_in_a_type(
    tmp_path: Path, columns: Any, way: str, rule: str
) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.users", "id BIGINT, address ROW<city STRING, zip STRING>")
    table = store.table("shop.users")
    table.register(Contract.of({"columns": columns, "read_with": way}), consumer="job")
    steps = [
        "RENAME COLUMN address.city TO town",
        """SET OPTION schemas.field.2 = '{"alias": {"city": "2999-12-31", "CITY": "2999-12-31"}}'""",
    ]
    report = table.plan(steps).report
    assert (rule in [finding.rule for finding in report.findings], report.fits) == (True, way == "read_table")
