"""What Spark and Trino are told about tables of Iceberg: what Iceberg carries out as it was meant, or why there is no statement."""

from itertools import permutations
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.types.atomic import atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.engine_sql import EngineSql, statements

ORDERS = TableSchema.create(
    "id INT NOT NULL, amount DECIMAL(10, 2) COMMENT 'net', address ROW<city STRING, zip STRING>, tags ARRAY<INT>,"
    " prices MAP<ROW<a INT>, ROW<net FLOAT>>, day DATE, keyed ROW<key INT>"
)
TABLE = ("prod", "lake.shop", "orders")


def told(engine: str, *changes: Any, schema: TableSchema | None = ORDERS) -> EngineSql:
    return statements(TABLE, changes, engine=engine, schema=schema)


SPARK = [
    ("ADD COLUMN coupon STRING COMMENT 'it''s' AFTER id", r"ADD COLUMN `coupon` STRING COMMENT 'it\'s' AFTER `id`"),
    ("ADD COLUMN at TIMESTAMP_LTZ(6) FIRST", "ADD COLUMN `at` TIMESTAMP FIRST"),
    ("ADD COLUMN address.street STRING BEFORE zip", "ADD COLUMN `address`.`street` STRING AFTER `city`"),
    ("ADD COLUMN prices.value.gross FLOAT", "ADD COLUMN `prices`.`value`.`gross` FLOAT"),
    ("RENAME COLUMN address.city TO town", "RENAME COLUMN `address`.`city` TO `town`"),
    ("RENAME COLUMN keyed.key TO number", "RENAME COLUMN `keyed`.`key` TO `number`"),
    ("DROP COLUMN address.zip", "DROP COLUMN `address`.`zip`"),
    ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", "ALTER COLUMN `amount` TYPE DECIMAL(12,2)"),
    ("ALTER COLUMN tags.element TYPE BIGINT", "ALTER COLUMN `tags`.`element` TYPE BIGINT"),
    ("ALTER COLUMN prices.value.net TYPE DOUBLE", "ALTER COLUMN `prices`.`value`.`net` TYPE DOUBLE"),
    ("ALTER COLUMN day TYPE TIMESTAMP(6)", "ALTER COLUMN `day` TYPE TIMESTAMP_NTZ"),
    ("ALTER COLUMN id DROP NOT NULL", "ALTER COLUMN `id` DROP NOT NULL"),
    ("ALTER COLUMN amount LAST", "ALTER COLUMN `amount` AFTER `keyed`"),
    ("SET OPTION history.expire.max-snapshot-age-ms = 5", "SET TBLPROPERTIES ('history.expire.max-snapshot-age-ms' = '5')"),
]
TRINO = [
    ("ADD COLUMN coupon STRING COMMENT 'it''s' AFTER id", "ADD COLUMN \"coupon\" VARCHAR COMMENT 'it''s' AFTER \"id\""),
    ("ADD COLUMN at TIMESTAMP_LTZ(6) FIRST", 'ADD COLUMN "at" TIMESTAMP(6) WITH TIME ZONE FIRST'),
    ("ADD COLUMN x ROW<a INT, b ARRAY<DATE>>", 'ADD COLUMN "x" ROW("a" INTEGER, "b" ARRAY(DATE))'),
    ("ADD COLUMN address.street STRING LAST", 'ADD COLUMN "address"."street" VARCHAR'),
    ("RENAME COLUMN address.city TO town", 'RENAME COLUMN "address"."city" TO "town"'),
    ("RENAME COLUMN keyed.key TO number", 'RENAME COLUMN "keyed"."key" TO "number"'),
    ("DROP COLUMN address.zip", 'DROP COLUMN "address"."zip"'),
    ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", 'ALTER COLUMN "amount" SET DATA TYPE DECIMAL(12, 2)'),
    ("ALTER COLUMN id DROP NOT NULL", 'ALTER COLUMN "id" DROP NOT NULL'),
]


@pytest.mark.parametrize(("change", "said"), SPARK, ids=[change for change, _ in SPARK])
def test_spark_is_told_what_iceberg_carries_out(change: str, said: str) -> None:
    assert told("spark-iceberg", change) == EngineSql((f"ALTER TABLE `prod`.`lake.shop`.`orders` {said}",))


@pytest.mark.parametrize(("change", "said"), TRINO, ids=[change for change, _ in TRINO])
def test_trino_is_told_what_iceberg_carries_out(change: str, said: str) -> None:
    assert told("trino", change) == EngineSql((f'ALTER TABLE "prod"."lake.shop"."orders" {said}',))


def test_trino_takes_comments_away_too() -> None:
    found = told("trino", "ALTER COLUMN amount COMMENT 'x'", "ALTER COLUMN amount DROP COMMENT", "DROP COMMENT")
    assert found.statements == (
        """COMMENT ON COLUMN "prod"."lake.shop"."orders"."amount" IS 'x'""",
        'COMMENT ON COLUMN "prod"."lake.shop"."orders"."amount" IS NULL',
        'COMMENT ON TABLE "prod"."lake.shop"."orders" IS NULL',
    )


BOTH = ("spark-iceberg", "trino")
UNSAID = [
    *((engine, "ALTER COLUMN amount SET NOT NULL", "whether its files hold NULL") for engine in BOTH),
    *((engine, "ALTER COLUMN amount TYPE DECIMAL(12, 4)", "no promotion from DECIMAL(10, 2)") for engine in BOTH),
    *((engine, "ALTER COLUMN id TYPE STRING NOT NULL", "no promotion from INT to STRING") for engine in BOTH),
    *((engine, "ALTER COLUMN address TYPE STRING", "replaces no struct") for engine in BOTH),
    *((engine, "ADD COLUMN t TINYINT", "another type") for engine in BOTH),
    *((engine, "ADD COLUMN t VARCHAR(5)", "another type") for engine in BOTH),
    *((engine, "ADD COLUMN t TIMESTAMP(3)", "another type") for engine in BOTH),
    *((engine, "ADD COLUMN t ARRAY<BINARY(16)>", "another type") for engine in BOTH),
    *((engine, "ALTER COLUMN amount SET DEFAULT 5", "newest versions of Iceberg") for engine in BOTH),
    *((engine, "DROP PRIMARY KEY", "no primary key") for engine in BOTH),
    ("spark-iceberg", "SET OPTION bucket = 4", "means nothing to Iceberg"),
    ("spark-iceberg", "ALTER COLUMN amount DROP COMMENT", "can only empty it"),
    ("trino", "RENAME COLUMN amount TO Total", "lower case"),
    ("trino", "ADD COLUMN x ROW<A INT>", "lower case"),
    ("trino", "ADD COLUMN x ROW<a INT NOT NULL>", "no NOT NULL inside"),
    ("trino", "ADD COLUMN address.street STRING FIRST", "at the end of its ROW"),
    ("trino", "ADD COLUMN address.street STRING COMMENT 'x'", "without a comment"),
    ("trino", "ALTER COLUMN tags.element TYPE BIGINT", "arrays and maps"),
    ("trino", "ALTER COLUMN amount FIRST", "moves a column"),
    ("trino", "SET OPTION a = b", "its connector knows"),
]


@pytest.mark.parametrize(("engine", "change", "reason"), UNSAID, ids=[f"{engine}: {change}" for engine, change, _ in UNSAID])
def test_what_iceberg_would_refuse_or_change_has_no_statement(engine: str, change: str, reason: str) -> None:
    found = told(engine, change)
    assert found.statements == ()
    assert reason in found.unsaid[0][1]


@pytest.mark.parametrize("engine", BOTH)
def test_nothing_reaches_into_the_key_of_a_map(engine: str) -> None:
    for change in (schema_change.DropColumn(("prices", "key", "a")), schema_change.RenameColumn(("prices", "key", "a"), "b")):
        assert told(engine, change).statements == ()
        assert "statement depends on the schema" in told(engine, change, schema=None).unsaid[0][1]


TYPES = [
    *("BOOLEAN", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "DECIMAL(12, 2)", "DECIMAL(12, 4)", "DATE", "TIME(6)"),
    *("TIMESTAMP(6)", "TIMESTAMP_LTZ(6)", "STRING", "BYTES", "BINARY(16)", "VARIANT"),
]
PROMOTED = {("INT", "BIGINT"), ("FLOAT", "DOUBLE"), ("DECIMAL(10, 2)", "DECIMAL(12, 2)"), ("DATE", "TIMESTAMP(6)")}


@pytest.mark.parametrize("engine", BOTH)
def test_the_promotions_of_iceberg_have_statements_and_no_other_changes_of_types(engine: str) -> None:
    said = set()
    for source, target in permutations(TYPES, 2):
        change = schema_change.UpdateColumnType(("c",), parse_any(target))
        if told(engine, change, schema=TableSchema.create(f"c {source}")).statements:
            said.add((source, target))
    assert said == PROMOTED


@pytest.mark.parametrize("parts", [(), ("",), ("a", " "), ("a", 1), ("a",) * 11])
def test_parts_that_are_no_name_are_refused(parts: Any) -> None:
    with pytest.raises(FormatError) as caught:
        statements(parts, ["DROP COLUMN a"], engine="spark-iceberg")
    assert caught.value.code == "format.table-name"


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("part", ["x`; DROP TABLE y; --", 'x"; DROP TABLE y', "it's", "a\nb", "${x}"])
def test_a_part_of_a_name_that_a_command_line_would_cut_has_no_statement(engine: str, part: str) -> None:
    assert statements(["db", part], ["DROP COLUMN a"], engine=engine).statements == ()


def test_an_opaque_type_has_no_statement() -> None:
    change = schema_change.AddColumn(("x",), atomic(Root.OPAQUE, text="interval"))
    assert all(told(engine, change).statements == () for engine in BOTH)
