"""What is handed to an engine says what was meant, and nothing that stands in a name or a text becomes a statement of its own."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.parse import settled
from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.types.atomic import STRING
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.engine_sql import ENGINES, EngineSql, statements
from tests.formats.support import strategies
from tests.support import tables

ORDERS = TableSchema.create(
    "id INT NOT NULL, amount DECIMAL(10, 2) COMMENT 'net', address ROW<city STRING, zip STRING COMMENT 'it''s'>, tags ARRAY<INT>"
)


def spark(*changes: Any, schema: TableSchema | None = ORDERS) -> EngineSql:
    return statements("db.t", changes, engine="spark", schema=schema)


def flink(*changes: Any, schema: TableSchema | None = ORDERS) -> EngineSql:
    return statements("db.t", changes, engine="flink", schema=schema)


def test_every_engine_has_a_row_for_every_kind_of_change() -> None:
    for rows in ENGINES.values():
        assert set(rows) == set(SchemaChange.__subclasses__())


# Each is read by Spark itself in test_engine_sql_in_spark.
SPARK = [
    (
        "ADD COLUMN coupon STRING COMMENT 'it''s' AFTER id",
        r"ALTER TABLE `db`.`t` ADD COLUMN `coupon` STRING COMMENT 'it\'s' AFTER `id`",
    ),
    ("ADD COLUMN coupon STRING FIRST", "ALTER TABLE `db`.`t` ADD COLUMN `coupon` STRING FIRST"),
    ("ADD COLUMN coupon STRING BEFORE amount", "ALTER TABLE `db`.`t` ADD COLUMN `coupon` STRING AFTER `id`"),
    ("ADD COLUMN coupon STRING BEFORE id", "ALTER TABLE `db`.`t` ADD COLUMN `coupon` STRING FIRST"),
    ("ADD COLUMN coupon STRING LAST", "ALTER TABLE `db`.`t` ADD COLUMN `coupon` STRING AFTER `tags`"),
    ("ADD COLUMN address.street STRING BEFORE zip", "ALTER TABLE `db`.`t` ADD COLUMN `address`.`street` STRING AFTER `city`"),
    ("ADD COLUMN x ROW<a INT, b ARRAY<DATE>>", "ALTER TABLE `db`.`t` ADD COLUMN `x` STRUCT<`a`: INT, `b`: ARRAY<DATE>>"),
    ("RENAME COLUMN amount TO `to tal`", "ALTER TABLE `db`.`t` RENAME COLUMN `amount` TO `to tal`"),
    ("RENAME COLUMN address.city TO town", "ALTER TABLE `db`.`t` RENAME COLUMN `address`.`city` TO `town`"),
    ("DROP COLUMN address.zip", "ALTER TABLE `db`.`t` DROP COLUMN `address`.`zip`"),
    ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", "ALTER TABLE `db`.`t` ALTER COLUMN `amount` TYPE DECIMAL(12,2)"),
    ("ALTER COLUMN tags.element TYPE BIGINT", "ALTER TABLE `db`.`t` ALTER COLUMN `tags`.`element` TYPE BIGINT"),
    ("ALTER COLUMN id DROP NOT NULL", "ALTER TABLE `db`.`t` ALTER COLUMN `id` DROP NOT NULL"),
    ("ALTER COLUMN amount COMMENT 'gross'", "ALTER TABLE `db`.`t` ALTER COLUMN `amount` COMMENT 'gross'"),
    ("ALTER COLUMN amount SET DEFAULT 5", "ALTER TABLE `db`.`t` ALTER COLUMN `amount` SET DEFAULT 5"),
    ("ALTER COLUMN amount FIRST", "ALTER TABLE `db`.`t` ALTER COLUMN `amount` FIRST"),
    ("ALTER COLUMN amount LAST", "ALTER TABLE `db`.`t` ALTER COLUMN `amount` AFTER `tags`"),
    ("SET OPTION bucket = 4", "ALTER TABLE `db`.`t` SET TBLPROPERTIES ('bucket' = '4')"),
    ("UNSET OPTION bucket", "ALTER TABLE `db`.`t` UNSET TBLPROPERTIES ('bucket')"),
    ("SET COMMENT 'all orders'", "ALTER TABLE `db`.`t` SET TBLPROPERTIES ('comment' = 'all orders')"),
    ("DROP COMMENT", "ALTER TABLE `db`.`t` UNSET TBLPROPERTIES ('comment')"),
]


@pytest.mark.parametrize(("change", "said"), SPARK, ids=[change for change, _ in SPARK])
def test_spark_is_told(change: str, said: str) -> None:
    assert spark(change) == EngineSql((said,))


FLINK = [
    (
        "ADD COLUMN coupon STRING COMMENT 'it''s' AFTER id",
        "ALTER TABLE `db`.`t` ADD `coupon` STRING COMMENT 'it''s' AFTER `id`",
    ),
    ("ADD COLUMN coupon STRING BEFORE id", "ALTER TABLE `db`.`t` ADD `coupon` STRING FIRST"),
    (
        "ADD COLUMN address.street STRING COMMENT 's' FIRST",
        "ALTER TABLE `db`.`t` MODIFY `address` ROW<`street` STRING 's', `city` STRING, `zip` STRING 'it''s'>",
    ),
    ("DROP COLUMN address.zip", "ALTER TABLE `db`.`t` MODIFY `address` ROW<`city` STRING>"),
    ("RENAME COLUMN amount TO total", "ALTER TABLE `db`.`t` RENAME `amount` TO `total`"),
    ("DROP COLUMN amount", "ALTER TABLE `db`.`t` DROP `amount`"),
    ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", "ALTER TABLE `db`.`t` MODIFY `amount` DECIMAL(12, 2) COMMENT 'net'"),
    ("ALTER COLUMN id DROP NOT NULL", "ALTER TABLE `db`.`t` MODIFY `id` INT"),
    ("ALTER COLUMN amount COMMENT 'gross'", "ALTER TABLE `db`.`t` MODIFY `amount` DECIMAL(10, 2) COMMENT 'gross'"),
    ("ALTER COLUMN amount LAST", "ALTER TABLE `db`.`t` MODIFY `amount` DECIMAL(10, 2) COMMENT 'net' AFTER `tags`"),
    ("ALTER COLUMN amount SET DEFAULT 5", "CALL sys.alter_column_default_value('db.t', 'amount', '5')"),
    ("SET OPTION bucket = 4", "ALTER TABLE `db`.`t` SET ('bucket' = '4')"),
    ("UNSET OPTION bucket", "ALTER TABLE `db`.`t` RESET ('bucket')"),
    ("SET COMMENT 'all orders'", "ALTER TABLE `db`.`t` SET ('comment' = 'all orders')"),
    ("DROP COMMENT", "ALTER TABLE `db`.`t` RESET ('comment')"),
    ("DROP PRIMARY KEY", "ALTER TABLE `db`.`t` DROP PRIMARY KEY"),
]


@pytest.mark.parametrize(("change", "said"), FLINK, ids=[change for change, _ in FLINK])
def test_flink_is_told(change: str, said: str) -> None:
    assert flink(change) == EngineSql((said,))


def test_each_statement_speaks_of_what_those_before_it_have_made() -> None:
    told = flink("RENAME COLUMN amount TO total", "ALTER COLUMN total TYPE DECIMAL(12, 2)", "ADD COLUMN z INT BEFORE total")
    assert told.statements[1:] == (
        "ALTER TABLE `db`.`t` MODIFY `total` DECIMAL(12, 2) COMMENT 'net'",
        "ALTER TABLE `db`.`t` ADD `z` INT AFTER `id`",
    )


UNSAID = [
    ("spark", "DROP PRIMARY KEY", "refuses to change the primary key"),
    ("spark", "SET OPTION primary-key = id", "'primary-key'"),
    ("spark", "SET OPTION comment = x", "'comment'"),
    ("spark", "ALTER COLUMN amount DROP COMMENT", "can only empty it"),
    ("spark", "ALTER COLUMN amount DROP DEFAULT", "can only empty it"),
    ("spark", "ALTER COLUMN amount SET NOT NULL", "refuses to make a column NOT NULL"),
    ("spark", "ALTER COLUMN address.zip SET DEFAULT x", "top-level"),
    ("spark", "ALTER COLUMN amount SET DEFAULT 1); DROP TABLE x; --", "an expression"),
    ("spark", "ADD COLUMN at TIMESTAMP(3)", "Spark has no such type"),
    ("spark", "ADD COLUMN m MULTISET<INT>", "Spark has no such type"),
    ("spark", "ADD COLUMN a ARRAY<INT NOT NULL>", "Spark has no such type"),
    ("spark", "ADD COLUMN t TIME(3)", "no types of Spark 4.0"),
    ("flink", "RENAME COLUMN address.city TO town", "drop the field"),
    ("flink", "ALTER COLUMN amount DROP COMMENT", "keeps the comment"),
    ("flink", "ALTER COLUMN amount DROP DEFAULT", "no way to take a default away"),
    ("flink", "ADD COLUMN b BLOB", "BLOB"),
    ("flink", "SET OPTION partition = id", "'partition'"),
    ("flink", "ALTER COLUMN amuont COMMENT 'x'", "no schema that takes these changes"),
]


@pytest.mark.parametrize(("engine", "change", "reason"), UNSAID, ids=[f"{engine}: {change}" for engine, change, _ in UNSAID])
def test_what_an_engine_cannot_say_comes_back_with_the_reason(engine: str, change: str, reason: str) -> None:
    told = statements("db.t", [change], engine=engine, schema=ORDERS)
    assert told.statements == ()
    assert [text for text, _ in told.unsaid] == [change]
    assert reason in told.unsaid[0][1]


def test_a_type_that_also_lets_go_of_not_null_is_two_changes_for_spark() -> None:
    both = schema_change.UpdateColumnType(("id",), TableSchema.create("x BIGINT").fields[0].type)
    assert "two changes" in spark(both).unsaid[0][1]
    assert spark(both, schema=None).unsaid[0][1].startswith("the statement depends on the schema")


def test_a_secret_that_cannot_be_said_is_not_told() -> None:
    told = flink("SET OPTION fs.password = 'a\nb'")
    assert told.unsaid[0][0] == "SET OPTION fs.password = '****'"


@pytest.mark.parametrize("table", ["", "db..t", "db.t; DROP TABLE x", "a.b.c.d", "db.`t`", "db.t--", None])
def test_a_table_name_that_could_be_more_is_refused(table: Any) -> None:
    with pytest.raises(FormatError) as caught:
        statements(table, ["DROP COLUMN a"])
    assert caught.value.code == "format.table-name"


def test_an_engine_that_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(FormatError, match="flink, spark"):
        statements("db.t", ["DROP COLUMN a"], engine="hive")


# ---------------------------------------------------------------- nothing breaks out

HOSTILE = ["x`; DROP TABLE y; --", "it's", "a;b", "${spark.app.name}", "a\n--b", 'say "x"', "/* x", "\\", "a'; --"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_that_a_command_line_would_cut_is_not_written(engine: str, name: str) -> None:
    inside = TableSchema.create([{"name": "r", "type": {"type": "ROW", "fields": [{"id": 0, "name": name, "type": "INT"}]}}])
    batch = [
        schema_change.DropColumn((name,)),
        schema_change.RenameColumn(("amount",), name),
        schema_change.AddColumn(("x",), inside.fields[0].type),
        schema_change.AddColumn(("x",), ORDERS.fields[0].type.with_nullable(True), None, Move("x", MoveType.AFTER, name)),
        schema_change.UpdateColumnDefaultValue((name,), "5"),
    ]
    for change in batch:
        assert statements("db.t", [change], engine=engine).statements == ()


# How each engine reads a text back; Spark's reading is that of its parser, see the tests of its words.
_SPARK_STRING = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
_FLINK_STRING = re.compile(r"'(?:[^']|'')*'")
_NAME = re.compile(r"`(?:[^`]|``)*`")
_TRINO_NAME = re.compile(r'"[^"]*"')


def skeleton(sql: str, string: re.Pattern[str], name: re.Pattern[str] = _NAME) -> str:
    """The statement without what stands in quotes, read from the left as a parser does."""
    found, position = [], 0
    while position < len(sql):
        quoted = string.match(sql, position) or name.match(sql, position)
        found.append("_" if quoted else sql[position])
        position = quoted.end() if quoted else position + 1
    return "".join(found)


_MOVES = st.none() | st.builds(Move, strategies.names, st.just(MoveType.AFTER), strategies.names)
_PATHS = st.lists(strategies.names, min_size=1, max_size=3).map(tuple)
_TEXTS = strategies.texts | st.sampled_from([*HOSTILE, "';--", "\\';", "\\${x}", "'';"])
_KINDS = strategies.any_type.map(lambda kind: kind.with_nullable(True))
CHANGES: st.SearchStrategy[SchemaChange] = st.one_of(
    st.builds(schema_change.AddColumn, _PATHS, _KINDS, st.none() | _TEXTS, _MOVES),
    st.builds(schema_change.RenameColumn, _PATHS, strategies.names),
    st.builds(schema_change.UpdateColumnType, _PATHS, _KINDS, st.just(True)),
    st.builds(schema_change.UpdateColumnComment, _PATHS, _TEXTS),
    st.builds(schema_change.UpdateColumnDefaultValue, _PATHS, strategies.defaults | _TEXTS),
    st.builds(schema_change.SetOption, _TEXTS, _TEXTS),
    st.builds(schema_change.UpdateComment, _TEXTS),
).map(settled)


@given(CHANGES)
def test_nothing_in_a_name_or_a_text_becomes_part_of_the_statement(change: SchemaChange) -> None:
    for engine, string in (("spark", _SPARK_STRING), ("flink", _FLINK_STRING)):
        for sql in statements("db.t", [change], engine=engine).statements:
            bare = skeleton(sql, string)
            assert re.fullmatch(r"(?:ALTER TABLE _\._|CALL sys)[A-Za-z0-9_ .,:=<>()-]*", bare)
            assert "--" not in bare
            assert "\n" not in sql
            assert "${" not in sql or engine == "flink"


_PLAIN_NAMES = st.sampled_from(["a", "two words", "größe", "x`y", "日本"]) | strategies.names
_ABOUT_ICEBERG: st.SearchStrategy[SchemaChange] = st.one_of(
    st.builds(schema_change.AddColumn, _PLAIN_NAMES.map(lambda name: (name,)), st.just(STRING), st.none() | _TEXTS),
    st.builds(schema_change.RenameColumn, st.just(("amount",)), _PLAIN_NAMES),
    st.builds(schema_change.UpdateColumnComment, _PLAIN_NAMES.map(lambda name: (name,)), _TEXTS),
    st.builds(schema_change.SetOption, _TEXTS, _TEXTS),
    st.builds(schema_change.UpdateComment, _TEXTS),
).map(settled)


@given(_ABOUT_ICEBERG)
def test_nothing_becomes_part_of_a_statement_about_iceberg(change: SchemaChange) -> None:
    for engine, string, name in (("spark-iceberg", _SPARK_STRING, _NAME), ("trino", _FLINK_STRING, _TRINO_NAME)):
        for sql in statements(["cat", "a.b", "t"], [change], engine=engine).statements:
            bare = skeleton(sql, string, name)
            assert re.fullmatch(r"(?:ALTER TABLE|COMMENT ON TABLE|COMMENT ON COLUMN) _\._\._[A-Za-z0-9_ .,:=<>()-]*", bare)
            assert "--" not in bare
            assert "\n" not in sql


def _unsaid_somewhere(schema: TableSchema) -> st.SearchStrategy[SchemaChange]:
    """Changes that not every engine has a statement for."""
    columns = st.sampled_from([(name,) for name in schema.names])
    return st.one_of(
        st.just(schema_change.DropPrimaryKey()),
        st.builds(schema_change.UpdateColumnDefaultValue, columns, st.none()),
        st.builds(schema_change.UpdateColumnComment, columns, st.none()),
        st.builds(
            schema_change.AddColumn, st.sampled_from([("f",), ("g",)]), strategies.any_type.map(lambda kind: kind.with_nullable(True))
        ),
    )


@given(st.data())
def test_every_change_is_either_said_or_handed_back(data: st.DataObject) -> None:
    schema = data.draw(tables.tables())
    batch = data.draw(tables.batches(schema, min_size=1, change=lambda now: _unsaid_somewhere(now) | tables.one_change(now)))
    for engine in ENGINES:
        told = statements("db.t", batch, engine=engine, schema=schema)
        assert len(told.statements) + len(told.unsaid) == len(batch)
        assert all(reason.endswith((".", "...")) for _, reason in told.unsaid)
