"""What a job reads, told from the plans of its queries."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from airflow_provider_schemas.core import check_contract
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark import read_table, write_files
from airflow_provider_schemas.spark.observation.observe import Observed, observe
from airflow_provider_schemas.spark.observation.plan_lineage import Lineage
from airflow_provider_schemas.spark.observation.plan_trees import parse_plan
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame, alias_frame
from airflow_provider_schemas.store import SchemaStore

ORDERS = (
    "id BIGINT, cust_id BIGINT, amount DECIMAL(10,2), address STRUCT<city: STRING, zip: STRING>, items ARRAY<STRUCT<sku: STRING, n: INT>>"
)
USERS = "user_id BIGINT, country STRING, note VARCHAR(9), extra MAP<STRING, STRUCT<a: INT, b: INT>>"


@pytest.fixture(scope="module")
def shop(classic_spark: Any) -> Iterator[Any]:
    """A catalog with two tables and a view, all empty."""
    run = classic_spark.sql
    run("CREATE DATABASE seen")
    run(f"CREATE TABLE seen.orders ({ORDERS}, dt DATE) USING parquet PARTITIONED BY (dt)")
    run(f"CREATE TABLE seen.users ({USERS}) USING parquet")
    run("CREATE TABLE seen.pairs (plain STRUCT<a: INT, b: INT>, swapped STRUCT<b: INT, a: INT>) USING parquet")
    run("CREATE VIEW seen.big AS SELECT id, cust_id AS c, amount FROM seen.orders WHERE amount > 1")
    yield classic_spark
    run("DROP DATABASE seen CASCADE")


def read_by(found: Observed) -> dict[str, dict[str, str]]:
    """Columns and roles by table; a column that is only named has a question mark."""
    return {
        table.removeprefix("seen."): {one.name: " ".join(one.role) + ("" if one.type else "?") for one in contract.columns}
        for table, contract in found.items()
    }


WHOLE_ROW = dict.fromkeys(("id", "cust_id", "amount", "address", "items", "dt"), "select")

QUERIES: dict[str, tuple[str, dict[str, dict[str, str]]]] = {
    "a filter": ("SELECT id FROM seen.orders WHERE amount > 1", {"orders": {"id": "select", "amount": "filter"}}),
    "a filter on a partition": (
        "SELECT id FROM seen.orders WHERE dt > '2024-01-01'",
        {"orders": {"id": "select", "dt": "filter partition"}},
    ),
    "a star": ("SELECT * FROM seen.orders", {"orders": WHOLE_ROW}),
    "a star of which little is used": (
        "SELECT id FROM (SELECT * FROM seen.orders) WHERE amount > 1",
        {"orders": {"id": "select", "amount": "filter"}},
    ),
    "a field": ("SELECT address.CITY FROM seen.orders", {"orders": {"address.city": "select"}}),
    "a field in a list": ("SELECT items.sku, items[0].n FROM seen.orders", {"orders": {"items.n": "select", "items.sku": "select"}}),
    "a field in a map": ("SELECT extra['k'].a FROM seen.users", {"users": {"extra.a": "select"}}),
    "a field beside the whole": ("SELECT address, address.city FROM seen.orders", {"orders": {"address": "select"}}),
    "a field through a struct": (
        "SELECT s.x.city FROM (SELECT named_struct('x', address, 'y', id) s FROM seen.orders)",
        {"orders": {"address.city": "select"}},
    ),
    "a lambda": ("SELECT transform(items, i -> i.sku) FROM seen.orders", {"orders": {"items": "select"}}),
    "explode": ("SELECT i.sku FROM (SELECT explode(items) i FROM seen.orders)", {"orders": {"items.sku": "select"}}),
    "lateral view": (
        "SELECT o.id, i.n FROM seen.orders o LATERAL VIEW OUTER posexplode(o.items) t AS p, i",
        {"orders": {"id": "select", "items.n": "select"}},
    ),
    "exploded rows that are only counted": (
        "SELECT count(*) FROM (SELECT explode(items) FROM seen.orders)",
        {"orders": {"items": "select"}},
    ),
    "inline": ("SELECT inline(items) FROM seen.orders", {"orders": {"items": "select"}}),
    "a join": (
        "SELECT u.country FROM seen.orders o JOIN seen.users u ON o.cust_id = u.user_id",
        {"orders": {"cust_id": "join"}, "users": {"user_id": "join", "country": "select"}},
    ),
    "a join with itself": (
        "SELECT a.amount FROM seen.orders a JOIN seen.orders b ON a.id = b.cust_id",
        {"orders": {"id": "join", "cust_id": "join", "amount": "select"}},
    ),
    "a lateral join": (
        "SELECT o.id, x.c FROM seen.orders o, LATERAL (SELECT country c FROM seen.users WHERE user_id = o.cust_id) x",
        {"orders": {"id": "select", "cust_id": "filter"}, "users": {"user_id": "filter", "country": "select"}},
    ),
    "a semi join": (
        "SELECT id FROM seen.orders o LEFT SEMI JOIN seen.users u ON o.cust_id = u.user_id",
        {"orders": {"id": "select", "cust_id": "join"}, "users": {"user_id": "join"}},
    ),
    "IN": (
        "SELECT id FROM seen.orders WHERE cust_id IN (SELECT user_id FROM seen.users WHERE country = 'x')",
        {"orders": {"id": "select", "cust_id": "filter"}, "users": {"user_id": "filter", "country": "filter"}},
    ),
    "EXISTS": (
        "SELECT id FROM seen.orders o WHERE EXISTS (SELECT * FROM seen.users u WHERE u.user_id = o.cust_id)",
        {"orders": {"id": "select", "cust_id": "filter"}, "users": {"user_id": "filter"}},
    ),
    "a cast that calls fields otherwise": (
        "SELECT CAST(address AS STRUCT<zip: STRING, city: STRING>).zip FROM seen.orders",
        {"orders": {"address.city": "select"}},
    ),
    "a cast of a list that calls fields otherwise": (
        "SELECT CAST(items AS ARRAY<STRUCT<n: STRING, sku: STRING>>).n FROM seen.orders",
        {"orders": {"items.sku": "select"}},
    ),
    "a cast of what is no column": (
        "SELECT CAST(items[0] AS STRUCT<n: STRING, sku: STRING>).n FROM seen.orders",
        {"orders": {"items": "select"}},
    ),
    "a UNION of structs that call their fields otherwise": (
        "SELECT s.a FROM (SELECT plain s FROM seen.pairs UNION ALL SELECT swapped FROM seen.pairs)",
        {"pairs": {"plain.a": "select", "swapped.b": "select"}},
    ),
    "a UNION of which a field is used": (
        "SELECT address.zip FROM (SELECT address FROM seen.orders UNION ALL SELECT address FROM seen.orders)",
        {"orders": {"address.zip": "select"}},
    ),
    "pipes": ("FROM seen.orders |> WHERE amount > 1 |> SELECT id", {"orders": {"id": "select", "amount": "filter"}}),
    "a query as a value": (
        "SELECT id, (SELECT max(country) FROM seen.users u WHERE u.user_id = o.cust_id) FROM seen.orders o",
        {"orders": {"id": "select", "cust_id": "select filter"}, "users": {"user_id": "filter", "country": "select"}},
    ),
    "WITH, used twice": (
        "WITH a AS (SELECT id, cust_id FROM seen.orders WHERE amount > 1) SELECT x.id FROM a x JOIN a y ON x.id = y.cust_id",
        {"orders": {"id": "select join", "cust_id": "join", "amount": "filter"}},
    ),
    "a recursive WITH": (
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT id FROM r JOIN seen.orders o ON o.cust_id = n",
        {"orders": {"id": "select", "cust_id": "join"}},
    ),
    "a view": ("SELECT id FROM seen.big", {"orders": {"id": "select", "cust_id": "select?", "amount": "filter"}}),
    "UNION ALL": (
        "SELECT id FROM seen.orders UNION ALL SELECT user_id FROM seen.users",
        {"orders": {"id": "select"}, "users": {"user_id": "select"}},
    ),
    "UNION of which one column is used": (
        "SELECT a FROM (SELECT id a, amount b FROM seen.orders UNION ALL SELECT user_id, 1 FROM seen.users)",
        {"orders": {"id": "select", "amount": "select?"}, "users": {"user_id": "select"}},
    ),
    "EXCEPT": (
        "SELECT id FROM seen.orders EXCEPT SELECT user_id FROM seen.users",
        {"orders": {"id": "select"}, "users": {"user_id": "select"}},
    ),
    "GROUP BY and HAVING": (
        "SELECT cust_id FROM seen.orders GROUP BY cust_id HAVING sum(amount) > 1",
        {"orders": {"cust_id": "select", "amount": "filter"}},
    ),
    "ROLLUP": (
        "SELECT cust_id, sum(amount) FROM seen.orders GROUP BY ROLLUP (cust_id, dt)",
        {"orders": {"cust_id": "select", "amount": "select", "dt": "select"}},
    ),
    "PIVOT": (
        "SELECT * FROM (SELECT cust_id, dt, amount FROM seen.orders) PIVOT (sum(amount) FOR dt IN (DATE'2024-01-01'))",
        {"orders": {"cust_id": "select", "amount": "select", "dt": "select"}},
    ),
    "UNPIVOT": (
        "SELECT * FROM (SELECT id, cust_id, amount FROM seen.orders) UNPIVOT (v FOR k IN (cust_id, amount))",
        {"orders": {"id": "select", "cust_id": "select filter", "amount": "select filter"}},
    ),
    "a window": (
        "SELECT id, row_number() OVER (PARTITION BY cust_id ORDER BY amount) FROM seen.orders",
        {"orders": {"id": "select", "cust_id": "select", "amount": "select"}},
    ),
    "ORDER BY what is not shown": ("SELECT id FROM seen.orders ORDER BY amount LIMIT 3", {"orders": {"id": "select", "amount": "select"}}),
    "count(*)": ("SELECT count(*) FROM seen.orders", {"orders": {}}),
    "what Spark says of files": ("SELECT id, _metadata.file_path FROM seen.orders", {"orders": {"id": "select"}}),
    "no table": ("SELECT 1 AS a", {}),
    "always false": ("SELECT id FROM seen.orders WHERE amount > 1 AND 1 = 0", {"orders": {"id": "select", "amount": "filter"}}),
}


@pytest.mark.parametrize("what", QUERIES)
def test_a_query_reads_what_it_needs(shop: Any, what: str) -> None:
    query, expected = QUERIES[what]
    assert read_by(observe(shop.sql(query))) == expected


def test_types_are_those_of_the_table_nested_and_with_lengths(shop: Any) -> None:
    (contract,) = observe(shop.sql("SELECT extra, note, extra['k'].b FROM seen.users")).values()
    assert {one.name: one.type for one in contract.columns} == {
        "note": "VARCHAR(9)",
        "extra": "MAP<STRING NOT NULL, ROW<`a` INT, `b` INT>>",
    }
    assert all(one.nullable for one in contract.columns)


def test_a_contract_fits_the_table_and_breaks_when_a_column_goes(shop: Any) -> None:
    found = observe(shop.sql("SELECT address.city FROM seen.orders WHERE amount > 1"), name="daily", owner="team-bi")["seen.orders"]
    address = "address ROW<city STRING, zip STRING>"
    assert check_contract(TableSchema.create(f"amount DECIMAL(10, 2), new INT, {address}"), found).fits
    gone = check_contract(TableSchema.create("amount DECIMAL(10, 2), address ROW<zip STRING>"), found)
    assert [(one.rule, one.path) for one in gone.findings] == [("EXPECT_FIELD_MISSING", "address.city")]
    assert gone.findings[0].consumers[0].owner == "team-bi"


def test_a_contract_can_be_registered(shop: Any, tmp_path: Any) -> None:
    store = SchemaStore(tmp_path, actor="ana")
    store.create_table("seen.users", "user_id BIGINT, country STRING")
    table = store.table("seen.users")
    found = observe(shop.sql("SELECT country FROM seen.users"), name="daily")
    table.register(found["seen.users"])
    assert [(one.name, *one.names) for one in table.contracts()] == [("daily", "country")]


def test_taking_every_column_along_is_a_closed_contract(shop: Any) -> None:
    whole, some = (observe(shop.sql(f"SELECT {what} FROM seen.users")) for what in ("*", "user_id, note"))
    assert whole["seen.users"].shape == "closed"
    assert "SELECT *" in whole.notes[0]
    assert some["seen.users"].shape == "open"


def test_several_frames_are_one_job(shop: Any) -> None:
    frames = (shop.sql(f"SELECT {what} FROM seen.orders WHERE {how}") for what, how in (("id", "amount > 1"), ("amount", "cust_id = 2")))
    assert read_by(observe(*frames)) == {"orders": {"id": "select", "cust_id": "filter", "amount": "select filter"}}


# ---------------------------------------------------------------- frames


def test_a_frame_of_the_catalog_through_many_steps(shop: Any) -> None:
    from pyspark.sql import functions as F  # noqa: N812  # as everybody calls them

    orders, users = shop.table("seen.orders"), shop.table("seen.users")
    frame = orders.withColumn("x", F.col("amount") * 2).withColumnRenamed("cust_id", "user_id").join(users, "user_id").drop("note")
    frame = frame.dropDuplicates(["id"]).repartition(2).hint("broadcast").select("x", "address.city").cache()
    assert read_by(observe(frame)) == {
        "orders": {"id": "select", "cust_id": "join", "amount": "select", "address.city": "select"},
        "users": {"user_id": "join"},
    }


def test_what_is_computed_and_thrown_away_must_still_be_there(shop: Any) -> None:
    frame = shop.table("seen.orders").selectExpr("*", "upper(address.zip) AS z").select("id")
    assert read_by(observe(frame)) == {"orders": {"id": "select", "address.zip": "select?"}}


def test_what_may_only_have_been_left_over_is_a_note(shop: Any) -> None:
    found = observe(shop.table("seen.orders").drop("id").select("amount"))
    assert read_by(found) == {"orders": {"amount": "select"}}
    assert found.notes == (
        "listed, not used, and so not part of a contract: cust_id, address, items, dt; add them if the query names them",
    )


def column_of(number: int, name: str) -> dict[str, Any]:
    about = {"class": "org.apache.spark.sql.catalyst.expressions.AttributeReference", "num-children": 0}
    return {**about, "name": name, "dataType": "long", "exprId": {"id": number}}


def test_a_table_that_lies_in_a_format_of_hive_is_read_by_its_columns() -> None:
    """As Spark writes down such a plan, which takes a session with Hive's own catalog: `SELECT id FROM h`."""
    relation = {
        "class": "org.apache.spark.sql.catalyst.catalog.HiveTableRelation",
        "num-children": 0,
        "tableMeta": {"identifier": {"table": "h", "database": "seen"}, "partitionColumnNames": "[dt]"},
        "dataCols": [[column_of(1, "id")], [column_of(2, "note")]],
        "partitionCols": [[column_of(3, "dt")]],
    }
    project = {"class": "org.apache.spark.sql.catalyst.plans.logical.Project", "num-children": 1, "projectList": [[column_of(1, "id")]]}
    lineage = Lineage()
    lineage.follow(parse_plan(json.dumps([project, relation])))
    (source,) = lineage.sources
    assert [one.name for one in source.columns] == ["id", "note", "dt"]
    assert list(source.needs) == [1]


def test_a_source_whose_columns_spark_does_not_tell_is_told() -> None:
    lineage = Lineage()
    lineage.follow(parse_plan(json.dumps([{"class": "com.example.OddRelation", "num-children": 0}])))
    assert lineage.notes == ["what OddRelation reads is not known, and missing here"]


def test_functions_of_python_read_what_they_are_given(shop: Any) -> None:
    from pyspark.sql import functions as F  # noqa: N812  # as above

    same = F.udf(lambda value: value, "bigint", useArrow=False)
    orders = shop.table("seen.orders").select("id", "cust_id")
    assert read_by(observe(orders.select(same("id").alias("x")))) == {"orders": {"id": "select", "cust_id": "select?"}}


def test_functions_that_take_whole_rows_read_every_column(shop: Any) -> None:
    pytest.importorskip("pandas")
    orders = shop.table("seen.orders").select("id", "cust_id")
    assert read_by(observe(orders.mapInPandas(lambda parts: parts, "a BIGINT"))) == {"orders": {"id": "select", "cust_id": "select"}}


def test_a_step_that_nobody_knows_reads_all_that_reaches_it(shop: Any) -> None:
    found = observe(shop.table("seen.orders").select("id", "dt").unpivot("id", ["id"], "k", "v"))
    assert read_by(found) == {"orders": {"id": "select", "dt": "select"}}
    assert found.notes == ("what Expand does with columns is not known; every column that reaches it counts as read",)


def test_what_an_insert_reads_is_read_and_what_it_writes_is_not(shop: Any) -> None:
    shop.sql("CREATE TABLE seen.copy (a BIGINT) USING parquet")
    assert read_by(observe(shop.sql("INSERT INTO seen.copy SELECT cust_id FROM seen.orders WHERE id > 1"))) == {
        "orders": {"id": "filter", "cust_id": "select"}
    }


def test_rows_that_were_handed_in_are_no_table(shop: Any) -> None:
    found = observe(shop.createDataFrame([(1,)], "a INT"), shop.range(3))
    assert not found
    assert found.notes == ("rows with the columns a were handed in or checkpointed; where they came from is not known",)


# ---------------------------------------------------------------- folders, and our own frames


def test_a_folder_has_the_name_that_its_warehouse_or_the_caller_gives_it(shop: Any, tmp_path: Any) -> None:
    for folder in ("shop.db/orders", "plain/orders"):
        shop.sql("SELECT 1 AS a, 2 AS b, 3 AS dt").write.partitionBy("dt").parquet(str(tmp_path / folder))
    laid_out, plain = (
        shop.read.parquet(str(tmp_path / folder)).where("dt = 3").select("a") for folder in ("shop.db/orders", "plain/orders")
    )
    assert {key: one.table for key, one in observe(laid_out).items()} == {"shop.orders": "shop.orders"}
    (contract,) = observe(laid_out).values()
    assert [(one.name, one.role) for one in contract.columns] == [("a", ("select",)), ("dt", ("filter", "partition"))]
    unknown = observe(plain)
    assert unknown.unnamed == (str(tmp_path / "plain/orders"),)
    assert unknown[str(tmp_path / "plain/orders")].table == ""
    assert "names=" in unknown.notes[-1]
    assert list(observe(plain, names={f"file:{tmp_path}/plain": "shop.plain"})) == ["shop.plain"]


def test_a_stream_of_files_is_followed_too(shop: Any, tmp_path: Any) -> None:
    (tmp_path / "shop.db/orders").mkdir(parents=True)
    stream = shop.readStream.schema("a INT, b INT").parquet(str(tmp_path / "shop.db/orders")).where("a > 1").select("b")
    (contract,) = observe(stream).values()
    assert (contract.table, *sorted(contract.names)) == ("shop.orders", "a", "b")


def test_a_frame_of_read_table_is_its_table_whatever_lies_below(shop: Any) -> None:
    schema = TableSchema.create("id BIGINT, name STRING, day DATE", partition_keys=["day"])
    frame = alias_frame(
        shop.sql("SELECT id, country AS name, date'2024-01-01' AS day FROM seen.orders, seen.users"),
        TableInFrame("shop.u", 3, schema=schema),
    )
    frame.createOrReplaceTempView("u")
    found = observe(shop.sql("SELECT a.id FROM u a JOIN u b ON a.id = b.id WHERE b.day > '2024-01-01'"))
    assert read_by(found) == {"shop.u": {"id": "select join", "day": "filter partition"}}
    assert [one.id for one in found["shop.u"].columns] == [0, 2]
    assert observe(frame)["shop.u"].shape == "closed"
    some = alias_frame(shop.range(1), TableInFrame("shop.u", schema=schema))
    assert observe(some)["shop.u"].shape == "open"
    assert list(observe(alias_frame(shop.range(1), TableInFrame("shop.u", schema=schema, branch="dev")))) == ["shop.u$branch_dev"]


def test_what_a_job_reads_of_an_evolved_table_is_registered_under_the_fields_that_it_meant(classic_spark: Any, tmp_path: Any) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry", layout="registry", actor="ana")
    store.adopt("shop.orders", str(tmp_path / "data"), schema="id INT, cust_id INT, amount INT")
    table = store.table("shop.orders")
    write_files(classic_spark.sql("SELECT 1 AS id, 2 AS cust_id, 3 AS amount"), table)
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="the jobs read it with read_table")
    frame = read_table(classic_spark, table).where("customer_id > 1").groupBy("id").count()
    table.register(observe(frame, name="daily")["shop.orders"])
    (contract,) = table.contracts()
    assert [(one.name, one.id, one.role) for one in contract.columns] == [("id", 0, ("select",)), ("customer_id", 1, ("filter",))]
    with pytest.raises(IncompatibleSchemaError, match="daily"):
        table.evolve("DROP COLUMN customer_id")


def test_a_thousand_steps_and_a_thousand_columns_are_followed(shop: Any) -> None:
    deep = shop.table("seen.orders").select("id", "cust_id")
    for _ in range(150):
        deep = deep.withColumn("id", deep["id"] + 1)
    wide = shop.table("seen.users").selectExpr(*(f"user_id AS c{number}" for number in range(1_000)))
    deeply_filtered = wide.where(" AND ".join(f"c{number} > 1" for number in range(300))).select("c999")
    assert read_by(observe(deep, deeply_filtered)) == {
        "orders": {"id": "select", "cust_id": "select"},
        "users": {"user_id": "select filter"},
    }


# ---------------------------------------------------------------- what is refused


def test_spark_connect_is_refused(connect_spark: Any) -> None:
    with pytest.raises(SparkError, match="observe needs a classic session"):
        observe(connect_spark.range(1))


@pytest.mark.parametrize("frames", [(), ("SELECT 1",), (None,)])
def test_what_is_no_frame_is_refused(frames: tuple[Any, ...]) -> None:
    with pytest.raises(SparkError) as raised:
        observe(*frames)
    assert raised.value.code == "spark.no-frame"
