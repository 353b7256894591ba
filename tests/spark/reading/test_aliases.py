"""An earlier name that stays as an alias: what read_table makes of it, and what everything that goes by name does not."""

import re
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, ProjectionError
from airflow_provider_schemas.spark import observe, read_table
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.check_tables import judge
from tests.spark.support.folders import Folder, rows

COLUMNS = (
    "order_id BIGINT, cust_id BIGINT, address ROW<city STRING, zip STRING>, lines ARRAY<ROW<sku STRING, n INT>>, amount DECIMAL(10, 2)"
)
RENAME = "RENAME COLUMN cust_id TO customer_id"


def alias(number: int, name: str, until: str = "2999-12-31") -> str:
    return f"""SET OPTION schemas.field.{number} = '{{"alias": {{"{name}": "{until}"}}}}'"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, classic_spark: Any) -> Folder:
    """Files from before a rename, and from after it; the job that needs the old name says that it reads with read_table."""
    made = Folder(tmp_path_factory.mktemp("lake"), COLUMNS)
    made.table.register(Contract.of({"columns": "cust_id BIGINT", "read_with": "read_table"}), consumer="report")
    made.write(classic_spark, [(1, 7, ("Oslo", "0150"), [("a", 1)], None)])
    done = made.table.evolve([RENAME, alias(1, "cust_id")])
    assert ([one.rule for one in done.report.findings], done.report.fits) == (["FIELD_RENAMED_ALIASED"], True)
    made.evolve(["RENAME COLUMN address.city TO town", alias(3, "city")])
    made.write(classic_spark, [(2, 8, ("Bergen", "5003"), [("b", 2), ("c", 3)], None)])
    return made


def test_a_column_comes_under_the_old_name_that_is_asked_for(spark: Any, folder: Folder) -> None:
    frame = read_table(spark, folder.table, columns=["cust_id", "order_id"])
    assert (frame.columns, rows(frame)) == (["cust_id", "order_id"], [(7, 1), (8, 2)])
    both = read_table(spark, folder.table, columns=["cust_id", "customer_id"])
    assert (both.columns, rows(both)) == (["cust_id", "customer_id"], [(7, 7), (8, 8)])


def test_a_contract_gives_its_columns_its_names_its_order_and_its_types(spark: Any, folder: Folder) -> None:
    frame = read_table(spark, folder.table, contract={"columns": "amount DECIMAL(12, 2), cust_id BIGINT", "shape": "positional"})
    assert (frame.schema.simpleString(), rows(frame)) == ("struct<amount:decimal(12,2),cust_id:bigint>", [(None, 7), (None, 8)])
    inside = read_table(spark, folder.table, contract=["lines.sku", "address.city", "address.zip"])
    assert inside.schema.simpleString() == "struct<lines:array<struct<sku:string>>,address:struct<city:string,zip:string>>"
    assert rows(inside, "address.city", "lines.sku") == [("Bergen", ["b", "c"]), ("Oslo", ["a"])]
    (registered,) = folder.table.registered()
    assert rows(read_table(spark, folder.table, contract=registered.contract)) == [(7,), (8,)]


def test_a_contract_finds_fields_in_any_case_and_under_an_alias_inside_whole_types_as_well(spark: Any, folder: Folder) -> None:
    wanted = "Customer_Id BIGINT, address ROW<ZIP STRING, city STRING>, Lines ARRAY<ROW<N BIGINT>>"
    frame = read_table(spark, folder.table, contract={"columns": wanted, "read_with": "read_table"})
    assert frame.schema.simpleString() == (
        "struct<Customer_Id:bigint,address:struct<ZIP:string,city:string>,Lines:array<struct<N:bigint>>>"
    )
    assert rows(frame, "Customer_Id", "address.ZIP", "address.city", "Lines.N") == [(7, "0150", "Oslo", [1]), (8, "5003", "Bergen", [2, 3])]
    assert rows(read_table(spark, folder.table, columns=["ORDER_ID"])) == [(1,), (2,)]
    both = read_table(spark, folder.table, contract="address ROW<city STRING, town STRING>")
    assert rows(both, "address.city", "address.town") == [("Bergen", "Bergen"), ("Oslo", "Oslo")]
    with pytest.raises(ProjectionError, match=r"no field 'lines\[\]\.price'"):
        read_table(spark, folder.table, contract="lines ARRAY<ROW<sku STRING, price INT>>")


def test_bad_values_are_put_aside_under_old_names_too(spark: Any, tmp_path: Path, classic_spark: Any) -> None:
    made = Folder(tmp_path, "id BIGINT, total STRING, rest STRING")
    made.write(classic_spark, [(1, "12", "5"), (2, "no number", "x")])
    made.retype("total", "INT")
    made.evolve(["RENAME COLUMN id TO order_id", alias(0, "id")])
    frame = read_table(spark, made.table, contract="id BIGINT, total INT, rest INT", bad_values="quarantine")
    found = {row["id"]: [note["column"] for note in row["_bad"] or ()] for row in frame.collect()}
    assert found == {1: [], 2: ["total", "rest"]}


def test_what_is_observed_of_such_a_frame_is_the_column_as_it_is_called_now(classic_spark: Any, folder: Folder) -> None:
    found = observe(read_table(classic_spark, folder.table, columns=["cust_id"]).where("cust_id > 1"))
    assert [(one.name, one.id) for one in found["shop.orders"].columns] == [("customer_id", 1)]


def test_an_alias_that_has_ended_and_a_name_that_never_was_one_are_refused(classic_spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, "cust_id BIGINT, a BIGINT")
    made.data.mkdir()
    made.evolve([RENAME, alias(0, "cust_id", "2020-01-01")], "RENAME COLUMN a TO b")
    for asked in ({"columns": ["cust_id"]}, {"contract": "cust_id BIGINT"}):
        with pytest.raises(ProjectionError, match=r"an alias until 2020-01-01.*It is called customer_id now: ask for that"):
            read_table(classic_spark, made.table, **asked)
    with pytest.raises(ProjectionError, match="It is called b now"):
        read_table(classic_spark, made.table, contract=["a"])
    with pytest.raises(ContractError, match="both columns and a contract"):
        read_table(classic_spark, made.table, contract=["b"], columns=["b"])


def test_a_name_that_another_column_bears_now_is_not_given_to_a_job_that_is_pinned_to_the_first(classic_spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, "cust_id BIGINT, a BIGINT")
    made.data.mkdir()
    made.table.register(Contract.of("cust_id BIGINT"), consumer="report")
    (registered,) = made.table.registered()
    made.evolve(["RENAME COLUMN cust_id TO customer_id", "RENAME COLUMN a TO cust_id"])
    with pytest.raises(ProjectionError, match=r"means field 0 by .cust_id.*called customer_id now"):
        read_table(classic_spark, made.table, contract=registered.contract)


@pytest.mark.parametrize(
    ("column", "field", "shown"),
    [("ROW<a BIGINT, b BIGINT>", "r", "r.a"), ("ARRAY<ROW<a BIGINT, b BIGINT>>", "r.element", "r[].a"),
     ("MAP<STRING, ROW<a BIGINT, b BIGINT>>", "r.value", "r{}.a")],
)  # fmt: skip
def test_fields_of_a_struct_that_exchanged_their_names_are_not_given_to_a_job_that_is_pinned_to_them(
    classic_spark: Any, tmp_path: Path, column: str, field: str, shown: str
) -> None:
    made = Folder(tmp_path, f"id INT, r {column}")
    made.data.mkdir()
    made.table.register(Contract.of(f"r {column}"), consumer="report")
    (registered,) = made.table.registered()
    assert read_table(classic_spark, made.table, contract=registered.contract).columns == ["r"]
    made.evolve([f"RENAME COLUMN {field}.a TO c", f"RENAME COLUMN {field}.b TO a", f"RENAME COLUMN {field}.c TO b"])
    with pytest.raises(ProjectionError, match=rf"means field \d by .{re.escape(shown)}.*is called r.b now"):
        read_table(classic_spark, made.table, contract=registered.contract)


# ---------------------------------------------------------------- whoever goes by name


@pytest.mark.parametrize("way", ["", "spark-4-parquet", "spark-4-parquet by id", "view"])
def test_a_job_that_goes_by_name_reads_null_under_an_alias_and_no_verdict_says_that_it_fits(
    classic_spark: Any, folder: Folder, way: str, tmp_path: Path
) -> None:
    own = classic_spark.read.schema("order_id BIGINT, cust_id BIGINT").parquet(str(folder.data))
    assert rows(own) == [(1, 7), (2, None)]
    view = classic_spark.read.schema("order_id BIGINT, customer_id BIGINT").parquet(str(folder.data)).selectExpr("customer_id as cust_id")
    assert rows(view) == [(8,), (None,)]
    contract = {"columns": "cust_id BIGINT", "read_with": way}
    assert judge(folder.store, {"shop.orders": contract}).verdict is Verdict.BREAK
    again = Folder(tmp_path, COLUMNS)
    again.table.register(Contract.of(contract), consumer="job")
    plan = again.table.plan([RENAME, alias(1, "cust_id")])
    assert ([one.rule for one in plan.report.findings], plan.verdict) == (["FIELD_RENAMED"], Verdict.BREAK)
    with pytest.raises(IncompatibleSchemaError, match=r"breaks job.*read_with: read_table"):
        again.table.evolve([RENAME, alias(1, "cust_id")])


@pytest.mark.parametrize("kind", ["iceberg", "delta"])
def test_read_table_helps_nobody_where_it_does_not_read_the_format(tmp_path: Path, kind: str) -> None:
    made = Folder(tmp_path, COLUMNS, kind=kind)
    made.table.register(Contract.of({"columns": "cust_id BIGINT", "read_with": "read_table"}), consumer="job")
    assert made.table.plan([RENAME, alias(1, "cust_id")]).verdict is Verdict.BREAK


def test_the_frame_of_a_contract_without_rows_has_its_columns_as_well(spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, COLUMNS)
    made.data.mkdir()
    made.evolve([RENAME, alias(1, "cust_id")])
    frame = read_table(spark, made.table, contract="cust_id BIGINT")
    assert (frame.columns, frame.count(), struct_type(made.table.schema().fields[:1]).names) == (["cust_id"], 0, ["order_id"])
