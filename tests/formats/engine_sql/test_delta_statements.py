"""What Spark and Trino are told about tables of Delta: what Delta carries out as it was meant, or why there is no statement."""

import json
from itertools import permutations
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.atomic import atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.formats.delta import attributes
from airflow_provider_schemas.formats.engine_sql import EngineSql, delta_rules, statements

COLUMNS = (
    "id INT NOT NULL, amount DECIMAL(10, 2) COMMENT 'net', address ROW<city STRING, zip STRING>, tags ARRAY<INT>,"
    " prices MAP<STRING, ROW<net FLOAT>>, day DATE, part STRING, keyed ROW<key INT>"
)
TABLE = ("delta", "s3://lake/shop/orders")


def of_delta(columns: str = COLUMNS, partition_keys: tuple[str, ...] = (), **about: Any) -> TableSchema:
    """A schema as a mount of Delta gives it."""
    schema = TableSchema.create(columns, partition_keys=partition_keys)
    options = Options({"schemas.table": json.dumps({"format": "delta", **about})})
    return msgspec.structs.replace(schema, options=options)


PLAIN = of_delta(partition_keys=("part",))
MAPPED = of_delta(partition_keys=("part",), column_mapping="name")


def told(engine: str, *changes: Any, schema: TableSchema | None = MAPPED) -> EngineSql:
    return statements(TABLE, changes, engine=engine, schema=schema)


SPARK = [
    ("ADD COLUMN coupon STRING COMMENT 'it''s' AFTER id", r"ADD COLUMN `coupon` STRING COMMENT 'it\'s' AFTER `id`"),
    ("ADD COLUMN small TINYINT", "ADD COLUMN `small` TINYINT"),
    ("ADD COLUMN code VARCHAR(5)", "ADD COLUMN `code` VARCHAR(5)"),
    ("ADD COLUMN address.street STRING BEFORE zip", "ADD COLUMN `address`.`street` STRING AFTER `city`"),
    ("ADD COLUMN prices.value.gross FLOAT", "ADD COLUMN `prices`.`value`.`gross` FLOAT"),
    ("RENAME COLUMN address.city TO town", "RENAME COLUMN `address`.`city` TO `town`"),
    ("RENAME COLUMN part TO region", "RENAME COLUMN `part` TO `region`"),
    ("DROP COLUMN address.zip", "DROP COLUMN `address`.`zip`"),
    ("ALTER COLUMN amount TYPE DECIMAL(12, 4)", "ALTER COLUMN `amount` TYPE DECIMAL(12,4)"),
    ("ALTER COLUMN tags.element TYPE BIGINT", "ALTER COLUMN `tags`.`element` TYPE BIGINT"),
    ("ALTER COLUMN day TYPE TIMESTAMP(6)", "ALTER COLUMN `day` TYPE TIMESTAMP_NTZ"),
    ("ALTER COLUMN id DROP NOT NULL", "ALTER COLUMN `id` DROP NOT NULL"),
    ("ALTER COLUMN keyed.key COMMENT 'k'", "ALTER COLUMN `keyed`.`key` COMMENT 'k'"),
    ("ALTER COLUMN amount LAST", "ALTER COLUMN `amount` AFTER `keyed`"),
    ("ALTER COLUMN amount SET DEFAULT 5", "ALTER COLUMN `amount` SET DEFAULT 5"),
    ("ALTER COLUMN amount DROP DEFAULT", "ALTER COLUMN `amount` DROP DEFAULT"),
    ("SET OPTION delta.enableTypeWidening = true", "SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"),
]
TRINO = [
    ("ADD COLUMN coupon STRING COMMENT 'it''s'", "ADD COLUMN \"coupon\" VARCHAR COMMENT 'it''s'"),
    ("ADD COLUMN coupon STRING LAST", 'ADD COLUMN "coupon" VARCHAR'),
    ("ADD COLUMN at TIMESTAMP_LTZ(6)", 'ADD COLUMN "at" TIMESTAMP(3) WITH TIME ZONE'),
    ("ADD COLUMN x ROW<a TINYINT, b ARRAY<DATE>>", 'ADD COLUMN "x" ROW("a" TINYINT, "b" ARRAY(DATE))'),
    ("RENAME COLUMN amount TO total", 'RENAME COLUMN "amount" TO "total"'),
    ("DROP COLUMN amount", 'DROP COLUMN "amount"'),
    ("ALTER COLUMN id DROP NOT NULL", 'ALTER COLUMN "id" DROP NOT NULL'),
]


@pytest.mark.parametrize(("change", "said"), SPARK, ids=[change for change, _ in SPARK])
def test_spark_is_told_what_delta_carries_out(change: str, said: str) -> None:
    assert told("spark-delta", change) == EngineSql((f"ALTER TABLE `delta`.`s3://lake/shop/orders` {said}",))


@pytest.mark.parametrize(("change", "said"), TRINO, ids=[change for change, _ in TRINO])
def test_trino_is_told_what_delta_carries_out(change: str, said: str) -> None:
    assert told("trino", change) == EngineSql((f'ALTER TABLE "delta"."s3://lake/shop/orders" {said}',))


def test_trino_takes_comments_away_too() -> None:
    found = told("trino", "ALTER COLUMN amount DROP COMMENT", "SET COMMENT 'ours'")
    assert found.statements == (
        'COMMENT ON COLUMN "delta"."s3://lake/shop/orders"."amount" IS NULL',
        """COMMENT ON TABLE "delta"."s3://lake/shop/orders" IS 'ours'""",
    )


BOTH = ("spark-delta", "trino")
UNSAID = [
    *((engine, "ALTER COLUMN amount SET NOT NULL", "whether its files hold NULL") for engine in BOTH),
    *((engine, "ADD COLUMN x INT NOT NULL", "rows that are there have none") for engine in BOTH),
    *((engine, "ADD COLUMN x ROW<a INT NOT NULL>", "rows that are there have none") for engine in BOTH),
    *((engine, "ADD COLUMN t TIME(6)", "no such type") for engine in BOTH),
    *((engine, "ADD COLUMN t TIMESTAMP(3)", "no such type") for engine in BOTH),
    *((engine, "ADD COLUMN t ARRAY<BINARY(16)>", "no such type") for engine in BOTH),
    *((engine, "DROP COLUMN part", "the table is partitioned") for engine in BOTH),
    *((engine, "DROP PRIMARY KEY", "no primary key") for engine in BOTH),
    ("spark-delta", "ALTER COLUMN id TYPE STRING NOT NULL", "does not widen INT to STRING"),
    ("spark-delta", "ALTER COLUMN amount TYPE DECIMAL(11, 4)", "does not widen DECIMAL(10, 2) to DECIMAL(11, 4)"),
    ("spark-delta", "ALTER COLUMN address TYPE STRING", "replaces no struct"),
    ("spark-delta", "ALTER COLUMN amount DROP COMMENT", "can only empty it"),
    ("spark-delta", "SET OPTION bucket = 4", "means nothing to Delta"),
    ("trino", "ALTER COLUMN id TYPE BIGINT NOT NULL", "Trino does not change types"),
    ("trino", "ADD COLUMN code VARCHAR(5)", "would become STRING"),
    ("trino", "ADD COLUMN x INT FIRST", "at the end of a table"),
    ("trino", "ADD COLUMN address.street STRING", "nothing inside a ROW"),
    ("trino", "RENAME COLUMN amount TO Total", "lower case"),
    ("trino", "RENAME COLUMN part TO region", "partitioned"),
    ("trino", "ALTER COLUMN amount SET DEFAULT 5", "sets no defaults"),
    ("trino", "ALTER COLUMN amount FIRST", "moves a column"),
]


@pytest.mark.parametrize(("engine", "change", "reason"), UNSAID, ids=[f"{engine}: {change}" for engine, change, _ in UNSAID])
def test_what_delta_would_refuse_or_change_has_no_statement(engine: str, change: str, reason: str) -> None:
    found = told(engine, change)
    assert found.statements == ()
    assert reason in found.unsaid[0][1]


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("change", ["RENAME COLUMN amount TO total", "DROP COLUMN amount"])
def test_a_table_that_finds_columns_by_name_says_what_to_switch_on_before(engine: str, change: str) -> None:
    found = told(engine, change, schema=PLAIN)
    assert found.statements == ()
    assert "'delta.columnMapping.mode' = 'name'" in found.unsaid[0][1]
    assert "the statement depends on the schema" in told("spark-delta", change, schema=None).unsaid[0][1]


def test_parts_of_arrays_and_maps_have_neither_comments_nor_another_nullability() -> None:
    for path in (("tags", "element"), ("prices", "key")):
        changes = (schema_change.UpdateColumnComment(path, "x"), schema_change.UpdateColumnNullability(path, True))
        assert told("spark-delta", *changes).statements == ()


TYPES = [
    *("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "DECIMAL(12, 2)", "DECIMAL(20, 0)"),
    *("DATE", "TIMESTAMP(6)", "TIMESTAMP_LTZ(6)", "STRING", "VARCHAR(5)", "VARCHAR(9)", "BYTES", "VARIANT"),
]
WIDENED = {
    *permutations(("TINYINT", "SMALLINT"), 2),
    *((source, target) for source in ("TINYINT", "SMALLINT") for target in ("INT", "BIGINT", "DOUBLE", "DECIMAL(12, 2)", "DECIMAL(20, 0)")),
    *(("INT", target) for target in ("BIGINT", "DOUBLE", "DECIMAL(12, 2)", "DECIMAL(20, 0)")),
    *(("BIGINT", "DECIMAL(20, 0)"), ("FLOAT", "DOUBLE"), ("DECIMAL(10, 2)", "DECIMAL(12, 2)"), ("DATE", "TIMESTAMP(6)")),
    *(("VARCHAR(5)", "VARCHAR(9)"), ("VARCHAR(5)", "STRING"), ("VARCHAR(9)", "STRING")),
} - {("SMALLINT", "TINYINT")}


def test_the_widenings_of_delta_have_statements_and_no_other_changes_of_types() -> None:
    said = set()
    for source, target in permutations(TYPES, 2):
        change = schema_change.UpdateColumnType(("c",), parse_any(target))
        if told("spark-delta", change, schema=of_delta(f"c {source}")).statements:
            said.add((source, target))
    assert said == WIDENED


def test_the_attributes_are_those_of_the_format_delta() -> None:
    assert (delta_rules.FORMAT, delta_rules.COLUMN_MAPPING) == (attributes.DELTA, attributes.COLUMN_MAPPING)


def test_trino_writes_for_whoever_keeps_the_table() -> None:
    change = "ALTER COLUMN id TYPE BIGINT NOT NULL"
    assert told("trino", change, schema=TableSchema.create(COLUMNS)).statements
    assert not told("trino", change).statements


@pytest.mark.parametrize("engine", BOTH)
def test_an_opaque_type_has_no_statement(engine: str) -> None:
    change = schema_change.AddColumn(("x",), atomic(Root.OPAQUE, text="interval year"))
    assert told(engine, change).statements == ()
